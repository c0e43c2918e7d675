from django.contrib import admin
from django.db.models import Prefetch
from django.utils.translation import gettext_lazy as _

from publishing.admin import ChildList, DateFilter, ItemFilter, PublishableAdmin, StateFilter
from publishing.models import ItemLink
from quotes.following_panel import FollowingPanel
from quotes.linking import Following, following_by_default

from . import desk  # noqa: F401 - adds its lists to the desk
from .forms import EpisodeContentForm, GuestContentForm, ShowContentForm, TopicContentForm
from .importing.feed_pages import FeedPages
from .media_admin import MediaPages
from .models import Episode, Guest, Show, Topic
from .tables import TABLES


def with_links(queryset, *roles: str):
    """Load the heads' links of these roles with their targets, for a list: one query."""
    links = ItemLink.objects.filter(role__in=roles).select_related("target").order_by("role", "position")
    return queryset.prefetch_related(Prefetch("item__links", queryset=links))


@admin.register(Show)
class ShowAdmin(FeedPages):
    content_form = ShowContentForm
    table = TABLES["shows"]
    list_filter = (StateFilter,)
    children = (ChildList("episode", "show", _("Episodes"), _("Add an episode")),)


@admin.register(Guest)
class GuestAdmin(FollowingPanel):
    content_form = GuestContentForm
    table = TABLES["guests"]
    list_filter = (StateFilter,)
    children = (ChildList("quote", "speaker", _("Quotes")),)
    following_list = "quotes"
    following_row = "quote"
    following_heading = _("Readers will see after a quote")
    following_note = _("Where the quote has no list of its own. The quote itself is left out.")

    def following(self, pk: int, speaker: int | None, chosen: list[int]) -> Following:
        return following_by_default(pk, chosen)


@admin.register(Topic)
class TopicAdmin(PublishableAdmin):
    content_form = TopicContentForm
    table = TABLES["topics"]
    list_filter = (StateFilter,)


@admin.register(Episode)
class EpisodeAdmin(MediaPages):
    content_form = EpisodeContentForm
    table = TABLES["episodes"]
    children = (ChildList("quote", "episode", _("Quotes"), _("Add a quote")),)
    list_display = ("title", "badge", "show_title", "people", "dated", "touched")
    list_filter = (
        StateFilter,
        ItemFilter.of("show", "show", _("show")),
        ItemFilter.of("guest", "guests", _("guest")),
        DateFilter,
    )

    def get_queryset(self, request):
        return with_links(super().get_queryset(request), "show", "guests")

    @admin.display(description=_("show"))
    def show_title(self, episode: Episode) -> str:
        return self.linked(episode, "show")

    @admin.display(description=_("guests"))
    def people(self, episode: Episode) -> str:
        return self.linked(episode, "guests")
