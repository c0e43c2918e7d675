"""Find words in a transcript, wherever they stand and however they are written."""

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from ..models import Transcript
from .script import KEPT, Script, script_of
from .speakers import fold

MOST_HITS = 100
AROUND = 8  # words before and after a hit
LONGEST_QUERY = 200  # characters


@dataclass(frozen=True)
class Hit:
    """A place where the words stand, with what is said around them."""

    cue: int
    start_ms: int | None
    label: str
    lead: str
    text: str
    tail: str


@dataclass(frozen=True)
class _Index:
    """All words as they are compared, in one text, and where each of them begins in it."""

    text: str
    starts: list[int]


def find_words(transcript: Transcript, query: str) -> list[Hit]:
    """Return where a query's words stand, MOST_HITS at most; the last one may go on."""
    wanted = fold(query[:LONGEST_QUERY])
    if not wanted:
        return []
    script, index = script_of(transcript), _index(transcript.pk, transcript.created_at)
    hits: list[Hit] = []
    at = index.text.find(f" {wanted}")
    while at >= 0 and len(hits) < MOST_HITS:
        end = at + 1 + len(wanted)
        hits.append(_hit(script, bisect_right(index.starts, at + 1) - 1, bisect_right(index.starts, end - 1) - 1))
        at = index.text.find(f" {wanted}", end)
    return hits


@lru_cache(maxsize=KEPT)
def _index(pk: int, _made: object) -> _Index:
    words = script_of(Transcript.objects.get(pk=pk)).words
    parts, starts, length = [], [], 0
    for word in words:
        starts.append(length + 1)
        part = f" {fold(word.w)}"
        parts.append(part)
        length += len(part)
    return _Index("".join(parts), starts)


def _hit(script: Script, first: int, last: int) -> Hit:
    words = script.words
    found = words[first]
    before, after = words[max(0, first - AROUND) : first], words[last + 1 : last + 1 + AROUND]
    texts = [" ".join(word.w for word in part) for part in (before, words[first : last + 1], after)]
    return Hit(found.cue, found.start_ms, found.label, *texts)
