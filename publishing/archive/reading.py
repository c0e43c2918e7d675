"""An archive and its rows. Whatever it says is doubted.

Members are those that the manifest names, no more and no fewer; each of them is read up
to the size that the manifest gives, and its sum compared.
"""

import io
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _

from .lines import MOST_LINE_BYTES, Row, load_line
from .manifest import MOST_BYTES, NAME, Manifest, read_manifest
from .refusals import ArchiveRefused, RowRefused, shown
from .sources import UNREADABLE, Checked, Source, open_source
from .tables import Table
from .versions import upgraded

MOST_LISTED = 5


class Archive:
    """An archive whose members are those of its manifest, no more and no fewer."""

    def __init__(self, source: Source):
        self._source = source
        names = source.names()
        self.manifest = self._manifest(names)
        self._compare(names)

    def _manifest(self, names: list[str]) -> Manifest:
        if NAME not in names:
            raise ArchiveRefused(_("There is no manifest.json in it. Give an archive that export_site made."))
        try:
            with self._source.open(NAME) as file:
                data = file.read(MOST_BYTES + 1)
        except UNREADABLE as broken:
            message = _("manifest.json cannot be read (%(why)s). Take another copy of the archive.")
            raise ArchiveRefused(message % {"why": shown(broken)}) from broken
        if len(data) > MOST_BYTES:
            raise ArchiveRefused(_("manifest.json is too large to be one. Take another copy of the archive."))
        return read_manifest(data)

    def _compare(self, names: list[str]) -> None:
        wanted = {NAME, *self.manifest.members}
        faults = [
            (
                _("It has more than one member of the name %(names)s."),
                [name for name, n in Counter(names).items() if n > 1],
            ),
            (_("It lacks %(names)s, which manifest.json names."), sorted(wanted - set(names))),
            (_("It holds %(names)s, which manifest.json does not name."), sorted(set(names) - wanted)),
        ]
        for message, found in faults:
            if found:
                listed = ", ".join(shown(name) for name in found[:MOST_LISTED]) + (", …" if found[MOST_LISTED:] else "")
                raise ArchiveRefused(f"{message % {'names': listed}} {_('Take another copy of the archive.')}")

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """Open a member; reading to its end tells whether it is whole."""
        member = self.manifest.members[name]
        try:
            file = self._source.open(name)
        except UNREADABLE as broken:
            message = _("%(name)s cannot be read (%(why)s). Take another copy of the archive.")
            raise ArchiveRefused(message % {"name": shown(name), "why": shown(broken)}) from broken
        with file, io.BufferedReader(Checked(member, file), 256 * 1024) as checked:
            yield checked

    def rows(self, table: Table) -> Iterator[tuple[int, int, Row]]:
        """Yield ``(line, bytes, row)`` of a table, each row as this version has it."""
        if table.member not in self.manifest.members:  # the archive is older than the table
            return
        with self.open(table.member) as file:
            for number, line in enumerate(_lines(table, file), start=1):
                with placed(table, number):
                    row = upgraded(self.manifest.version, table.label, load_line(line))
                yield number, len(line), row


def _lines(table: Table, file: IO[bytes]) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MOST_LINE_BYTES + 1):
        number += 1
        with placed(table, number):
            if len(line) > MOST_LINE_BYTES:
                raise RowRefused(_("The line is longer than %(most)s MB.") % {"most": MOST_LINE_BYTES // 1024**2})
            if not line.endswith(b"\n"):
                raise RowRefused(_("The line is cut off."))
        yield line


@contextmanager
def placed(table: Table, number: int) -> Iterator[None]:
    """Say of a row that is refused where it stands."""
    try:
        yield
    except RowRefused as refused:
        message = _("%(member)s, line %(line)s: %(why)s")
        raise ArchiveRefused(message % {"member": table.member, "line": number, "why": refused}) from refused


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open a folder or a zip file. Raises ArchiveRefused where it is no archive that we take."""
    with open_source(path) as source:
        yield Archive(source)
