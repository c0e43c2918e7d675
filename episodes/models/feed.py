from django.db import models

from .episode import Episode
from .show import Show


class FeedSource(models.Model):
    """A feed that a show is read from."""

    show = models.ForeignKey(Show, on_delete=models.CASCADE, related_name="feed_sources")
    address = models.CharField(max_length=2000, unique=True)
    etag = models.CharField(max_length=300, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    read_at = models.DateTimeField(null=True)
    values = models.JSONField(default=dict, help_text="The show's content as last read: the base of the next merge.")
    people = models.JSONField(
        default=list, help_text="Whom it names: [link, name, guest id], kept though we rename the guest."
    )

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.address


class FeedEntry(models.Model):
    """One item of a feed: the episode that it became, and what it said when last read."""

    source = models.ForeignKey(FeedSource, on_delete=models.CASCADE, related_name="entries")
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="feed_entries")
    guid = models.CharField(max_length=1000)
    enclosure_url = models.CharField(max_length=2000, blank=True, db_index=True)
    enclosure_key = models.CharField(
        max_length=2000, blank=True, db_index=True, help_text="The address without its query."
    )
    values = models.JSONField(default=dict, help_text="The content as last read: the base of the next merge.")
    extras = models.JSONField(
        default=dict, help_text="What the feed says that is no content: transcripts, chapters, the raw notes."
    )
    read_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["source", "guid"], name="feedentry_guid_once")]

    def __str__(self) -> str:
        return self.guid
