"""What the pages of transcripts share: which transcript, who may change it, where to go on."""

from collections.abc import Callable
from typing import ClassVar, cast

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from publishing.admin import PublishableAdmin
from publishing.permissions import can
from publishing.references import read_id

from ...models import Episode, Transcript
from ..current import right_to_change
from ..links import FeedLink, feed_links
from ..panel import panel_of
from ..service import newest_of_body

READ = ("GET", "HEAD")
WRITE = ("GET", "HEAD", "POST")


class TranscriptAdmin(PublishableAdmin):
    change_template = "admin/episodes/change.html"

    class Media:
        css: ClassVar = {"all": ["css/transcripts.css"]}

    def get_urls(self):
        return [*self.transcript_urls(), *super().get_urls()]

    def transcript_urls(self) -> list[URLPattern]:
        """Return the addresses of the pages of transcripts; each part adds its own."""
        return []

    def transcript_url(
        self, rest: str, view: Callable[..., HttpResponseBase], name: str, methods: tuple[str, ...]
    ) -> URLPattern:
        wrapped = self.admin_site.admin_view(require_http_methods(methods)(view))
        return path(f"<int:pk>/transcripts/{rest}", wrapped, name=f"episodes_episode_{name}")

    def extra_change_context(self, request, row):
        return super().extra_change_context(request, row) | {"transcripts": panel_of(row)}

    def get_episode(self, request: HttpRequest, pk: int, move: str = "view") -> Episode:
        """Return an episode with its item, or 404; 403 where the person may not make the move."""
        return cast(Episode, self.get_row(request, pk, move))

    def get_transcript(self, row: Episode, number: int) -> Transcript:
        """Return one transcript of the episode with what it is, or 404."""
        found = row.transcripts.select_related("created_by", "currently").filter(number=read_id(number)).first()
        if found is None:
            raise Http404(_("There is no such transcript."))
        return found

    def may_change(self, request: HttpRequest, row: Episode, transcript: Transcript | None = None) -> bool:
        """Tell whether a person may correct a transcript, or change which one holds."""
        is_seen = transcript is None or holds(transcript)
        return can(request.user, right_to_change(row.item) if is_seen else "edit", row.item)

    def show_transcript(
        self, request: HttpRequest, row: Episode, template: str, *, status: int = 200, **context
    ) -> HttpResponse:
        shown = self.page_context(request, row, **context)
        return render(request, f"admin/episodes/transcripts/{template}.html", shown, status=status)

    def show_version(
        self, request: HttpRequest, row: Episode, transcript: Transcript, template: str, **context
    ) -> HttpResponse:
        """Show a page about one transcript, with a word where a newer one of the same words is there."""
        newest = newest_of_body(transcript)
        return self.show_transcript(
            request,
            row,
            template,
            transcript=transcript,
            holds=hasattr(transcript, "currently"),
            newer=newest if newest.number > transcript.number else None,
            may_change=self.may_change(request, row, transcript),
            **context,
        )

    def feed_links(self, request: HttpRequest, row: Episode) -> list[FeedLink]:
        """Return what the feed offers, to those who may have it fetched."""
        may = can(request.user, "import") and can(request.user, "edit", row.item)
        return feed_links(row) if may else []

    def go_to(self, page: str, *args, rest: str = "") -> HttpResponseRedirect:
        return HttpResponseRedirect(self.url(page, *args) + rest)

    def tell_refused(self, request: HttpRequest, refused: ValidationError) -> None:
        self.message_user(request, " ".join(refused.messages), messages.ERROR)


def holds(transcript: Transcript) -> bool:
    """Tell whether a transcript, or a correction of the same words, is the one that holds. One query."""
    return Transcript.objects.current().filter(episode=transcript.episode_id, body=transcript.body_id).exists()
