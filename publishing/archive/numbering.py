"""The last number that each table gave.

Old revisions name what was deleted since by its number, so no number may be given twice.
"""

from django.db import connection
from django.db.models import Max, Model


def last_id(model: type[Model]) -> int:
    """Return the highest number that a row of a table ever had, 0 if none."""
    return max(_last_given(model), _highest(model))


def number_on_after(model: type[Model], last: int) -> None:
    """Have the next row numbered after ``last``, and after those that are there."""
    last, table = max(last, _highest(model)), model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])
        else:
            cursor.execute("SELECT setval(%s, %s, false)", [_sequence(model), last + 1])


def _highest(model: type[Model]) -> int:
    return model._base_manager.aggregate(highest=Max("pk"))["highest"] or 0


def _last_given(model: type[Model]) -> int:
    """Return the last number that the database gave by itself; PostgreSQL does not count those it was told."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            given = cursor.fetchone()
            return given[0] if given else 0
        cursor.execute(f"SELECT last_value, is_called FROM {_sequence(model)}")  # noqa: S608 - its own name for it
        value, is_called = cursor.fetchone()
        return value if is_called else value - 1


def _sequence(model: type[Model]) -> str:
    """Return PostgreSQL's name for what numbers a table's rows, quoted."""
    quote, pk = connection.ops.quote_name, model._meta.pk
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [quote(model._meta.db_table), pk.column if pk else ""])
        return cursor.fetchone()[0]
