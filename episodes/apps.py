from django.apps import AppConfig


class EpisodesConfig(AppConfig):
    """Shows, episodes, guests, topics and their media."""

    name = "episodes"
    verbose_name = "Episodes"

    def ready(self):
        from . import forms  # noqa: F401, PLC0415 - registers the content forms
        from .importing import jobs  # noqa: F401, PLC0415 - registers the jobs
