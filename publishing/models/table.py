from django.db import models


class TableEntry(models.Model):
    """What a line of an imported table became, and what it said: the base of the next merge."""

    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=300)
    item = models.ForeignKey("Item", on_delete=models.CASCADE, related_name="+")
    values = models.JSONField(default=dict)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["kind", "key"], name="tableentry_key_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
