from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    """Shows, episodes, guests, topics and their media."""

    name = "episodes"
    verbose_name = "Episodes"

    def ready(self):
        from . import checks, forms, media_jobs  # noqa: F401 - registers the check of ffmpeg, the content forms, a job
        from .importing import jobs  # noqa: F401 - registers the jobs
        from .transcripts import jobs as transcript_jobs  # noqa: F401 - registers the job
