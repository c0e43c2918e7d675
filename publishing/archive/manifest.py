"""What an archive says of itself: its version, what it holds, and the sum of each member."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _, ngettext

from .lines import HIGHEST_NUMBER
from .refusals import ArchiveRefused, shown
from .versions import FORMAT, VERSION, oldest

NAME = "manifest.json"
FILES = "files/"
MOST_BYTES = 128 * 1024 * 1024  # of half a million members

_SUM = re.compile(r"[0-9a-f]{64}", re.ASCII)


@dataclass(frozen=True)
class Member:
    """One file of the archive; ``sha256`` is over its bytes unpacked."""

    name: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class TableFacts:
    """How many rows a table has; ``last_id`` is the last number that it gave, to a deleted row too."""

    rows: int
    last_id: int | None


@dataclass
class Manifest:
    with_emails: bool = False
    version: int = VERSION
    tables: dict[str, TableFacts] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)
    files_left_out: list[str] = field(default_factory=list)

    @property
    def files(self) -> list[str]:
        """Return the storage's names of the files that the archive holds."""
        return [name.removeprefix(FILES) for name in self.members if name.startswith(FILES)]

    def in_words(self) -> str:
        """Return how much it holds, as part of a sentence."""
        items, files = self.tables["publishing.Item"].rows, len(self.files)
        rows = sum(facts.rows for facts in self.tables.values())
        parts = [
            ngettext("%(count)s item", "%(count)s items", items) % {"count": f"{items:,}"},
            ngettext("%(count)s row in all", "%(count)s rows in all", rows) % {"count": f"{rows:,}"},
            ngettext("%(count)s file", "%(count)s files", files) % {"count": f"{files:,}"},
        ]
        return ", ".join(parts)

    def as_bytes(self) -> bytes:
        said = {
            "format": FORMAT,
            "version": self.version,
            "with_emails": self.with_emails,
            "tables": {label: _without_none(vars(facts)) for label, facts in self.tables.items()},
            "members": {one.name: {"bytes": one.bytes, "sha256": one.sha256} for one in self.members.values()},
            "files_left_out": sorted(self.files_left_out),
        }
        return json.dumps(said, ensure_ascii=False, sort_keys=True, indent=1).encode() + b"\n"


def _without_none(values: dict) -> dict:
    return {name: value for name, value in values.items() if value is not None}


def read_manifest(data: bytes) -> Manifest:
    """Return what a manifest says. Raises ArchiveRefused where it is none, or one of a version not read here."""
    said = _parsed(data)
    version = _version_of(said)
    try:
        return Manifest(
            with_emails=_one(said["with_emails"], bool),
            version=version,
            tables={label: _table_facts(facts) for label, facts in _one(said["tables"], dict).items()},
            members={name: _member(name, facts) for name, facts in _one(said["members"], dict).items()},
            files_left_out=[_one(name, str) for name in _one(said["files_left_out"], list)],
        )
    except (KeyError, TypeError, ValueError) as wrong:
        message = _("manifest.json is not as docs/archive-format.md says: %(wrong)s. Take another copy of the archive.")
        raise ArchiveRefused(message % {"wrong": shown(wrong)}) from wrong


def _parsed(data: bytes) -> dict:
    try:
        said = json.loads(data.decode())
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        message = _(
            "manifest.json does not say that this is an archive of a Pullquote site. Give one that export_site made."
        )
        raise ArchiveRefused(message)
    return said


def _version_of(said: dict) -> int:
    version = said.get("version")
    if type(version) is not int or version < 0:
        raise ArchiveRefused(_("manifest.json gives no version. Take another copy of the archive."))
    if version > VERSION:
        message = _(
            "The archive has version %(version)s; this program reads up to %(known)s. "
            "Update Pullquote here, run migrate, then import again."
        )
        raise ArchiveRefused(message % {"version": version, "known": VERSION})
    if version < oldest():
        message = _(
            "The archive has version %(version)s; this program reads %(oldest)s to %(known)s. "
            "Import it with the release that wrote it, update that site, and export again."
        )
        raise ArchiveRefused(message % {"version": version, "oldest": oldest(), "known": VERSION})
    return version


def _one(value: Any, wanted: type) -> Any:
    if type(value) is not wanted:
        raise TypeError(f"{wanted.__name__} expected, {value!r} found")
    return value


def _number(value: Any) -> int:
    if not 0 <= _one(value, int) <= HIGHEST_NUMBER:
        raise ValueError(f"{value} is out of range")
    return value


def _member(name: str, facts: Any) -> Member:
    if not _SUM.fullmatch(_one(facts["sha256"], str)):
        raise ValueError(f"{facts['sha256']} is no SHA-256")
    return Member(name, _number(facts["bytes"]), facts["sha256"])


def _table_facts(facts: Any) -> TableFacts:
    last_id = facts.get("last_id") if isinstance(facts, dict) else None
    return TableFacts(_number(_one(facts, dict)["rows"]), None if last_id is None else _number(last_id))
