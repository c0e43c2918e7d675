"""The door of the check: one quote against the words of a transcript."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .align import Alignment, align
from .brackets import DeclaredNames
from .folding import Folding, folding_of
from .judging import Judge
from .languages import can_separate, language_of
from .place import quick_region, region_of_times, windows
from .quotation import Quotation, read_quotation
from .report import Report
from .result import CheckResult, Reason, Verdict, Warned, WarningKind
from .words import Prepared, RawPiece, Words, prepared_of, raw_pieces, text_of

GOOD_COST = 100  # a path as cheap as this needs no second opinion
LONG_REGION = 1_000  # pieces; in more than these, likely places are looked for
MOST_AT_ONCE = 4_000


def check_quote(
    words: Words | Prepared,
    text: str,
    *,
    language: str = "en",
    speaker: str | None = None,
    start_ms: int | None = None,
    end_ms: int | None = None,
    names: Iterable[Any] = (),
    spellings: Iterable[tuple[str, str]] = (),
) -> CheckResult:
    """Return whether allowed deletions alone lead from the words to the text, and what stands in the way.

    ``words`` are objects or mappings with ``w``, ``start_ms``, ``end_ms`` and perhaps ``speaker`` and
    ``confidence``, or what ``prepare`` made of them. With times only the words within five seconds of
    them are looked at. ``names`` are declared mishearings, pairs or ``{heard, name}``; ``spellings``
    are pairs of spellings of one word beyond those that the language has.
    """
    folding = folding_of(language_of(language), spellings)
    search = _Search(prepared_of(words, language), read_quotation(text, folding.language), folding, speaker)
    reason = search.obstacle(language)
    if reason:
        return CheckResult(Verdict.UNCHECKED, reason=reason)
    declared = DeclaredNames(names, folding)
    if start_ms is None and end_ms is None:
        return search.report(search.anywhere(), declared)
    return _check_at(search, declared, start_ms, end_ms)


def _check_at(search: "_Search", names: DeclaredNames, start_ms: int | None, end_ms: int | None) -> CheckResult:
    quick = quick_region(search.prepared, start_ms, end_ms)
    path = search.within(quick)
    result = search.report(path, names) if path else None
    if (result is None or not result.passes) and not search.prepared.is_in_order:
        region = region_of_times(search.prepared, start_ms, end_ms)
        if region != quick:
            path = search.within(region)
            result = search.report(path, names) if path else None
    if result is None and not search.prepared.has_times:
        return search.report(search.anywhere(), names)
    if result is None:
        return CheckResult(Verdict.UNCHECKED, reason=Reason.NO_WORDS_IN_REGION)
    return search.with_elsewhere(result, names) if result.first_word is None else result


@dataclass(frozen=True, slots=True)
class _Path:
    raw: Sequence[RawPiece]
    alignment: Alignment


@dataclass(frozen=True)
class _Search:
    """One quote and where it may stand."""

    prepared: Prepared
    quotation: Quotation
    folding: Folding
    speaker: str | None

    def obstacle(self, language: str) -> Reason:
        """Return why nothing can be judged, if so."""
        if not can_separate(language):
            return Reason.LANGUAGE
        if not self.quotation.pieces:
            return Reason.NO_QUOTE
        return Reason.NONE if len(self.prepared.words) else Reason.NO_WORDS

    def path(self, indices: Sequence[int]) -> _Path | None:
        return self._path_in(self._pieces(indices))

    def _pieces(self, indices: Sequence[int]) -> list[RawPiece]:
        return raw_pieces(self.prepared.words, indices, self.folding, self.speaker)

    def _path_in(self, raw: Sequence[RawPiece]) -> _Path | None:
        return _Path(raw, align(self.quotation, raw, self.folding)) if raw else None

    def anywhere(self) -> _Path | None:
        """Return the cheapest path in the likeliest windows; None where the transcript has no words."""
        everything = range(len(self.prepared.words))
        if max(len(everything), len(self.prepared.content[0])) <= self._most_at_once():
            return self.path(everything)
        # Where nothing is alike the quote is not there; any words will show that.
        return self._best(windows(self.prepared, self.quotation, self.folding) or [everything[:150]])

    def within(self, region: Sequence[int]) -> _Path | None:
        """Return the cheapest path in a region, in its likeliest windows if it is long."""
        raw = self._pieces(region)
        if len(raw) <= max(LONG_REGION, self._most_at_once()):
            return self._path_in(raw)
        return self._best(windows(self.prepared, self.quotation, self.folding, region) or [region[:150]])

    def _most_at_once(self) -> int:
        """Return how many pieces are looked at without a search for likely places."""
        return min(max(4 * len(self.quotation.pieces), 150), MOST_AT_ONCE)

    def _best(self, regions: Iterable[Sequence[int]]) -> _Path | None:
        best: _Path | None = None
        for window in regions:
            path = self.path(window)
            if path and (best is None or path.alignment.cost < best.alignment.cost):
                best = path
            if best and best.alignment.cost <= GOOD_COST:
                break
        return best

    def report(self, path: _Path | None, names: DeclaredNames) -> CheckResult:
        if path is None:
            return CheckResult(Verdict.UNCHECKED, reason=Reason.NO_WORDS)
        words = self.prepared.words
        judge = Judge(self.quotation, path.raw, path.alignment, self.folding, names, words)
        found = judge.judge()
        return Report(self.quotation, judge.speech, words, found).write(self.speaker)

    def with_elsewhere(self, result: CheckResult, names: DeclaredNames) -> CheckResult:
        """Add a warning where the quote stands if it is not where it should be."""
        other = self.report(self.anywhere(), names)
        if other.first_word is None or other.last_word is None:
            return result
        indices = other.first_word, other.last_word
        words = tuple(text_of(self.prepared.words[index]) for index in indices)
        return replace(result, warnings=(*result.warnings, Warned(WarningKind.ELSEWHERE, words, indices)))
