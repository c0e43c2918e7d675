"""What the worker tidies up once an hour; each module tells what is its own to tidy."""

import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)

Chore = Callable[[], None]
_chores: list[Chore] = []


def chore(work: Chore) -> Chore:
    """Register a function that is safe to run at any time and twice (a decorator)."""
    _chores.append(work)
    return work


def do_chores() -> None:
    """Do all chores; one that fails does not keep the others from being done."""
    for work in _chores:
        try:
            work()
        except Exception:
            logger.exception("Tidying up failed: %s.%s", work.__module__, work.__qualname__)
