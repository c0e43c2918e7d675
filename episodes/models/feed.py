from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from publishing.reports import ImportReport

from .episode import Episode
from .show import Show


class FeedSourceQuerySet(models.QuerySet):
    def followed(self):
        """Return the feeds that are read again by themselves."""
        return self.filter(is_followed=True)

    def due(self, now):
        """Return the followed feeds whose time has come, the longest waiting first."""
        return self.followed().filter(next_read_at__lte=now).order_by("next_read_at", "pk")


class FeedSource(models.Model):
    """A feed that a show is read from, and how it is followed."""

    class Every(models.IntegerChoices):
        """Hours between two reads."""

        HOUR = 1, _("every hour")
        THREE_HOURS = 3, _("every 3 hours")
        SIX_HOURS = 6, _("every 6 hours")
        TWELVE_HOURS = 12, _("every 12 hours")
        DAY = 24, _("once a day")
        WEEK = 168, _("once a week")

    show = models.ForeignKey(Show, on_delete=models.CASCADE, related_name="feed_sources")
    address = models.CharField(max_length=2000, unique=True)
    etag = models.CharField(max_length=300, blank=True)
    last_modified = models.CharField(max_length=100, blank=True)
    read_at = models.DateTimeField(null=True)
    values = models.JSONField(default=dict, help_text="The show's content as last read: the base of the next merge.")
    people = models.JSONField(
        default=list, help_text="Whom it names: [link, name, guest id], kept though we rename the guest."
    )
    podcast_guid = models.CharField(max_length=36, blank=True, help_text="What the feed called itself when last read.")
    owner_agrees = models.BooleanField(default=False, help_text="Asked once, for a feed that says it is locked.")

    is_followed = models.BooleanField(default=False)
    every_hours = models.PositiveSmallIntegerField(choices=Every.choices, default=Every.SIX_HOURS)
    followed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who turned it on; new drafts are theirs.",
    )
    publisher = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Who has new episodes published at once; null: they stay drafts.",
    )
    next_read_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0, help_text="Reads in a row that came to nothing.")
    problem = models.TextField(blank=True, help_text="Why the last read came to nothing.")
    waits_for_editor = models.BooleanField(default=False, help_text="The desk lists it.")
    quiet_reads = models.PositiveIntegerField(default=0, help_text="Since the last report: nothing new in them.")

    objects: ClassVar = FeedSourceQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["next_read_at"], condition=Q(is_followed=True), name="feedsource_next")]

    def __str__(self) -> str:
        return self.address

    @property
    def is_on_the_web(self) -> bool:
        """Tell whether it can be read again; files and feeds known by a guid cannot."""
        return self.address.lower().startswith(("http://", "https://"))


class FeedRunQuerySet(models.QuerySet):
    def with_news(self):
        """Return reports of episodes that came or changed."""
        return self.filter(Q(made__gt=0) | Q(updated__gt=0) | Q(clashes__gt=0))


class FeedRun(models.Model):
    """What one read of a feed brought; reads without anything new are only counted in their source."""

    class Outcome(models.TextChoices):
        READ = "read", _("read")
        REFUSED = "refused", _("not imported")
        FAILED = "failed", _("not read")

    source = models.ForeignKey(FeedSource, on_delete=models.CASCADE, related_name="runs")
    at = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    status = models.PositiveSmallIntegerField(null=True, help_text="HTTP, where the site answered.")
    made = models.PositiveIntegerField(default=0)
    updated = models.PositiveIntegerField(default=0)
    unchanged = models.PositiveIntegerField(default=0)
    clashes = models.PositiveIntegerField(default=0, help_text="Episodes of which something was edited here and stays.")
    skipped = models.PositiveIntegerField(default=0)
    problem = models.TextField(blank=True)
    report = models.JSONField(default=dict, help_text="An ImportReport, each list cut.")

    objects: ClassVar = FeedRunQuerySet.as_manager()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.outcome} {self.source_id}"

    def sections(self) -> list[tuple[str, list[str]]]:
        """Return headed lists of what the report says, the empty ones left out."""
        return ImportReport(**self.report).sections() if self.report else []


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
