from django.apps import AppConfig


class PublishingConfig(AppConfig):
    """How anything becomes public."""

    name = "publishing"
    verbose_name = "Publishing"

    def ready(self):
        from . import made_files, stored_files, uploads, work_folders  # noqa: F401 - register what the worker tidies
