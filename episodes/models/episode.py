from typing import TYPE_CHECKING, ClassVar, Protocol

from django.apps import apps
from django.db import models
from django.db.models import Prefetch, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from publishing.models import LinkTable, Publishable, PublishableQuerySet

from .guest import Guest
from .media import Image, MediaFile
from .people import Role
from .show import Show, ShowPerson
from .topic import Topic

if TYPE_CHECKING:
    from .transcript import CurrentTranscript


class Origin(models.TextChoices):
    """Where a text that readers see comes from."""

    EDITOR = "editor", _("written here")
    FEED = "feed", _("from the feed")
    MACHINE = "machine", _("machine-drafted")


class EpisodeQuerySet(PublishableQuerySet):
    def newest_first(self):
        """Order by the day they aired; one topic's or guest's by the date that its links repeat."""
        for table, links in ((EpisodeTopic, "episode_topics"), (EpisodeGuest, "episode_guests")):
            if self.comes_by(table):
                return self.order_by(f"-{links}__aired_at", f"-{links}__episode_id")
        return self.order_by("-aired_at", "-pk")

    def about(self, topic: Topic):
        return self.filter(episode_topics__topic=topic)

    def with_guest(self, guest: Guest):
        return self.filter(episode_guests__guest=guest, episode_guests__is_first=True)

    def for_listing(self):
        """Load everything ``_episode_row.html`` reads, newest first."""
        return (
            self.select_related("show", "artwork", "show__artwork")
            .defer("notes", "chapters", "show__description")
            .newest_first()
        )

    def for_page(self):
        """Load everything the episode page reads but its quotes."""
        return self.select_related("item", "show", "artwork", "show__artwork").with_people().with_topics().with_media()

    def for_feed(self):
        """Load everything a feed entry reads, newest first."""
        cast = ShowPerson.objects.filter(guest__visible=True).select_related("guest", "guest__portrait")
        people = Prefetch("show__show_people", queryset=cast, to_attr="cast")
        entries = self.for_page().with_soundbites().with_transcripts().with_corrections().prefetch_related(people)
        return entries.defer("item__working_text", "show__description").newest_first()

    def with_people(self):
        """Load ``people``: who takes part, as readers may see them, in order."""
        people = EpisodeGuest.objects.filter(guest__visible=True).select_related("guest", "guest__portrait")
        return self.prefetch_related(Prefetch("episode_guests", queryset=people, to_attr="people"))

    def with_topics(self):
        """Load ``topic_links``, each with its visible ``topic``, in order."""
        topics = EpisodeTopic.objects.filter(topic__visible=True).select_related("topic")
        return self.prefetch_related(Prefetch("episode_topics", queryset=topics, to_attr="topic_links"))

    def with_media(self):
        """Load ``media_links``, each with its ``media``, in order."""
        media = EpisodeMedia.objects.select_related("media")
        return self.prefetch_related(Prefetch("episode_media", queryset=media, to_attr="media_links"))

    def with_soundbites(self):
        """Load ``timed_quotes``: the live quotes that have a start and an end, as said."""
        quotes = apps.get_model("quotes.Quote").objects.live().filter(start_ms__isnull=False, end_ms__isnull=False)
        named = quotes.as_said().only("episode", "claim", "start_ms", "end_ms")
        return self.prefetch_related(Prefetch("quotes", queryset=named, to_attr="timed_quotes"))

    def with_transcripts(self):
        """Load ``transcript_links``: which transcript holds for each language."""
        held = apps.get_model("episodes.CurrentTranscript").objects.select_related("transcript")
        held = held.only("episode", "language", "is_original", "transcript__is_timed")
        return self.prefetch_related(Prefetch("current_transcripts", queryset=held, to_attr="transcript_links"))


class TimedQuote(Protocol):
    """What episodes read of a quote with a start and an end; its model lies in an app that imports this one."""

    claim: str
    start_ms: int
    end_ms: int


