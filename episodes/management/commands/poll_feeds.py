from collections.abc import Iterator

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from episodes.importing.polling import ask_to_read, key_of, read_again
from episodes.models import FeedSource
from publishing import jobs
from publishing.turns import Disturbed

from .import_feed import find_show


class Command(BaseCommand):
    help = (
        "Read followed feeds again that are due, as the worker does by itself. Safe to run twice, and beside workers."
    )

    def add_arguments(self, parser):
        parser.add_argument(
            "shows", nargs="*", metavar="SHOW", help="Slugs of shows; all that are followed by default."
        )
        parser.add_argument("--now", action="store_true", help="Read them whether they are due or not.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be done, and do nothing.")

    def handle(self, *, shows: list[str], now: bool, dry_run: bool, **options):
        for source in self._sources(shows):
            if not now and (source.next_read_at is None or source.next_read_at > timezone.now()):
                due = timezone.localtime(source.next_read_at) if source.next_read_at else ""
                said = f"not due before {due:%Y-%m-%d %H:%M}; --now reads it at once." if shows else ""
            else:
                said = _would_do(source) if dry_run else _read(source)
            if said:
                self.stdout.write(f"“{source.show.item}” ({source.address}): {said}")

    def _sources(self, slugs: list[str]) -> Iterator[FeedSource]:
        """Yield the followed feeds of these shows, or all, those first that are due longest. Raises CommandError."""
        followed = FeedSource.objects.followed().order_by("next_read_at", "pk")
        if slugs:
            shows = [find_show(slug) for slug in slugs]
            unfollowed = [show for show in shows if not followed.filter(show=show).exists()]
            if unfollowed:
                raise CommandError(
                    f"No feed of “{unfollowed[0].item}” is followed. Turn on “Look for new episodes” on its page."
                )
            followed = followed.filter(show__in=shows)
        for pk in list(followed.values_list("pk", flat=True)):
            source = (
                FeedSource.objects.followed().filter(pk=pk).select_related("show__item", "followed_by", "publisher")
            )
            yield from source


def _would_do(source: FeedSource) -> str:
    try:
        return read_again(source, dry_run=True).said
    except Disturbed as disturbed:
        return str(disturbed)


def _read(source: FeedSource) -> str:
    """Read a feed under the lease of its job; a worker that is at it already does it alone."""
    ask_to_read(source)
    held = jobs.claim(key_of(source.pk))
    ended = jobs.do(held) if held else None
    if ended is None:
        return "a worker is reading it."
    return ended.last_error or (ended.result or {}).get("said", "")
