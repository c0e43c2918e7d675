from datetime import datetime

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from episodes.admin import with_links
from episodes.transcripts.panel import outdated
from publishing.admin import DateFilter, ItemFilter, StateFilter
from publishing.admin.base import shown_day
from publishing.models import Publishable, SiteSettings
from publishing.text import clean_line

from . import desk  # noqa: F401 - adds its lists to the desk
from .clips.preview import corner
from .finding import alike, find
from .following_panel import FollowingPanel
from .forms import QuoteContentForm
from .linking import Following, following
from .models import Quote
from .picker import PickerPages, with_button
from .tables import TABLES


@admin.register(Quote)
class QuoteAdmin(PickerPages, FollowingPanel):
    content_form = QuoteContentForm
    table = TABLES["quotes"]
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

    def get_urls(self):
        wrap = self.admin_site.admin_view
        mark = path("watermark.png", wrap(require_safe(self.watermark_png)), name="quotes_quote_watermark")
        return [mark, *super().get_urls()]

    def watermark_png(self, request: HttpRequest) -> HttpResponse:
        """Draw the mark of clips with the settings as saved, and with the words that are being typed."""
        if not request.user.has_perm("publishing.change_sitesettings"):
            raise PermissionDenied
        site = SiteSettings.current()
        asked = {name: clean_line(request.GET.get(name, ""))[:80] for name in ("name", "watermark_text")}
        typed = asked["watermark_text"] if "watermark_text" in request.GET else site.watermark_text
        image = None
        if site.watermark_image:
            with site.watermark_image.open() as file:
                image = file.read()
        drawn = corner(typed or asked["name"] or site.name, image)
        return HttpResponse(drawn, content_type="image/png", headers={"Cache-Control": "private, no-store"})

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
