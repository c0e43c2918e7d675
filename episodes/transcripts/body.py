"""How cues and words are kept: columns of plain values, as compressed JSON, apart from every listing.

Three hours hold 30,000 words; so packed they take some 250 kB and unpack in a few hundredths of a second.
"""

import json
import zlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from .parsed import Cue, ParsedTranscript, Word

LAYOUT = 1


@dataclass(frozen=True, slots=True)
class Body:
    """What one file says. ``anchors`` holds, for each cue, the names that links to it use, the first its own."""

    cues: tuple[Cue, ...]
    words: tuple[Word, ...]
    anchors: tuple[tuple[str, ...], ...]


def pack(body: Body) -> bytes:
    """Return a body as bytes; the same body gives the same bytes."""
    words = body.words
    data = {
        "layout": LAYOUT,
        "cues": [[cue.start_ms, cue.end_ms, cue.speaker, cue.text] for cue in body.cues],
        "anchors": [list(names) for names in body.anchors],
        "text": [word.text for word in words],
        "start": [word.start_ms for word in words],
        "end": [word.end_ms for word in words],
        "speaker": _runs([word.speaker for word in words]),
        "confidence": [word.confidence for word in words] if any(word.confidence is not None for word in words) else [],
        "estimated": _runs([word.estimated for word in words]),
        "cue": [word.cue for word in words],
    }
    return zlib.compress(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode(), 6)


def unpack(data: bytes) -> Body:
    """Return the body that was packed. Raises ValueError for a layout that we do not know."""
    held = json.loads(zlib.decompress(data))
    if held["layout"] != LAYOUT:
        raise ValueError(f"A transcript body of layout {held['layout']}; this program reads {LAYOUT}.")
    count = len(held["text"])
    columns = (
        held["text"],
        held["start"],
        held["end"],
        _unrolled(held["speaker"]),
        held["confidence"] or [None] * count,
        _unrolled(held["estimated"]),
        held["cue"],
    )
    words = tuple(Word(*values) for values in zip(*columns, strict=True))
    return Body(tuple(Cue(*row) for row in held["cues"]), words, tuple(tuple(names) for names in held["anchors"]))


def _runs(values: Sequence) -> list[list]:
    """Return ``[value, how many]`` for each run of equal values."""
    runs: list[list] = []
    for value in values:
        if runs and runs[-1][0] == value:
            runs[-1][1] += 1
        else:
            runs.append([value, 1])
    return runs


def _unrolled(runs: list[list]) -> list:
    return [value for value, count in runs for _ in range(count)]


def body_of(parsed: ParsedTranscript, before: Body | None = None) -> Body:
    """Return what was read, with anchors: those of ``before`` live on, so that no link to a cue ever dies."""
    return Body(parsed.cues, parsed.words, anchors_of(parsed.cues, before))


def anchors_of(cues: Sequence[Cue], before: Body | None) -> tuple[tuple[str, ...], ...]:
    """Return the anchors of cues: inherited from the cue that spoke at that time, or new from its start.

    Times of the same sound differ a little from one transcription to the next, so each
    old cue hands its anchors to the new one that covers its middle, or comes next. A cue
    without a time hands them to the nearest one of the same text, else to its neighbour's.
    """
    names: list[list[str]] = [[] for _cue in cues]
    places = _places_by_text(cues)
    heir = 0
    for place, (cue, inherited) in enumerate(zip(before.cues, before.anchors, strict=True)) if before and cues else ():
        timed = _covering(cues, _middle(cue)) if cue.start_ms is not None else None
        heir = timed if timed is not None else _alike(places, cue.text, place, heir)
        names[heir] += inherited
    taken = {name for held in names for name in held}
    for cue, held in zip(cues, names, strict=True):
        if not held:
            held.append(_new_anchor(cue, taken))
            taken.add(held[0])
    return tuple(tuple(held) for held in names)


def _middle(cue: Cue) -> int:
    start = cue.start_ms or 0
    return start if cue.end_ms is None else (start + cue.end_ms) // 2


def _covering(cues: Sequence[Cue], moment: int) -> int | None:
    """Return the place of the last cue that starts by the moment, else of the first; None where no cue has a time."""
    if not cues or cues[0].start_ms is None:
        return None
    place = bisect_right(cues, moment, key=lambda cue: cue.start_ms or 0)
    return max(0, place - 1)


def _places_by_text(cues: Sequence[Cue]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, cue in enumerate(cues):
        places.setdefault(cue.text, []).append(place)
    return places


def _alike(places: dict[str, list[int]], text: str, place: int, otherwise: int) -> int:
    return min(places.get(text, [otherwise]), key=lambda other: abs(other - place))


def _new_anchor(cue: Cue, taken: set[str]) -> str:
    base = f"t{cue.start_ms}" if cue.start_ms is not None else "t"
    name, number = base, 1
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name
