from django.db import models


class AppendOnly(Exception):
    """Raised where code tries to change or delete what has been logged."""


class EventQuerySet(models.QuerySet):
    def update(self, **kwargs):
        raise AppendOnly("Events are never changed.")

    def delete(self):
        raise AppendOnly("Events are never deleted.")


class Event(models.Model):
    """Who did what to what, and when; it outlives the person and the item.

    ``what`` is ``kind.act``, such as ``episode.publish``. The actor's name and the
    item's title are copied, since both may be gone when somebody asks.
    """

    at = models.DateTimeField(auto_now_add=True, db_index=True)
    actor_id = models.BigIntegerField(null=True)
    actor_name = models.CharField(max_length=150, blank=True)
    what = models.CharField(max_length=60)
    item_uid = models.UUIDField(null=True, db_index=True)
    item_title = models.CharField(max_length=300, blank=True)
    revision_number = models.PositiveIntegerField(null=True)
    data = models.JSONField(default=dict)

    objects = EventQuerySet.as_manager()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.actor_name} {self.what} {self.item_title}"

    def save(self, *args, **kwargs):
        if self.pk:
            raise AppendOnly("Events are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args, **kwargs):
        raise AppendOnly("Events are never deleted.")
