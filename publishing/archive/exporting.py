"""Write the whole publication into an archive."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from publishing.models import Job

from .accounts import GroupTable, UserTable
from .contents import exported_models
from .lines import dump_line
from .manifest import FILES, NAME, Manifest, TableFacts
from .numbering import last_id
from .reading import MOST_LISTED
from .refusals import ArchiveRefused
from .snapshot import snapshot
from .tables import Table
from .writing import Sink, open_sink

CHUNK = 1024 * 1024  # bytes of a file read at once

Tell = Callable[[str], None]


@dataclass(frozen=True)
class ExportOptions:
    """``skip_missing`` goes on where a file that a row names is gone."""

    with_emails: bool = False
    with_files: bool = True
    skip_missing: bool = False


@dataclass
class Exported:
    """What an archive holds; ``waiting`` jobs are not in it."""

    manifest: Manifest
    waiting: int
    file_bytes: int = 0
    missing: list[str] = field(default_factory=list)


def tables(*, with_emails: bool) -> list[Table]:
    """Return every table of an archive, in the order they are written and read."""
    return [GroupTable(), UserTable(with_emails=with_emails), *(Table(model) for model in exported_models())]


def export_site(target: Path, asked: ExportOptions, tell: Tell) -> Exported:
    """Write the archive; ``tell`` hears of each table and file.

    Raises ArchiveRefused, with nothing left behind, where the target is taken, a row is
    not what an archive can hold, or a file is gone.
    """
    with open_sink(target) as sink, snapshot():
        exported = Exported(Manifest(with_emails=asked.with_emails), _count_waiting())
        names: set[str] = set()
        for table in tables(with_emails=asked.with_emails):
            names |= _write_table(sink, table, exported.manifest)
            tell(_("%(member)s: %(rows)s rows") % _told(table, exported.manifest))
        if asked.with_files:
            _write_files(sink, sorted(names), exported, tell)
        else:
            exported.manifest.files_left_out = sorted(names)
        if exported.missing and not asked.skip_missing:
            raise ArchiveRefused(_missing_message(exported.missing))
        with sink.member(NAME, is_text=True) as file:
            file.write(exported.manifest.as_bytes())
    return exported


def _count_waiting() -> int:
    return Job.objects.filter(state__in=[Job.State.READY, Job.State.RUNNING]).count()


def _told(table: Table, manifest: Manifest) -> dict:
    return {"member": table.member, "rows": f"{manifest.tables[table.label].rows:,}"}


def _write_table(sink: Sink, table: Table, manifest: Manifest) -> set[str]:
    """Write the rows of a table; return the names of the files that they have."""
    names: set[str] = set()
    count = 0
    places = [table.columns[place].name for place in table.file_places]
    with sink.member(table.member, is_text=True) as file:
        try:
            for row in table.rows():
                names |= {row[name] for name in places if row[name]}
                file.write(dump_line(row))
                count += 1
        except ValueError as refused:
            message = _("Row %(number)s of %(table)s cannot be written: %(why)s Correct it, then export again.")
            numbers = {"number": count + 1, "table": table.label, "why": refused}
            raise ArchiveRefused(message % numbers) from refused
    manifest.members[table.member] = file.facts
    manifest.tables[table.label] = TableFacts(count, last_id(table.model) if table.is_numbered else None)
    return names


def _write_files(sink: Sink, names: list[str], exported: Exported, tell: Tell) -> None:
    manifest = exported.manifest
    for name in names:
        try:
            stored = default_storage.open(name)
        except FileNotFoundError:
            exported.missing.append(name)
            continue
        with stored, sink.member(f"{FILES}{name}", is_text=False) as file:
            for chunk in stored.chunks(CHUNK):
                file.write(chunk)
        manifest.members[file.name] = file.facts
        exported.file_bytes += file.bytes
        tell(_("%(member)s: %(bytes)s bytes") % {"member": file.name, "bytes": f"{file.bytes:,}"})
    manifest.files_left_out = exported.missing


def _missing_message(missing: list[str]) -> str:
    listed = ", ".join(missing[:MOST_LISTED]) + (", …" if missing[MOST_LISTED:] else "")
    message = _(
        "%(count)s files that rows name are gone: %(names)s. "
        "Put them back, or leave them out with --skip-missing-files."
    )
    return message % {"count": len(missing), "names": listed}
