"""Jobs: rows that say what is to be done, claimed under a lease and finished by a token.

No task engine survives a worker that is killed without losing or doubling work, so
the engine only carries “look”; claiming and finishing are conditional updates of the
row, and a sweeper calls again while anything is due.
"""

import logging
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from .models import Job

logger = logging.getLogger(__name__)

Work = Callable[["Held"], Any]
_work: dict[str, Work] = {}

FIRST_PAUSE = timedelta(seconds=15)  # before a second attempt; doubles with each
LONGEST_ERROR = 2_000  # characters of a failure that are kept


class LeaseLost(Exception):
    """Raised in a job whose lease ran out and was taken by another worker."""


class GiveUp(Exception):
    """Raised by a job that no further attempt would help; its text is for people."""


def job_kind(name: str) -> Callable[[Work], Work]:
    """Register a function as the work of one kind of job (a decorator)."""

    def register(work: Work) -> Work:
        _work[name] = work
        return work

    return register


def enqueue(kind: str, key: str, payload: dict | None = None, *, run_after: datetime | None = None) -> Job:
    """Return the job with this key, made if there is none; the worker is called after commit.

    The same key is the same work: asking again while it waits, runs or is done adds nothing.
    """
    defaults = {"kind": kind, "payload": payload or {}, "run_after": run_after or timezone.now()}
    job, is_new = Job.objects.get_or_create(key=key, defaults=defaults)
    if is_new:
        call_worker()
    return job


def enqueue_many(kind: str, jobs: dict[str, dict]) -> None:
    """Make jobs from ``{key: payload}`` in one statement; the sweeper calls for them."""
    Job.objects.bulk_create(
        [Job(kind=kind, key=key, payload=payload) for key, payload in jobs.items()], ignore_conflicts=True
    )


def retry(job: Job) -> None:
    """Let a failed job try again from the start."""
    Job.objects.filter(pk=job.pk, state=Job.State.FAILED).update(
        state=Job.State.READY, attempts=0, run_after=timezone.now()
    )
    call_worker()


def call_worker() -> None:
    """Wake a worker once the caller's transaction has committed."""
    from .tasks import look

    transaction.on_commit(lambda: look.enqueue())


@dataclass
class Held:
    """A job under our lease. Work reads ``payload`` and tells how far it is."""

    job: Job
    token: uuid.UUID

    @property
    def payload(self) -> dict:
        return self.job.payload

    def report(self, progress: int, of: int) -> None:
        """Store the progress and renew the lease. Raises LeaseLost where another worker has the job."""
        self._update(progress=progress, progress_of=of, lease_until=lease_end())

    def _update(self, **values) -> None:
        if not Job.objects.filter(pk=self.job.pk, token=self.token, state=Job.State.RUNNING).update(**values):
            raise LeaseLost(str(self.job))


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def claim() -> Held | None:
    """Take the job that is due longest under a lease, or return None where nothing is due."""
    now, token = timezone.now(), uuid.uuid4()
    with transaction.atomic():
        due = Job.objects.due(now)
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)
        job = due.first()
        if job is None:
            return None
        job.state, job.token, job.lease_until = Job.State.RUNNING, token, lease_end()
        job.attempts += 1
        job.save(update_fields=["state", "token", "lease_until", "attempts"])
    return Held(job, token)


def work_through() -> int:
    """Do what is due, one job after another; returns how many were done or tried."""
    count = 0
    while (held := claim()) is not None:
        do(held)
        count += 1
    return count


def do(held: Held) -> Job | None:
    """Do the work of a claimed job; returns the job as it ended, or None if it was lost on the way."""
    if held.job.attempts > settings.JOB_MAX_ATTEMPTS:
        return _end(held, Job.State.FAILED, last_error=held.job.last_error or "The worker died each time.")
    try:
        result = _work[held.job.kind](held)
    except LeaseLost:
        logger.warning("Job %s was taken over by another worker.", held.job)
        return None
    except GiveUp as reason:
        return _end(held, Job.State.FAILED, last_error=str(reason)[:LONGEST_ERROR])
    except Exception as failure:
        logger.exception("Job %s failed at attempt %s.", held.job, held.job.attempts)
        return _try_later(held, failure)
    return _end(held, Job.State.DONE, result=result, last_error="")


def _try_later(held: Held, failure: Exception) -> Job | None:
    message = f"{type(failure).__name__}: {failure}"[:LONGEST_ERROR]
    if held.job.attempts >= settings.JOB_MAX_ATTEMPTS:
        return _end(held, Job.State.FAILED, last_error=message)
    pause = FIRST_PAUSE * 2 ** (held.job.attempts - 1)
    return _end(held, Job.State.READY, last_error=message, run_after=timezone.now() + pause)


def _end(held: Held, state: str, **values) -> Job | None:
    """Leave the job in a state, if it is still ours; a worker without its lease cannot write."""
    if state != Job.State.READY:
        values["finished_at"] = timezone.now()
    owned = Job.objects.filter(pk=held.job.pk, token=held.token, state=Job.State.RUNNING)
    if not owned.update(state=state, token=None, lease_until=None, **values):
        logger.warning("Job %s ended after its lease did; another worker has it.", held.job)
        return None
    return Job.objects.get(pk=held.job.pk)


def sweep() -> bool:
    """Wake a worker if anything is due: delayed, forgotten by the engine, or abandoned."""
    is_due = Job.objects.due(timezone.now()).exists()
    if is_due:
        call_worker()
    return is_due
