from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    """Shows, episodes, guests, topics and their media."""

    name = "episodes"
    verbose_name = "Episodes"

    def ready(self):
        from . import forms  # noqa: F401 - registers the content forms
        from .importing import jobs  # noqa: F401 - registers the jobs
        from .transcripts import jobs as transcript_jobs  # noqa: F401 - registers the job
