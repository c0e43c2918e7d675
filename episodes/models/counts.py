from django.db import models


class RowCount(models.Subquery):
    """The number of rows that a subquery finds.

    Two ``Count`` over two joins would multiply their rows before telling them apart;
    this counts for the rows of one page only.
    """

    template = "(SELECT COUNT(*) FROM (%(subquery)s) _rows)"
    output_field = models.IntegerField()
