"""Names that transcripts get wrong, as guests and topics declare them: proposals, which a person ticks."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from publishing.permissions import actor_of

from ..script import script_of
from ..service import correct
from ..speakers import ProposedCorrection, mishearings_of, named_with, proposed_corrections
from ..told import told_of
from .base import WRITE, TranscriptAdmin
from .speech import CUES


class NamePages(TranscriptAdmin):
    def transcript_urls(self):
        return [
            self.transcript_url("<int:number>/names/", self.names_view, "transcript_names", WRITE),
            *super().transcript_urls(),
        ]

    def names_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        script = script_of(transcript)
        cues = {word.place: word.cue for word in script.words}
        proposals = proposed_corrections(script, mishearings_of(named_with(row.pk)))
        if request.method == "POST":
            if not self.may_change(request, row, transcript):
                raise PermissionDenied
            ticked = ticked_words(proposals, set(request.POST.getlist("take")))
            if not ticked:
                self.message_user(request, _("Tick what shall be corrected. Nothing changed."), messages.WARNING)
                return self.go_to("transcript_names", pk, number)
            try:
                made = correct(transcript, actor=actor_of(request), words=ticked, note=_("Corrected: names"))
            except ValidationError as refused:
                self.tell_refused(request, refused)
                return self.go_to("transcript_names", pk, number)
            said = _("Saved as transcript %(number)s.") % {"number": made.number}
            self.message_user(request, f"{said} {told_of(made)}".strip(), messages.SUCCESS)
            return self.go_to("transcript_names", pk, made.number)
        return self.show_version(
            request,
            row,
            transcript,
            "names",
            title=_("Names in “%(item)s”") % {"item": row.item},
            proposals=[(key_of(one), one, cues[min(one.words)], cues[min(one.words)] // CUES + 1) for one in proposals],
        )


def key_of(proposal: ProposedCorrection) -> str:
    """Return what a tick sends: the place and the name, since declared mishearings may change meanwhile."""
    return f"{min(proposal.words)}|{proposal.name}"


def ticked_words(proposals: list[ProposedCorrection], keys: set[str]) -> dict[int, str]:
    """Return the corrections of the ticked proposals; of two for one word the first counts."""
    words: dict[int, str] = {}
    for proposal in proposals:
        if key_of(proposal) in keys and not proposal.words.keys() & words.keys():
            words |= proposal.words
    return words
