"""What an editor can do about a problem: each way out with the whole text that it gives."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from .check import check_quote
from .editing import splice, uncapitalised
from .pieces import HYPHENS
from .result import CheckResult, Problem, ProblemKind, Why
from .wording import quoted
from .words import Prepared, Words, prepared_of, text_of

MOST_PROBLEMS = 12
USUAL_WORDS = 100  # of a quote

_ENDS = tuple(".?!")
_WORD = re.compile(r"[^\s\[\]]+")


class WayKind(StrEnum):
    PUT_BACK = "put_back"
    ELLIPSIS = "ellipsis"
    BRACKET = "bracket"
    TAKE_OUT = "take_out"


@dataclass(frozen=True, slots=True)
class Way:
    """One button. ``problem`` is the index into the result's problems; ``text`` the whole new quote."""

    problem: int
    kind: WayKind
    label: str
    text: str


def ways_out(
    words: Words | Prepared,
    text: str,
    result: CheckResult,
    *,
    language: str = "en",
    speaker: str | None = None,
    start_ms: int | None = None,
    end_ms: int | None = None,
    names: Iterable[Any] = (),
    spellings: Iterable[tuple[str, str]] = (),
) -> list[Way]:
    """Return the ways out of each problem that hold when tried, at most one of a kind for each.

    ``result`` is what ``check_quote`` said of this text with the same arguments. Each way is a check of its
    own: of many problems the first are served, the others when these are gone.
    """
    prepared = prepared_of(words, language)
    check = partial(
        check_quote,
        prepared,
        language=language,
        speaker=speaker,
        start_ms=start_ms,
        end_ms=end_ms,
        names=list(names),
        spellings=list(spellings),
    )
    count = min(len(result.problems), _most_problems(text))
    return [way for place in range(count) for way in _Exits(prepared, text, result, place, check).ways()]


