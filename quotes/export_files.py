"""The files of the public data set: made once a day by the worker, and served only while all that is in them may be.

One job makes them, again and again, and its row is the truth: ``result`` tells of the
files to serve. What takes something back empties it in its own transaction, and fences
off whoever is making files of what was read before.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from gzip import GzipFile
from hashlib import file_digest
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from episodes.models import Episode, Transcript
from episodes.transcripts.current import when_current
from publishing.archive.snapshot import snapshot
from publishing.housekeeping import chore
from publishing.jobs import Alive, Held, enqueue, job_kind, kept_alive
from publishing.middleware import site_words
from publishing.models import ContentVersion, Job, SiteSettings
from publishing.schedule import planner
from publishing.tables.exporting import keys_in_chunks
from publishing.tables.writing import BOM, csv_lines
from publishing.version import when_taken_back
from publishing.work_folders import work_folder

from .exports import SCHEMA, TABLES, DataTable, as_csv, as_json
from .models import QuoteCheck

KIND = KEY = "make-exports"
FOLDER = "dataset"
EVERY = timedelta(days=1)
PAUSE = timedelta(minutes=1)  # after something was taken back: what follows at once goes with it
AGAIN = timedelta(hours=1)  # after a failure
PACKED = ".gz"
FORMATS = ("jsonl", "csv")
FILES = tuple(f"{table.name}.{form}{packed}" for table in TABLES for form in FORMATS for packed in ("", PACKED))


@dataclass(frozen=True)
class MadeFile:
    """A file to serve. ``stored`` ends in the hash of its bytes."""

    name: str
    stored: str
    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True)
class DataSet:
    """The files that may be served now, and as of when."""

    schema: int
    version: int
    made_at: datetime
    files: dict[str, MadeFile]

    @classmethod
    def current(cls) -> "DataSet | None":
        """Return what may be served; None while it is being made. One query."""
        job = Job.objects.filter(key=KEY).first()
        return cls.of(job.result) if job and job.result else None

    @classmethod
    def of(cls, told: dict[str, Any]) -> "DataSet":
        """Return what a job's result says."""
        files = {name: MadeFile(name=name, **facts) for name, facts in told["files"].items()}
        made_at = parse_datetime(told["made_at"])
        if made_at is None:
            raise ValueError(f"“{told['made_at']}” is no moment.")
        return cls(told["schema"], told["version"], made_at, files)


@planner
def plan() -> None:
    """Have the files made where they are due. Two queries."""
    if not settings.PUBLIC_EXPORTS:
        return
    job = Job.objects.filter(key=KEY).first()
    if job is None:
        enqueue(KIND, KEY)
    elif _is_due(job):
        _make_ready(Job.objects.filter(pk=job.pk, state=job.state, finished_at=job.finished_at))


def _is_due(job: Job) -> bool:
    """Tell whether an ended job shall be done again: daily if readers see something else, an hour after a failure."""
    if job.finished_at is None or job.state not in (Job.State.DONE, Job.State.FAILED):
        return False
    if job.state == Job.State.FAILED:
        return job.finished_at < timezone.now() - AGAIN
    held = DataSet.of(job.result) if job.result else None
    if held is None or held.schema != SCHEMA:
        return True
    return held.made_at < timezone.now() - EVERY and held.version != _version()


def _make_ready(jobs: QuerySet[Job], run_after: datetime | None = None, **values: Any) -> int:
    """Have jobs done again; returns how many."""
    return jobs.update(state=Job.State.READY, attempts=0, progress=0, run_after=run_after or timezone.now(), **values)


def _version() -> int:
    version = ContentVersion.objects.first()
    return version.number if version else 0


@when_taken_back
def withdraw() -> None:
    """Serve nothing that was read before now, neither the files nor those that are being made, and have them made anew.

    Where there is no job yet, one is made: the first then cannot read beside the act and end after it.
    """
    run_after = timezone.now() + PAUSE
    told = _make_ready(Job.objects.filter(key=KEY), run_after, result=None, token=None, lease_until=None)
    if not told and settings.PUBLIC_EXPORTS:
        enqueue(KIND, KEY, run_after=run_after)


