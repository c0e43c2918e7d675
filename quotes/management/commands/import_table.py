from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from publishing.tables.importing import TableFaults, TableOptions, import_table
from publishing.tables.reading import TableUnreadable
from publishing.turns import Disturbed
from quotes.tables import TABLES

MOST_FAULTS = 50  # shown at once


class Command(BaseCommand):
    help = (
        "Import a newsroom's backlog from a CSV file with a header, or JSON Lines: docs/tables.md. Safe to run again."
    )

    def add_arguments(self, parser):
        parser.add_argument("table", choices=list(TABLES))
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--publish", action="store_true", help="Publish what is new or was not edited here.")
        parser.add_argument("--reason", default="", metavar="TEXT", help="Logged where a publisher must give one.")
        parser.add_argument("--dry-run", action="store_true", help="Say what would be done, and do nothing.")
        parser.add_argument(
            "--keep-good", action="store_true", help="Import the lines that are right though others are not."
        )

    def handle(self, *, table: str, file: str, publish: bool, reason: str, dry_run: bool, keep_good: bool, **options):
        try:
            data = Path(file).read_bytes()
        except OSError as unread:
            raise CommandError(f"{file} cannot be opened: {unread.strerror}.") from unread
        asked = TableOptions(publish=publish, reason=reason, dry_run=dry_run, keep_good=keep_good)
        try:
            report = import_table(TABLES[table], data, asked)
        except TableUnreadable as unreadable:
            raise CommandError(f"{file}: {unreadable}") from unreadable
        except Disturbed as disturbed:
            raise CommandError(str(disturbed)) from disturbed
        except TableFaults as found:
            raise CommandError(self._faults(file, found.faults)) from found
        self.stdout.write(f"{report.about}: {report.counts()}")
        for heading, lines in report.sections():
            self.stdout.write(f"\n{heading} ({len(lines)})")
            for line in lines:
                self.stdout.write(f"  {line}")
        if report.faults:
            raise CommandError(f"{len(report.faults)} lines of {file} were left out; they are named above.")

    def _faults(self, file: str, faults: list[str]) -> str:
        more = f"\n  … and {len(faults) - MOST_FAULTS} more" if len(faults) > MOST_FAULTS else ""
        listed = "\n  ".join(faults[:MOST_FAULTS])
        return f"{file}: nothing was imported.\n  {listed}{more}"
