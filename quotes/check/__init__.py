"""Prove that a quote is what was said: allowed deletions alone lead from the words to the text.

Pure functions over plain data; the rules are ``shared/verbatim.md``.

``check_quote`` gives the verdict, ``propose_quote`` the cleaned text for words that an editor selected,
``ways_out`` what can be done about each problem, ``explain`` and ``describe`` the sentences, and
``check_headline`` compares a claim with its quote. ``prepare`` cuts a transcript once for many checks.
"""

from .check import check_quote
from .headline import HeadlineNote, NoteKind, check_headline
from .proposal import propose_quote
from .result import (
    PASSES,
    RULES_VERSION,
    CheckResult,
    Problem,
    ProblemKind,
    Reason,
    Removed,
    RemovedKind,
    Respelled,
    Run,
    Verdict,
    Warned,
    WarningKind,
    Why,
)
from .waysout import Way, WayKind, ways_out
from .wording import describe, explain, kinds_removed
from .words import Prepared, prepare

__all__ = [
    "PASSES",
    "RULES_VERSION",
    "CheckResult",
    "HeadlineNote",
    "NoteKind",
    "Prepared",
    "Problem",
    "ProblemKind",
    "Reason",
    "Removed",
    "RemovedKind",
    "Respelled",
    "Run",
    "Verdict",
    "Warned",
    "WarningKind",
    "Way",
    "WayKind",
    "Why",
    "check_headline",
    "check_quote",
    "describe",
    "explain",
    "kinds_removed",
    "prepare",
    "propose_quote",
    "ways_out",
]
