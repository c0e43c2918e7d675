"""Words of a transcript as they come in, objects or mappings, and their pieces."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, count, repeat
from math import nan
from operator import attrgetter, itemgetter
from typing import Any

from .folding import MOST_KEPT, Folding, folding_of
from .languages import language_of
from .pieces import CURRENCIES, HIDDEN, NO_ENDING, CutWord, Ending, Slice, cut_word

Words = Sequence[Any]

SOUND = CutWord((), NO_ENDING, is_sound=True)
LONGEST_MARK = 8  # words of one [bracketed] sound mark


def value_of(word: Any, name: str) -> Any:
    """Return one value of a word, None where it has none."""
    return word.get(name) if isinstance(word, Mapping) else getattr(word, name, None)


def column(words: Words, name: str) -> list[Any]:
    """Return one value of every word; quick where all words are alike."""
    if not len(words):
        return []
    getter = itemgetter(name) if type(words[0]) is dict else attrgetter(name)
    try:
        return list(map(getter, words))
    except (AttributeError, KeyError, TypeError):
        return [value_of(word, name) for word in words]


def text_of(word: Any) -> str:
    text = value_of(word, "w")
    return text if isinstance(text, str) else "" if text is None else str(text)


def time_of(word: Any, name: str) -> int | None:
    """Return a time in whole milliseconds, None where there is none that can be used."""
    return as_time(value_of(word, name))


def as_time(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value or abs(value) > 1e15:
        return None
    return int(value)


def speaker_of(word: Any) -> str | None:
    speaker = value_of(word, "speaker")
    return None if speaker is None or speaker == "" else str(speaker)


@dataclass(slots=True)
class RawPiece:
    """A piece of the transcript, the word it came from and what that word's end says."""

    text: str
    key: str
    word: int
    start: int
    end: int
    ending: Ending = NO_ENDING
    speaker: str | None = None
    is_filler: bool = False
    is_other: bool = False
    is_alone: bool = True  # the only piece of its word
    is_capitals: bool = False  # of more than one letter, where not all words are
    is_capitalised: bool = False

    @property
    def is_separated(self) -> bool:
        """Tell whether a comma or more stands after it."""
        ending = self.ending
        return ending.comma or ending.ends_sentence or ending.cut > 0


class Prepared:
    """A transcript that keeps what was once computed from its words, for many checks. It must not change."""

    def __init__(self, words: Words, language: str = "en") -> None:
        self.words = words
        self.language = language

    @cached_property
    def texts(self) -> list[str]:
        texts = column(self.words, "w")
        if set(map(type, texts)) <= {str}:
            return texts
        return [text if isinstance(text, str) else "" if text is None else str(text) for text in texts]

    @cached_property
    def starts(self) -> list[float]:
        """Return every word's start, not a number where it has none."""
        return [nan if time is None else time for time in map(as_time, self._starts)]

    @cached_property
    def _starts(self) -> list[Any]:
        return column(self.words, "start_ms")

    @cached_property
    def has_times(self) -> bool:
        return any(as_time(start) is not None for start in self._starts)

    @cached_property
    def is_in_order(self) -> bool:
        """Tell whether every word has a start and none is before that of the word before."""
        try:
            return sorted(self._starts) == self._starts
        except TypeError:
            return False

    @cached_property
    def content(self) -> tuple[list[str], list[int]]:
        """Return the key of every piece that is no filler, and the word of each: enough to find a place by."""
        folding = folding_of(language_of(self.language))
        keys_of = {text: _content_keys(text, folding) for text in set(self.texts)}
        found = list(map(keys_of.__getitem__, self.texts))
        keys = list(chain.from_iterable(found))
        owners = list(chain.from_iterable(map(repeat, count(), map(len, found))))
        return keys, owners

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Return where in ``content`` each key stands."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for place, key in enumerate(self.content[0]):
            places[key].append(place)
        return dict(places)


def prepare(words: Words, language: str = "en") -> Prepared:
    """Return words for many checks: pass the answer to ``check_quote`` in place of the words."""
    prepared = Prepared(words, language)
    _ = prepared.places, prepared.starts
    return prepared


