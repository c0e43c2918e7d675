from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .episode import Episode


class TranscriptBody(models.Model):
    """The cues and words of one file as read, packed (``transcripts/body.py``); its corrections share it."""

    data = models.BinaryField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.pk}"


class TranscriptQuerySet(models.QuerySet):
    def current(self):
        """Return those that quotes are checked against and readers may see, if they may see the episode."""
        return self.filter(currently__isnull=False)

    def original(self):
        """Return each episode's current transcript in the language that was spoken."""
        return self.filter(currently__is_original=True)


class Transcript(models.Model):
    """One reading of what was said; never changed. A correction is a new row over the same body.

    ``speakers`` is ``[{"label", "guest" (an id or null), "state"}]``, one for each label.
    ``corrections`` is ``{"words": {index: text}, "cues": {index: label}}``, all that differ
    from the body, which stays as it was read. ``words_hash`` is over the words as corrected.
    """

    class SpeakerState(models.TextChoices):
        SURE = "sure", _("sure")
        UNSURE = "unsure", _("unsure")
        NOBODY = "nobody", _("nobody we name")

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="transcripts")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="corrected_by")
    body = models.ForeignKey(TranscriptBody, on_delete=models.PROTECT, related_name="transcripts")
    language = models.CharField(max_length=20)
    format = models.CharField(max_length=40)
    engine = models.CharField(max_length=100, blank=True)
    made_on = models.DateField(null=True)
    is_automated = models.BooleanField(default=False)
    original = models.FileField(max_length=120, blank=True, upload_to="transcripts")
    original_name = models.CharField(max_length=200, blank=True)
    word_count = models.PositiveIntegerField()
    cue_count = models.PositiveIntegerField()
    is_timed = models.BooleanField(default=True, help_text="Whether any part of it says when it was spoken.")
    words_hash = models.CharField(max_length=64)
    speakers = models.JSONField(default=list)
    corrections = models.JSONField(default=dict)
    messages = models.JSONField(default=list)
    note = models.CharField(max_length=300, blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    objects = TranscriptQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["episode", "number"], name="transcript_number_once")]

    def __str__(self) -> str:
        return f"{self.episode_id} t{self.number}"

    @property
    def unsure(self) -> list[str]:
        """Return the labels of which nobody has said for sure who they are."""
        return [row["label"] for row in self.speakers if row["state"] == self.SpeakerState.UNSURE]


class CurrentTranscript(models.Model):
    """Which transcript of an episode holds, one a language; written by ``make_current()`` only.

    Quotes are checked against the original: the one in the language that was spoken.
    """

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="current_transcripts")
    language = models.CharField(max_length=20)
    transcript = models.OneToOneField(Transcript, on_delete=models.CASCADE, related_name="currently")
    is_original = models.BooleanField(default=False)
    since = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["episode", "language"], name="current_transcript_a_language"),
            models.UniqueConstraint(
                fields=["episode"], condition=Q(is_original=True), name="current_transcript_one_original"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.episode_id} {self.language}"
