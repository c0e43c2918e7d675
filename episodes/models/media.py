from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class Image(models.Model):
    """A picture as we re-encoded it, and the place in it to look at; never changed.

    Another place is another row for the same file. Alt text and credit are content beside its id.
    """

    file = models.FileField(max_length=120, upload_to="images")
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    focal_x = models.PositiveSmallIntegerField(default=50, help_text=_("Percent from the left."))
    focal_y = models.PositiveSmallIntegerField(default=50, help_text=_("Percent from the top."))
    source_url = models.URLField(max_length=2000, blank=True)
    content_hash = models.CharField(max_length=64, db_index=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(fields=["file", "focal_x", "focal_y"], name="image_file_and_focus_once"),
            models.CheckConstraint(
                condition=models.Q(focal_x__lte=100, focal_y__lte=100), name="image_focus_lies_in_the_picture"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.width}×{self.height} ({self.pk})"

    def get_absolute_url(self) -> str:
        return reverse("episodes:media", args=[self.file.name])


class MediaFile(models.Model):
    """Sound or picture of an episode: a file of ours, an address, or a YouTube video; never changed."""

    class Kind(models.TextChoices):
        AUDIO = "audio", _("audio")
        VIDEO = "video", _("video")
        YOUTUBE = "youtube", _("YouTube")

    kind = models.CharField(max_length=10, choices=Kind.choices)
    file = models.FileField(max_length=120, blank=True, upload_to="episodes")
    address = models.CharField(max_length=2000, blank=True, help_text=_("Where it lies, or the YouTube id."))
    mime = models.CharField(max_length=100, blank=True)
    bytes = models.PositiveBigIntegerField(null=True)
    duration_ms = models.PositiveBigIntegerField(null=True)
    offset_ms = models.IntegerField(
        null=True, default=0, help_text=_("Against the episode's timeline; null is approximate.")
    )
    content_hash = models.CharField(max_length=64, blank=True)
    probed = models.JSONField(null=True, help_text="What the file holds, as a program told that looked into it.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                condition=models.Q(file="", address__gt="") | models.Q(file__gt="", address=""),
                name="media_file_or_address",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.file.name or self.address}"

    @property
    def is_youtube(self) -> bool:
        return self.kind == self.Kind.YOUTUBE

    @property
    def url(self) -> str:
        """Return where the bytes are: ours by path, others by their own address."""
        return reverse("episodes:media", args=[self.file.name]) if self.file else self.address

    def at(self, ms: int) -> int:
        """Return where a moment of the episode lies in this file, in milliseconds."""
        return max(0, ms + (self.offset_ms or 0))
