from django.conf import settings
from django.db import models


class StoredFile(models.Model):
    """A file that somebody brought in, or the system for them: whose, how large and when. Quotas count these rows.

    That something still names the file is told by the ``FileField`` of other rows, never by this one.
    """

    name = models.CharField(max_length=120, unique=True)
    bytes = models.PositiveBigIntegerField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.name
