"""The cleaned text that a selection of words allows."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from .check import check_quote
from .editing import capitalised, tidy, uncapitalised
from .folding import folding_of
from .languages import language_of
from .languages.base import words as listed
from .pieces import HIDDEN, HYPHEN, HYPHENS, is_unspaced, read_ending
from .removals import Cut, Removals
from .result import RemovedKind
from .speech import Speech
from .words import Prepared, Words, prepared_of, raw_pieces, speaker_of, text_of

SOUNDS = frozenset({RemovedKind.FILLER, RemovedKind.OTHER_SPEAKER})
COPIES = frozenset({RemovedKind.STUTTER, RemovedKind.REPETITION})
# What is left out, tried from the most to nothing until the check agrees.
STEPS = (
    frozenset(RemovedKind),
    frozenset(RemovedKind) - {RemovedKind.FALSE_START},
    SOUNDS | COPIES,
    SOUNDS,
    frozenset({RemovedKind.OTHER_SPEAKER}),
)

OPENERS = '"“‘«„¿¡('
CLOSERS = '"”’»)'
JOINS_CLAUSES = listed("and, but, or, because, that,")  # loses its comma when what stood behind it goes
BEGINS_CLAUSE = listed("and but or so because who which i you he she it we they")  # keeps its comma

_LONE_I = re.compile(r"(?<![\w'’])i(?=$|[\s,.;:?!'’])")
_TRAILING = re.compile(rf"[\s,;:{HYPHEN}…]+$")
_MARKS = str.maketrans({"[": "", "]": "", "…": "", "♪": "", ">": "", "<": ""})


def propose_quote(
    words: Words | Prepared, *, language: str = "en", speaker: str | None = None, names: Iterable[Any] = ()
) -> str:
    """Return the text with what the rules let go left out; the check of it is verbatim or cleaned.

    Where the selection mixes speakers so that no quote of all of it can hold, the longest part of the
    given speaker is proposed, or of the one who says most. Empty where there is nothing to quote.
    """
    plain = prepared_of(words, language).words
    folding = folding_of(language_of(language))
    raw = raw_pieces(plain, range(len(plain)), folding, speaker or _main_speaker(plain))
    speech = Speech(raw, folding.language)
    parts = sorted(_parts(speech), key=len, reverse=True)
    for part in parts[:3]:
        for kinds in STEPS:
            text = _Draft(plain, speech, part, kinds).text()
            if text and check_quote(plain, text, language=language, speaker=speaker, names=names).verdict in (
                "verbatim",
                "cleaned",
            ):
                return text
    return ""


def _main_speaker(words: Words) -> str | None:
    said = Counter(speaker for word in words if (speaker := speaker_of(word)) is not None)
    return said.most_common(1)[0][0] if len(said) > 1 else None


def _parts(speech: Speech) -> Iterator[range]:
    """Yield the parts of a selection that one quote can have: no longer remark of others, no hidden word."""
    pieces = speech.pieces
    start = 0
    for place in range(len(pieces) + 1):
        is_end = place == len(pieces) or _parts_at(speech, place)
        if is_end and place >= start:
            if any(not pieces[part].is_other for part in range(start, place)):
                yield range(start, place)
            start = place + 1


def _parts_at(speech: Speech, place: int) -> bool:
    """Tell whether no quote reaches over this piece."""
    piece = speech.pieces[place]
    if not piece.is_other:
        return piece.key == HIDDEN
    first = place
    while first and speech.pieces[first - 1].is_other:
        first -= 1
    cuts = Removals(speech, first, len(speech.pieces), [True] * len(speech.pieces)).at(first)
    return not cuts or cuts[0].kind is None


class _Draft:
    """One attempt at a text."""

    def __init__(self, words: Words, speech: Speech, part: range, kinds: frozenset[RemovedKind]) -> None:
        self.words, self.speech, self.part = words, speech, part
        self.pieces = speech.pieces
        self.removed = self._removed(kinds)

    def _removed(self, kinds: frozenset[RemovedKind]) -> dict[int, RemovedKind]:
        """Return the places that go, with their kinds: sounds and copies first, then what the rest shows."""
        removed: dict[int, RemovedKind] = {}
        removals = Removals(self.speech, self.part.start, self.part.stop, [True] * len(self.pieces))
        first = {place: cuts for place in self.part if (cuts := removals.at(place))}
        for place, cuts in first.items():
            if place not in removed and cuts[0].kind in kinds & (SOUNDS | COPIES) and self._is_sure(cuts[0]):
                removed |= _by_place(cuts)
        for place, cuts in first.items():
            found = _by_place(cuts)
            if place not in removed and not found.keys() & removed.keys() and cuts[0].kind in kinds - SOUNDS - COPIES:
                removed |= found if self._is_sure(cuts[0]) else {}
        if RemovedKind.DISCOURSE_MARKER in kinds:
            removed |= dict.fromkeys(self._apologies(removed), RemovedKind.DISCOURSE_MARKER)
        return removed

    def _apologies(self, removed: Mapping[int, RemovedKind]) -> Iterator[int]:
        """Yield each ``sorry`` for what was broken off right before it."""
        for place in self.part:
            before = self.speech.previous(place)
            is_apology = self.pieces[place].text in self.speech.language.markers.apologies
            if is_apology and before is not None and removed.get(before) in COPIES | {RemovedKind.FALSE_START}:
                yield place

    def _is_sure(self, cut: Cut) -> bool:
        """Tell whether it is plain what goes; the rules allow more than an editor wants proposed."""
        piece = self.pieces[cut.places[-1]]
        if cut.kind is RemovedKind.STUTTER:
            return not (piece.ending.comma and self._may_end_clause(cut.places[0]))
        if cut.kind is RemovedKind.DISCOURSE_MARKER:
            return not piece.ending.is_question
        return cut.kind is not RemovedKind.FALSE_START or self._is_given_up(cut.places)

    def _may_end_clause(self, place: int) -> bool:
        """Tell whether a pronoun before a comma may be the object of a verb: ``we saw it, it was big``."""
        language, before = self.speech.language, self.speech.previous(place)
        if before is None or self.pieces[before].is_separated or not language.is_pronoun(self.pieces[place].text):
            return False
        return not language.is_function_word(self.pieces[before].text)

    def _is_given_up(self, places: Sequence[int]) -> bool:
        """Tell whether the speaker begins again with the same word, or paused after function words or a repair."""
        language, last = self.speech.language, self.pieces[places[-1]]
        if last.ending.cut:
            first = self.pieces[places[0]].key
            begins_again = any(self.pieces[later].key == first for later, _ in self.speech.interjections(places[-1]))
            is_fragment = len(last.text) <= 3 and last.text not in (language.short_words or {last.text})
            return begins_again or (len(places) == 1 and is_fragment)
        is_function = all(language.is_function_word(self.pieces[place].text) for place in places)
        return self.speech.is_set_off_right(places[-1]) and (is_function or not last.ending.comma)

    def text(self) -> str:
        """Return the words that stay, with capitals and punctuation for reading."""
        written: list[str] = []
        gone: list[int] = []
        for word, places in self._places_by_word().items():
            if all(place in self.removed for place in places):
                gone += places
                continue
            text = self._written(word, places)
            opening, closing = self._quotation_marks(gone)
            if gone and written:
                written[-1] = _enclosed(self._closed(written[-1], gone, self.pieces[places[0]].text), closing)
            if not written or (gone and read_ending(written[-1]).ends_sentence):
                text = capitalised(text)
            elif self._goes_on(gone, places[0]):
                text = uncapitalised(text, 0)
            written.append(f"{opening}{text}")
            gone = []
        if gone and written:
            written[-1] = _enclosed(self._closed(written[-1], gone, ""), self._quotation_marks(gone)[1])
        return self._finished(tidy(_run_together(written)))

    def _goes_on(self, gone: Sequence[int], place: int) -> bool:
        """Tell whether a word that began again is now in the middle of a sentence."""
        text = self.pieces[place].text
        began_again = any(self.removed[part] not in SOUNDS for part in gone)
        return began_again and text != "i" and self.speech.language.is_function_word(text) and not text.startswith("i'")

    def _places_by_word(self) -> dict[int, list[int]]:
        by_word: dict[int, list[int]] = {}
        for place in self.part:
            if not self.pieces[place].is_other:
                by_word.setdefault(self.pieces[place].word, []).append(place)
        return by_word

    def _quotation_marks(self, gone: Sequence[int]) -> tuple[str, str]:
        """Return the marks at the words that go that open or close what stays."""
        texts = [text_of(self.words[word]).strip() for word in dict.fromkeys(self.pieces[place].word for place in gone)]
        opening = "".join(text[: len(text) - len(text.lstrip(OPENERS))] for text in texts)
        closing = "".join(text[len(text.rstrip(CLOSERS)) :] for text in texts)
        return ("", "") if opening and closing else (opening, closing)

    def _written(self, word: int, places: Sequence[int]) -> str:
        text = text_of(self.words[word])
        kept = [place for place in places if place not in self.removed]
        if len(kept) < len(places):
            text = text[self.pieces[kept[0]].start : self.pieces[kept[-1]].end]
        text = text.translate(_MARKS).strip()
        return text.rstrip(f"{HYPHENS} ") if read_ending(text).cut else text

    def _closed(self, text: str, gone: Sequence[int], after: str) -> str:
        """Return the word before what went, with the punctuation that is right now."""
        sounds = {RemovedKind.FILLER, RemovedKind.DISCOURSE_MARKER}
        last = self.pieces[gone[-1]].ending
        if text.lower() in JOINS_CLAUSES and after in BEGINS_CLAUSE:
            return text.rstrip(",")
        if last.ends_sentence and not read_ending(text).ends_sentence:
            return f"{_TRAILING.sub('', text)}."
        is_enclosed = last.comma and text.endswith(",") and all(self.removed[place] in sounds for place in gone)
        if is_enclosed and after not in BEGINS_CLAUSE:
            return text.rstrip(",")
        return text

    def _finished(self, text: str) -> str:
        """Return the text with a full stop where a sentence may end, and ``I`` as English writes it."""
        if self.speech.language.code == "en":
            text = _LONE_I.sub("I", text)
        is_plain = not any(
            read_ending(text_of(self.words[self.pieces[place].word])).ends_sentence for place in self.part
        )
        text = _TRAILING.sub("", text)
        stop = "。" if is_unspaced(text[-1:]) else "."
        return f"{text}{stop}" if is_plain and text and text[-1] not in ".?!。" else text


def _enclosed(text: str, closing: str) -> str:
    return f"{text.rstrip(',')}{closing}" if closing else text


def _run_together(written: Sequence[str]) -> str:
    """Return words with spaces between, but for the letters of a script without them."""
    text = ""
    for word in written:
        text += word if not text or (is_unspaced(text[-1]) and is_unspaced(word)) else f" {word}"
    return text


def _by_place(cuts: Sequence[Cut]) -> dict[int, RemovedKind]:
    return {place: cut.kind for cut in cuts if cut.kind for place in cut.places}
