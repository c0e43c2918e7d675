"""Groups of pieces that are the same; ``shared/verbatim.md`` §4. Single pieces are compared by their keys."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from .folding import Folding, Form
from .numbers import may_continue, number_key, starts_number
from .quotation import Quotation, QuotePiece
from .words import RawPiece

LONGEST = 6
GROUPED = 1_000  # numbers of this and more are written in groups


class Likeness(Enum):
    EQUAL = "equal"
    NUMBER = "number"
    SPELLING = "spelling"
    JOINED = "joined"
    SPOKEN = "spoken"


@dataclass(frozen=True, slots=True)
class Group:
    """``size`` pieces from ``start``."""

    start: int
    size: int

    @property
    def end(self) -> int:
        return self.start + self.size


@dataclass(frozen=True, slots=True)
class Same:
    """A group of the quote and a group of the transcript that are the same."""

    quote: Group
    raw: Group
    likeness: Likeness


Found = dict[object, list[Group]]


def same_groups(quotation: Quotation, raw: Sequence[RawPiece], folding: Folding) -> Iterator[Same]:
    """Yield all groups that match and are not a single equal piece."""
    quote = quotation.pieces
    quote_texts = [piece.text for piece in quote]
    raw_texts = [piece.text for piece in raw]
    fences = _quote_fences(quote), _raw_fences(raw)
    sides = _Side(quote_texts, fences[0], folding), _Side(raw_texts, fences[1], folding)
    number_fences = _number_fences(quotation, raw, folding)
    yield from _pairs(
        _numbers(quote_texts, number_fences[0], folding),
        _numbers(raw_texts, number_fences[1], folding),
        Likeness.NUMBER,
    )
    for one, other in folding.phrases:
        yield from _phrases(sides, (one, other), Likeness.SPELLING)
    for one, other in folding.spoken:
        yield from _phrases(sides, (one, other), Likeness.SPOKEN)
    for single, group in _joined(quote_texts, raw_texts, fences[1], folding):
        yield Same(Group(single, 1), group, Likeness.JOINED)
    for single, group in _joined(raw_texts, quote_texts, fences[0], folding):
        if not raw[single].is_other:
            yield Same(group, Group(single, 1), Likeness.JOINED)


def _quote_fences(quote: Sequence[QuotePiece]) -> list[int]:
    """Return for each piece how far a group from it may go: not into a bracket or out of one."""
    return _fences([piece.bracket for piece in quote], [False] * len(quote))


def _raw_fences(raw: Sequence[RawPiece]) -> list[int]:
    """Return for each piece how far a group from it may go: not past a sentence or to another speaker."""
    return _fences([piece.is_other or None for piece in raw], [piece.ending.ends_sentence for piece in raw], True)


def _number_fences(quotation: Quotation, raw: Sequence[RawPiece], folding: Folding) -> tuple[list[int], list[int]]:
    """Return how far a number may go on both sides: not past a comma, unless it groups thousands."""
    quote, text = quotation.pieces, quotation.text
    ends = [text[piece.end : piece.end + 1] in tuple(",;:.?!") and _is_closed(piece.text, folding) for piece in quote]
    raw_ends = [_ends_number(piece, folding) for piece in raw]
    return (
        _fences([piece.bracket for piece in quote], ends),
        _fences([piece.is_other or None for piece in raw], raw_ends, True),
    )


def _ends_number(piece: RawPiece, folding: Folding) -> bool:
    return piece.ending.ends_sentence or (piece.ending.comma and _is_closed(piece.text, folding))


def _is_closed(text: str, folding: Folding) -> bool:
    """Tell whether a comma behind this ends a number: not so in ``one thousand, two hundred``."""
    return folding.language.numbers.scales.get(text, 0) < GROUPED


def _fences(marks: Sequence[object], ends: Sequence[bool], shut: object = ...) -> list[int]:
    fences = [0] * len(marks)
    for place in range(len(marks) - 1, -1, -1):
        follows = place + 1 < len(marks) and marks[place] == marks[place + 1] and not ends[place]
        fences[place] = place if marks[place] is shut else fences[place + 1] if follows else place + 1
    return fences


def _pairs(quote: Found, raw: Found, likeness: Likeness) -> Iterator[Same]:
    for key, groups in quote.items():
        for group in groups:
            for other in raw.get(key, ()):
                if group.size > 1 or other.size > 1:
                    yield Same(group, other, likeness)


def _numbers(texts: Sequence[str], fences: Sequence[int], folding: Folding) -> Found:
    found: Found = {}
    language = folding.language
    for start, text in enumerate(texts):
        if text != "a" and not starts_number(text, language):
            continue
        for end in range(start + 1, min(fences[start], start + LONGEST) + 1):
            if end > start + 1 and not may_continue(texts[end - 1], language):
                break
            key = number_key(texts[start:end], language)
            if key is not None:
                found.setdefault(key, []).append(Group(start, end - start))
    return found


class _Side:
    """One side's pieces, with the places of each key, to look phrases up in."""

    def __init__(self, texts: Sequence[str], fences: Sequence[int], folding: Folding) -> None:
        self.texts, self.fences, self.folding = texts, fences, folding
        self.places: dict[str, list[int]] = {}
        for place, text in enumerate(texts):
            self.places.setdefault(folding.key(text), []).append(place)

    def find(self, form: Form) -> list[Group]:
        size = len(form)
        return [
            Group(start, size)
            for start in self.places.get(self.folding.key(form[0]), ())
            if start + size <= self.fences[start] and self.folding.is_form(self.texts[start : start + size], form)
        ]


def _phrases(sides: tuple[_Side, _Side], forms: tuple[Form, Form], likeness: Likeness) -> Iterator[Same]:
    for quote_form, raw_form in (forms, forms[::-1]):
        for group in sides[0].find(quote_form):
            for other in sides[1].find(raw_form):
                yield Same(group, other, likeness)


def _joined(
    singles: Sequence[str], parts: Sequence[str], fences: Sequence[int], folding: Folding
) -> Iterator[tuple[int, Group]]:
    """Yield single pieces and the groups that have their letters when run together."""
    places: dict[str, list[int]] = {}
    for place, text in enumerate(singles):
        places.setdefault(text, []).append(place)
    longest = max(map(len, singles), default=0)
    is_protected = folding.language.is_protected
    for start in range(len(parts)):
        text = parts[start]
        for end in range(start + 2, min(fences[start], start + LONGEST) + 1):
            text += parts[end - 1]
            if len(text) > longest:
                break
            if text in places and not is_protected(text) and _may_join(parts[start:end], folding):
                for place in places[text]:
                    yield place, Group(start, end - start)


def _may_join(parts: Sequence[str], folding: Folding) -> bool:
    language = folding.language
    if any(language.is_protected(part) for part in parts):
        return False
    return all(len(part) == 1 for part in parts) or not any(part in language.no_joining for part in parts)
