"""Saying who the labels of a transcript are: sure, unsure, or nobody whom we name."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

from publishing.fields import ItemWidget
from publishing.permissions import actor_of
from publishing.references import resolve_references, write_references

from ...models import Transcript
from ..script import Script, SpokenCue, script_of
from ..service import name_speakers
from ..told import told_of
from .base import WRITE, TranscriptAdmin
from .speech import CUES

MOST_SHOWN = 100  # labels on the page, those who speak most first
FIRST_WORDS = 14
States = Transcript.SpeakerState


@dataclass
class SpeakerRow:
    """One label as a row of the form; ``place`` is where it stands in the transcript's list."""

    place: int
    label: str
    guest: str
    state: str
    words: int
    share: int
    first: SpokenCue | None
    first_words: str
    page: int
    cue: int
    problem: str = ""
    states: list = field(default_factory=lambda: States.choices)

    @property
    def widget(self) -> str:
        return ItemWidget("guest").render(f"guest-{self.place}", self.guest, {"id": f"id_guest-{self.place}"})


class SpeakerPages(TranscriptAdmin):
    def transcript_urls(self):
        return [
            self.transcript_url("<int:number>/speakers/", self.speakers_view, "transcript_speakers", WRITE),
            *super().transcript_urls(),
        ]

    def speakers_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        row = self.get_episode(request, pk)
        transcript = self.get_transcript(row, number)
        may_change = self.may_change(request, row, transcript)
        rows = speaker_rows(transcript, script_of(transcript))
        problems: list[str] = []
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            take_typed(rows, request.POST)
            try:
                who = read_rows(rows, confirm="_confirm" in request.POST)
                made = name_speakers(transcript, who, actor=actor_of(request))
            except ValidationError as refused:
                problems = refused.messages
            else:
                said = _("Nothing changed.")
                if made.number != transcript.number:
                    said = _("Saved as transcript %(number)s.") % {"number": made.number}
                self.message_user(request, f"{said} {told_of(made)}".strip(), messages.SUCCESS)
                return self.go_to("transcript_speakers", pk, made.number)
        return self.show_version(
            request,
            row,
            transcript,
            "speakers",
            title=_("Who speaks in “%(item)s”") % {"item": row.item},
            rows=rows,
            more=len(transcript.speakers) - len(rows),
            proposed=sum(one.state == States.UNSURE and bool(one.guest) for one in rows),
            problems=problems,
            status=422 if problems else 200,
        )


def speaker_rows(transcript: Transcript, script: Script) -> list[SpeakerRow]:
    """Return a row for each label, those who speak most first. One query."""
    counts: dict[str, int] = {}
    firsts: dict[str, int] = {}
    for place, cue in enumerate(script.cues):
        counts[cue.label] = counts.get(cue.label, 0) + cue.last - cue.first
        if cue.last > cue.first:
            firsts.setdefault(cue.label, place)
    whole = max(1, len(script.words))
    guests = write_references(row["guest"] for row in transcript.speakers if row["guest"])
    rows = []
    for place, row in enumerate(transcript.speakers):
        label, number = row["label"], firsts.get(row["label"])
        first = script.cues[number] if number is not None else None
        said = " ".join(word.w for word in script.words_of(first)[:FIRST_WORDS]) if first else ""
        words = counts.get(label, 0)
        rows.append(
            SpeakerRow(
                place,
                label,
                guests.get(row["guest"], ""),
                row["state"],
                words,
                round(100 * words / whole),
                first,
                said,
                (number or 0) // CUES + 1,
                number or 0,
            )
        )
    return sorted(rows, key=lambda one: (-one.words, one.place))[:MOST_SHOWN]


def take_typed(rows: list[SpeakerRow], typed: QueryDict) -> None:
    """Let the rows hold what was typed, so that it is still there where it is refused."""
    for row in rows:
        row.guest = typed.get(f"guest-{row.place}", row.guest)[:400].strip()
        row.state = typed.get(f"state-{row.place}", row.state)


def read_rows(rows: list[SpeakerRow], *, confirm: bool) -> Mapping[str, tuple[int | None, str]]:
    """Return who each label is, as typed; ``confirm`` makes sure of whoever is proposed. Two queries.

    Raises ValidationError with a sentence for each row that means nobody we know.
    """
    found = resolve_references("guest", [row.guest for row in rows if row.guest])
    who: dict[str, tuple[int | None, str]] = {}
    problems = []
    for row in rows:
        guest = found[row.guest] if row.guest else None
        state = States.SURE.value if confirm and guest and row.state == States.UNSURE else row.state
        if guest and guest.problem and state != States.NOBODY:
            row.problem = guest.problem
        elif state == States.SURE and not guest:
            row.problem = _("Choose who this is, or leave it unsure.")
        if row.problem:
            problems.append(f"{row.label}: {row.problem}")
        who[row.label] = (guest.item_id if guest and state != States.NOBODY else None, state)
    if problems:
        raise ValidationError(problems)
    return who
