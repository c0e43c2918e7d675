"""The cheapest path between a quote and a part of the transcript; ``shared/verbatim.md`` §5."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate, repeat
from operator import add, sub

from .folding import Folding
from .quotation import Quotation
from .same import Group, Likeness, Same, same_groups
from .words import RawPiece

# The table of costs, in hundredths.
GROUP = 1
RESPELLED = 2
FILLER = 5
REPEAT = 20
CUT_OFF = 30
MARKER = 50
ANY = 60
AT_ELLIPSIS = 2
BESIDE_BRACKET = 25
SUBSTITUTE = 290
INSERT = 300
NEVER = 10**6
CHEAP = SUBSTITUTE - 1  # up to here nothing but matches and words left out fits in
LESS_CHEAP = 3 * INSERT
NOWHERE = 10**15

REPEAT_WITHIN = 8
MARKERS = frozenset(["you", "know", "i", "mean", "like", "so", "well", "okay", "right", "yeah"])


Row = dict[int, int]


class Step(Enum):
    MATCH = "match"
    SUBSTITUTE = "substitute"
    INSERT = "insert"
    LEAVE_OUT = "leave out"


@dataclass(frozen=True, slots=True)
class Move:
    """One step of the path: the pieces of the quote and of the transcript that it takes."""

    step: Step
    quote: Group
    raw: Group
    likeness: Likeness = Likeness.EQUAL


@dataclass(frozen=True)
class Alignment:
    moves: tuple[Move, ...]
    cost: int


def align(quotation: Quotation, raw: Sequence[RawPiece], folding: Folding) -> Alignment:
    """Return the cheapest path; of equal ones that with the latest start, then with the earliest end."""
    groups: dict[int, list[Same]] = {}
    for same in same_groups(quotation, raw, folding):
        groups.setdefault(same.quote.end, []).append(same)
    keys = [folding.key(piece.text) for piece in quotation.pieces]
    table = _Table(quotation, raw, keys, groups)
    return table.best()


def leave_out_costs(raw: Sequence[RawPiece]) -> list[int]:
    """Return what it costs to leave out each piece, wherever it stands."""
    costs = []
    for place, piece in enumerate(raw):
        if piece.is_filler:
            costs.append(FILLER)
        elif any(piece.key == later.key for later in raw[place + 1 : place + 1 + REPEAT_WITHIN]):
            costs.append(REPEAT)
        elif piece.ending.cut:
            costs.append(CUT_OFF)
        else:
            costs.append(MARKER if piece.text in MARKERS else ANY)
    return costs


class _Table:
    """Costs of all cells. A cost is multiplied by ``unit`` and the start of the path is taken off: a later start wins."""

    def __init__(
        self, quotation: Quotation, raw: Sequence[RawPiece], keys: Sequence[str], groups: dict[int, list[Same]]
    ) -> None:
        self.quotation, self.raw, self.keys, self.groups = quotation, raw, keys, groups
        self.size = len(raw)
        self.unit = self.size + 1
        usual = leave_out_costs(raw)
        self.skips = {
            "": usual,
            "ellipsis": [AT_ELLIPSIS] * self.size,
            "bracket": [min(cost, BESIDE_BRACKET) for cost in usual],
        }
        self.sums = {kind: self._running(costs) for kind, costs in self.skips.items()}
        self.substitute = [(NEVER if piece.is_other else SUBSTITUTE) * self.unit for piece in raw]
        self.places: dict[str, list[int]] = {}
        for place, piece in enumerate(raw):
            if not piece.is_other:
                self.places.setdefault(piece.key, []).append(place)
        self.rows = self._rows()

    def _running(self, costs: Iterable[int]) -> list[int]:
        return [0, *accumulate(cost * self.unit for cost in costs)]

    def _kind(self, row: int) -> str:
        """Return what stands where so many pieces of the quote are taken."""
        if row in self.quotation.ellipses:
            return "ellipsis"
        pieces = self.quotation.pieces
        beside = pieces[max(row - 1, 0) : row + 1]
        return "bracket" if any(piece.bracket is not None for piece in beside) else ""

    def _cheap_rows(self, most: int) -> list[Row] | None:
        """Return only cells up to a cost; None where the path is not among them.

        All cells of the cheapest path are as cheap as its end, so the path is the same as that of all cells.
        """
        has_changes = most >= SUBSTITUTE
        most *= self.unit
        rows: list[Row] = [{place: -place for place in range(self.size + 1)}]
        for row, key in enumerate(self.keys, 1):
            above = rows[-1]
            cells = {place + 1: above[place] for place in self.places.get(key, ()) if place in above}
            for same in self.groups.get(row, ()):
                start = rows[same.quote.start].get(same.raw.start)
                cost = most + 1 if start is None else start + _cost(same) * self.unit
                if cost <= most and cost < cells.get(same.raw.end, most + 1):
                    cells[same.raw.end] = cost
            if has_changes:
                self._change(above, cells, most)
            if not cells:
                return None
            if row < len(self.keys):
                self._skip(cells, self.skips[self._kind(row)], most)
            rows.append(cells)
        return rows

    def _change(self, above: Row, cells: Row, most: int) -> None:
        """Add the cells that are reached by a word that was not said."""
        insert = INSERT * self.unit
        highest = most - SUBSTITUTE * self.unit
        for place, value in above.items():
            if value > highest:
                continue
            if place < self.size:
                cost = value + self.substitute[place]
                if cost <= most and cost < cells.get(place + 1, NOWHERE):
                    cells[place + 1] = cost
            cost = value + insert
            if cost <= most and cost < cells.get(place, NOWHERE):
                cells[place] = cost

    def _skip(self, cells: Row, skips: Sequence[int], most: int) -> None:
        """Add the cells that are reached by leaving out pieces."""
        for first in sorted(cells):
            value = cells[first]
            for place in range(first, self.size):
                value += skips[place] * self.unit
                if value > most or cells.get(place + 1, value + 1) <= value:
                    break
                cells[place + 1] = value

    def _rows(self) -> Sequence[Row | list[int]]:
        return self._cheap_rows(CHEAP) or self._cheap_rows(LESS_CHEAP) or self._all_rows()

    def _all_rows(self) -> list[list[int]]:
        rows = [list(range(0, -self.size - 1, -1))]
        insert = INSERT * self.unit
        for row, key in enumerate(self.keys, 1):
            above = rows[-1]
            cells = [above[0] + insert]
            cells += map(min, map(add, above, self.substitute), map(add, above[1:], repeat(insert)))
            for place in self.places.get(key, ()):
                if above[place] < cells[place + 1]:
                    cells[place + 1] = above[place]
            for same in self.groups.get(row, ()):
                cost = rows[same.quote.start][same.raw.start] + _cost(same) * self.unit
                if cost < cells[same.raw.end]:
                    cells[same.raw.end] = cost
            if row < len(self.keys):
                sums = self.sums[self._kind(row)]
                cells = list(map(add, accumulate(map(sub, cells, sums), min), sums))
            rows.append(cells)
        return rows

    def best(self) -> Alignment:
        last = self.rows[-1]
        places = sorted(last) if isinstance(last, dict) else range(len(last))
        end = min(places, key=last.__getitem__)
        cost = (last[end] + self.size) // self.unit
        return Alignment(tuple(self._moves(end)), cost)

    def _moves(self, place: int) -> list[Move]:
        moves = []
        row = len(self.keys)
        while row:
            move = self._move_to(row, place)
            moves.append(move)
            row, place = row - move.quote.size, place - move.raw.size
        return moves[::-1]

    def _move_to(self, row: int, place: int) -> Move:
        """Return the step that led to a cell. Later copies are kept, so a match goes before a piece left out."""
        value, above = self.rows[row][place], self.rows[row - 1]
        if place:
            piece = self.raw[place - 1]
            one, other = Group(row - 1, 1), Group(place - 1, 1)
            before = _cell(above, place - 1)
            if value == before and piece.key == self.keys[row - 1] and not piece.is_other:
                return Move(Step.MATCH, one, other)
            for same in self.groups.get(row, ()):
                start = _cell(self.rows[same.quote.start], same.raw.start)
                if same.raw.end == place and value == start + _cost(same) * self.unit:
                    return Move(Step.MATCH, same.quote, same.raw, same.likeness)
            if value == before + self.substitute[place - 1]:
                return Move(Step.SUBSTITUTE, one, other)
        if value == _cell(above, place) + INSERT * self.unit:
            return Move(Step.INSERT, Group(row - 1, 1), Group(place, 0))
        return Move(Step.LEAVE_OUT, Group(row, 0), Group(place - 1, 1))


def _cell(row: Row | list[int], place: int) -> int:
    return row.get(place, NOWHERE) if isinstance(row, dict) else row[place]


def _cost(same: Same) -> int:
    cost = GROUP if same.quote.size > 1 or same.raw.size > 1 else 0
    return cost + (RESPELLED if same.likeness is Likeness.SPOKEN else 0)
