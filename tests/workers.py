"""Real worker processes on the database of a test."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from django.conf import settings
from django.db import connection

from publishing.models import Job

WORKER = ("manage.py", "worker")


def start_worker(command: Sequence[str] = WORKER, **environment: object) -> subprocess.Popen:
    """Start a worker under the settings of tests; what it prints is not ours to read."""
    told = {name: str(value) for name, value in environment.items()}
    known = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"} | _database_of_the_test() | told
    return subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, *command], cwd=settings.BASE_DIR, env=known, stdout=subprocess.DEVNULL
    )


def _database_of_the_test() -> dict:
    parts = connection.settings_dict
    if connection.vendor == "sqlite":
        return {"DATABASE_URL": f"sqlite:///{parts['NAME']}"}
    return {
        "DATABASE_URL": f"postgres://{parts['USER']}:{parts['PASSWORD'] or ''}@{parts['HOST']}:{parts['PORT'] or 5432}/{parts['NAME']}"
    }


def wait_for(condition: Callable[[], bool], seconds: float = 40) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, list(Job.objects.values("key", "state", "attempts", "last_error"))
        time.sleep(0.05)


def processes(about: str) -> set[int]:
    """Return the numbers of the living processes whose command names something."""
    return {int(path.parent.name) for path in Path("/proc").glob("[0-9]*/cmdline") if about in _command(path)}


def _command(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")  # of one that has died and was not buried it is empty
    except (FileNotFoundError, ProcessLookupError):
        return ""
