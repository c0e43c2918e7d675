"""What two transcripts differ in, word by word, fast enough for three hours of speech."""

import difflib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .script import Script, SpokenWord

ANCHOR = 4  # words in a row that stand just once on both sides hold the two texts together
MOST_COMPARED = 400  # words of a stretch without anchors that are compared one by one
MOST_SHOWN = 200  # changes on one page
AROUND = 4  # words before and after a change

Run = tuple[int, int, int, int]  # from and to in the one, from and to in the other


@dataclass(frozen=True)
class Change:
    """Words that differ, with when they are said and what stands around them. ``cue`` is in the newer transcript."""

    start_ms: int | None
    cue: int | None
    before: str
    after: str
    lead: str
    tail: str


@dataclass(frozen=True)
class Changes:
    shown: list[Change]
    count: int
    relabelled: int  # words that are the same but said by another label

    @property
    def is_cut(self) -> bool:
        return self.count > len(self.shown)


def changes_between(before: Script, after: Script) -> Changes:
    """Return what differs in the words of two scripts, the first of it in full."""
    old, new = [word.w for word in before.words], [word.w for word in after.words]
    runs = list(changed_runs(old, new))
    shown = [_shown(before.words, after.words, run) for run in runs[:MOST_SHOWN]]
    return Changes(shown, len(runs), _relabelled(before.words, after.words, runs))


def _shown(before: Sequence[SpokenWord], after: Sequence[SpokenWord], run: Run) -> Change:
    first, last, start, end = run
    near = after[max(0, start - 1 if start == end else start)] if after else None
    moment = before[first] if start == end else after[start]
    return Change(
        moment.start_ms,
        near.cue if near else None,
        _text(before[first:last]),
        _text(after[start:end]),
        _text(after[max(0, start - AROUND) : start]),
        _text(after[end : end + AROUND]),
    )


def _text(words: Sequence[SpokenWord]) -> str:
    return " ".join(word.w for word in words)


def _relabelled(before: Sequence[SpokenWord], after: Sequence[SpokenWord], runs: Sequence[Run]) -> int:
    count, old, new = 0, 0, 0
    for first, last, start, end in [*runs, (len(before), len(before), len(after), len(after))]:
        same = zip(before[old:first], after[new:start], strict=True)
        count += sum(one.label != other.label for one, other in same)
        old, new = last, end
    return count


def changed_runs(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    """Yield the runs that differ, in order. Stretches between rare words are compared, long ones as a whole."""
    first, start = 0, 0
    for place, other in [*_anchors(old, new), (len(old), len(new))]:
        for one in _differing(old[first:place], new[start:other]):
            yield first + one[0], first + one[1], start + one[2], start + one[3]
        first, start = place, other


def _differing(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    lead = _common(old, new)
    tail = _common(old[lead:][::-1], new[lead:][::-1])
    mine, theirs = old[lead : len(old) - tail], new[lead : len(new) - tail]
    if not mine and not theirs:
        return
    if max(len(mine), len(theirs)) > MOST_COMPARED:
        yield lead, len(old) - tail, lead, len(new) - tail
        return
    for tag, first, last, start, end in difflib.SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            yield lead + first, lead + last, lead + start, lead + end


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    pairs = zip(one, other, strict=False)
    return next((index for index, (left, right) in enumerate(pairs) if left != right), min(len(one), len(other)))


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return places of runs that stand once on each side, in an order that both sides keep."""
    mine, theirs = _once(old), _once(new)
    pairs = sorted((place, theirs[words]) for words, place in mine.items() if words in theirs)
    return _longest_rising(pairs)


def _once(words: Sequence[str]) -> dict[tuple[str, ...], int]:
    places: dict[tuple[str, ...], int] = {}
    for place in range(len(words) - ANCHOR + 1):
        run = tuple(words[place : place + ANCHOR])
        places[run] = place if run not in places else -1
    return {run: place for run, place in places.items() if place >= 0}


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of the pairs whose second numbers rise (patience sorting)."""
    ends: list[int] = []
    tops: list[int] = []
    links: list[int] = []
    for index, (_place, other) in enumerate(pairs):
        at = bisect_left(ends, other)
        links.append(tops[at - 1] if at else -1)
        if at == len(ends):
            ends.append(other)
            tops.append(index)
        else:
            ends[at], tops[at] = other, index
    found, index = [], tops[-1] if tops else -1
    while index >= 0:
        found.append(pairs[index])
        index = links[index]
    return found[::-1]
