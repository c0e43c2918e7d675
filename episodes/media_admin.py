"""Pages about one file of an episode: what it is, fetching it here, and where it stands on the timeline."""

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from publishing.jobs import enqueue
from publishing.models import Publishable
from publishing.permissions import actor_of
from publishing.revisions import lock_item

from .media import replace_media, with_offset
from .models import Episode, MediaFile
from .transcripts.admin import TranscriptPages
from .transcripts.current import original_of
from .transcripts.script import script_of

MOST_OFFSET_MS = 12 * 60 * 60 * 1000


class MediaPages(TranscriptPages):
    def get_urls(self):
        wrap = self.admin_site.admin_view
        name = "episodes_episode_media"
        return [
            path("<int:pk>/media/<int:media>/", wrap(self.media_view), name=name),
            path("<int:pk>/media/<int:media>/fetch/", wrap(require_POST(self.fetch_media_view)), name=f"{name}_fetch"),
            *super().get_urls(),
        ]

    def extra_change_context(self, request: HttpRequest, row) -> dict:
        return super().extra_change_context(request, row) | {"media_files": files_of(row)}

    def media_view(self, request: HttpRequest, pk: int, media: int) -> HttpResponse:
        row, file = self._file(request, pk, media)
        problem = ""
        if request.method == "POST":
            self.require(request, "edit", row)
            try:
                offset_ms = read_offset(request.POST.get("offset", ""))
            except ValueError as refused:
                problem = str(refused)
            else:
                return self._save_offset(request, row, file, offset_ms)
        offset = "" if file.offset_ms is None else f"{file.offset_ms / 1000:g}"
        context = self.page_context(
            request,
            row,
            title=_("File of “%(episode)s”") % {"episode": row.item},
            file=file,
            offset=request.POST.get("offset", offset),
            problem=problem,
            cue=first_cue(row),
        )
        return render(request, "admin/episodes/media.html", context, status=422 if problem else 200)

    def _save_offset(self, request: HttpRequest, row: Episode, file: MediaFile, offset_ms: int | None) -> HttpResponse:
        with transaction.atomic():
            item = lock_item(row.pk)
            replace_media(item, file.pk, with_offset(file, offset_ms).pk, actor=actor_of(request))
        self.message_user(
            request, _("Saved as a draft. Publish it, and quotes play and are cut there."), messages.SUCCESS
        )
        return HttpResponseRedirect(self.url("change", row.pk))

    def fetch_media_view(self, request: HttpRequest, pk: int, media: int) -> HttpResponse:
        row, file = self._file(request, pk, media)
        self.require(request, "edit", row)
        if file.file or file.is_youtube:
            raise Http404
        payload = {
            "episode": row.pk,
            "media": file.pk,
            "actor": actor_of(request).pk,
            "title": _("Fetch the file of “%(episode)s”") % {"episode": row.item},
        }
        job = enqueue("fetch-media", f"fetch-media:{row.pk}:{file.pk}", payload)
        return HttpResponseRedirect(reverse("admin:job", args=[job.pk]))

    def _file(self, request: HttpRequest, pk: int, media: int) -> tuple[Episode, MediaFile]:
        row = self.get_episode(request, pk)
        found = next((file for file in files_of(row) if file.pk == media and not file.is_youtube), None)
        if found is None:
            raise Http404(_("The episode has no such file."))
        return row, found


def files_of(row: Publishable) -> list[MediaFile]:
    """Return the media rows that the head names, in order. One query."""
    pks = [listed["media"] for listed in row.item.newest.content.get("media") or []]
    held = MediaFile.objects.in_bulk(pks)
    return [held[pk] for pk in pks if pk in held]


def first_cue(row: Episode):
    """Return the first longer words of the transcript that holds, to find the place by; None without one."""
    original = original_of(row.pk)
    cues = script_of(original).cues if original and original.is_timed else ()
    return next((cue for cue in cues if cue.start_ms is not None and len(cue.text.split()) >= 4), None)


def read_offset(text: str) -> int | None:
    """Return seconds as typed in milliseconds, None for nothing. Raises ValueError with a sentence."""
    typed = text.strip().replace(",", ".").replace("−", "-")
    if not typed:
        return None
    message = _("“%(text)s” is no number of seconds. Write 12.5 or -3.") % {"text": text[:40]}
    try:
        offset_ms = round(float(typed) * 1000)
    except (ValueError, OverflowError):
        raise ValueError(message) from None
    if abs(offset_ms) > MOST_OFFSET_MS:
        raise ValueError(message)
    return offset_ms
