import uuid
from typing import ClassVar

from django.apps import apps
from django.db import models
from django.db.models import OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from publishing.models import Publishable, PublishableQuerySet

from .counts import RowCount
from .media import Image


class ShowQuerySet(PublishableQuerySet):
    def with_episode_count(self):
        """Add ``episode_count``: live episodes only, as readers see them."""
        episodes = apps.get_model("episodes.Episode").objects.live().filter(show=OuterRef("pk"))
        return self.annotate(episode_count=RowCount(episodes.values("pk")))

    def for_listing(self):
        """Load what the list of shows reads, by title."""
        return self.select_related("artwork").with_episode_count().order_by("title", "pk")


class Show(Publishable):
    """A podcast or video show: its own, or somebody's that we write about."""

    kind = "show"

    class FeedIdentity(models.TextChoices):
        ABOUT = "about", _("We write about somebody's show")
        OWN = "own", _("This is the show's own site")

    podcast_guid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)

    title = models.CharField(max_length=200, blank=True, editable=False)
    tagline = models.CharField(max_length=200, blank=True, editable=False)
    description = models.TextField(blank=True, editable=False)
    artwork = models.ForeignKey(Image, null=True, on_delete=models.PROTECT, related_name="+", editable=False)
    artwork_alt = models.CharField(max_length=300, blank=True, editable=False)
    website = models.URLField(max_length=2000, blank=True, editable=False)
    language = models.CharField(max_length=20, default="en", editable=False)
    author = models.CharField(max_length=200, blank=True, editable=False)
    owner_email = models.EmailField(blank=True, editable=False)
    owner_email_public = models.BooleanField(default=False, editable=False)
    categories = models.JSONField(default=list, editable=False)
    explicit = models.BooleanField(default=False, editable=False)
    youtube = models.URLField(max_length=2000, blank=True, editable=False)
    clips_allowed = models.BooleanField(default=False, editable=False)
    longest_clip_ms = models.PositiveBigIntegerField(null=True, editable=False)
    licence = models.CharField(max_length=200, blank=True, editable=False)
    rights_contact = models.EmailField(blank=True, editable=False)
    feed_identity = models.CharField(
        max_length=10, choices=FeedIdentity.choices, default=FeedIdentity.ABOUT, editable=False
    )

    objects: ClassVar = ShowQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["title", "item", "visible"], condition=Q(visible=True), name="show_live_title"),
            models.Index(fields=["slug"], name="show_slug"),  # of hidden ones too: an episode's address is found by it
        ]

    def get_absolute_url(self) -> str:
        return reverse("episodes:show", args=[self.slug])

    @classmethod
    def shown_on(cls, pks):
        episodes = apps.get_model("episodes.Episode").objects
        return [episodes.filter(show__in=pks, visible=True).values_list("pk", flat=True)]
