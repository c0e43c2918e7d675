"""Who readers are told that the labels of a transcript are: one rule for page, files and quotes."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from publishing.text import clean_line

from ..models import Guest, Transcript


@dataclass(frozen=True)
class SpeakerName:
    """A label as readers see it: a visible guest's name if an editor is sure of it, else the label itself."""

    text: str
    guest: Guest | None = None
    is_unsure: bool = False

    @property
    def plain(self) -> str:
        """Return the name as files write it: ``Speaker 2?`` where nobody is sure."""
        return f"{self.text}?" if self.is_unsure else self.text

    @property
    def html(self) -> SafeString:
        if not self.is_unsure:
            return format_html("<bdi>{}</bdi>", self.text)
        unsure = '<bdi>{}</bdi><span aria-hidden="true">?</span><span class="visually-hidden"> ({})</span>'
        return format_html(unsure, self.text, _("unsure"))


class SpeakerNames:
    """The names of a transcript's labels. One query."""

    def __init__(self, transcript: Transcript):
        sure = {row["label"]: row["guest"] for row in transcript.speakers if _is_sure(row)}
        guests = Guest.objects.live().filter(pk__in=set(sure.values())).only("name", "slug").in_bulk()
        self._names = {row["label"]: _name(row, guests.get(sure.get(row["label"]))) for row in transcript.speakers}

    def of(self, label: str) -> SpeakerName | None:
        """Return who a label is; None for no label."""
        return self._names.get(label) or (SpeakerName(clean_line(label)) if label else None)

    def plain(self, label: str) -> str:
        name = self.of(label)
        return name.plain if name else ""

    def among(self, labels: Iterable[str]) -> list[SpeakerName]:
        """Return the names of some labels, each once."""
        return list(dict.fromkeys(name for label in labels if (name := self.of(label))))


def _is_sure(row: dict) -> bool:
    return row["state"] == Transcript.SpeakerState.SURE and row["guest"] is not None


def _name(row: dict, guest: Guest | None) -> SpeakerName:
    if guest:
        return SpeakerName(guest.name, guest)
    return SpeakerName(clean_line(row["label"]), is_unsure=row["state"] == Transcript.SpeakerState.UNSURE)
