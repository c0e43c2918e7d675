"""Put findings in the words of the transcript and the quote."""

from collections.abc import Iterable, Sequence

from .cautions import cautions
from .findings import Change, Fault, Findings
from .quotation import Quotation
from .result import CheckResult, Problem, Removed, RemovedKind, Respelled, Run, Verdict
from .speech import Speech
from .times import span_of
from .words import RawPiece, Words, text_of


class Report:
    """Writes one result."""

    def __init__(self, quotation: Quotation, speech: Speech, words: Words, found: Findings) -> None:
        self.quotation, self.speech, self.words, self.found = quotation, speech, words, found
        self.raw = speech.pieces

    def write(self, speaker: str | None) -> CheckResult:
        problems = tuple(self._problem(fault) for fault in self.found.faults)
        found_span = self.found.span
        if found_span is None:
            return CheckResult(Verdict.ALTERED, problems=problems, brackets=self.quotation.brackets)
        indices = self._matched_words(*found_span)
        span = span_of(self.words, indices)
        return CheckResult(
            verdict=self._verdict(),
            removed=tuple(self._removed(cut.kind, cut.places) for cut in self.found.cuts if cut.kind),
            problems=problems,
            respelled=tuple(self._respelled(change) for change in self.found.changes),
            warnings=tuple(cautions(self.found, found_span, self.speech, self.words, span, speaker)),
            marked=tuple(self._marked(indices[0], indices[-1])),
            start_ms=span.start_ms,
            end_ms=span.end_ms,
            first_word=indices[0],
            last_word=indices[-1],
            brackets=self.quotation.brackets,
        )

    def _verdict(self) -> Verdict:
        found = self.found
        if found.faults:
            return Verdict.ALTERED
        if self.quotation.brackets:
            return Verdict.BRACKETED
        return Verdict.CLEANED if found.cuts or found.changes else Verdict.VERBATIM

    def _matched_words(self, first: int, last: int) -> list[int]:
        """Return the words of the span that count for its times, in order."""
        places = {place for place, is_kept in enumerate(self.found.kept) if is_kept} | {first, last}
        return list(dict.fromkeys(self.raw[place].word for place in sorted(places)))

    def _removed(self, kind: RemovedKind, places: tuple[int, ...]) -> Removed:
        return Removed(kind, self._written(places), self._indices(places))

    def _problem(self, fault: Fault) -> Problem:
        return Problem(
            kind=fault.kind,
            quote_words=self.quotation.words(fault.first, fault.end),
            raw_words=self._written(fault.places),
            at=self.quotation.range(fault.first, fault.end),
            indices=self._indices(fault.places),
            why=fault.why,
        )

    def _respelled(self, change: Change) -> Respelled:
        start, end = self.quotation.range(change.first, change.end)
        text = self.quotation.text[start:end]
        raw = " ".join(self._written(change.places))
        return Respelled(raw, text if raw else f"[{text}]", (start, end), self._indices(change.places))

    def _indices(self, places: Iterable[int]) -> tuple[int, ...]:
        return tuple(dict.fromkeys(self.raw[place].word for place in places))

    def _written(self, places: Sequence[int]) -> tuple[str, ...]:
        """Return pieces as written; a word whose pieces are all there as a whole."""
        by_word: dict[int, list[RawPiece]] = {}
        for place in places:
            by_word.setdefault(self.raw[place].word, []).append(self.raw[place])
        return tuple(self._as_written(word, pieces) for word, pieces in by_word.items())

    def _as_written(self, word: int, pieces: Sequence[RawPiece]) -> str:
        text = text_of(self.words[word])
        is_whole = pieces[0].is_alone or len(pieces) == sum(piece.word == word for piece in self.raw)
        return text.strip() if is_whole else text[pieces[0].start : pieces[-1].end]

    def _marked(self, first: int, last: int) -> list[Run]:
        """Return the words of the span in runs of one kind."""
        kinds = self._kinds()
        by_word: dict[int, list[int]] = {}
        for place, piece in enumerate(self.raw):
            by_word.setdefault(piece.word, []).append(place)
        runs: list[Run] = []
        for word in range(first, last + 1):
            text = text_of(self.words[word]).strip()
            if word not in by_word:
                is_mark = any(letter.isalnum() for letter in text) or not runs
                runs.append(Run(text, True, "sound") if is_mark else Run(text, runs[-1].kept, runs[-1].kind))
                continue
            runs += self._word_runs(text_of(self.words[word]), by_word[word], kinds)
        return _joined(runs)

    def _word_runs(self, text: str, places: Sequence[int], kinds: dict[int, Run]) -> list[Run]:
        states = [kinds.get(place, Run("", self.found.kept[place])) for place in places]
        if len(set(states)) == 1:
            return [Run(text.strip(), states[0].kept, states[0].kind)]
        ends = [self.raw[place].start for place in places[1:]] + [len(text)]
        starts = [0, *ends[:-1]]
        slices = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
        return [Run(part, state.kept, state.kind) for part, state in zip(slices, states, strict=True) if part]

    def _kinds(self) -> dict[int, Run]:
        """Return how a place is shown where it is not simply kept."""
        kinds: dict[int, Run] = {}
        for change in self.found.changes:
            kinds |= {place: Run("", True, "respelled") for place in change.places}
        for cut in self.found.cuts:
            kinds |= {place: Run("", False, str(cut.kind or "")) for place in cut.places}
        for fault in self.found.faults:
            kinds |= {place: Run("", False, str(fault.kind)) for place in fault.places}
        return kinds


def _joined(runs: Sequence[Run]) -> list[Run]:
    """Return runs of the same kind as one, words a space apart."""
    found: list[Run] = []
    for run in runs:
        last = found[-1] if found else None
        if last and (last.kept, last.kind) == (run.kept, run.kind):
            found[-1] = Run(f"{last.text} {run.text}", run.kept, run.kind)
        elif run.text:
            found.append(run)
    return found
