"""Where a manifest, the members and the rows of an archive must agree."""

from django.utils.translation import gettext as _

from .manifest import FILES, Manifest
from .refusals import ArchiveRefused, shown
from .tables import Table
from .versions import new_since


def refuse_other_tables(manifest: Manifest, held: list[Table]) -> None:
    """Raise ArchiveRefused unless the archive has just the tables that one of its version has."""
    named, known = set(manifest.tables), {table.label for table in held}
    missing = known - named - new_since(manifest.version)
    unknown = named - known
    if missing or unknown:
        message = _(
            "manifest.json names other tables than this program has: %(names)s. Take another copy of the archive."
        )
        raise ArchiveRefused(message % {"names": shown(", ".join(sorted(missing | unknown)))})
    _refuse_other_members(manifest, {table.member for table in held if table.label in named})


def _refuse_other_members(manifest: Manifest, members: set[str]) -> None:
    found = {name for name in manifest.members if not name.startswith(FILES)}
    for name in sorted(found ^ members):
        message = _("manifest.json and its tables do not agree on %(name)s. Take another copy of the archive.")
        raise ArchiveRefused(message % {"name": shown(name)})


def refuse_other_count(manifest: Manifest, table: Table, count: int) -> None:
    facts = manifest.tables.get(table.label)
    if facts and facts.rows != count:
        message = _("%(member)s has %(count)s rows; manifest.json says %(rows)s. Take another copy of the archive.")
        raise ArchiveRefused(message % {"member": table.member, "count": count, "rows": facts.rows})


def files_to_land(manifest: Manifest, wanted: set[str]) -> list[str]:
    """Return the files of the archive. Raises ArchiveRefused unless they are those that rows name."""
    there, left_out = set(manifest.files), set(manifest.files_left_out)
    faults = [
        (_("Rows name the file %(name)s, which is not in the archive."), wanted - there - left_out),
        (_("No row names the file %(name)s, which is in the archive."), there - wanted),
        (
            _("The file %(name)s is left out, but no row names it, or it is there."),
            left_out - wanted | left_out & there,
        ),
        (_("More than one file has the name %(name)s, but for large and small letters."), _clashing(wanted)),
    ]
    for message, names in faults:
        if names:
            raise ArchiveRefused(f"{message % {'name': shown(min(names))}} {_('Take another copy of the archive.')}")
    return sorted(there)


def _clashing(names: set[str]) -> set[str]:
    """Return names that many a disk holds to be one."""
    small: dict[str, str] = {}
    return {name for name in sorted(names) if small.setdefault(name.lower(), name) != name}
