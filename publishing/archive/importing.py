"""Fill an empty site from an archive: all of it, or nothing."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.db import DatabaseError, connection, transaction
from django.utils.translation import gettext as _

from .agreement import files_to_land, refuse_other_count, refuse_other_tables
from .contents import exported_models
from .exporting import Tell, tables
from .invariants import Fault, broken, dangling
from .landing import landing, looked_at
from .manifest import Manifest
from .numbering import number_on_after
from .reading import Archive, open_archive, placed
from .refusals import ArchiveRefused, RowRefused, shown
from .tables import Table

ROWS_AT_ONCE = 500
BYTES_AT_ONCE = 8 * 1024 * 1024
UNWRITABLE = (DatabaseError, RowRefused, ValueError, OverflowError)

Batch = list[tuple[int, Any]]  # lines with what they hold


def import_site(source: Path, tell: Tell, *, dry_run: bool = False) -> Manifest:
    """Bring everything in under the keys that it had, and return what it was.

    With ``dry_run`` look at the archive, on any site, and do nothing.

    Raises ArchiveRefused, with nothing kept, where this site is not empty or the archive
    is not what an export would have written.
    """
    if not dry_run:
        refuse_filled_site()
    with open_archive(source) as archive:
        held = tables(with_emails=archive.manifest.with_emails)
        refuse_other_tables(archive.manifest, held)
        wanted = _read_through(archive, held, tell)
        files = files_to_land(archive.manifest, wanted)
        if dry_run:
            for name in files:
                with looked_at(archive, name):
                    tell(name)
        else:
            _bring_in(archive, held, files, tell)
        return archive.manifest


def refuse_filled_site() -> None:
    """Raise ArchiveRefused where the site has anything that an archive would bring."""
    for model in (get_user_model(), *exported_models()):
        if model._base_manager.exists():
            message = _(
                "This site is not empty: it has %(rows)s. An archive fills a site that migrate has just made. "
                "Give an empty database with DATABASE_URL and an empty folder with DATA_DIR, run migrate, then "
                "import; make a superuser afterwards."
            )
            raise ArchiveRefused(message % {"rows": model._meta.verbose_name_plural})


def _read_through(archive: Archive, held: list[Table], tell: Tell) -> set[str]:
    """Read every row as the import will, and return the files that rows name; nothing is written yet."""
    wanted: set[str] = set()
    for table in held:
        count = 0
        for batch in _batches(archive, table):
            wanted |= {name for _line, loaded in batch for name in table.files_of(loaded)}
            count += len(batch)
        refuse_other_count(archive.manifest, table, count)
        tell(_("%(member)s: %(rows)s rows, as they should be") % {"member": table.member, "rows": f"{count:,}"})
    return wanted


def _bring_in(archive: Archive, held: list[Table], files: list[str], tell: Tell) -> None:
    with landing() as place:
        for name in files:
            place.land(archive, name)
            tell(name)
        with transaction.atomic():
            _lock(held)
            refuse_filled_site()
            for table in held:
                _write_table(archive, table)
                tell(_("%(member)s: written") % {"member": table.member})
            _refuse_broken(archive, held)
            for table in held:
                _number_on(archive, table)
            _analyze()


def _lock(held: list[Table]) -> None:
    """Keep everybody else from writing; on SQLite the transaction does."""
    if connection.vendor == "postgresql":
        names = ", ".join(connection.ops.quote_name(table.model._meta.db_table) for table in held)
        with connection.cursor() as cursor:
            cursor.execute(f"LOCK TABLE {names} IN EXCLUSIVE MODE")


def _batches(archive: Archive, table: Table) -> Iterator[Batch]:
    """Yield the rows of a table as the database takes them, some at a time."""
    batch: Batch = []
    size = 0
    for number, length, row in archive.rows(table):
        with placed(table, number):
            batch.append((number, table.load(row)))
        size += length
        if len(batch) == ROWS_AT_ONCE or size > BYTES_AT_ONCE:
            yield batch
            batch, size = [], 0
    yield batch


def _write_table(archive: Archive, table: Table) -> None:
    table.make_room()
    for batch in _batches(archive, table):
        try:
            with transaction.atomic():
                table.write([loaded for _line, loaded in batch])
        except UNWRITABLE as refused:
            raise _refused_row(table, batch) from refused


def _refused_row(table: Table, batch: Sequence[tuple[int, Any]]) -> ArchiveRefused:
    """Return which line the database refuses, found by writing one at a time."""
    message = _("%(member)s, line %(line)s: %(why)s")
    for number, loaded in batch:
        try:
            with transaction.atomic():
                table.write([loaded])
        except UNWRITABLE as refused:
            why = str(refused).partition("\n")[0]
            return ArchiveRefused(message % {"member": table.member, "line": number, "why": shown(why)})
    lines = f"{batch[0][0]}–{batch[-1][0]}"
    return ArchiveRefused(message % {"member": table.member, "line": lines, "why": _("the database refuses them.")})


def _refuse_broken(archive: Archive, held: list[Table]) -> None:
    by_model = {table.model: table for table in held}
    for table in held:
        fault = dangling(table)
        if fault:
            raise _refused_fault(archive, table, fault)
    for model, fault in broken():
        raise _refused_fault(archive, by_model[model], fault)


def _refused_fault(archive: Archive, table: Table, fault: Fault) -> ArchiveRefused:
    """Return the sentence with the line of the row, which is looked for."""
    key, sentence = fault
    name = table.model._meta.pk.name if table.model._meta.pk else ""
    line = next(number for number, _length, row in archive.rows(table) if row[name] == key)
    message = _("%(member)s, line %(line)s: %(why)s")
    return ArchiveRefused(message % {"member": table.member, "line": line, "why": sentence})


def _number_on(archive: Archive, table: Table) -> None:
    if table.is_numbered:
        facts = archive.manifest.tables.get(table.label)
        number_on_after(table.model, (facts.last_id if facts else None) or 0)


def _analyze() -> None:
    """Tell the database's planner what it holds now, as it would find out by itself in time."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
