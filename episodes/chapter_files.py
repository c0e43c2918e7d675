"""The chapters of an episode as a file, for players (podcast namespace, JSON chapters 1.2)."""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from publishing.documents import document_response
from publishing.pages import absolute
from publishing.structured import web_only
from publishing.text import clean_line

from .models import Episode, MediaFile
from .player import first_playable

MIME = "application/json+chapters"


@require_safe
def chapters(request: HttpRequest, show_slug: str, slug: str) -> HttpResponse:
    def write() -> bytes:
        episodes = Episode.objects.live().select_related("show", "artwork", "show__artwork").with_media().defer("notes")
        episode = get_object_or_404(episodes, show__slug=show_slug, slug=slug)
        if not episode.chapters:
            raise Http404
        return json.dumps(chapters_of(episode), ensure_ascii=False, indent=1).encode()

    return document_response(request, write, MIME)


def chapters_of(episode: Episode) -> dict[str, Any]:
    """Return the document. Times are seconds in the file that feeds name, if its place on the timeline is known."""
    media = first_playable(link.media for link in episode.media_links)
    shown = {absolute(image.get_absolute_url()) for image in (episode.artwork, episode.show.artwork) if image}
    document = {
        "version": "1.2.0",
        "title": clean_line(episode.title),
        "podcastName": clean_line(episode.show.title),
        "author": clean_line(episode.show.author),
    }
    listed = [_chapter(row, media, shown) for row in sorted(episode.chapters, key=lambda row: row["start_ms"])]
    return {key: value for key, value in document.items() if value} | {"chapters": listed}


def _chapter(row: dict, media: MediaFile | None, shown: set[str]) -> dict[str, Any]:
    """Return a chapter; its picture only where it is one of ours that readers see, so that no player asks elsewhere."""
    start_ms = media.at(row["start_ms"]) if media else row["start_ms"]
    known = {
        "title": clean_line(row["title"]),
        "url": absolute(next(iter(web_only([row["url"]])), "")),
        "img": row["image"] if row["image"] in shown else "",
    }
    return {"startTime": start_ms / 1000} | {key: value for key, value in known.items() if value}
