"""What the check finds: plain, frozen data that goes into the database as JSON and comes back equal."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Self

RULES_VERSION = "2026-11"


class Verdict(StrEnum):
    VERBATIM = "verbatim"
    CLEANED = "cleaned"
    BRACKETED = "bracketed"
    ALTERED = "altered"
    UNCHECKED = "unchecked"


PASSES = frozenset({Verdict.VERBATIM, Verdict.CLEANED, Verdict.BRACKETED})


class RemovedKind(StrEnum):
    """What may be left out, in the order in which a sentence names it."""

    FILLER = "filler"
    STUTTER = "stutter"
    REPETITION = "repetition"
    FALSE_START = "false_start"
    DISCOURSE_MARKER = "discourse_marker"
    OTHER_SPEAKER = "other_speaker"
    CORRECTION = "correction"
    ELLIPSIS = "ellipsis"


class ProblemKind(StrEnum):
    INSERTED = "inserted"
    SUBSTITUTED = "substituted"
    REORDERED = "reordered"
    MEANINGFUL_DELETION = "meaningful_deletion"


class Why(StrEnum):
    """Why something is a problem, beyond its kind; ``explain`` puts it in a sentence."""

    NONE = ""
    NEGATION = "negation"
    LIMIT = "limit"  # a hedge that an ellipsis may not hide
    NUMBER = "number"
    PART_OF_NUMBER = "part_of_number"
    HEDGE = "hedge"
    EMPHASIS = "emphasis"
    LIKE = "like"
    OTHER_SPEAKER = "other_speaker"
    HIDDEN = "hidden_by_ellipsis"
    LONG_ELLIPSIS = "long_ellipsis"
    BRACKET = "bracket"
    NOT_FOUND = "not_found"


class WarningKind(StrEnum):
    EDGE_NEGATION = "edge_negation"
    EDGE_QUALIFIER = "edge_qualifier"
    LOW_CONFIDENCE = "low_confidence"
    ESTIMATED_TIME = "estimated_time"
    LONG_WORD = "long_word"
    SPEAKER_UNKNOWN = "speaker_unknown"
    MIXED_SPEAKERS = "mixed_speakers"  # no speaker was given and the words are those of several
    ELSEWHERE = "elsewhere"  # not at the given times; ``indices`` tell where it stands


class Reason(StrEnum):
    """Why a quote cannot be judged."""

    NONE = ""
    NO_WORDS = "no_words"
    NO_WORDS_IN_REGION = "no_words_in_region"
    LANGUAGE = "language"
    NO_QUOTE = "no_quote"


@dataclass(frozen=True, slots=True)
class Removed:
    """A run of transcript words that was left out with permission."""

    kind: RemovedKind
    words: tuple[str, ...]
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A change that is not allowed. ``at`` is a range of the quote; start equals end where words are missing."""

    kind: ProblemKind
    quote_words: tuple[str, ...]
    raw_words: tuple[str, ...]
    at: tuple[int, int]
    indices: tuple[int, ...]
    why: Why = Why.NONE


@dataclass(frozen=True, slots=True)
class Respelled:
    """Words written another way, or (``raw`` is empty) added in brackets."""

    raw: str
    quote: str
    at: tuple[int, int]
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Warned:
    """Something for an editor to look at that does not change the verdict."""

    kind: WarningKind
    words: tuple[str, ...] = ()
    indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Run:
    """Words as spoken. ``kind`` is empty, a kind of removal or problem, ``respelled`` or ``sound`` (no words)."""

    text: str
    kept: bool
    kind: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The answer for one quote.

    ``first_word`` and ``last_word`` are indices into the words, both inclusive; ``brackets`` what
    the quote has in brackets, as written.
    """

    verdict: Verdict
    removed: tuple[Removed, ...] = ()
    problems: tuple[Problem, ...] = ()
    respelled: tuple[Respelled, ...] = ()
    warnings: tuple[Warned, ...] = ()
    marked: tuple[Run, ...] = ()
    start_ms: int | None = None
    end_ms: int | None = None
    first_word: int | None = None
    last_word: int | None = None
    brackets: tuple[str, ...] = ()
    reason: Reason = Reason.NONE
    rules: str = RULES_VERSION

    @property
    def passes(self) -> bool:
        """Tell whether the page may carry the promise."""
        return self.verdict in PASSES

    def to_json(self) -> dict[str, Any]:
        """Return plain data for a JSON field."""
        return {name: _plain(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the result that ``to_json`` wrote, whatever version of the rules it follows."""
        return cls(
            verdict=Verdict(data["verdict"]),
            removed=tuple(_removed(row) for row in data["removed"]),
            problems=tuple(_problem(row) for row in data["problems"]),
            respelled=tuple(_respelled(row) for row in data["respelled"]),
            warnings=tuple(_warned(row) for row in data["warnings"]),
            marked=tuple(Run(row["text"], row["kept"], row["kind"]) for row in data["marked"]),
            start_ms=data["start_ms"],
            end_ms=data["end_ms"],
            first_word=data["first_word"],
            last_word=data["last_word"],
            brackets=tuple(data["brackets"]),
            reason=Reason(data["reason"]),
            rules=data["rules"],
        )


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return value


def _pair(row: Mapping[str, Any]) -> tuple[int, int]:
    start, end = row["at"]
    return start, end


def _removed(row: Mapping[str, Any]) -> Removed:
    return Removed(RemovedKind(row["kind"]), tuple(row["words"]), tuple(row["indices"]))


def _problem(row: Mapping[str, Any]) -> Problem:
    words = tuple(row["quote_words"]), tuple(row["raw_words"])
    return Problem(ProblemKind(row["kind"]), *words, _pair(row), tuple(row["indices"]), Why(row["why"]))


def _respelled(row: Mapping[str, Any]) -> Respelled:
    return Respelled(row["raw"], row["quote"], _pair(row), tuple(row["indices"]))


def _warned(row: Mapping[str, Any]) -> Warned:
    return Warned(WarningKind(row["kind"]), tuple(row["words"]), tuple(row["indices"]))
