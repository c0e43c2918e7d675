from django.core.management.base import BaseCommand

from publishing.worker import run_worker


class Command(BaseCommand):
    help = "Do the jobs: imports, fetches and whatever is due. Start one beside the server."

    def add_arguments(self, parser):
        parser.add_argument("--batch", action="store_true", help="Stop when nothing is due any more.")

    def handle(self, *, batch: bool, **options):
        self.stdout.write("Working. Stop with Ctrl-C.")
        run_worker(batch=batch)
