"""Jobs that outlive their lease, on real connections."""

import time

import pytest
from django.db import connection
from django.utils import timezone

from publishing import jobs
from publishing.models import Job
from publishing.tables.importing import _Run
from publishing.uploads import keep
from tests.factories import make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def _short_lease(settings, monkeypatch):
    settings.JOB_LEASE_SECONDS = 1
    monkeypatch.setattr(jobs, "TELL_EVERY", 0.1)


@jobs.job_kind("test-long")
def long_work(held):
    with jobs.kept_alive(held) as alive:
        alive.progress(1, 2)
        time.sleep(1.5)
        told = Job.objects.get(pk=held.job.pk)
        return {"told": [told.progress, told.progress_of], "others_may": Job.objects.due(timezone.now()).exists()}


@pytest.mark.usefixtures("_short_lease")
def test_the_lease_is_renewed_and_the_progress_told_while_the_work_runs():
    job = jobs.enqueue("test-long", "long:1")

    jobs.do(jobs.claim())

    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"told": [1, 2], "others_may": False})


def table_job() -> Job:
    payload = {
        "table": "topics",
        "file": keep(b"name\nGrid\n", by=None),
        "publish": False,
        "reason": "",
        "keep_good": False,
    }
    return jobs.enqueue("import-table", "table:1", payload | {"actor": make_user().pk})


@pytest.mark.usefixtures("_short_lease")
def test_a_table_that_outlives_its_lease_is_imported_once_and_ends_done(monkeypatch):
    write, seen = _Run.write, []

    def write_slowly(run, plans):
        write(run, plans)
        time.sleep(1.5)
        seen.append(connection.vendor == "sqlite" or Job.objects.filter(lease_until__gt=timezone.now()).exists())

    monkeypatch.setattr(_Run, "write", write_slowly)
    job = table_job()

    jobs.do(jobs.claim())

    assert jobs.claim() is None
    job.refresh_from_db()
    assert (job.state, job.attempts, job.progress, job.progress_of, seen) == ("done", 1, 1, 1, [True])


def test_a_table_whose_job_another_worker_has_is_not_written(monkeypatch):
    from publishing.models import Item

    write = _Run.write

    def lose_the_lease(run, plans):
        write(run, plans)
        Job.objects.update(token=None)

    monkeypatch.setattr(_Run, "write", lose_the_lease)
    table_job()

    assert jobs.do(jobs.claim()) is None
    assert not Item.objects.exists()
