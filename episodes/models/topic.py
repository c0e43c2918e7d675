from typing import ClassVar

from django.apps import apps
from django.db import models
from django.db.models import OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from publishing.models import Publishable, PublishableQuerySet

from .counts import RowCount
from .guest import Guest


class TopicQuerySet(PublishableQuerySet):
    def with_counts(self):
        """Add ``episode_count`` and ``quote_count`` of what readers see."""
        episodes = apps.get_model("episodes.EpisodeTopic").objects.filter(topic=OuterRef("pk"), episode__visible=True)
        quotes = apps.get_model("quotes.QuoteTopic").objects.filter(topic=OuterRef("pk"), quote__visible=True)
        return self.annotate(
            episode_count=RowCount(episodes.order_by().values("episode")),
            quote_count=RowCount(quotes.order_by().values("quote")),
        )

    def of_guest(self, guest: Guest):
        """Return what a guest's live quotes and episodes are about."""
        said, heard = guest.quotes.live().values("topics"), guest.episodes.live().values("topics")
        return self.filter(Q(pk__in=said) | Q(pk__in=heard))

    def for_listing(self):
        """Load what the list of topics reads, by name."""
        return self.with_counts().order_by("name", "pk")


class Topic(Publishable):
    """Something that episodes and quotes are about."""

    kind = "topic"
    when_removed = _("A topic was removed")

    name = models.CharField(max_length=80, blank=True, editable=False)
    description = models.TextField(blank=True, editable=False)
    aliases = models.JSONField(default=list, editable=False)
    mishearings = models.JSONField(default=list, editable=False)
    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="children", editable=False)

    # Loaded by the QuerySet's with_counts().
    episode_count: int
    quote_count: int

    objects: ClassVar = TopicQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["name", "item", "visible"], condition=Q(visible=True), name="topic_live_name"),
            models.Index(fields=["parent", "name"], condition=Q(visible=True), name="topic_live_in_parent"),
            models.Index(fields=["slug"], condition=Q(visible=True), name="topic_live_slug"),
        ]

    def get_absolute_url(self) -> str:
        return reverse("episodes:topic", args=[self.slug])

    @classmethod
    def shown_on(cls, pks):
        """A topic shows on its episodes and quotes, and beside its parent and children."""
        return [
            apps.get_model("episodes.EpisodeTopic").objects.filter(topic__in=pks).values_list("episode", flat=True),
            apps.get_model("quotes.QuoteTopic").objects.filter(topic__in=pks).values_list("quote", flat=True),
            cls.objects.filter(parent__in=pks).values_list("pk", flat=True),
            cls.objects.filter(pk__in=pks, parent__isnull=False).values_list("parent", flat=True),
        ]
