"""Judge the cheapest path: what was left out, what was changed, and by which rule."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from .align import Alignment, Move, Step
from .brackets import LONGEST, DeclaredNames, may_add, may_replace
from .ellipses import judge_omission
from .findings import Change, Fault, Findings, Gap
from .folding import Folding
from .quotation import Quotation
from .removals import Cut, Removals
from .reordering import reorder
from .result import ProblemKind, RemovedKind, Why
from .same import Likeness
from .speech import Speech
from .units import units
from .why import why_of, why_protected
from .words import RawPiece, Words

HARMLESS_BESIDE_ADDED = frozenset(
    {RemovedKind.FILLER, RemovedKind.OTHER_SPEAKER, RemovedKind.STUTTER, RemovedKind.REPETITION}
)


class Judge:
    """One quote, one region and the path between them."""

    def __init__(
        self,
        quotation: Quotation,
        raw: Sequence[RawPiece],
        alignment: Alignment,
        folding: Folding,
        names: DeclaredNames,
        words: Words,
    ) -> None:
        self.quotation, self.raw, self.folding, self.names, self.words = quotation, raw, folding, names, words
        self.speech = Speech(raw, folding.language)
        self.moves = _unmatch_brackets(alignment.moves, quotation, raw)
        self.matches = [move for move in self.moves if move.step is Step.MATCH]
        self.found = Findings(kept=[False] * len(raw))
        for move in self.matches:
            for place in range(move.raw.start, move.raw.end):
                self.found.kept[place] = True

    def judge(self) -> Findings:
        """Return the findings; without a span when fewer than half of the quote's pieces were said."""
        found = self.found
        if not self._is_there():
            found.faults.append(Fault(ProblemKind.INSERTED, 0, len(self.quotation.pieces), why=Why.NOT_FOUND))
            return found
        for gap in self._gaps():
            self._judge_gap(gap)
        found.changes += [
            Change(move.quote.start, move.quote.end, tuple(range(move.raw.start, move.raw.end)))
            for move in self.matches
            if move.likeness is Likeness.SPOKEN
        ]
        self._judge_brackets_in_a_row()
        reorder(found, self.quotation, self.speech, self.folding)
        places = [place for place, is_kept in enumerate(found.kept) if is_kept] + found.replaced()
        places += [place for fault in found.faults if fault.kind is ProblemKind.SUBSTITUTED for place in fault.places]
        found.span = min(places), max(places)
        self._judge_units()
        _sort(found)
        return found

    def _is_there(self) -> bool:
        plain = [place for place, piece in enumerate(self.quotation.pieces) if piece.bracket is None]
        matched = sum(
            1
            for move in self.matches
            for place in range(move.quote.start, move.quote.end)
            if self.quotation.pieces[place].bracket is None
        )
        return bool(self.matches) and matched * 2 >= len(plain) and matched > 0

    def _gaps(self) -> Iterator[Gap]:
        before: int | None = None
        moves: list[Move] = []
        for move in self.moves:
            if move.step is not Step.MATCH:
                moves.append(move)
                continue
            if moves:
                yield Gap(tuple(moves), before, move.raw.start)
            moves, before = [], move.raw.end - 1
        if moves:
            yield Gap(tuple(moves), before, None)

    def _judge_gap(self, gap: Gap) -> None:
        for bracket, moves in self._by_bracket(gap.moves):
            part = Gap(tuple(moves), gap.before, gap.after)
            if bracket is None:
                self._judge_plain(part)
            else:
                self._judge_bracket(part, bracket)

    def _by_bracket(self, moves: Sequence[Move]) -> list[tuple[int | None, list[Move]]]:
        """Return the steps in order, apart by bracket; what is left out beside a bracket goes to it."""
        marks: list[int | None] = [self._bracket_of(move) for move in moves]
        steps = [(place, place - 1) for place in range(1, len(moves))]
        steps += [(place, place + 1) for place in range(len(moves) - 2, -1, -1)]
        for place, beside in steps:
            neighbour = marks[beside]
            if moves[place].step is Step.LEAVE_OUT and marks[place] is None and not self._at_ellipsis(moves[place]):
                marks[place] = neighbour
        pairs = zip(marks, moves, strict=True)
        return [(mark, [move for _, move in run]) for mark, run in groupby(pairs, key=lambda pair: pair[0])]

    def _bracket_of(self, move: Move) -> int | None:
        return None if move.step is Step.LEAVE_OUT else self.quotation.pieces[move.quote.start].bracket

    def _at_ellipsis(self, move: Move) -> bool:
        return move.quote.start in self.quotation.ellipses

    # Words outside brackets

    def _judge_plain(self, gap: Gap) -> None:
        quoted = _quoted(gap.moves)
        said_by_other = self._said_by_other(quoted, gap) if quoted else ()
        replaced = {place for place in _paired(gap.moves) if not self.raw[place].is_filler}
        fillers = [place for place in _paired(gap.moves) if self.raw[place].is_filler]
        self.found.leave_out([Cut(RemovedKind.FILLER, (place,)) for place in fillers])
        for places, is_declared in self._left_out(gap.moves, set(said_by_other)):
            if is_declared:
                at = self._quote_place(places[-1])
                judge_omission(self.found, places, self._cut(places), at, self.speech, self.words)
                continue
            for cut in self._cut(places):
                if cut.kind is not None:
                    self.found.cuts.append(cut)
                elif quoted and not self.raw[cut.places[0]].is_other:
                    replaced |= set(cut.places)
                else:
                    self._deleted(cut.places, gap.moves[0].quote.start)
        if quoted:
            self._changed(quoted, tuple(sorted(replaced)), said_by_other)

    def _left_out(self, moves: Sequence[Move], skipped: set[int]) -> Iterator[tuple[list[int], bool]]:
        """Yield runs of places that were left out, with whether an ellipsis declares it."""
        run: list[int] = []
        was_declared = False
        for move in moves:
            place, is_declared = move.raw.start, self._at_ellipsis(move)
            is_left_out = move.step is Step.LEAVE_OUT and place not in skipped
            if run and (not is_left_out or place != run[-1] + 1 or is_declared != was_declared):
                yield run, was_declared
                run = []
            if is_left_out:
                run.append(place)
                was_declared = is_declared
        if run:
            yield run, was_declared

    def _cut(self, places: Sequence[int]) -> list[Cut]:
        return Removals(self.speech, places[0], places[-1] + 1, self.found.kept).cut() if places else []

    def _deleted(self, places: tuple[int, ...], at: int) -> None:
        why = why_protected([self.raw[place] for place in places], self.speech, places)
        self.found.faults.append(Fault(ProblemKind.MEANINGFUL_DELETION, at, at, places, why))

    def _changed(self, quoted: tuple[int, int], replaced: tuple[int, ...], by_other: tuple[int, ...]) -> None:
        why = why_protected([self.raw[place] for place in replaced], self.speech, replaced)
        if replaced:
            fault = Fault(ProblemKind.SUBSTITUTED, *quoted, replaced, why)
        else:
            written = [piece.text for piece in self.quotation.pieces[quoted[0] : quoted[1]]]
            why = Why.OTHER_SPEAKER if by_other else why_of(written, self.folding.language)
            fault = Fault(ProblemKind.INSERTED, *quoted, by_other, why)
        self.found.faults.append(fault)

    def _said_by_other(self, quoted: tuple[int, int], gap: Gap) -> tuple[int, ...]:
        """Return where another speaker said these words between the words around them."""
        keys = [self.folding.key(piece.text) for piece in self.quotation.pieces[quoted[0] : quoted[1]]]
        start = 0 if gap.before is None else gap.before + 1
        end = len(self.raw) if gap.after is None else gap.after
        for place in range(start, end - len(keys) + 1):
            run = self.raw[place : place + len(keys)]
            if all(piece.is_other for piece in run) and [piece.key for piece in run] == keys:
                return tuple(range(place, place + len(keys)))
        return ()

    # Brackets

    def _judge_bracket(self, gap: Gap, bracket: int) -> None:
        quoted = _quoted(gap.moves)
        if not quoted:
            return
        written = [piece.text for piece in self.quotation.pieces[quoted[0] : quoted[1]]]
        beyond = self._edge_places(gap) if gap.is_edge else []
        places = beyond or sorted({*_paired(gap.moves), *_skipped(gap.moves)})
        if self._replaces(places, written, gap):
            return
        if beyond:
            # At the edge a bracket stands for the words there: else any word could be put in their place.
            places = [place for place in _paired(gap.moves) if place in beyond] or [
                beyond[0 if gap.after is None else -1]
            ]
        cuts = self._cut(places)
        is_added = not beyond and all(cut.kind in HARMLESS_BESIDE_ADDED for cut in cuts)
        if is_added and may_add(written, self.folding.language):
            self.found.leave_out(cuts)
            self.found.changes.append(Change(*quoted))
            return
        fillers = [place for place in places if self.raw[place].is_filler]
        self.found.leave_out([Cut(RemovedKind.FILLER, (place,)) for place in fillers])
        replaced = tuple(place for place in places if place not in fillers and not self.raw[place].is_other)
        kind = ProblemKind.SUBSTITUTED if replaced else ProblemKind.INSERTED
        self.found.faults.append(Fault(kind, *quoted, replaced, Why.BRACKET))

    def _judge_brackets_in_a_row(self) -> None:
        """Refuse brackets that stand side by side and add more together than one may."""
        rows: list[list[Change]] = []
        for change in sorted(self.found.changes, key=lambda change: change.first):
            if change.places:
                continue
            if rows and rows[-1][-1].end == change.first and change.first not in self.quotation.ellipses:
                rows[-1].append(change)
            else:
                rows.append([change])
        for row in rows:
            first, end = row[0].first, row[-1].end
            texts = [piece.text for piece in self.quotation.pieces[first:end]]
            if len(row) > 1 and not may_add(texts, self.folding.language):
                self.found.changes = [change for change in self.found.changes if change not in row]
                self.found.faults.append(Fault(ProblemKind.INSERTED, first, end, (), Why.BRACKET))

    def _edge_places(self, gap: Gap) -> list[int]:
        """Return the places beside the first or last match that a bracket at the quote's edge may stand for."""
        content = self.speech.content
        if gap.after is not None:
            return [place for place in content if place < gap.after][-LONGEST:]
        return [place for place in content if gap.before is not None and place > gap.before][:LONGEST]

    def _replaces(self, places: Sequence[int], written: Sequence[str], gap: Gap) -> bool:
        """Take the longest run that the bracket may stand for if the rest beside it may go."""
        content = [place for place in places if place in self.speech.content]
        for size in range(min(LONGEST, len(content)), 0, -1):
            for start in range(len(content) - size + 1):
                run = content[start : start + size]
                if gap.is_edge and not self._touches(run, gap):
                    continue
                if not may_replace([self.raw[place].text for place in run], written, self.names, self.folding):
                    continue
                rest = [] if gap.is_edge else self._rest(places, run)
                if all(cut.kind is not None for cut in rest):
                    self.found.leave_out([*rest, Cut(RemovedKind.CORRECTION, tuple(run))])
                    return True
        return False

    def _touches(self, run: Sequence[int], gap: Gap) -> bool:
        if gap.after is not None:
            return self.speech.next(run[-1]) == gap.after
        return gap.before is not None and self.speech.previous(run[0]) == gap.before

    def _rest(self, places: Sequence[int], run: Sequence[int]) -> list[Cut]:
        sides = [place for place in places if place < run[0]], [place for place in places if place > run[-1]]
        inside = [place for place in places if run[0] < place < run[-1] and place not in run]
        return [cut for side in (*sides, inside) for cut in self._cut(side)]

    # What is quoted whole or not at all

    def _judge_units(self) -> None:
        """Refuse a number or a word with a negation in it that is quoted in part, and let the span cover all of it."""
        found = self.found
        accounted = {place for fault in found.faults for place in fault.places}
        accounted |= {place for cut in found.cuts if cut.kind is not RemovedKind.ELLIPSIS for place in cut.places}
        for unit, why in units(self.speech, self.words):
            if not any(found.kept[place] for place in unit):
                continue
            found.faults = [_of_unit(fault, unit, why) for fault in found.faults]
            missing = tuple(place for place in unit if not found.kept[place] and place not in accounted)
            if missing:
                at = self._quote_place(missing[0])
                found.faults.append(Fault(ProblemKind.MEANINGFUL_DELETION, at, at, missing, why))
                first, last = found.span or (unit[0], unit[-1])
                found.span = min(first, unit[0]), max(last, unit[-1])

    def _quote_place(self, place: int) -> int:
        """Return which piece of the quote stands behind a place of the transcript."""
        later = [move.quote.start for move in self.matches if move.raw.start > place]
        return min(later, default=len(self.quotation.pieces))


