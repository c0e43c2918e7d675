"""Bringing a transcript in: by upload, with a look at it first, or from where the show's feed says."""

from dataclasses import asdict
from datetime import date
from hashlib import sha256

from django.contrib import messages
from django.core import signing
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.storage import default_storage
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from publishing.jobs import enqueue
from publishing.models import Job
from publishing.permissions import actor_of, can
from publishing.uploads import keep, seal, unseal

from ...models import Episode
from ..forms import TranscriptForm
from ..links import FeedLink, feed_links
from ..looking import look_at
from ..parsed import UnreadableTranscript
from ..service import About, Added, add_transcript, parse_file, reading_of
from ..told import told_of
from .base import WRITE, TranscriptAdmin, holds

SEALED = "add-transcript"
FETCH = "fetch-transcript"


class BringingPages(TranscriptAdmin):
    def transcript_urls(self):
        return [
            self.transcript_url("add/", self.add_transcript_view, "transcript_add", WRITE),
            self.transcript_url("fetch/", self.fetch_view, "transcript_fetch", ("POST",)),
            *super().transcript_urls(),
        ]

    # Upload

    def add_transcript_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Answer GET with the form, POST with a look at the file, and POST of the sealed look with the transcript."""
        row = self.get_episode(request, pk, "edit")
        if "sealed" in request.POST:
            return self._keep(request, row)
        language = row.show.item.newest.content.get("language") or ""
        form = TranscriptForm(request.POST or None, request.FILES or None, initial={"language": language})
        if request.method == "POST" and form.is_valid():
            try:
                return self._look(request, row, form)
            except UnreadableTranscript as unreadable:
                form.add_error("file", str(unreadable))
            except ValidationError as refused:
                form.add_error("file", refused)
        title = _("Bring in a transcript of “%(item)s”") % {"item": row.item}
        links = self.feed_links(request, row)
        status = 422 if form.errors else 200
        return self.show_transcript(request, row, "add", title=title, form=form, links=links, status=status)

    def _look(self, request: HttpRequest, row: Episode, form: TranscriptForm) -> HttpResponse:
        asked = form.cleaned_data
        about = About(
            language=asked["language"],
            filename=asked["file"].name or "",
            engine=asked["engine"],
            made_on=asked["made_on"],
            is_automated=form.is_automated(),
        )
        data = asked["file"].read()
        reading = reading_of(row, parse_file(data, about), about)
        payload = asdict(about) | {
            "made_on": about.made_on.isoformat() if about.made_on else None,
            "actor": actor_of(request).pk,
            "episode": row.pk,
            "file": keep(data, by=actor_of(request)),
        }
        return self.show_transcript(
            request,
            row,
            "look",
            title=_("A look at “%(name)s”") % {"name": about.filename},
            look=look_at(row, reading),
            sealed=seal(SEALED, payload),
            will_hold=self.may_change(request, row),
            known_holds=reading.known is not None and holds(reading.known),
        )

    def _keep(self, request: HttpRequest, row: Episode) -> HttpResponse:
        """Keep the file that was looked at; whoever confirms it twice has brought it in once."""
        try:
            payload = unseal(SEALED, request.POST["sealed"])
        except signing.BadSignature:
            message = _("That look is older than an hour. Choose the file again.")
            self.message_user(request, message, messages.ERROR)
            return self.go_to("transcript_add", row.pk)
        if payload.pop("actor") != actor_of(request).pk or payload.pop("episode") != row.pk:
            raise PermissionDenied
        name = payload.pop("file")
        payload["made_on"] = date.fromisoformat(payload["made_on"]) if payload["made_on"] else None
        try:
            with default_storage.open(name) as file:
                data = file.read()
            added = add_transcript(
                row, data, About(**payload), actor=actor_of(request), make_it_current="_wait" not in request.POST
            )
        except FileNotFoundError:
            message = _("That file was brought in already, or it is no longer here. Look at the list below.")
            self.message_user(request, message, messages.WARNING)
            return self.go_to("transcripts", row.pk)
        except (UnreadableTranscript, ValidationError) as refused:
            text = " ".join(refused.messages) if isinstance(refused, ValidationError) else str(refused)
            self.message_user(request, text, messages.ERROR)
            return self.go_to("transcript_add", row.pk)
        default_storage.delete(name)
        self.message_user(request, added_message(added), messages.SUCCESS)
        return self.go_to("transcripts", row.pk)

    # From the feed

    def fetch_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Have the worker fetch a transcript that the feed names; pressed twice it is one job."""
        row = self.get_episode(request, pk, "edit")
        if not can(request.user, "import"):
            raise PermissionDenied
        link = next((link for link in feed_links(row) if link.key == request.POST.get("link")), None)
        if link is None:
            message = _("The feed does not name that transcript any more. Look at the list again.")
            self.message_user(request, message, messages.ERROR)
            return self.go_to("transcripts", pk)
        title = _("Transcript of “%(item)s”") % {"item": row.item}
        payload = asdict(link) | {"actor": actor_of(request).pk, "episode": row.pk, "title": title}
        job = enqueue(FETCH, self._key(row, link), payload)
        return HttpResponseRedirect(reverse("admin:job", args=[job.pk]))

    @staticmethod
    def _key(row: Episode, link: FeedLink) -> str:
        """Return the key of a job: the same while one waits or runs, another once it ended."""
        base = f"{FETCH}:{row.pk}:{sha256(link.url.encode()).hexdigest()[:32]}:"
        ended = Job.objects.filter(key__startswith=base, state__in=[Job.State.DONE, Job.State.FAILED])
        return f"{base}{ended.count()}"


def added_message(added: Added) -> str:
    """Return what bringing in a file came to, as a sentence or two."""
    number = {"number": added.transcript.number}
    if not added.is_new:
        said = _("Nothing new: transcript %(number)s says the same.") % number
    else:
        said = _("It is transcript %(number)s now.") % number
    if not added.is_current:
        return f"{said} {_('It waits: another one holds until this one is made to hold.')}"
    return f"{said} {_('It holds.')} {told_of(added.transcript)}".strip()