def _most_problems(text: str) -> int:
    """Return how many problems are served: fewer of a long text, whose checks take longer."""
    return max(MOST_PROBLEMS * USUAL_WORDS // max(len(text.split()), USUAL_WORDS), 2)


class _Exits:
    """The ways out of one problem."""

    def __init__(
        self, prepared: Prepared, text: str, result: CheckResult, place: int, check: "partial[CheckResult]"
    ) -> None:
        self.prepared, self.text, self.result, self.place, self.check = prepared, text, result, place, check
        self.problem: Problem = result.problems[place]
        self.start, self.end = self._range()

    def ways(self) -> list[Way]:
        if self.problem.why is Why.NOT_FOUND:
            return []
        found: dict[WayKind, Way] = {}
        for kind, label, text in self._candidates():
            if kind not in found and text != self.text and self._resolves(text):
                found[kind] = Way(self.place, kind, label, text)
        return list(found.values())

    def _resolves(self, text: str) -> bool:
        """Tell whether the problem is gone and none has taken its place."""
        again = self.check(text)
        return again.passes or (again.first_word is not None and len(again.problems) < len(self.result.problems))

    def _range(self) -> tuple[int, int]:
        """Return the range of the text, with the brackets around it."""
        start, end = self.problem.at
        if self._is_bracket():
            return self.text.rfind("[", 0, start + 1), self.text.find("]", end) + 1
        return start, end

    def _is_bracket(self) -> bool:
        return self.problem.why is Why.BRACKET

    def _candidates(self) -> Iterator[tuple[WayKind, str, str]]:
        problem = self.problem
        said, written = quoted(problem.raw_words), quoted(problem.quote_words)
        if problem.kind is ProblemKind.MEANINGFUL_DELETION:
            for text in self._with_whole_word():
                yield WayKind.PUT_BACK, f"Use “{self._whole_word()}”", text
            yield WayKind.PUT_BACK, f"Put {said} back", self._with_said()
            yield WayKind.ELLIPSIS, "Mark the omission with …", self._put("…")
            yield WayKind.BRACKET, f"Put {said} in [brackets]", self._with_said(in_bracket=True)
        elif problem.kind is ProblemKind.INSERTED:
            yield WayKind.TAKE_OUT, f"Take {written} out", self._put("")
            if problem.why is Why.OTHER_SPEAKER:
                yield WayKind.ELLIPSIS, f"Mark an omission in place of {written} with …", self._put("…")
            elif not self._is_bracket():
                yield WayKind.BRACKET, f"Put {written} in [brackets]", self._put(_bracket(written))
        elif problem.kind is ProblemKind.SUBSTITUTED:
            yield WayKind.PUT_BACK, f"Use {said}", self._put(_bare(said))
            yield WayKind.ELLIPSIS, f"Mark an omission of {said} with …", self._put("…")
            if not self._is_bracket():
                yield WayKind.BRACKET, f"Put {written} in [brackets]", self._put(_bracket(written))
                yield WayKind.BRACKET, f"Use {said} in [brackets]", self._put(_bracket(said))
        else:
            yield from self._moved(said)

    def _moved(self, said: str) -> Iterator[tuple[WayKind, str, str]]:
        """Yield the ways out for words that stand in another place: from where they were said."""
        without = self._put("")
        yield WayKind.TAKE_OUT, f"Take {said} out", without
        missing = [other for other in self.check(without).problems if other.indices == self.problem.indices]
        for other in missing:
            start, end = other.at
            yield WayKind.PUT_BACK, f"Put {said} back in its place", splice(without, start, end, _bare(said))
            yield WayKind.ELLIPSIS, "Mark the omission with …", splice(without, start, end, "…")
            yield WayKind.BRACKET, f"Put {said} in [brackets]", splice(without, start, end, _bracket(said))

    def _put(self, new: str) -> str:
        return splice(self.text, self.start, self.end, new)

    def _whole_word(self) -> str:
        return text_of(self.prepared.words[self.problem.indices[-1]]).strip(" ,.;:?!…–—“”\"'").rstrip(HYPHENS)

    def _with_whole_word(self) -> Iterator[str]:
        """Yield texts with the whole word in place of the part of it that the quote has: ``$5``, ``non-violent``."""
        whole = self._whole_word()
        before = [match.span() for match in _WORD.finditer(self.text, 0, self.start)][-2:]
        after = [match.span() for match in _WORD.finditer(self.text, self.end)][:1]
        for start, end in [*before[::-1], *after]:
            part = self.text[start:end].strip(".,;:?!").lower()
            if part and part in whole.lower() and part != whole.lower():
                yield splice(self.text, start, start + len(part), whole)

    def _with_said(self, *, in_bracket: bool = False) -> str:
        """Return the text with the words back; what follows them loses a capital that it has no more reason for."""
        words, indices = self.prepared.words, self.problem.indices
        after = indices[-1] + 1
        is_lower = after < len(words) and text_of(words[after])[:1].islower()
        text = uncapitalised(self.text, self.end) if is_lower else self.text
        said = quoted(self.problem.raw_words)
        if in_bracket:
            return splice(text, self.start, self.end, _bracket(said))
        return self._with_marks(text, _bare(said), text_of(words[indices[0] - 1]) if indices[0] else "")

    def _with_marks(self, text: str, said: str, before: str) -> str:
        """Return the text with plain words back, and with the marks that they had; ``before`` is the word before them."""
        head, last = text[: self.start].rstrip(), self.problem.raw_words[-1].rstrip('"”’»)')
        if head[-1:] in _ENDS and before[-1:] not in _ENDS and said[:1].islower():
            # The editor ended the sentence before these words.
            text = f"{head[:-1]} {text[self.start :]}"
            return splice(text, len(head), len(head) + self.end - self.start, f"{said}{head[-1]}")
        if last[-1:] in _ENDS and text[self.end : self.end + 1].isupper():
            return splice(text, self.start, self.end, f"{said}{last[-1]}")
        if not (before.endswith(",") and last.endswith(",")):
            return splice(text, self.start, self.end, said)
        comma = "," if head[-1:].isalnum() else ""
        place = len(head) + len(comma) + 1
        return splice(f"{head}{comma} {text[self.end :]}", place, place, f"{said},")


def _bare(quoted_words: str) -> str:
    return quoted_words[1:-1]


def _bracket(quoted_words: str) -> str:
    return f"[{_bare(quoted_words)}]"
