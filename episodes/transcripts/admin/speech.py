"""Reading a transcript and mending it: words, and who said them. Nothing is corrected by itself."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from publishing.permissions import actor_of
from publishing.text import clean_line

from ...models import Episode, Transcript
from ...player import player_of_draft
from ..body import Body
from ..finding import LONGEST_QUERY, find_words
from ..lines import changed_words, line_of, slots_of
from ..resting import Resting, resting_on
from ..script import Script, SpokenCue, body_of_transcript, script_of
from ..service import correct
from ..told import told_of
from .base import WRITE, TranscriptAdmin

CUES = 200  # of one page
MOST_LABELS = 60  # that a list offers; any other may be typed
NEIGHBOURS = 2  # cues shown before and after the one that is corrected


@dataclass(frozen=True)
class ShownCue:
    """One cue as a row: what it says, what was read where that differs, and the quotes of it."""

    number: int
    cue: SpokenCue
    raw: str
    raw_label: str
    quotes: list[Resting]


class SpeechPages(TranscriptAdmin):
    def transcript_urls(self):
        return [
            self.transcript_url("<int:number>/", self.speech_view, "transcript", WRITE),
            self.transcript_url("<int:number>/cues/<int:cue>/", self.cue_view, "transcript_cue", WRITE),
            *super().transcript_urls(),
        ]

    def speech_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """Show what is said, a page at a time, and where the words asked for stand; POST says who spoke."""
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        script = script_of(transcript)
        page = Paginator(range(len(script.cues)), CUES).get_page(request.GET.get("page"))
        if request.method == "POST":
            return self._relabel(request, row, transcript, script, list(page))
        query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
        hits = find_words(transcript, query) if query else []
        return self.show_version(
            request,
            row,
            transcript,
            "speech",
            title=_("Transcript %(number)s of “%(item)s”") % {"number": number, "item": row.item},
            page=page,
            cues=shown_cues(transcript, script, list(page)),
            labels=script.labels[:MOST_LABELS],
            query=query,
            hits=[(hit, hit.cue // CUES + 1) for hit in hits],
        )

    def _relabel(
        self, request: HttpRequest, row: Episode, transcript: Transcript, script: Script, numbers: list[int]
    ) -> HttpResponse:
        """Say who spoke, for all cues of a page whose label was changed."""
        known = {*script.labels, ""}
        wanted = {number: request.POST.get(f"label-{number}", script.cues[number].label) for number in numbers}
        changed = {
            number: label for number, label in wanted.items() if label in known and label != script.cues[number].label
        }
        rest = f"?page={numbers[0] // CUES + 1}" if numbers else ""
        if not changed:
            self.message_user(request, _("Nothing changed."))
            return self.go_to("transcript", row.pk, transcript.number, rest=rest)
        try:
            made = correct(transcript, actor=actor_of(request), cues=changed)
        except ValidationError as refused:
            self.tell_refused(request, refused)
            return self.go_to("transcript", row.pk, transcript.number, rest=rest)
        said = _("Saved as transcript %(number)s: %(note)s.") % {"number": made.number, "note": made.note}
        self.message_user(request, said, messages.SUCCESS)
        return self.go_to("transcript", row.pk, made.number, rest=f"{rest}#c{min(changed)}")

    def cue_view(self, request: HttpRequest, pk: int, number: int, cue: int) -> HttpResponse:
        """Show one cue to be corrected, beside what was read and the quotes that rest on it."""
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        script = script_of(transcript)
        if cue >= len(script.cues):
            raise Http404(_("The transcript has no such part."))
        if not self.may_change(request, row, transcript):
            raise PermissionDenied
        body = body_of_transcript(transcript)
        slots = slots_of(body, script, cue)
        line, label, problem = line_of(slots), script.cues[cue].label, ""
        if request.method == "POST":
            line = request.POST.get("line", "")
            label = clean_line(request.POST.get("new_label", "")) or request.POST.get("label", label)
            try:
                words = changed_words(slots, line)
                labels = {cue: label} if label != script.cues[cue].label else {}
                return self._corrected(request, row, transcript, cue, words, labels)
            except ValidationError as refused:
                problem = " ".join(refused.messages)
        first, last = max(0, cue - NEIGHBOURS), min(len(script.cues), cue + NEIGHBOURS + 1)
        around = shown_cues(transcript, script, range(first, last), body)
        return self.show_version(
            request,
            row,
            transcript,
            "cue",
            title=_("Correct what was said"),
            before=around[: cue - first],
            shown=around[cue - first],
            after=around[cue - first + 1 :],
            read=" ".join(slot.raw for slot in slots),
            line=line,
            label=label,
            labels=list(dict.fromkeys([*script.labels[:MOST_LABELS], *([label] if label else [])])),
            page_number=cue // CUES + 1,
            player=player_of_draft(row.item.newest.content, script.cues[cue].start_ms, script.cues[cue].end_ms),
            problem=problem,
            status=422 if problem else 200,
        )

    def _corrected(
        self,
        request: HttpRequest,
        row: Episode,
        transcript: Transcript,
        cue: int,
        words: dict[int, str],
        labels: dict[int, str],
    ) -> HttpResponse:
        rest = f"?page={cue // CUES + 1}#c{cue}"
        made = correct(transcript, actor=actor_of(request), words=words, cues=labels) if words or labels else transcript
        if made.number == transcript.number:
            self.message_user(request, _("Nothing changed."))
        else:
            said = _("Saved as transcript %(number)s: %(note)s.") % {"number": made.number, "note": made.note}
            told = told_of(made, words_of(script_of(made).cues[cue]))
            self.message_user(request, f"{said} {told}".strip(), messages.SUCCESS)
        return self.go_to("transcript", row.pk, made.number, rest=rest)


def words_of(cue: SpokenCue) -> range:
    return range(cue.first, cue.last)


def shown_cues(
    transcript: Transcript, script: Script, numbers: list[int] | range, body: Body | None = None
) -> list[ShownCue]:
    """Return some cues as rows, in the order of their numbers. Three queries at most."""
    if transcript.corrections and body is None:
        body = body_of_transcript(transcript)
    cues = [(number, script.cues[number]) for number in numbers]
    bounds = [place for _number, cue in cues if cue.last > cue.first for place in (cue.first, cue.last)]
    resting = resting_on(transcript, range(min(bounds), max(bounds))) if bounds else []
    shown = []
    for number, cue in cues:
        raw = body.cues[number] if body else None
        quotes = [one for one in resting if touches(one, cue)]
        shown.append(
            ShownCue(
                number,
                cue,
                raw.text if raw and raw.text != cue.text else "",
                (raw.speaker or _("no label")) if raw and raw.speaker != cue.label else "",
                quotes,
            )
        )
    return shown


def touches(one: Resting, cue: SpokenCue) -> bool:
    """Tell whether something rests on words of a cue."""
    if one.first_word is None or one.last_word is None:
        return False
    return one.first_word < cue.last and one.last_word >= cue.first
