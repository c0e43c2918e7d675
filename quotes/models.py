from collections.abc import Hashable
from typing import ClassVar

from django.db import models
from django.db.models import F, Prefetch, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from episodes.models import Episode, EpisodeMedia, Guest, GuestQuote, Origin, Topic, Transcript
from publishing.models import LinkTable, Publishable, PublishableQuerySet, once_live


class QuoteQuerySet(PublishableQuerySet):
    def by_guest(self, guest: Guest):
        return self.filter(speaker=guest)

    def about(self, topic: Topic):
        return self.filter(quote_topics__topic=topic)

    def newest_first(self):
        """Order by first publication; one topic's by the date that its links repeat."""
        if self.comes_by(QuoteTopic):
            return self.order_by("-quote_topics__first_published_at", "-quote_topics__quote_id")
        return self.order_by("-first_published_at", "-pk")

    def as_said(self):
        """Order as the episode goes; quotes without a time come last."""
        return self.order_by(F("start_ms").asc(nulls_last=True), "pk")

    def for_listing(self):
        """Load everything ``_quote_card.html`` reads."""
        return self.select_related("speaker")

    def with_episode(self):
        """Load the episode and its show, without their long texts."""
        return self.select_related("episode", "episode__show").defer(
            "episode__notes", "episode__chapters", "episode__show__description"
        )

    def with_topics(self):
        """Load ``topic_links``, each with its visible ``topic``, in order."""
        topics = QuoteTopic.objects.filter(topic__visible=True).select_related("topic")
        return self.prefetch_related(Prefetch("quote_topics", queryset=topics, to_attr="topic_links"))

    def for_page(self):
        """Load everything the quote page reads but more from the speaker."""
        media = Prefetch(
            "episode__episode_media", queryset=EpisodeMedia.objects.select_related("media"), to_attr="media_links"
        )
        pictures = ("speaker__portrait", "episode__artwork", "episode__show__artwork")
        return self.with_episode().with_topics().select_related("item", *pictures).prefetch_related(media)

    def proved_by(self, transcript: Transcript):
        """Return those that a transcript proves, with ``first_word`` and ``last_word``: where they stand in it."""
        check = {"checks__transcript": transcript, "checks__passes": True, "checks__revision": F("item__live")}
        place = {name: F(f"checks__result__{name}") for name in ("first_word", "last_word")}
        return self.filter(**check).annotate(**place)

    def for_feed(self):
        """Load everything a feed entry reads, newest first."""
        return (
            self.with_episode()
            .with_topics()
            .with_corrections()
            .select_related("item", "speaker")
            .defer("item__working_text")
            .newest_first()
        )


class Quote(Publishable):
    """What somebody said in an episode, cleaned for reading. Times are milliseconds, the plain span of the words."""

    kind = "quote"
    when_removed = _("A quote was removed")
    parents = ("episode", "speaker")

    class Verdict(models.TextChoices):
        SUPPORTED = "supported", _("supported")
        PARTLY = "partly", _("partly supported")
        DISPUTED = "disputed", _("disputed")
        CONTRADICTED = "contradicted", _("contradicted")
        UNVERIFIABLE = "unverifiable", _("cannot be verified")
        OPINION = "opinion", _("opinion")

    episode = models.ForeignKey(Episode, on_delete=models.PROTECT, related_name="quotes")

    claim = models.CharField(max_length=200, blank=True, editable=False)
    claim_by = models.CharField(max_length=120, blank=True, editable=False)
    claim_edited_by = models.CharField(max_length=120, blank=True, editable=False)
    claim_origin = models.CharField(max_length=10, choices=Origin.choices, default=Origin.EDITOR, editable=False)
    claim_transcript = models.PositiveIntegerField(null=True, editable=False)
    text = models.TextField(blank=True, editable=False)
    speaker = models.ForeignKey(Guest, null=True, on_delete=models.PROTECT, related_name="quotes", editable=False)
    start_ms = models.PositiveBigIntegerField(null=True, editable=False)
    end_ms = models.PositiveBigIntegerField(null=True, editable=False)
    context = models.TextField(blank=True, editable=False)
    assessments = models.JSONField(default=list, editable=False)
    heard = models.JSONField(null=True, editable=False)
    speaker_named = models.JSONField(null=True, editable=False)

    topics = models.ManyToManyField(Topic, through="QuoteTopic", related_name="quotes")

    topic_links: list["QuoteTopic"]  # loaded by the QuerySet's with_topics()

    objects: ClassVar = QuoteQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [
            # With "visible", so that lists are counted in the index alone.
            models.Index(
                fields=["-first_published_at", "-item", "visible"], condition=Q(visible=True), name="quote_live_newest"
            ),
            models.Index(
                fields=["speaker", "-first_published_at", "-item", "visible"],
                condition=Q(visible=True),
                name="quote_live_of_speaker",
            ),
            models.Index(
                fields=["episode", "start_ms", "item"], condition=Q(visible=True), name="quote_live_in_episode"
            ),
            models.Index(fields=["slug"], condition=Q(visible=True), name="quote_live_slug"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(end_ms__gt=F("start_ms")) | Q(start_ms__isnull=True) | Q(end_ms__isnull=True),
                name="quote_ends_after_start",
                violation_error_message=_("The quote must end after it starts."),
            ),
        ]

    def get_absolute_url(self) -> str:
        return reverse("quotes:detail", args=[self.slug])

    @property
    def moment(self) -> Hashable:
        """Return what two quotes of the same words share; one without a time is its own moment."""
        return (self.episode_id, self.start_ms) if self.start_ms is not None else self.pk

    @property
    def headline(self) -> str:
        """Return ``Speaker: claim``, as pages, cards and feeds head the quote."""
        return f"{self.speaker_name}: {self.claim}"

    @property
    def speaker_name(self) -> str:
        return once_live(self.speaker).name

    @property
    def sources(self) -> list[dict]:
        """Return the assessments, each with its verdict in words as ``verdict_label``."""
        labels = dict(self.Verdict.choices)
        return [
            source | {"verdict_label": labels.get(source["verdict"], source["verdict"])} for source in self.assessments
        ]

    @classmethod
    def shown_on(cls, pks):
        """A quote shows on its episode, speaker and topics, and where it is more from the speaker."""
        return [
            cls.objects.filter(pk__in=pks).values_list("episode", flat=True),
            cls.objects.filter(pk__in=pks, speaker__isnull=False).values_list("speaker", flat=True),
            QuoteTopic.objects.filter(quote__in=pks).values_list("topic", flat=True),
            RelatedQuote.objects.filter(related__in=pks).values_list("quote", flat=True),
            GuestQuote.objects.filter(quote__in=pks).values_list("guest", flat=True),
        ]


