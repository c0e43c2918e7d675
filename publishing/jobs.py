"""Jobs: rows that say what is to be done, claimed under a lease and finished by a token.

No task engine survives a worker that is killed without losing or doubling work, so
the engine only carries “look”; claiming and finishing are conditional updates of the
row, and a sweeper calls again while anything is due.
"""

import logging
import re
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .models import Job

if TYPE_CHECKING:
    from django.contrib.auth.models import User

logger = logging.getLogger(__name__)

Work = Callable[["Held"], Any]
_work: dict[str, Work] = {}

FIRST_PAUSE = timedelta(seconds=15)  # before a second attempt; doubles with each
LONGEST_ERROR = 2_000  # characters of a failure that are kept
TELL_EVERY = 2  # seconds between two looks at how far long work is
_SERVER_PATH = re.compile(r"(?<![\w:/.<])/[\w.@+~-]+(?:/[\w.@+~-]*)+")


class LeaseLost(Exception):
    """Raised in a job whose lease ran out and was taken by another worker."""


class GiveUp(Exception):
    """Raised by a job that no further attempt would help; its text is for people."""


class TryLater(Exception):
    """Raised by a job that may well work at another time; its text is for people."""


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
    when_done: list[Callable[[], object]] = field(default_factory=list)  # called once the job is marked done

    @property
    def payload(self) -> dict:
        return self.job.payload

    @property
    def starter(self) -> "User":
        """Return who started it from a page. Raises GiveUp where they are gone."""
        user = get_user_model().objects.filter(pk=self.payload["actor"]).first()
        if user is None:
            raise GiveUp(_("Whoever started this is no longer here. Start it again."))
        return user

    def report(self, progress: int, of: int) -> None:
        """Store the progress and renew the lease. Raises LeaseLost where another worker has the job."""
        self.renew(progress=progress, progress_of=of)

    def renew(self, **values) -> None:
        """Renew the lease, and store what is given. Raises LeaseLost where another worker has the job."""
        values["lease_until"] = lease_end()
        if not Job.objects.filter(pk=self.job.pk, token=self.token, state=Job.State.RUNNING).update(**values):
            raise LeaseLost(str(self.job))


@dataclass
class Alive:
    """What long work tells about itself while ``kept_alive`` holds its lease."""

    held: Held
    told: dict[str, int] = field(default_factory=dict)

    def progress(self, done: int, of: int) -> None:
        """Say how far it is, from inside a transaction too: the thread stores it."""
        self.told = {"progress": done, "progress_of": of}

    def settle(self) -> None:
        """Store the end of the work and renew the lease, as the last act of its transaction.

        What the work wrote is then kept only if the job is still ours. Raises LeaseLost.
        """
        self.held.renew(**self.told)

    def keep(self, ended: threading.Event) -> None:
        """Renew the lease every third of it, and whenever there is progress, until the work has ended."""
        third = settings.JOB_LEASE_SECONDS / 3
        stored, renewed_at = self.told, time.monotonic()
        try:
            while not ended.wait(min(TELL_EVERY, third)):
                told = self.told
                if told == stored and time.monotonic() - renewed_at < third:
                    continue
                try:
                    self.held.renew(**told)
                except DatabaseError as busy:  # SQLite, while the work itself is writing
                    logger.info("The lease of job %s is not renewed now: %s", self.held.job, busy)
                else:
                    stored, renewed_at = told, time.monotonic()
        except LeaseLost:
            logger.warning("Job %s was taken over by another worker while it was done.", self.held.job)
        finally:
            connection.close()


@contextmanager
def kept_alive(held: Held) -> Iterator[Alive]:
    """Hold the lease while work runs that cannot renew it: a slow answer, or one long transaction.

    A thread with a connection of its own does it, because what a transaction writes nobody
    sees before its end. On SQLite the thread waits while the work writes, and so does every
    other worker; ``settle()`` at the end of the transaction closes the gap.
    """
    alive, ended = Alive(held), threading.Event()
    keeper = threading.Thread(target=alive.keep, args=[ended], name=f"lease-{held.job.pk}", daemon=True)
    keeper.start()
    try:
        yield alive
    finally:
        ended.set()
        keeper.join()


def lease_end() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_SECONDS)


def claim(key: str | None = None) -> Held | None:
    """Take the job that is due longest, or the due one with this key, under a lease; None where there is none."""
    now, token = timezone.now(), uuid.uuid4()
    with transaction.atomic():
        due = Job.objects.due(now)
        if key is not None:
            due = due.filter(key=key)
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
    except TryLater as reason:
        return _try_later(held, str(reason))
    except Exception as failure:
        logger.exception("Job %s failed at attempt %s.", held.job, held.job.attempts)
        return _try_later(held, describe(failure))
    ended = _end(held, Job.State.DONE, result=result, last_error="")
    for act in held.when_done if ended else ():
        try:
            act()
        except Exception:  # the job is done all the same
            logger.exception("Something was left behind by job %s.", held.job)
    return ended


def describe(failure: Exception) -> str:
    """Return an unforeseen failure for the job's page, without paths of this server; the log has it whole."""
    text = str(failure.strerror or "") if isinstance(failure, OSError) else str(failure)
    for folder in (settings.DATA_DIR, settings.BASE_DIR):
        text = text.replace(str(folder), "…")
    return f"{type(failure).__name__}: {_SERVER_PATH.sub('…', text)}"


def _try_later(held: Held, message: str) -> Job | None:
    message = message[:LONGEST_ERROR]
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
