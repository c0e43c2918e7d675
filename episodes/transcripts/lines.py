"""A cue's words as one line that an editor changes, and what the change comes to, word by word."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from .body import Body
from .script import Script


@dataclass(frozen=True)
class Slot:
    """One word as it was read, and what stands in its place now: nothing, one word or several."""

    place: int
    raw: str
    now: tuple[str, ...]


def slots_of(body: Body, script: Script, cue: int) -> list[Slot]:
    """Return the words of a cue in order, those taken out too."""
    now: dict[int, list[str]] = {}
    for word in script.words_of(script.cues[cue]):
        now.setdefault(word.place, []).append(word.w)
    places = [place for place, word in enumerate(body.words) if word.cue == cue]
    return [Slot(place, body.words[place].text, tuple(now.get(place, ()))) for place in places]


def line_of(slots: Sequence[Slot]) -> str:
    return " ".join(word for slot in slots for word in slot.now)


def changed_words(slots: Sequence[Slot], line: str) -> dict[int, str]:
    """Return what a changed line comes to, as ``correct(words=…)`` takes it: only places that differ.

    A new word joins the word before it, the first one the word after; a word taken out
    earlier comes back to its own place. Raises ValidationError where no word is there to
    join.
    """
    typed = [word for word in line.split() if any(character.isalnum() for character in word)]
    old = [(index, word) for index, slot in enumerate(slots) for word in slot.now]
    if typed and not slots:
        raise ValidationError(_("No word was read here, so none can be corrected."), code="no_words")
    result: list[list[str]] = [[] for _slot in slots]
    matcher = difflib.SequenceMatcher(None, [word for _index, word in old], typed, autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        here, words = [index for index, _word in old[first:last]], typed[start:end]
        if tag in ("equal", "replace"):
            for offset, word in enumerate(words):
                result[here[min(offset, len(here) - 1)]].append(word)
        elif tag == "insert":
            _insert(slots, result, words, first, [index for index, _word in old])
    return {slot.place: " ".join(words) for slot, words in zip(slots, result, strict=True) if tuple(words) != slot.now}


def _insert(
    slots: Sequence[Slot], result: list[list[str]], words: Sequence[str], at: int, owners: Sequence[int]
) -> None:
    """Put new words where they belong: in places whose words were taken out, else to a neighbour."""
    before = owners[at - 1] if at else -1
    after = owners[at] if at < len(owners) else len(slots)
    empty = list(range(before + 1, after))
    home = before if before >= 0 else after if after < len(slots) else 0
    for word in words:
        own = next((index for index in empty if slots[index].raw == word), None)
        if own is not None:
            home = own
            empty = [index for index in empty if index > own]
        result[home].append(word)
