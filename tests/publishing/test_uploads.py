import os
import time

import pytest
from django.core import signing
from django.core.files.storage import default_storage

from publishing import jobs, uploads
from publishing.models import Job
from publishing.worker import Ticker

pytestmark = pytest.mark.django_db


@jobs.job_kind("test-take")
def take(held):
    return {"size": len(uploads.take(held)), "is_here": default_storage.exists(held.payload["file"])}


@jobs.job_kind("test-take-and-fail")
def take_and_fail(held):
    uploads.take(held)
    raise jobs.GiveUp("No.")


def kept(hours: float = 0) -> str:
    """Return the name of an upload that was kept some hours ago."""
    name = uploads.keep(b"abc", by=None)
    then = time.time() - hours * 3600
    os.utime(default_storage.path(name), (then, then))
    return name


def test_a_file_goes_once_its_job_is_marked_done():
    name = kept()
    job = jobs.enqueue("test-take", "take:1", {"file": name})

    jobs.work_through()

    job.refresh_from_db()
    assert (job.state, job.result) == ("done", {"size": 3, "is_here": True})
    assert not default_storage.exists(name)


def test_a_file_stays_for_another_attempt_where_the_job_fails_or_is_lost():
    failed, lost = kept(), kept()
    jobs.enqueue("test-take-and-fail", "take:2", {"file": failed})
    jobs.work_through()
    job = jobs.enqueue("test-take", "take:3", {"file": lost})
    held = jobs.claim()
    Job.objects.filter(pk=job.pk).update(token=None)

    assert jobs.do(held) is None
    assert default_storage.exists(failed)
    assert default_storage.exists(lost)


def test_files_of_more_than_a_day_ago_are_swept_but_for_those_a_job_waits_for():
    fresh, old, waiting, failed = kept(), kept(hours=25), kept(hours=25), kept(hours=25)
    Job.objects.create(kind="import-feed", key="1", payload={"file": waiting})
    Job.objects.create(kind="import-feed", key="2", payload={"file": failed}, state="failed")

    Ticker("tests")._prune()

    assert [default_storage.exists(name) for name in (fresh, old, waiting, failed)] == [True, False, True, False]


def test_what_is_sealed_for_one_kind_opens_for_no_other():
    sealed = uploads.seal("import-feed", {"file": "x"})

    assert uploads.unseal("import-feed", sealed) == {"file": "x"}
    with pytest.raises(signing.BadSignature):
        uploads.unseal("import-table", sealed)
