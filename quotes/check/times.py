"""Start and end of a quote from the words at its edges; ``shared/verbatim.md`` §14."""

from collections.abc import Sequence
from dataclasses import dataclass

from .words import Words, text_of, time_of

LONG_WORD_MS = 2_000
MS_A_LETTER = 80
LOOK_BACK = 500  # words; beyond these a time says nothing about this place


@dataclass(frozen=True, slots=True)
class Span:
    """Times with the indices of the words that were estimated or last too long to be true."""

    start_ms: int | None
    end_ms: int | None
    estimated: tuple[int, ...] = ()
    long: tuple[int, ...] = ()


def span_of(words: Words, indices: Sequence[int]) -> Span:
    """Return the plain span of the words at these indices, given in order."""
    first, last = indices[0], indices[-1]
    estimated: list[int] = []
    start, end = _start_of(words, first), _end_of(words, last)
    long = [index for index in dict.fromkeys((first, last)) if _duration(words[index]) > LONG_WORD_MS]
    if start is None or first in long:
        estimated.append(first)
        start = _end_before(words, first) if start is None else _start_by_letters(words[first])
    if end is None:
        estimated.append(last)
        end = _start_after(words, last)
    start = end if start is None else start
    end = start if end is None else end
    if start is not None and end is not None and end < start:
        # Words out of order: take the latest end that the quote has.
        ends = [_end_of(words, index) for index in indices]
        end = max([start, *(one for one in ends if one is not None)])
        estimated.append(last)
    return Span(start, end, tuple(dict.fromkeys(estimated)), tuple(long))


def _start_of(words: Words, index: int) -> int | None:
    return time_of(words[index], "start_ms")


def _end_of(words: Words, index: int) -> int | None:
    """Return a word's end; an end before the start is none."""
    start, end = _start_of(words, index), time_of(words[index], "end_ms")
    return None if start is not None and end is not None and end < start else end


def _duration(word: object) -> int:
    start, end = time_of(word, "start_ms"), time_of(word, "end_ms")
    return 0 if start is None or end is None else end - start


def _start_by_letters(word: object) -> int | None:
    """Return the start of a word that carries the silence before it."""
    start, end = time_of(word, "start_ms"), time_of(word, "end_ms")
    letters = sum(letter.isalnum() for letter in text_of(word))
    return start if end is None or start is None else max(start, end - MS_A_LETTER * letters)


def _end_before(words: Words, index: int) -> int | None:
    """Return the end of the nearest timed word before; without one, the word's own end."""
    for earlier in range(index - 1, max(index - LOOK_BACK, 0) - 1, -1):
        end = _end_of(words, earlier)
        if end is not None:
            return end
    return _end_of(words, index)


def _start_after(words: Words, index: int) -> int | None:
    """Return the start of the nearest timed word after; without one, the word's own start."""
    for later in range(index + 1, min(index + LOOK_BACK, len(words))):
        start = _start_of(words, later)
        if start is not None:
            return start
    return _start_of(words, index)
