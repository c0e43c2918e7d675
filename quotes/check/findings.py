"""What is found while a quote is judged, in places of the region; the report puts it in words."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from .align import Move
from .removals import Cut
from .result import ProblemKind, RemovedKind, Why


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem: the range of the quote's pieces and the places of the transcript's."""

    kind: ProblemKind
    first: int
    end: int
    places: tuple[int, ...] = ()
    why: Why = Why.NONE


@dataclass(frozen=True, slots=True)
class Change:
    """Pieces written another way, or added in brackets where there are no places."""

    first: int
    end: int
    places: tuple[int, ...] = ()


@dataclass(slots=True)
class Findings:
    """All that was found. ``kept`` tells of every place of the region whether the quote has it."""

    kept: list[bool]
    cuts: list[Cut] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    span: tuple[int, int] | None = None

    def leave_out(self, cuts: Iterable[Cut]) -> None:
        self.cuts += [cut for cut in cuts if cut.kind is not None]

    def replaced(self) -> list[int]:
        """Return the places that a bracket stands for."""
        return [place for cut in self.cuts if cut.kind is RemovedKind.CORRECTION for place in cut.places]


@dataclass(frozen=True, slots=True)
class Gap:
    """The steps between two matches. ``before`` and ``after`` are the places around it; None at the quote's edges."""

    moves: tuple[Move, ...]
    before: int | None
    after: int | None

    @property
    def is_edge(self) -> bool:
        return self.before is None or self.after is None
