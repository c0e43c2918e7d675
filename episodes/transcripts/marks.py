"""Where quotes stand in a transcript's text, as HTML."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape  # Django's own takes ten times as long, which counts over 3,000 cues
from itertools import pairwise, takewhile

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from .script import Script, SpokenCue, SpokenWord

_TO_SPACES = str.maketrans("\n\r\t", "   ")


@dataclass(frozen=True)
class QuoteMark:
    """A quote and the range of its words in ``Script.words``, both ends included."""

    first: int
    last: int
    url: str
    title: str


class Marks:
    """The quotes of a transcript by their places; they may overlap."""

    def __init__(self, quotes: Iterable[QuoteMark]):
        ordered = sorted(quotes, key=lambda quote: (quote.first, quote.last))
        self._spans = list(_merged(ordered))
        self._lasts = [last for _first, last in self._spans]
        self._ends: dict[int, list[QuoteMark]] = {}
        for quote in ordered:
            self._ends.setdefault(quote.last, []).append(quote)

    def html_of(self, script: Script, cue: SpokenCue) -> SafeString:
        """Return a cue's text, with the words that are quoted marked and a link to each quote behind its last word."""
        text = cue.text.translate(_TO_SPACES)  # no character more or less, so that places hold
        spans = list(takewhile(lambda span: span[0] < cue.last, self._spans[bisect_left(self._lasts, cue.first) :]))
        if not spans:
            return mark_safe(escape(text))  # noqa: S308
        words = script.words_of(cue)
        places = _places_of(text, words)
        marked = [
            (places[max(first - cue.first, 0)][0], places[min(last - cue.first, len(words) - 1)][1])
            for first, last in spans
        ]
        links = {
            places[index][1]: self._ends[cue.first + index]
            for index in range(len(words))
            if cue.first + index in self._ends
        }
        return mark_safe("".join(_pieces(text, marked, links)))  # noqa: S308  # each piece is escaped


def _merged(quotes: Iterable[QuoteMark]) -> Iterator[tuple[int, int]]:
    """Yield the ranges that quotes cover, in order and without overlap."""
    first = last = -1
    for quote in quotes:
        if first >= 0 and quote.first <= last + 1:
            last = max(last, quote.last)
            continue
        if first >= 0:
            yield first, last
        first, last = quote.first, quote.last
    if first >= 0:
        yield first, last


def _places_of(text: str, words: Sequence[SpokenWord]) -> list[tuple[int, int]]:
    """Return start and end of each word in its cue's text, where they stand in this order."""
    places, at = [], 0
    for word in words:
        found = text.find(word.w, at)
        start = found if found >= 0 else at
        at = found + len(word.w) if found >= 0 else at
        places.append((start, at))
    return places


def _pieces(text: str, marked: Sequence[tuple[int, int]], links: dict[int, list[QuoteMark]]) -> Iterator[str]:
    edges = sorted({0, len(text), *links, *(place for span in marked for place in span)})
    for start, end in pairwise(edges):
        is_marked = any(first <= start and end <= last for first, last in marked)
        yield f"<mark>{escape(text[start:end])}</mark>" if is_marked else escape(text[start:end])
        for quote in links.get(end, ()):
            yield _link(quote)


def _link(quote: QuoteMark) -> SafeString:
    html = ' <a class="transcript__quote" href="{}">{}<span class="visually-hidden">: {}</span></a>'
    return format_html(html, quote.url, _("quote"), quote.title)
