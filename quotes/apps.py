from django.apps import AppConfig


class QuotesConfig(AppConfig):
    """Quotes and what proves them."""

    name = "quotes"
    verbose_name = "Quotes"

    def ready(self):
        from . import forms  # noqa: F401, PLC0415 - registers the content form
