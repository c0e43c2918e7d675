from datetime import datetime

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from episodes.admin import with_links
from episodes.transcripts.panel import outdated
from publishing.admin import DateFilter, ItemFilter, StateFilter
from publishing.admin.base import shown_day
from publishing.models import Publishable

from . import desk  # noqa: F401 - adds its lists to the desk
from .finding import alike, find
from .following_panel import FollowingPanel
from .forms import QuoteContentForm
from .linking import Following, following
from .models import Quote
from .picker import PickerPages, with_button


@admin.register(Quote)
class QuoteAdmin(PickerPages, FollowingPanel):
    content_form = QuoteContentForm
    change_template = "admin/quotes/quote_change.html"
    following_list = "related"
    following_row = "related"
    following_heading = _("Readers will see after it")
    list_display = ("title", "badge", "speaker_name", "episode_title", "aired", "touched")
    list_filter = (
        StateFilter,
        ItemFilter.of("show", "show", _("show"), through="episode"),
        ItemFilter.of("episode", "episode", _("episode")),
        ItemFilter.of("guest", "speaker", _("speaker")),
        DateFilter.of("episode"),
    )

    class Media:
        css = {"all": ["css/picker.css"]}
        js = ("js/timecodes.js", "js/quote-check.js")

    def get_queryset(self, request):
        return with_links(super().get_queryset(request), "speaker", "episode")

    @admin.display(description=_("speaker"))
    def speaker_name(self, quote: Quote) -> str:
        return self.linked(quote, "speaker")

    @admin.display(description=_("episode"))
    def episode_title(self, quote: Quote) -> str:
        return self.linked(quote, "episode")

    @admin.display(description=_("aired"))
    def aired(self, quote: Quote) -> str:
        dates: list[datetime | None] = [
            link.target.working_date for link in quote.item.links.all() if link.role == "episode"
        ]
        return shown_day(dates[0]) if dates else ""

    def following(self, pk: int, speaker: int | None, chosen: list[int]) -> Following:
        return following(pk, speaker, chosen)

    def change_page(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Save as every page does; a button of the check saves the quote with the text or times that it gives."""
        request.POST = with_button(request.POST)  # type: ignore[assignment]  # a copy that is not written to again
        return super().change_page(request, object_id)

    def extra_change_context(self, request: HttpRequest, row: Publishable) -> dict:
        content, episode = row.item.newest.content, Quote.objects.values_list("episode", flat=True).get(pk=row.pk)
        return super().extra_change_context(request, row) | {
            "panel_after": "text",
            "panel_template": "admin/quotes/_finding_panel.html",
            "finding": find(content, quote=row.pk, episode=episode),
            "alike": alike(content, quote=row.pk, episode=episode),
            "look_url": self.url("look", episode),
            "pick_url": self.url("pick", episode),
            "outdated": outdated(episode, content.get("claim_transcript")),
        }