class QuoteTopic(LinkTable):
    source_field = "quote"
    copied = ("first_published_at",)

    quote = models.ForeignKey(Quote, on_delete=models.CASCADE, related_name="quote_topics")
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="quote_topics", db_index=False)
    first_published_at = models.DateTimeField(null=True)

    class Meta(LinkTable.Meta):
        indexes = [models.Index(fields=["topic", "-first_published_at", "-quote"], name="quotetopic_newest")]

    def __str__(self) -> str:
        return f"{self.quote_id} {self.topic_id}"


class RelatedQuote(LinkTable):
    """More from this speaker, in the order the editor chose."""

    source_field = "quote"

    quote = models.ForeignKey(Quote, on_delete=models.CASCADE, related_name="related_quotes")
    related = models.ForeignKey(Quote, on_delete=models.PROTECT, related_name="related_from")

    def __str__(self) -> str:
        return f"{self.quote_id} {self.related_id}"


class Checked(models.TextChoices):
    """What a comparison of a quote with the transcript found; the values are those of ``check.Verdict``."""

    VERBATIM = "verbatim", _("verbatim")
    CLEANED = "cleaned", _("cleaned")
    BRACKETED = "bracketed", _("bracketed")
    ALTERED = "altered", _("altered")
    UNCHECKED = "unchecked", _("unchecked")


class QuoteCheckQuerySet(models.QuerySet):
    def of_original(self):
        """Return checks against the transcripts that hold."""
        return self.filter(transcript__currently__is_original=True)

    def of_heads(self):
        """Return checks of what editors work on."""
        return self.filter(revision=F("quote__item__head"))

    def of_live(self):
        """Return checks of what readers see."""
        return self.filter(revision=F("quote__item__live"), quote__visible=True)


class QuoteCheck(models.Model):
    """What comparing one revision of a quote with one transcript found; see ``quotes/check/``.

    A quote's page promises something if and only if there is a passing one for its live
    revision and the transcript that holds.
    """

    quote = models.ForeignKey(Quote, on_delete=models.CASCADE, related_name="checks")
    revision = models.ForeignKey("publishing.Revision", on_delete=models.CASCADE, related_name="+")
    transcript = models.ForeignKey("episodes.Transcript", on_delete=models.CASCADE, related_name="+")
    words_hash = models.CharField(max_length=64)
    rules = models.CharField(max_length=20)
    verdict = models.CharField(max_length=10, choices=Checked.choices)
    passes = models.BooleanField()
    result = models.JSONField()
    unsure = models.JSONField(default=list, help_text="Labels of the matched words that may be somebody else's.")
    around = models.JSONField(
        null=True, help_text="Where the words stand, and who asked what before: anchor, label, question."
    )
    checked_at = models.DateTimeField()

    objects = QuoteCheckQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["-checked_at"], condition=Q(passes=False), name="quotecheck_failed")]
        constraints = [models.UniqueConstraint(fields=["revision", "transcript"], name="quotecheck_once")]

    def __str__(self) -> str:
        return f"{self.quote_id} {self.verdict}"


class Clip(models.Model):
    """A rendered clip of a quote, named by all that it shows: a corrected quote has another.

    ``tag`` is that of ``clips.offers.Offer``; the file is named for its content.
    """

    quote = models.ForeignKey(Quote, on_delete=models.CASCADE, related_name="clips")
    tag = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=10)
    file = models.FileField(max_length=120, upload_to="clips")
    poster = models.FileField(
        max_length=120, blank=True, upload_to="clips", help_text="The first frame, of a clip of a film."
    )
    bytes = models.PositiveBigIntegerField()
    duration_ms = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.quote_id} {self.kind}"


class QuoteWaiver(models.Model):
    """A publisher's reason for showing words that no check passed; it holds for these words, whatever else changes."""

    quote = models.ForeignKey(Quote, on_delete=models.CASCADE, related_name="waivers")
    words_key = models.CharField(max_length=16)
    reason = models.TextField()
    by = models.ForeignKey("auth.User", null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["quote", "words_key"], name="quotewaiver_once")]

    def __str__(self) -> str:
        return f"{self.quote_id} {self.words_key}"