@when_current
def withdraw_promises(episode: Episode, original: Transcript | None) -> None:
    """Withdraw the files where a quote of the episode was proved and, by the transcript that holds now, is not."""
    passing = QuoteCheck.objects.of_live().filter(quote__episode=episode, passes=True)
    proved_by = list(passing.values_list("quote", "transcript"))
    still = {quote for quote, by in proved_by if original and by == original.pk}
    if {quote for quote, _by in proved_by} - still:
        withdraw()


@dataclass
class _Progress:
    """How many rows of all tables are written."""

    alive: Alive
    of: int
    done: int = 0

    def add(self, rows: int) -> None:
        self.done += rows
        self.alive.progress(self.done, self.of)


@job_kind(KIND)
def make_exports_job(held: Held) -> dict | None:
    """Make all files of one look at the database; returns what ``DataSet.of`` reads."""
    if not settings.PUBLIC_EXPORTS:
        return None
    started = timezone.now()
    folder = f"{FOLDER}/{int(started.timestamp())}-{secrets.token_hex(8)}"
    with kept_alive(held) as alive, work_folder(held) as unfinished:
        with site_words(SiteSettings.current()), snapshot():
            version = _version()
            progress = _Progress(alive, sum(table.rows().count() for table in TABLES))
            rows = {table.name: write_table(table, unfinished, progress.add) for table in TABLES}
        files = {name: _keep(unfinished / name, folder) | {"rows": rows[name.partition(".")[0]]} for name in FILES}
    held.when_done.append(lambda: _delete_unnamed(started))
    return {"schema": SCHEMA, "version": version, "made_at": started.isoformat(), "files": files}


def write_table(table: DataTable, folder: Path, tell: Callable[[int], None] = lambda rows: None) -> int:
    """Write a table in each format, plain and packed; returns how many rows it has.

    ``tell`` hears of each 500 rows, which take a fixed number of queries.
    """
    count = 0
    with _both(folder / f"{table.name}.csv") as to_csv, _both(folder / f"{table.name}.jsonl") as to_json:
        to_csv(BOM + csv_lines([[column.name for column in table.columns]]))
        for keys in keys_in_chunks(table.rows()):
            records = table.records(keys)
            to_csv(as_csv(records))
            to_json(as_json(records))
            count += len(records)
            tell(len(records))
    return count


@contextmanager
def _both(path: Path) -> Iterator[Callable[[str], None]]:
    """Give a function that writes text to a file and, packed, to the one beside it."""
    beside = path.with_name(path.name + PACKED)
    with path.open("wb") as plain, beside.open("wb") as raw, GzipFile("", "wb", 6, raw, mtime=0) as packed:

        def write(text: str) -> None:
            data = text.encode()
            plain.write(data)
            packed.write(data)

        yield write


def _keep(path: Path, folder: str) -> dict[str, Any]:
    """Keep a finished file under the hash of its bytes, which is its tag to readers."""
    with path.open("rb") as data:
        digest = file_digest(data, "sha256").hexdigest()
        data.seek(0)
        stored = default_storage.save(f"{folder}/{digest}.{path.name.partition('.')[2]}", File(data))
    return {"stored": stored, "bytes": path.stat().st_size, "sha256": digest}


@chore
def sweep() -> None:
    """Delete the files of more than a day ago that are not served; where the operator wants none, all."""
    if settings.PUBLIC_EXPORTS:
        _delete_unnamed(timezone.now() - EVERY)
    else:
        Job.objects.filter(key=KEY).delete()
        _delete_unnamed(timezone.now())


def _delete_unnamed(before: datetime) -> None:
    """Delete the files that were begun before a moment and that the data set does not name."""
    held = DataSet.current()
    named = {file.stored.rpartition("/")[0] for file in held.files.values()} if held else set()
    for name in _folders():
        folder = f"{FOLDER}/{name}"
        if folder not in named and int(name.partition("-")[0]) < before.timestamp():
            for file in default_storage.listdir(folder)[1]:
                default_storage.delete(f"{folder}/{file}")
            default_storage.delete(folder)


def _folders() -> list[str]:
    try:
        return default_storage.listdir(FOLDER)[0]
    except FileNotFoundError:  # nothing was ever made
        return []