class Episode(Publishable):
    """One episode of a show. Times are milliseconds on its timeline."""

    kind = "episode"
    when_removed = _("An episode was removed")
    parents = ("show",)
    address_parents = ("show",)

    class Kind(models.TextChoices):
        FULL = "full", _("full")
        TRAILER = "trailer", _("trailer")
        BONUS = "bonus", _("bonus")

    show = models.ForeignKey(Show, on_delete=models.PROTECT, related_name="episodes")
    guid = models.CharField(max_length=1000, editable=False)

    title = models.CharField(max_length=300, blank=True, editable=False)
    summary = models.TextField(blank=True, editable=False)
    summary_by = models.CharField(max_length=120, blank=True, editable=False)
    summary_edited_by = models.CharField(max_length=120, blank=True, editable=False)
    summary_origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.EDITOR, editable=False)
    summary_on = models.DateField(null=True, editable=False)
    summary_transcript = models.PositiveIntegerField(null=True, editable=False)
    notes = models.TextField(blank=True, editable=False)
    aired_at = models.DateTimeField(null=True, editable=False)
    duration_ms = models.PositiveBigIntegerField(null=True, editable=False)
    season = models.PositiveIntegerField(null=True, editable=False)
    number = models.PositiveIntegerField(null=True, editable=False)
    number_label = models.CharField(max_length=32, blank=True, editable=False)
    episode_kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.FULL, editable=False)
    explicit = models.BooleanField(default=False, editable=False)
    artwork = models.ForeignKey(Image, null=True, on_delete=models.PROTECT, related_name="+", editable=False)
    artwork_alt = models.CharField(max_length=300, blank=True, editable=False)
    website = models.URLField(max_length=2000, blank=True, editable=False)
    chapters = models.JSONField(default=list, editable=False)
    locations = models.JSONField(default=list, editable=False)
    social = models.JSONField(default=list, editable=False)

    guests = models.ManyToManyField(Guest, through="EpisodeGuest", related_name="episodes")
    topics = models.ManyToManyField(Topic, through="EpisodeTopic", related_name="episodes")

    # Loaded by the QuerySet's with_people(), with_topics(), with_media(), with_soundbites()
    # and with_transcripts().
    people: list["EpisodeGuest"]
    topic_links: list["EpisodeTopic"]
    media_links: list["EpisodeMedia"]
    timed_quotes: list["TimedQuote"]
    transcript_links: list["CurrentTranscript"]

    objects: ClassVar = EpisodeQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [
            # With "visible", so that lists are counted in the index alone.
            models.Index(
                fields=["-aired_at", "-item", "visible"], condition=Q(visible=True), name="episode_live_newest"
            ),
            models.Index(
                fields=["show", "-aired_at", "-item", "visible"],
                condition=Q(visible=True),
                name="episode_live_in_show",
            ),
            models.Index(fields=["show", "slug"], name="episode_slug"),
        ]
        constraints = [models.UniqueConstraint(fields=["show", "guid"], name="episode_guid_once")]

    @classmethod
    def first_columns(cls, item):
        return {"guid": str(item.uid)}

    def get_absolute_url(self) -> str:
        return reverse("episodes:detail", args=[self.show.slug, self.slug])

    @classmethod
    def shown_on(cls, pks):
        """An episode shows on its show, guests and topics, and on its quotes' pages."""
        quotes = apps.get_model("quotes.Quote").objects
        return [
            quotes.filter(episode__in=pks, visible=True).values_list("pk", flat=True),
            cls.objects.filter(pk__in=pks).values_list("show", flat=True),
            EpisodeGuest.objects.filter(episode__in=pks).values_list("guest", flat=True),
            EpisodeTopic.objects.filter(episode__in=pks).values_list("topic", flat=True),
        ]


class EpisodeGuest(LinkTable):
    """Who takes part in an episode, as what, and who they were then."""

    source_field = "episode"
    copied = ("aired_at",)

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="episode_guests")
    guest = models.ForeignKey(Guest, on_delete=models.PROTECT, related_name="episode_guests", db_index=False)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.GUEST)
    credit = models.CharField(max_length=300, blank=True)
    aired_at = models.DateTimeField(null=True)
    is_first = models.BooleanField(
        default=True, help_text="Of the links between the two: whoever hosts may be a guest too."
    )

    class Meta(LinkTable.Meta):
        indexes = [models.Index(fields=["guest", "-aired_at", "-episode"], name="episodeguest_newest")]

    def __str__(self) -> str:
        return f"{self.episode_id} {self.guest_id} {self.role}"

    @classmethod
    def build(cls, source, rows):
        guests = [row["guest"] for row in rows]
        firsts = [{"is_first": guest not in guests[:place]} for place, guest in enumerate(guests)]
        return super().build(source, [row | first for row, first in zip(rows, firsts, strict=True)])


class EpisodeTopic(LinkTable):
    source_field = "episode"
    copied = ("aired_at",)

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="episode_topics")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="episode_topics", db_index=False)
    aired_at = models.DateTimeField(null=True)

    class Meta(LinkTable.Meta):
        indexes = [models.Index(fields=["topic", "-aired_at", "-episode"], name="episodetopic_newest")]

    def __str__(self) -> str:
        return f"{self.episode_id} {self.topic_id}"


class EpisodeMedia(LinkTable):
    source_field = "episode"

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="episode_media")
    media = models.ForeignKey(MediaFile, on_delete=models.CASCADE, related_name="episode_media")

    def __str__(self) -> str:
        return f"{self.episode_id} {self.media_id}"
