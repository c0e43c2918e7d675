"""The worker process: the engine's loop, a sweeper for what is due, and a heartbeat."""

import logging
import os
import socket
import threading
import time
from datetime import timedelta

from django.db import close_old_connections, connections
from django.utils import timezone
from django_tasks import task_backends
from django_tasks_db.backend import DatabaseBackend
from django_tasks_db.management.commands.db_worker import Worker as EngineLoop
from django_tasks_db.models import DBTaskResult

from . import jobs
from .housekeeping import do_chores
from .models import Heartbeat
from .schedule import plan_jobs

logger = logging.getLogger(__name__)

TICK = 5  # seconds between two looks of the sweeper
SILENT_AFTER = timedelta(minutes=3)


def worker_name() -> str:
    return f"{socket.gethostname()}-{os.getpid()}"[:64]


def beat(name: str) -> None:
    now = timezone.now()
    Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": now})
    Heartbeat.objects.filter(beat_at__lt=now - timedelta(days=1)).delete()


def is_silent() -> bool:
    """Tell whether no worker has been heard of for three minutes."""
    return not Heartbeat.objects.filter(beat_at__gte=timezone.now() - SILENT_AFTER).exists()


PRUNE_EVERY = 3600  # seconds
KEEP_CALLS = timedelta(days=1)


class Ticker(threading.Thread):
    """Beats and sweeps beside the engine's loop until told to stop."""

    def __init__(self, name: str):
        super().__init__(name=f"ticker-{name}", daemon=True)
        self.worker = name
        self.stopping = threading.Event()
        self.pruned_at = -float(PRUNE_EVERY)

    def run(self) -> None:
        while not self.stopping.is_set():
            try:
                beat(self.worker)
                plan_jobs()
                jobs.sweep()
                self._prune()
            except Exception:  # a database that restarts must not end the worker
                logger.exception("The sweeper could not look; it tries again in %s seconds.", TICK)
            finally:
                close_old_connections()
            self.stopping.wait(TICK)
        connections.close_all()

    def _prune(self) -> None:
        """Delete old wake-up calls, and do what else is to be tidied; the jobs stay."""
        if time.monotonic() - self.pruned_at > PRUNE_EVERY:
            DBTaskResult.objects.finished().filter(finished_at__lt=timezone.now() - KEEP_CALLS).delete()
            do_chores()
            self.pruned_at = time.monotonic()


def run_worker(*, batch: bool = False) -> None:
    """Work until stopped; with ``batch``, only until nothing is due."""
    name = worker_name()
    if batch:
        plan_jobs()
        jobs.sweep()
    ticker = Ticker(name)
    ticker.start()
    try:
        engine = engine_loop(name, batch=batch)
        if engine:
            engine.configure_signals()
            engine.run()
        else:  # another engine runs the jobs; here only the schedule
            ticker.join()
    finally:
        ticker.stopping.set()
        ticker.join()


def engine_loop(name: str, *, batch: bool) -> EngineLoop | None:
    """Return the loop of the database engine, or None where another engine is configured."""
    if not isinstance(task_backends["default"], DatabaseBackend):
        return None
    return EngineLoop(
        queue_names=["*"],
        interval=0.5,
        batch=batch,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=name,
        excluded_queue_names=[],
    )
