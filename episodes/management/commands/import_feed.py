import sys
from pathlib import Path

from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError

from episodes.importing.parsed import FeedUnreadable
from episodes.importing.service import ImportRefused, NeedsConfirmation, Options, import_feed
from episodes.importing.source import FoundFeed, move_source, read_address, read_file, remember_answer
from episodes.models import Show
from publishing.fetch import FetchError
from publishing.models import Item
from publishing.reports import ImportReport
from publishing.turns import Disturbed

MOST_LINES = 40  # of one list on the screen; --verbosity 2 shows all


class Command(BaseCommand):
    help = "Import a podcast feed from an address or a file. Safe to run again: what was edited here stays."

    def add_arguments(self, parser):
        parser.add_argument("source", metavar="ADDRESS_OR_FILE")
        parser.add_argument("--feed-url", metavar="ADDRESS", help="The address a file came from.")
        parser.add_argument("--show", metavar="SLUG", help="Import into this show.")
        parser.add_argument(
            "--publish",
            action="store_true",
            help="Publish the show, the guests named and the episodes, unless edited here.",
        )
        parser.add_argument("--dry-run", action="store_true", help="Say what would be done, and do nothing.")
        parser.add_argument("--limit", type=int, metavar="N", help="Take the first N episodes only.")
        parser.add_argument("--owner-agrees", action="store_true", help="Import a feed that says it is locked.")

    def handle(self, *, source: str, feed_url: str | None, **options):
        if options["limit"] is not None and options["limit"] < 1:
            raise CommandError("--limit takes a number from 1 up.")
        show = find_show(options["show"]) if options["show"] else None
        try:
            found = self._read(source, feed_url)
            if found.feed is None:
                self.stdout.write("The feed has not changed since it was last read.")
                return
            report = import_feed(
                found.feed,
                found.address,
                Options(
                    show=show,
                    publish=options["publish"],
                    dry_run=options["dry_run"],
                    limit=options["limit"],
                    owner_agrees=options["owner_agrees"],
                    progress=self._progress,
                ),
            )
        except NeedsConfirmation as locked:
            raise CommandError(f"{locked} If the owner agrees, run again with --owner-agrees.") from locked
        except (FetchError, FeedUnreadable, ImportRefused, PermissionDenied, Disturbed) as refused:
            raise CommandError(str(refused)) from refused
        if not options["dry_run"] and options["limit"] is None:
            remember_answer(found)
        self._tell(report, everything=options["verbosity"] > 1)

    def _read(self, source: str, feed_url: str | None) -> FoundFeed:
        if not source.lower().startswith(("http://", "https://")):
            path = Path(source)
            return read_file(path, feed_url or path.resolve().as_uri())
        found = read_address(source)
        move_source(source, found)
        return found

    def _progress(self, done: int, of: int) -> None:
        self.stderr.write(f"  {done} of {of}", ending="\r" if sys.stderr.isatty() else "\n")

    def _tell(self, report: ImportReport, *, everything: bool) -> None:
        self.stdout.write(f"“{report.about}”: {report.counts()}")
        for heading, lines in report.sections():
            self.stdout.write(f"\n{heading} ({len(lines)})")
            shown = lines if everything else lines[:MOST_LINES]
            for line in shown:
                self.stdout.write(f"  {line}")
            if len(shown) < len(lines):
                self.stdout.write(f"  … and {len(lines) - len(shown)} more; --verbosity 2 shows them")


def find_show(slug: str) -> Show:
    """Return the show with this slug, live or working. Raises CommandError naming it."""
    item = Item.objects.of_kind("show").filter(working_slug=slug).select_related("show").order_by("pk").first()
    if item is None:
        raise CommandError(f"No show has the slug “{slug}”. Add it first, or leave --show out.")
    return item.show
