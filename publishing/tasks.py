"""What the task engine carries: a wake-up call."""

from django_tasks import task

from . import jobs


@task()
def look() -> int:
    """Do whatever is due; returns how many jobs were done or tried."""
    return jobs.work_through()
