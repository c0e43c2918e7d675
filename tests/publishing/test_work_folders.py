"""The folder of a job: its own, gone afterwards, and what a killed attempt left in it too."""

from pathlib import Path

import pytest

from publishing import jobs
from publishing.work_folders import work_folder

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def root(settings, tmp_path) -> Path:
    settings.WORK_DIR = tmp_path / "work"
    return settings.WORK_DIR


def held(key: str) -> jobs.Held:
    jobs.enqueue("test-work", key)
    claimed = jobs.claim()
    assert claimed is not None
    return claimed


def test_it_is_gone_afterwards_whatever_happened(root):
    with work_folder(held("one")) as folder:
        (folder / "file").write_bytes(b"x")
    with pytest.raises(OSError, match="full"), work_folder(held("two")):
        raise OSError("The disk is full.")

    assert list(root.iterdir()) == []


def test_another_attempt_deletes_what_a_killed_one_left_and_nothing_of_others(root):
    killed, other = held("one"), held("two")
    left = root / f"{killed.job.pk}-0123"
    others = root / f"{other.job.pk}-4567"
    longer = root / f"{killed.job.pk}9-89ab"
    for folder in (left, others, longer):
        folder.mkdir(parents=True)
        (folder / "half.mp4").write_bytes(b"x")

    with work_folder(killed):
        assert not left.exists()

    assert others.exists()
    assert longer.exists()


def test_a_worker_that_lost_its_job_ends_without_a_folder(root):
    paused = held("one")
    with work_folder(paused) as folder:
        paused.token = "another"
        with work_folder(paused):
            assert not folder.exists()
