import time

from django.core.management.base import BaseCommand, CommandError

from quotes.dataset.fill import NotEmpty, make_dataset
from quotes.dataset.plan import Size


class Command(BaseCommand):
    help = "Fill an empty database with an invented publication of any size, always the same, to measure on."

    def add_arguments(self, parser):
        parser.add_argument("--episodes", type=int, default=Size.episodes)
        parser.add_argument("--quotes-per-episode", type=int, default=Size.quotes_per_episode)
        for name in ("shows", "guests", "topics"):
            parser.add_argument(f"--{name}", type=int, default=0, help="From the number of episodes where not given.")
        parser.add_argument("--seed", type=int, default=Size.seed, help="The same seed makes the same rows.")

    def handle(self, **options):
        asked = {name: options[name] for name in Size.__dataclass_fields__}
        if asked["episodes"] < 1 or any(number < 0 for number in asked.values()):
            raise CommandError("Give at least one episode, and no number below 0.")
        start = time.monotonic()
        try:
            count = make_dataset(Size(**asked), self.report)
        except NotEmpty:
            raise CommandError("The database has content. A data set is made in an empty one only.") from None
        self.stdout.write(f"Made {count:,} items in {time.monotonic() - start:.0f} seconds.")

    def report(self, done: int, of: int) -> None:
        self.stdout.write(f"{done:,} of {of:,} episodes")
