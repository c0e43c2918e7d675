import uuid
from typing import ClassVar

from django.apps import apps
from django.db import models
from django.db.models import OuterRef, Prefetch, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from publishing.models import LinkTable, Publishable, PublishableQuerySet

from .counts import RowCount
from .guest import Guest
from .media import Image
from .people import Role


class ShowQuerySet(PublishableQuerySet):
    def with_episode_count(self):
        """Add ``episode_count``: live episodes only, as readers see them."""
        episodes = apps.get_model("episodes.Episode").objects.live().filter(show=OuterRef("pk"))
        return self.annotate(episode_count=RowCount(episodes.values("pk")))

    def for_listing(self):
        """Load what the list of shows reads, by title."""
        return self.select_related("artwork").with_episode_count().order_by("title", "pk")

    def with_people(self):
        """Load ``cast``: who makes the show, as readers may see them, in order."""
        people = ShowPerson.objects.filter(guest__visible=True).select_related("guest", "guest__portrait")
        return self.prefetch_related(Prefetch("show_people", queryset=people, to_attr="cast"))

    def for_page(self):
        """Load what a show's page and feed read but its episodes."""
        return self.select_related("item", "artwork").with_people()


class Show(Publishable):
    """A podcast or video show: its own, or somebody's that we write about."""

    kind = "show"
    when_removed = _("A show was removed")

    class FeedIdentity(models.TextChoices):
        ABOUT = "about", _("We write about somebody's show")
        OWN = "own", _("This is the show's own site")

    class Order(models.TextChoices):
        EPISODIC = "episodic", _("Each episode for itself, newest first")
        SERIAL = "serial", _("One story, from the first episode on")

    class Medium(models.TextChoices):
        """What a feed holds, in the words of the podcast namespace."""

        PODCAST = "podcast", _("podcast")
        VIDEO = "video", _("video show")
        MUSIC = "music", _("music")
        FILM = "film", _("film")
        AUDIOBOOK = "audiobook", _("audiobook")
        NEWSLETTER = "newsletter", _("newsletter, read out")
        BLOG = "blog", _("blog, read out")
        COURSE = "course", _("course")

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

    order = models.CharField(max_length=10, choices=Order.choices, default=Order.EPISODIC, editable=False)
    medium = models.CharField(max_length=10, choices=Medium.choices, default=Medium.PODCAST, editable=False)
    locked = models.BooleanField(default=False, editable=False)
    machine_licence = models.CharField(max_length=128, blank=True, editable=False)
    machine_licence_url = models.URLField(max_length=2000, blank=True, editable=False)
    funding = models.JSONField(default=list, editable=False)
    locations = models.JSONField(default=list, editable=False)
    social = models.JSONField(default=list, editable=False)
    txts = models.JSONField(default=list, editable=False)
    seasons = models.JSONField(default=list, editable=False)

    guests = models.ManyToManyField(Guest, through="ShowPerson", related_name="shows")

    # Loaded by the QuerySet's with_people().
    cast: list["ShowPerson"]

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


class ShowPerson(LinkTable):
    """Who makes a show, and as what."""

    source_field = "show"

    show = models.ForeignKey(Show, on_delete=models.CASCADE, related_name="show_people")
    guest = models.ForeignKey(Guest, on_delete=models.PROTECT, related_name="show_people")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.HOST)

    def __str__(self) -> str:
        return f"{self.show_id} {self.guest_id} {self.role}"
