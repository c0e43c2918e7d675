"""A real worker process for the kill test, with a job that takes a moment and then leaves one mark."""

import os
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from publishing import jobs  # noqa: E402
from publishing.worker import run_worker  # noqa: E402


@jobs.job_kind("sleepy")
def sleepy(held) -> None:
    for step in range(5):
        time.sleep(0.1)
        held.report(step, of=5)
    with open(held.payload["file"], "a") as marks:
        marks.write(held.payload["word"] + "\n")


if __name__ == "__main__":
    run_worker()
