from django.apps import AppConfig


class QuotesConfig(AppConfig):
    """Quotes and what proves them."""

    name = "quotes"
    verbose_name = "Quotes"

    def ready(self):
        from . import forms, table_page  # noqa: F401 - register the content form and the job
