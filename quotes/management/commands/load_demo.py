from django.core.management.base import BaseCommand

from quotes.demo.load import load_demo


class Command(BaseCommand):
    help = "Load an invented publication to look at, where the database is empty. Safe to run twice."

    def handle(self, **options):
        count = load_demo()
        self.stdout.write(
            f"Loaded “The Long Signal”: {count} items."
            if count
            else "The database has content; the demo was not loaded."
        )
