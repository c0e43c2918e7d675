"""Beside a form that lists quotes: what readers will see, as the list in the form stands."""

from typing import ClassVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from publishing.admin import PublishableAdmin
from publishing.models import Publishable
from publishing.references import read_id

from .linking import Following

MOST_ASKED = 60  # chosen quotes that one request may name


class FollowingPanel(PublishableAdmin):
    """Adds the panel to one type's page; the type says which list it follows and what comes of it."""

    change_template = "admin/quotes/change.html"
    following_list: ClassVar[str]  # the form's field that lists the chosen quotes
    following_row: ClassVar[str]  # the field of a row that names the quote
    following_heading: ClassVar[str | Promise]
    following_note: ClassVar[str | Promise] = ""

    class Media:
        js = ("js/following.js",)

    def following(self, pk: int, speaker: int | None, chosen: list[int]) -> Following:
        """Return what readers will see for a row with these quotes chosen."""
        raise NotImplementedError

    def get_urls(self):
        name = f"{self.opts.app_label}_{self.opts.model_name}_following"
        view = self.admin_site.admin_view(require_safe(self.following_view))
        return [path("<int:pk>/following/", view, name=name), *super().get_urls()]

    def extra_change_context(self, request: HttpRequest, row: Publishable) -> dict:
        content = row.item.newest.content
        chosen = [listed[self.following_row] for listed in content.get(self.following_list) or []]
        return super().extra_change_context(request, row) | {
            "following": self.following(row.pk, content.get("speaker"), chosen),
            "panel": {
                "url": self.url("following", row.pk),
                "list": self.following_list,
                "row": self.following_row,
                "heading": self.following_heading,
                "note": self.following_note,
            },
        }

    def following_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Answer with the list that readers would see, for the choice as it stands in the form."""
        row = self.get_row(request, pk)
        asked = request.GET.getlist(self.following_row)[:MOST_ASKED]
        chosen = [number for text in asked if (number := read_id(text))]
        shown = self.following(row.pk, read_id(request.GET.get("speaker")), chosen)
        return render(request, "admin/quotes/_following.html", {"following": shown})
