import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import IO

from django.core.management.base import BaseCommand, CommandError

from publishing.archive.snapshot import snapshot
from publishing.tables.exporting import DRAFTS, HEADS, LIVE, doubles, export_table, rows_of
from quotes.tables import TABLES

MOST_DOUBLES = 20  # shown at once
PRIVATE = 0o600  # a table holds drafts


class Command(BaseCommand):
    help = "Write a table that import_table reads: docs/tables.md."

    def add_arguments(self, parser):
        parser.add_argument("table", choices=list(TABLES))
        parser.add_argument("--format", choices=["csv", "jsonl"], default="csv")
        parser.add_argument("--output", metavar="FILE", default="-", help="Replaced once all is written. Default: -")
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--live", dest="which", action="store_const", const=LIVE, help="As readers see it.")
        which.add_argument(
            "--drafts", dest="which", action="store_const", const=DRAFTS, help="Only what readers do not see as it is."
        )
        parser.set_defaults(which=HEADS)

    def handle(self, *, table: str, format: str, output: str, which: str, verbosity: int, **options):
        count = 0

        def tell(done: int) -> None:
            nonlocal count
            count = done

        asked = TABLES[table]
        try:
            with self._target(output) as file, snapshot():
                for piece in export_table(asked, rows_of(asked, which), format, is_live=which == LIVE, tell=tell):
                    file.write(piece)
                twice = doubles(asked) if which != LIVE else []
        except OSError as failed:
            raise CommandError(f"{output} cannot be written: {failed.strerror}. Nothing was exported.") from failed
        if verbosity:
            self.stderr.write(f"{table}: {count:,} written.")
        if twice:
            named = ", ".join(twice[:MOST_DOUBLES]) + (", …" if twice[MOST_DOUBLES:] else "")
            self.stderr.write(
                f"More than one draft has the address {named}; import_table will not tell them apart. "
                "Give one of each another address, then export again."
            )

    @contextmanager
    def _target(self, output: str) -> Iterator[IO[bytes]]:
        """Give what to write to; a file is there under its name once it is whole."""
        if output == "-":
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
            return
        target = Path(output)
        unfinished = target.with_name(f".{target.name}.{token_hex(8)}.part")
        try:
            unfinished.touch(PRIVATE, exist_ok=False)
            with unfinished.open("wb") as file:
                yield file
            unfinished.replace(target)
        finally:
            unfinished.unlink(missing_ok=True)
