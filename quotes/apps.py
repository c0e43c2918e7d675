from django.apps import AppConfig


class QuotesConfig(AppConfig):
    """Quotes and what proves them."""

    name = "quotes"
    verbose_name = "Quotes"

    def ready(self):
        from . import checking, export_files, forms, resting, table_page  # noqa: F401 - register the content form, the jobs, what follows a transcript
