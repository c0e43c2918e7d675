"""Which words of a transcript to look at: those near the times, or those that share rare words with the quote."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from .folding import Folding
from .quotation import Quotation
from .words import Prepared, time_of

MARGIN_MS = 5_000
OMISSION = 90  # pieces that a declared omission may add to a window
MOST_OMISSIONS = 12  # that a window makes room for
MOST_WINDOWS = 6
MOST_REACH = 300  # pieces on each side of where the quote may stand
LONG_QUOTE = 400  # pieces; of one as long, fewer windows are looked into
MOST_PLACES = 200  # of one run of pieces; what is said more often tells nothing
SCATTER = 25  # words that may stand out of time order within a region


def region_of_times(prepared: Prepared, start_ms: int | None, end_ms: int | None) -> list[int]:
    """Return the indices of all words within the times and five seconds, in whatever order they come."""
    low, high = _limits(start_ms, end_ms)
    starts = prepared.starts
    timed = [index for index, start in enumerate(starts) if low <= start <= high]
    timed += _reaching_in(prepared, timed, low)
    found = set(timed)
    for index in timed:
        # Words without a time (it equals not even itself) go with a neighbour that has one.
        for step in (-1, 1):
            beside = index + step
            while 0 <= beside < len(starts) and starts[beside] != starts[beside] and abs(beside - index) < SCATTER:
                found.add(beside)
                beside += step
    return sorted(found)


def _reaching_in(prepared: Prepared, timed: Sequence[int], low: float) -> list[int]:
    """Return the words just before that began earlier and last into the region."""
    reaching = []
    for index in timed[:1]:
        for earlier in range(max(index - 3, 0), index):
            end = time_of(prepared.words[earlier], "end_ms")
            if end is not None and end >= low:
                reaching.append(earlier)
    return reaching


def _limits(start_ms: int | None, end_ms: int | None) -> tuple[float, float]:
    low = float("-inf") if start_ms is None else start_ms - MARGIN_MS
    high = float("inf") if end_ms is None else end_ms + MARGIN_MS
    return (low, high) if low <= high else (high, low)


def quick_region(prepared: Prepared, start_ms: int | None, end_ms: int | None) -> list[int]:
    """Return the region by halving, without a look at every word: right where words stand in time order."""
    words = prepared.words
    low, high = _limits(start_ms, end_ms)
    order = _Starts(prepared)
    first = bisect_left(order, low)
    last = bisect_right(order, high)
    first = max(first - 3, 0)
    while first < last and not _ends_after(words[first], low):
        first += 1
    return list(range(first, last))


def _ends_after(word: object, low: float) -> bool:
    start, end = time_of(word, "start_ms"), time_of(word, "end_ms")
    latest = max((time for time in (start, end) if time is not None), default=None)
    return latest is not None and latest >= low


class _Starts(Sequence[float]):
    """The start of each word; of one without a time, that of the nearest before."""

    def __init__(self, prepared: Prepared) -> None:
        self.words = prepared.words

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, index: int) -> float:  # type: ignore[override]
        for earlier in range(index, max(index - SCATTER, -1), -1):
            start = time_of(self.words[earlier], "start_ms")
            if start is not None:
                return start
        return float("-inf")


def windows(
    prepared: Prepared, quotation: Quotation, folding: Folding, region: Sequence[int] | None = None
) -> list[list[int]]:
    """Return where the quote may stand: runs of word indices, the likeliest first; with a region only inside it.

    Each run of three pieces of the quote that the transcript has votes for where the
    quote would begin, the rarer the louder; pairs and single pieces vote where none is found.
    """
    keys = [folding.key(p.text) for p in quotation.pieces if not folding.language.is_filler(p.text)]
    owners = prepared.content[1]
    if not keys or not owners:
        return []
    inside = None if region is None else frozenset(region)
    votes: dict[int, float] = {}
    for size in (3, 2, 1):
        if votes or size > len(keys):
            continue
        votes = _votes(prepared, keys, size, inside)
    reach = min(max(len(keys) // 2, 12), MOST_REACH)
    most = MOST_WINDOWS if len(keys) < LONG_QUOTE else 2
    room = OMISSION * min(len(quotation.ellipses), MOST_OMISSIONS)
    found: list[tuple[int, int]] = []
    for start in _loudest(votes, reach):
        first = max(start - reach - room, 0)
        last = min(start + len(keys) + reach + room, len(owners) - 1)
        if first <= last and not any(first >= one and last <= other for one, other in found):
            found.append((first, last))
        if len(found) == most:
            break
    runs = [range(owners[first], owners[last] + 1) for first, last in found]
    return [[index for index in run if inside is None or index in inside] for run in runs]


def _votes(prepared: Prepared, keys: Sequence[str], size: int, inside: frozenset[int] | None) -> dict[int, float]:
    votes: dict[int, float] = {}
    found: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(keys) - size + 1):
        run = tuple(keys[at : at + size])
        if run not in found:
            owners = prepared.content[1]
            places = _places_of(run, prepared)
            found[run] = [place for place in places if inside is None or owners[place] in inside]
        hits = found[run]
        for start in hits[:MOST_PLACES]:
            votes[start - at] = votes.get(start - at, 0) + 1 / len(hits)
    return votes


def _places_of(run: tuple[str, ...], prepared: Prepared) -> list[int]:
    """Return where a run of pieces stands, found by its rarest piece."""
    keys, wanted = prepared.content[0], list(run)
    rarest = min(range(len(run)), key=lambda offset: len(prepared.places.get(run[offset], ())))
    starts = [place - rarest for place in prepared.places.get(run[rarest], ())]
    return [start for start in starts if start >= 0 and keys[start : start + len(run)] == wanted]


def _loudest(votes: dict[int, float], reach: int) -> list[int]:
    """Return the places with most votes, those near each other counted together."""
    groups: list[tuple[float, int]] = []
    total, first, last = 0.0, None, None
    for place in sorted(votes):
        if first is None or last is None or place - first > reach:
            if first is not None:
                groups.append((-total, first))
            total, first = 0.0, place
        total += votes[place]
        last = place
    if first is not None:
        groups.append((-total, first))
    return [place for _, place in sorted(groups)]
