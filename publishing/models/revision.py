from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Revision(models.Model):
    """One saved state of an item, never changed afterwards.

    ``content`` holds every editable field as JSON: relations as item ids, ordered
    lists as lists of small objects, moments in UTC to the second, times in milliseconds.
    """

    class Kind(models.TextChoices):
        SAVE = "save", _("saved")
        RESTORE = "restore", _("restored")
        IMPORT = "import", _("imported")
        MERGE = "merge", _("merged")
        CORRECTION = "correction", _("correction")

    item = models.ForeignKey("Item", on_delete=models.CASCADE, related_name="revisions")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.SAVE)
    content = models.JSONField()
    content_hash = models.CharField(max_length=64)
    schema = models.PositiveSmallIntegerField(default=1)
    note = models.CharField(max_length=300, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["item", "number"], name="revision_number_once")]

    def __str__(self) -> str:
        return f"{self.item_id} r{self.number}"
