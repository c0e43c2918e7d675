"""The transcripts of one episode: their list, which one holds, what changed, the file as it came."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from publishing.permissions import actor_of

from ...models import Transcript
from ..changes import changes_between
from ..current import make_current, original_of, withdraw
from ..script import script_of
from ..told import told_of
from ..waiting import waiting
from .base import READ, WRITE, TranscriptAdmin

PER_PAGE = 50


class VersionPages(TranscriptAdmin):
    def transcript_urls(self):
        return [
            self.transcript_url("", self.transcripts_view, "transcripts", READ),
            self.transcript_url("<int:number>/hold/", self.hold_view, "transcript_hold", ("POST",)),
            self.transcript_url("<int:number>/withdraw/", self.withdraw_view, "transcript_withdraw", WRITE),
            self.transcript_url("<int:number>/changes/", self.changes_view, "transcript_changes", READ),
            self.transcript_url("<int:number>/file/", self.file_view, "transcript_file", READ),
            *super().transcript_urls(),
        ]

    def transcripts_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        row = self.get_episode(request, pk)
        versions = row.transcripts.select_related("created_by", "currently").order_by("-number")
        return self.show_transcript(
            request,
            row,
            "versions",
            title=_("Transcripts of “%(item)s”") % {"item": row.item},
            page=Paginator(versions, PER_PAGE).get_page(request.GET.get("page")),
            original=original_of(row.pk),
            waiting=set(waiting().filter(episode=row).values_list("pk", flat=True)),
            links=self.feed_links(request, row),
            may_change=self.may_change(request, row),
        )

    def hold_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """Let a transcript hold, or make its language the one that was spoken."""
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        make_current(transcript, actor=actor_of(request), is_original="original" in request.POST or None)
        message = _("Transcript %(number)s holds now.") % {"number": transcript.number}
        self.message_user(request, f"{message} {told_of(transcript)}".strip(), messages.SUCCESS)
        return self.go_to("transcripts", pk)

    def withdraw_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        current, problem = getattr(transcript, "currently", None), ""
        if current is None:
            self.message_user(request, _("This transcript does not hold. Look again."), messages.WARNING)
            return self.go_to("transcripts", pk)
        if request.method == "POST":
            try:
                withdraw(current, actor=actor_of(request), reason=request.POST.get("reason", ""))
            except ValidationError as refused:
                problem = " ".join(refused.messages)
            else:
                message = _("Transcript %(number)s does not hold any more. It is kept.") % {"number": number}
                self.message_user(request, message, messages.SUCCESS)
                return self.go_to("transcripts", pk)
        return self.show_version(
            request,
            row,
            transcript,
            "withdraw",
            title=_("Withdraw transcript %(number)s of “%(item)s”") % {"number": number, "item": row.item},
            problem=problem,
            reason=request.POST.get("reason", ""),
            status=422 if problem else 200,
        )

    def changes_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """Show which words differ from an older transcript: the one that it follows, or any by number."""
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        asked = request.GET.get("from")
        before = self.get_transcript(row, int(asked)) if asked and asked.isdecimal() else self._before(transcript)
        return self.show_version(
            request,
            row,
            transcript,
            "changes",
            title=_("What transcript %(number)s says otherwise") % {"number": number},
            before=before,
            changes=changes_between(script_of(before), script_of(transcript)) if before else None,
        )

    @staticmethod
    def _before(transcript: Transcript) -> Transcript | None:
        """Return the transcript that one follows, else the next older one of its language."""
        mine = Transcript.objects.filter(episode=transcript.episode_id)
        older = mine.filter(language=transcript.language, number__lt=transcript.number).order_by("-number")
        return (mine.filter(pk=transcript.parent_id).first() if transcript.parent_id else None) or older.first()

    def file_view(self, request: HttpRequest, pk: int, number: int) -> FileResponse:
        """Hand an editor the file as it came, to keep and never to be opened as a page of ours."""
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        try:
            file = default_storage.open(str(transcript.original))
        except OSError as lost:
            raise Http404(_("The file is no longer here.")) from lost
        name = transcript.original_name or f"transcript-{transcript.number}.txt"
        response = FileResponse(file, as_attachment=True, filename=name, content_type="application/octet-stream")
        response["X-Content-Type-Options"] = "nosniff"
        response["Content-Security-Policy"] = "sandbox; default-src 'none'"
        response["Cache-Control"] = "private, no-store"
        return response
