from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    """Shows, episodes, guests, topics and their media."""

    name = "episodes"
    verbose_name = "Episodes"

    def ready(self):
        from . import checks, forms, media_jobs, unused  # noqa: F401 - register a check, the content forms, a job, a chore
        from .importing import jobs, polling  # noqa: F401 - register the jobs, and what makes them when they are due
        from .transcripts import jobs as transcript_jobs  # noqa: F401 - registers the job
