from datetime import datetime

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from episodes.admin import with_links
from publishing.admin import DateFilter, ItemFilter, PublishableAdmin, StateFilter
from publishing.admin.base import shown_day
from publishing.models import Publishable
from publishing.references import read_id

from .forms import QuoteContentForm
from .linking import following, following_draft
from .models import Quote


@admin.register(Quote)
class QuoteAdmin(PublishableAdmin):
    content_form = QuoteContentForm
    change_template = "admin/quotes/change.html"
    list_display = ("title", "badge", "speaker_name", "episode_title", "aired", "touched")
    list_filter = (
        StateFilter,
        ItemFilter.of("show", "show", _("show"), through="episode"),
        ItemFilter.of("episode", "episode", _("episode")),
        ItemFilter.of("guest", "speaker", _("speaker")),
        DateFilter.of("episode"),
    )

    class Media:
        js = ("js/following.js",)

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

    def get_urls(self):
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/following/", wrap(require_safe(self.following_view)), name="quotes_quote_following"),
            *super().get_urls(),
        ]

    def extra_change_context(self, request: HttpRequest, row: Publishable) -> dict:
        following_url = self.url("following", row.pk)
        return super().extra_change_context(request, row) | {
            "following": following_draft(row.pk),
            "following_url": following_url,
        }

    def following_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Answer with the list that readers would see, for the choice as it stands in the form."""
        row = self.get_row(request, pk)
        chosen = [number for text in request.GET.getlist("related")[:60] if (number := read_id(text))]
        shown = following(row.pk, read_id(request.GET.get("speaker")), chosen)
        return render(request, "admin/quotes/_following.html", {"following": shown})
