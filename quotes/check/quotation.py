"""A quote's own marks: brackets and declared omissions; ``shared/verbatim.md`` §3."""

import re
from dataclasses import dataclass, replace

from .languages import Language
from .pieces import CURRENCIES, ELLIPSIS, HYPHENS, cut_text, fold

_BRACKET = re.compile(r"\[([^\[\]]*)\]")


@dataclass(frozen=True, slots=True)
class QuotePiece:
    """A piece of the quote; ``bracket`` numbers the bracket it stands in."""

    text: str
    start: int
    end: int
    bracket: int | None = None


@dataclass(frozen=True)
class Quotation:
    """A quote in pieces. ``ellipses`` are places between pieces: 2 stands after the second."""

    text: str
    pieces: tuple[QuotePiece, ...]
    ellipses: frozenset[int]
    brackets: tuple[str, ...] = ()

    def words(self, first: int, end: int) -> tuple[str, ...]:
        """Return pieces as they are written, each word once."""
        spans = dict.fromkeys((piece.start, piece.end) for piece in self.pieces[first:end])
        return tuple(self.text[start:stop] for start, stop in spans)

    def range(self, first: int, end: int) -> tuple[int, int]:
        """Return where pieces stand in the text; for an empty range, where words would be put in."""
        if first < end:
            return self.pieces[first].start, self.pieces[end - 1].end
        place = self._before(self.pieces[first]) if first < len(self.pieces) else self._behind()
        return place, place

    def _before(self, piece: QuotePiece) -> int:
        return piece.start if piece.bracket is None else self.text.rfind("[", 0, piece.start)

    def _behind(self) -> int:
        """Return the place behind the last word, its bracket included."""
        if not self.pieces:
            return 0
        last = self.pieces[-1]
        return last.end if last.bracket is None else self.text.find("]", last.end) + 1


def read_quotation(text: str, language: Language) -> Quotation:
    """Cut a quote into pieces and find its marks."""
    pieces: list[QuotePiece] = []
    ellipses: set[int] = set()
    brackets: list[str] = []
    at = 0
    text_without_glue, glued = _open_glued(text)
    for match in _BRACKET.finditer(text_without_glue):
        _read_plain(text_without_glue, at, match.start(), pieces, ellipses)
        at = match.end()
        inner = match[1].strip()
        if inner and not ELLIPSIS.sub("", inner).strip():
            ellipses.add(len(pieces))
        elif fold(inner).strip("!. ") != "sic":
            start = match.start(1)
            inside = cut_text(match[1])
            found = [QuotePiece(part.text, start + part.start, start + part.end, len(brackets)) for part in inside]
            pieces += found
            brackets += [inner] if found else []
    _read_plain(text_without_glue, at, len(text), pieces, ellipses)
    _move_signs(pieces, language)
    inner_places = frozenset(ellipses - {0, len(pieces)})
    return Quotation(text, tuple(pieces), inner_places, (*brackets, *glued))


def _move_signs(pieces: list[QuotePiece], language: Language) -> None:
    """Move ``dollars`` of ``$43 million`` behind the whole number; it then stands where its number ends."""
    for place in range(1, len(pieces) - 1):
        before, sign, after = pieces[place - 1 : place + 2]
        is_sign = sign.text in CURRENCIES and before.start == sign.start
        if is_sign and after.text in language.numbers.scales and after.bracket == sign.bracket:
            pieces[place], pieces[place + 1] = after, replace(sign, start=after.start, end=after.end)


def _open_glued(text: str) -> tuple[str, list[str]]:
    """Blank the brackets around a part of a word (``[T]he``): its letters are compared like all others."""
    letters = list(text)
    glued = []
    for match in _BRACKET.finditer(text):
        inner = match[1]
        is_glued = text[match.start() - 1 : match.start()].isalnum() or text[match.end() : match.end() + 1].isalnum()
        if is_glued and inner.strip(HYPHENS).isalnum():
            letters[match.start()] = letters[match.end() - 1] = "\u200b"
            glued.append(inner)
    return "".join(letters), glued


def _read_plain(text: str, start: int, end: int, pieces: list[QuotePiece], ellipses: set[int]) -> None:
    at = start
    for mark in [*ELLIPSIS.finditer(text, start, end), None]:
        until = mark.start() if mark else end
        pieces += [QuotePiece(part.text, at + part.start, at + part.end) for part in cut_text(text[at:until])]
        if mark:
            ellipses.add(len(pieces))
            at = mark.end()
