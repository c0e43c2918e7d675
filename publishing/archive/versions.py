"""The version of the format, and how rows of earlier ones become rows of this one.

Whoever changes a table that is exported, raises VERSION and says in UPGRADES what is
done to the rows that sites have exported before: what their data migration does.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .lines import Row

FORMAT = "pullquote-site"
VERSION = 1


@dataclass(frozen=True)
class Upgrade:
    """The way from one version to the next: a row, given its table's name, and the tables that came with it."""

    row: Callable[[str, Row], Row]
    new_tables: frozenset[str] = frozenset()


UPGRADES: dict[int, Upgrade] = {}  # by the version that is left behind


def upgraded(version: int, table: str, row: Row) -> Row:
    """Return a row of an earlier version as this one has it."""
    for step in range(version, VERSION):
        row = UPGRADES[step].row(table, row)
    return row


def new_since(version: int) -> set[str]:
    """Return the tables that an archive of that version cannot have."""
    return {table for step in range(version, VERSION) for table in UPGRADES[step].new_tables}


def oldest() -> int:
    """Return the earliest version from which there is a way to this one."""
    version = VERSION
    while version - 1 in UPGRADES:
        version -= 1
    return version