def _of_unit(fault: Fault, unit: Sequence[int], why: Why) -> Fault:
    """Return the fault with its reason if all that is missing is a part of this unit."""
    is_deleted = fault.kind is ProblemKind.MEANINGFUL_DELETION and set(fault.places) <= set(unit)
    is_changed = (
        fault.kind is ProblemKind.SUBSTITUTED and fault.why is not Why.BRACKET and set(fault.places) & set(unit)
    )
    return replace(fault, why=why) if is_deleted or is_changed else fault


def _quoted(moves: Sequence[Move]) -> tuple[int, int] | None:
    """Return the range of the quote's pieces that have no equal."""
    changed = [move.quote for move in moves if move.step is not Step.LEAVE_OUT]
    return (changed[0].start, changed[-1].end) if changed else None


def _paired(moves: Sequence[Move]) -> list[int]:
    substituted = (move.raw for move in moves if move.step is Step.SUBSTITUTE)
    return [place for group in substituted for place in range(group.start, group.end)]


def _skipped(moves: Sequence[Move]) -> list[int]:
    return [move.raw.start for move in moves if move.step is Step.LEAVE_OUT]


def _unmatch_brackets(moves: Sequence[Move], quotation: Quotation, raw: Sequence[RawPiece]) -> list[Move]:
    """Take a bracket's matches for substitutions unless all that it says was said."""
    by_bracket: dict[int, list[Move]] = {}
    for move in moves:
        bracket = quotation.pieces[move.quote.start].bracket if move.quote.size else None
        if bracket is not None:
            by_bracket.setdefault(bracket, []).append(move)
    partial = {bracket for bracket, own in by_bracket.items() if not _is_said(own)}
    return [
        Move(Step.SUBSTITUTE, move.quote, move.raw)
        if move.step is Step.MATCH and quotation.pieces[move.quote.start].bracket in partial
        else move
        for move in moves
    ]


def _is_said(moves: Sequence[Move]) -> bool:
    joins = {Likeness.JOINED, Likeness.SPOKEN}
    is_whole = all(move.step is Step.MATCH and move.likeness not in joins for move in moves)
    return is_whole and all(one.raw.end == other.raw.start for one, other in zip(moves, moves[1:], strict=False))


def _sort(found: Findings) -> None:
    found.cuts.sort(key=lambda cut: cut.places)
    found.faults.sort(key=lambda fault: (fault.first, fault.places))
    found.changes.sort(key=lambda change: change.first)
