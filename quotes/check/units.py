"""Pieces that are quoted together or not at all; ``shared/verbatim.md`` §10."""

from collections.abc import Iterator, Sequence

from .numbers import longest_number, starts_number
from .pieces import HYPHENS
from .result import Why
from .speech import Speech
from .words import RawPiece, Words, text_of

LONGEST_NUMBER = 13


def units(speech: Speech, words: Words) -> Iterator[tuple[list[int], Why]]:
    """Yield the places of each number of several pieces and of each word such as ``non-violent``, with why it stays whole."""
    for number in number_units(speech):
        yield number, Why.PART_OF_NUMBER
    for place, (piece, after) in enumerate(zip(speech.pieces, speech.pieces[1:], strict=False)):
        if speech.language.turns_round(piece.text) and _are_joined(piece, after, words):
            yield [place, place + 1], Why.NEGATION


def number_units(speech: Speech) -> Iterator[list[int]]:
    """Yield the places of numbers that are more than one piece, units included; a comma or sentence end parts them."""
    content = speech.content
    at = 0
    while at < len(content):
        if not starts_number(speech.text(content[at]), speech.language):
            at += 1
            continue
        run = [content[at]]
        while len(run) < LONGEST_NUMBER and at + len(run) < len(content) and not speech.pieces[run[-1]].is_separated:
            run.append(content[at + len(run)])
        size = longest_number([speech.text(place) for place in run], speech.language)
        unit = _with_signs(run[: max(size, 1)], speech.pieces)
        if len(unit) > 1:
            yield unit
        at += max(size, 1)


def _with_signs(unit: list[int], pieces: Sequence[RawPiece]) -> list[int]:
    """Return the places of a number with those of the signs that are written with it: ``-5``, ``10+``."""
    first, last = pieces[unit[0]], pieces[unit[-1]]
    before = unit[0] - 1
    has_minus = before >= 0 and pieces[before].word == first.word and pieces[before].text == "minus"
    behind = [
        place
        for place in range(unit[-1] + 1, min(unit[-1] + 3, len(pieces)))
        if (pieces[place].word, pieces[place].start) == (last.word, last.start)
    ]
    return [*([before] if has_minus else []), *unit, *behind]


def _are_joined(piece: RawPiece, after: RawPiece, words: Words) -> bool:
    """Tell whether nothing but a hyphen stands between two pieces; some engines begin a word with it."""
    text = text_of(words[after.word])
    if piece.word == after.word:
        return text[piece.end : after.start] in tuple(HYPHENS[:3])
    return after.word == piece.word + 1 and text[:1] in tuple(HYPHENS[:3]) and after.start == 1