def prepared_of(words: Words | Prepared, language: str) -> Prepared:
    if not isinstance(words, Prepared):
        return Prepared(words, language)
    return words if words.language == language else Prepared(words.words, language)


def _content_keys(text: str, folding: Folding) -> list[str]:
    cached = folding.content.get(text)
    if cached is None:
        is_filler = folding.language.is_filler
        cached = [folding.key(part.text) for part in cut_word(text).slices if not is_filler(part.text)]
        if len(folding.content) > MOST_KEPT:
            folding.content.clear()
        folding.content[text] = cached
    return cached


def raw_pieces(words: Words, indices: Iterable[int], folding: Folding, speaker: str | None) -> list[RawPiece]:
    """Cut the words of a region. Pieces of another speaker than the given one are marked."""
    pieces: list[RawPiece] = []
    chosen = list(indices)
    texts = {index: text_of(words[index]) for index in chosen}
    marks = _words_in_marks(chosen, texts)
    capitals = _written_in_capitals(texts.values())
    for index in chosen:
        cut = marks[index] if index in marks else cut_word(texts[index])
        if cut.is_sound:
            continue
        if not cut.slices:
            if pieces:
                pieces[-1].ending |= cut.ending
            continue
        pieces += _pieces_of(words[index], index, texts[index], cut, folding, speaker, capitals)
    _move_signs(pieces, folding)
    _unmark_units(pieces)
    return pieces


def _pieces_of(
    word: Any, index: int, text: str, cut: CutWord, folding: Folding, speaker: str | None, capitals: bool
) -> list[RawPiece]:
    who = speaker_of(word)
    is_other = speaker is not None and who is not None and who != speaker
    is_filler = folding.language.is_filler
    whole = is_filler(cut.folded)
    pieces = []
    for part in cut.slices:
        is_capitals = not capitals and part.end - part.start > 1 and text[part.start : part.end].isupper()
        piece = RawPiece(part.text, HIDDEN if cut.is_hidden else folding.key(part.text), index, part.start, part.end)
        piece.speaker, piece.is_other, piece.is_capitals = who, is_other, is_capitals
        piece.is_capitalised = not capitals and text[part.start].isupper()
        piece.is_filler = not is_capitals and (whole or is_filler(part.text))
        piece.is_alone = len(cut.slices) == 1
        pieces.append(piece)
    pieces[-1].ending = cut.ending
    return pieces


def _written_in_capitals(texts: Iterable[str]) -> bool:
    """Tell whether the words are all in capitals, so that capitals mark no name."""
    return not any(text != text.upper() for text in texts)


def _words_in_marks(chosen: list[int], texts: Mapping[int, str]) -> dict[int, CutWord]:
    """Return the words of marks that are several words (``[upbeat``, ``music]``), each as it counts.

    A hidden word counts where it begins.
    """
    found: dict[int, CutWord] = {}
    for place, index in enumerate(chosen):
        text = texts[index].lstrip()
        if not text.startswith("[") or "]" in text:
            continue
        for size in range(2, LONGEST_MARK + 1):
            run = chosen[place : place + size]
            if len(run) == size and "]" in texts[run[-1]]:
                mark = cut_word(" ".join(texts[part] for part in run))
                if mark.is_sound or mark.is_hidden:
                    found |= dict.fromkeys(run, SOUND)
                if mark.is_hidden:
                    found[index] = replace(mark, slices=(Slice(HIDDEN, 0, len(texts[index])),))
                break
    return found


def _move_signs(pieces: list[RawPiece], folding: Folding) -> None:
    """Move ``dollars`` of ``$43 million`` behind the whole number."""
    for place in range(1, len(pieces) - 1):
        before, sign, after = pieces[place - 1 : place + 2]
        is_sign = sign.text in CURRENCIES and (before.word, before.start) == (sign.word, sign.start)
        if is_sign and after.text in folding.language.numbers.scales:
            sign.ending, after.ending = after.ending, sign.ending
            pieces[place], pieces[place + 1] = after, sign


def _unmark_units(pieces: list[RawPiece]) -> None:
    """Take ``mm`` after a figure for millimetres."""
    for before, piece in zip(pieces, pieces[1:], strict=False):
        if piece.is_filler and piece.text == "mm" and before.text[-1:].isdigit():
            piece.is_filler = False
