import os
import signal
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from publishing import jobs
from publishing.models import Heartbeat, Job
from publishing.worker import run_worker
from tests.workers import start_worker, wait_for

done: list[str] = []


@jobs.job_kind("test-note")
def note(held):
    done.append(held.job.key)
    held.report(1, of=2)
    return {"noted": held.payload["word"]}


@jobs.job_kind("test-break")
def fall_over(held):
    raise RuntimeError("the neighbour is down")


@jobs.job_kind("test-hopeless")
def give_up(held):
    raise jobs.GiveUp("The file is gone.")


@jobs.job_kind("test-slow")
def lose_the_lease(held):
    Job.objects.filter(pk=held.job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    other = jobs.claim()
    assert other.job.pk == held.job.pk
    held.report(1, of=1)


@pytest.fixture(autouse=True)
def _empty():
    done.clear()


@pytest.mark.django_db
def test_a_job_is_done_once_however_often_it_is_asked_for():
    for _time in range(3):
        jobs.enqueue("test-note", "note:1", {"word": "peak"})

    assert jobs.work_through() == 1
    assert done == ["note:1"]
    job = Job.objects.get()
    assert (job.state, job.result, job.progress, job.token) == ("done", {"noted": "peak"}, 1, None)


@pytest.mark.django_db
def test_a_failing_job_is_tried_again_later_and_then_given_up(settings):
    settings.JOB_MAX_ATTEMPTS = 2
    job = jobs.enqueue("test-break", "break:1")

    jobs.work_through()
    job.refresh_from_db()
    assert (job.state, job.run_after > timezone.now()) == ("ready", True)
    assert job.last_error == "RuntimeError: the neighbour is down"

    Job.objects.update(run_after=timezone.now())
    jobs.work_through()
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("failed", 2)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (FileNotFoundError(2, "No such file or directory", "/srv/www/media/imports/ab"), "No such file or directory"),
        (RuntimeError("cannot open /srv/www/media/imports/ab now"), "cannot open … now"),
        (RuntimeError("socket '/run/postgresql/.s.PGSQL.5432' refused"), "socket '…' refused"),
        (
            RuntimeError("https://example.org/feed/one.xml and/or </rss>"),
            "https://example.org/feed/one.xml and/or </rss>",
        ),
    ],
)
def test_what_people_read_of_a_failure_names_no_path_of_the_server(monkeypatch, failure, told):
    def fail(held):
        raise failure

    monkeypatch.setitem(jobs._work, "test-break", fail)
    job = jobs.enqueue("test-break", "break:2")

    jobs.work_through()

    job.refresh_from_db()
    assert job.last_error == f"{type(failure).__name__}: {told}"


@pytest.mark.django_db
def test_a_job_that_may_work_later_says_why_in_its_own_words(monkeypatch):
    def wait(held):
        raise jobs.TryLater("The neighbour is down.")

    monkeypatch.setitem(jobs._work, "test-break", wait)
    job = jobs.enqueue("test-break", "break:3")

    jobs.work_through()

    job.refresh_from_db()
    assert (job.state, job.last_error) == ("ready", "The neighbour is down.")


@pytest.mark.django_db
def test_a_hopeless_job_says_why_and_can_be_retried():
    job = jobs.enqueue("test-hopeless", "hopeless:1")

    jobs.work_through()
    job.refresh_from_db()
    assert (job.state, job.last_error) == ("failed", "The file is gone.")

    jobs.retry(job)
    job.refresh_from_db()
    assert (job.state, job.attempts) == ("ready", 0)


@pytest.mark.django_db
def test_a_worker_that_lost_its_lease_cannot_write():
    job = jobs.enqueue("test-slow", "slow:1")

    held = jobs.claim()
    assert jobs.do(held) is None

    job.refresh_from_db()
    assert (job.state, job.progress) == ("running", 0)
    assert job.token != held.token


@pytest.mark.django_db
def test_a_job_that_kills_each_worker_ends_as_failed(settings):
    settings.JOB_MAX_ATTEMPTS = 2
    job = jobs.enqueue("test-note", "note:2", {"word": "x"})
    for _time in range(2):
        assert jobs.claim()
        Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    jobs.work_through()

    job.refresh_from_db()
    assert (job.state, job.last_error) == ("failed", "The worker died each time.")
    assert done == []


@pytest.mark.django_db(transaction=True)
def test_a_batch_worker_does_what_is_due_and_beats():
    jobs.enqueue("test-note", "note:3", {"word": "x"})

    run_worker(batch=True)

    assert done == ["note:3"]
    assert Heartbeat.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_nothing_is_called_when_the_transaction_rolls_back():
    with transaction.atomic():
        jobs.enqueue("test-note", "note:4", {"word": "x"})
        transaction.set_rollback(True)

    assert not Job.objects.exists()
    assert not DBTaskResult.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_killed_worker_loses_no_job_and_does_none_twice():
    """Two real workers, one killed in the middle of a job: another takes it over when the lease ends."""
    marks = f"{settings.DATA_DIR}/marks-{os.getpid()}"
    for number in range(6):
        jobs.enqueue("sleepy", f"sleepy:{number}", {"file": marks, "word": f"job {number}"})
    command = ("-m", "tests.publishing.sleepy_worker")

    victim = start_worker(command, JOB_LEASE_SECONDS=2)
    wait_for(lambda: Job.objects.filter(state="running").exists())
    os.kill(victim.pid, signal.SIGKILL)
    victim.wait()
    rescuer = start_worker(command, JOB_LEASE_SECONDS=2)
    wait_for(lambda: Job.objects.filter(state="done").count() == 6)
    rescuer.send_signal(signal.SIGTERM)
    rescuer.wait(timeout=20)

    with open(marks) as lines:
        assert sorted(line.strip() for line in lines) == [f"job {number}" for number in range(6)]
    assert Job.objects.filter(attempts__gt=1).exists()
