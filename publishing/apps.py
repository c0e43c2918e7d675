from django.apps import AppConfig


class PublishingConfig(AppConfig):
    """How anything becomes public."""

    name = "publishing"
    verbose_name = "Publishing"
