"""What falls due by the clock: each module makes its own jobs for it, and the worker asks at every tick."""

import logging
from collections.abc import Callable

logger = logging.getLogger(__name__)

Planner = Callable[[], None]
_planners: list[Planner] = []


def planner(plan: Planner) -> Planner:
    """Register a function that makes jobs of what is due (a decorator).

    It is called every few seconds by each worker, also by two at once, so it makes a
    bounded number of jobs, whose keys keep the same work from being made twice.
    """
    _planners.append(plan)
    return plan


def plan_jobs() -> None:
    """Call all planners; one that fails does not keep the others from planning."""
    for plan in _planners:
        try:
            plan()
        except Exception:
            logger.exception("Planning failed: %s.%s", plan.__module__, plan.__qualname__)
