from typing import ClassVar

from django.apps import apps
from django.db import models
from django.db.models import OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from publishing.models import Item, LinkTable, Publishable, PublishableQuerySet

from .counts import RowCount
from .media import Image


class GuestQuerySet(PublishableQuerySet):
    def with_counts(self):
        """Add ``episode_count`` and ``quote_count`` of what readers see."""
        links = apps.get_model("episodes.EpisodeGuest").objects.filter(guest=OuterRef("pk"), is_first=True)
        quotes = apps.get_model("quotes.Quote").objects.live().filter(speaker=OuterRef("pk"))
        return self.annotate(
            episode_count=RowCount(links.filter(episode__visible=True).order_by().values("episode")),
            quote_count=RowCount(quotes.values("pk")),
        )

    def for_listing(self):
        """Load what the list of guests reads, by sort name."""
        return self.select_related("portrait").with_counts().order_by("sort_name", "pk")


class Guest(Publishable):
    """Somebody who speaks: guests and hosts alike."""

    kind = "guest"
    when_removed = _("A guest was removed")

    name = models.CharField(max_length=120, blank=True, editable=False)
    sort_name = models.CharField(max_length=120, blank=True, editable=False)
    bio = models.TextField(blank=True, editable=False)
    portrait = models.ForeignKey(Image, null=True, on_delete=models.PROTECT, related_name="+", editable=False)
    portrait_alt = models.CharField(max_length=300, blank=True, editable=False)
    website_links = models.JSONField(default=list, editable=False)
    aliases = models.JSONField(default=list, editable=False)
    mishearings = models.JSONField(default=list, editable=False)

    # Loaded by the QuerySet's with_counts().
    episode_count: int
    quote_count: int

    objects: ClassVar = GuestQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["sort_name", "item", "visible"], condition=Q(visible=True), name="guest_live_name"),
            models.Index(fields=["slug"], condition=Q(visible=True), name="guest_live_slug"),
        ]

    def get_absolute_url(self) -> str:
        return reverse("episodes:guest", args=[self.slug])

    @classmethod
    def shown_on(cls, pks):
        """A guest shows on episodes they take part in, on shows they make and on their quotes."""
        return [
            apps.get_model("episodes.ShowPerson").objects.filter(guest__in=pks).values_list("show", flat=True),
            apps.get_model("episodes.EpisodeGuest").objects.filter(guest__in=pks).values_list("episode", flat=True),
            apps.get_model("quotes.Quote").objects.filter(speaker__in=pks, visible=True).values_list("pk", flat=True),
        ]


class GuestQuote(LinkTable):
    """The default list of “more from this speaker”; quotes are told by their items."""

    source_field = "guest"

    guest = models.ForeignKey(Guest, on_delete=models.CASCADE, related_name="guest_quotes")
    quote = models.ForeignKey(Item, on_delete=models.PROTECT, related_name="on_guests")

    def __str__(self) -> str:
        return f"{self.guest_id} {self.quote_id}"
