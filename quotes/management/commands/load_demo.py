from django.core.management.base import BaseCommand

from quotes.demo.load import load_demo


class Command(BaseCommand):
    help = "Load an invented publication to look at, where the database is empty. Safe to run twice."

    def handle(self, **options):
        report = load_demo()
        if not report.count:
            self.stdout.write("The database has content; the demo was not loaded.")
            return
        self.stdout.write(f"Loaded “The Long Signal”: {report.count} items.")
        for title in report.without_video:
            self.stdout.write(f"“{title}” keeps its address elsewhere: its video is made where ffmpeg is on the PATH.")
