"""A folder for one attempt of a job; what a killed attempt leaves behind does not outlive the next."""

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from .housekeeping import chore
from .jobs import Held

DAY = 24 * 60 * 60  # seconds


@contextmanager
def work_folder(held: Held) -> Iterator[Path]:
    """Yield an empty folder that is gone afterwards. Those of earlier attempts at the job, which were killed, go first."""
    for left in _root().glob(f"{held.job.pk}-*"):
        shutil.rmtree(left, ignore_errors=True)  # its worker may still live, without the lease
    folder = _root() / f"{held.job.pk}-{held.token}"
    folder.mkdir(parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # another worker may have the job, and have deleted it


@chore
def sweep() -> None:
    """Delete what was left more than a day ago, by jobs that were not tried again here."""
    for left in _root().glob("*"):
        try:
            is_old = left.stat().st_mtime < time.time() - DAY
        except FileNotFoundError:  # its job has ended
            continue
        if is_old:
            shutil.rmtree(left, ignore_errors=True)


def _root() -> Path:
    return Path(settings.WORK_DIR)
