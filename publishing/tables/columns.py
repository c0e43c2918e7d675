"""What a cell says: readers from text to the JSON that a content form stores, and the writers beside them."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, time
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from ..content import dump_moment
from ..kinds import get_kind
from ..models import Item, ItemLink
from ..text import clean_line

Named = tuple[str, str]  # a kind, and a slug or title as the cell gives it
PART = re.compile(r"(?:\\[\\;]|[^;])+")
ESCAPED = re.compile(r"\\([\\;])")
TO_ESCAPE = re.compile(r"[\\;]")


class CellFault(Exception):
    """What is wrong with a cell, as a sentence without the line's number."""


@dataclass
class References:
    """The items that a table's cells name, looked up together."""

    ids: dict[Named, list[int]] = field(default_factory=dict)
    slugs: dict[int, str] = field(default_factory=dict)  # of every item met

    def learn(self, named: set[Named]) -> None:
        """Look up what is not known yet: by slug, else by exact title; a few queries a kind."""
        for kind in {kind for kind, _text in named}:
            wanted = sorted({text for of_kind, text in named if of_kind == kind and (kind, text) not in self.ids})
            for start in range(0, len(wanted), 400):
                self._look_up(kind, wanted[start : start + 400])

    def add(self, kind: str, key: str, pk: int) -> None:
        self.ids[kind, key] = [pk]

    def one(self, kind: str, text: str) -> int:
        """Return the item's id. Raises CellFault where there is none, or more than one."""
        found = self.ids.get((kind, text), [])
        if len(found) == 1:
            return found[0]
        word = get_kind(kind).model._meta.verbose_name
        if not found:
            raise CellFault(_("no %(kind)s is called “%(text)s”. Add it first.") % {"kind": word, "text": text})
        raise CellFault(_("more than one %(kind)s is called “%(text)s”. Give the slug.") % {"kind": word, "text": text})

    def _look_up(self, kind: str, texts: list[str]) -> None:
        for pk, slug, path in _paths_of(kind, [text.rpartition("/")[2] for text in texts]):
            self._know(kind, path, pk, slug)
        left = [text for text in texts if (kind, text) not in self.ids]
        by_title = Item.objects.of_kind(kind).filter(working_title__in=left)
        for pk, title, slug in by_title.values_list("pk", "working_title", "working_slug"):
            self._know(kind, title, pk, slug)

    def _know(self, kind: str, text: str, pk: int, slug: str) -> None:
        self.slugs[pk] = slug
        known = self.ids.setdefault((kind, text), [])
        if pk not in known:
            known.append(pk)


def _paths_of(kind: str, slugs: list[str]) -> list[tuple[int, str, str]]:
    """Return ``(id, slug, path)``: the path is the slug below the slugs that its address stands under."""
    found = Item.objects.of_kind(kind).filter(working_slug__in=slugs)
    above = get_kind(kind).model.address_parents
    if not above:
        return [(pk, slug, slug) for pk, slug in found.values_list("pk", "working_slug")]
    links = ItemLink.objects.filter(source__in=found, role=above[0])
    rows = links.values_list("source", "source__working_slug", "target__working_slug")
    return [(pk, slug, f"{parent}/{slug}") for pk, slug, parent in rows]


Names = dict[int, str]  # how cells name items, by id; an item that is not in it is left out
Reader = Callable[[str, References], Any]
Writer = Callable[[Any, Names], str]


@dataclass(frozen=True)
class Column:
    """One column: the content field it fills, how a cell reads and is written, and which items the cell names.

    ``read`` gives back what ``write`` was given.
    """

    field: str
    read: Reader
    write: Writer
    names: Callable[[str], list[Named]] = lambda cell: []
    is_parent: bool = False
    is_own_kind: bool = False  # names rows of the same table, which may stand further down
    is_list: bool = False


def text(field_name: str) -> Column:
    return Column(field_name, lambda cell, references: cell, lambda value, names: value or "")


def choice(field_name: str, choices: Iterable[str]) -> Column:
    """One of a few words."""

    def read(cell: str, references: References) -> str:
        if cell not in choices:
            message = _("“%(cell)s” is none of its words. Use one of: %(choices)s.")
            raise CellFault(message % {"cell": cell, "choices": ", ".join(choices)})
        return cell

    return Column(field_name, read, lambda value, names: value or "")


def words(field_name: str) -> Column:
    """A list of short texts, separated by semicolons, each once."""
    return Column(
        field_name,
        lambda cell, references: list(dict.fromkeys(split(cell))),
        lambda value, names: join(value or []),
        is_list=True,
    )


def parent(name: str, kind: str) -> Column:
    return replace(item(name, kind), is_parent=True)


def item(name: str, kind: str) -> Column:
    return Column(
        name,
        lambda cell, references: references.one(kind, cell),
        lambda value, names: names.get(value, ""),
        lambda cell: [(kind, cell)],
    )


def items(field_name: str, kind: str, key: str, *, is_own_kind: bool = False) -> Column:
    """A list of links, separated by semicolons, in order."""

    def read(cell: str, references: References) -> list[dict]:
        return [{key: pk} for pk in dict.fromkeys(references.one(kind, name) for name in split(cell))]

    def write(value: list[dict] | None, names: Names) -> str:
        return join(names[row[key]] for row in value or [] if row[key] in names)

    def named(cell: str) -> list[Named]:
        return [(kind, name) for name in split(cell)]

    return Column(field_name, read, write, named, is_own_kind=is_own_kind, is_list=True)


def moment(field_name: str) -> Column:
    return Column(field_name, lambda cell, references: read_moment(cell), lambda value, names: value or "")


def read_moment(cell: str) -> str:
    """Return a day or a moment in UTC; without a zone it is in the site's."""
    try:
        found = parse_datetime(cell) or _midnight(cell)
        if found is not None:
            return dump_moment(found if timezone.is_aware(found) else timezone.make_aware(found))
    except (ValueError, OverflowError):  # the first and last days of the calendar have no neighbours
        pass
    raise CellFault(_("“%(cell)s” is no date. Write 2026-05-14 or 2026-05-14 10:00.") % {"cell": cell})


def _midnight(cell: str) -> datetime | None:
    day = parse_date(cell)
    return datetime.combine(day, time()) if day else None


def split(cell: str) -> list[str]:
    """Return the parts between semicolons; ``\\;`` is a semicolon and ``\\\\`` a backslash within one."""
    parts = (clean_line(ESCAPED.sub(r"\1", part)) for part in PART.findall(cell))
    return [part for part in parts if part]


def join(parts: Iterable[str]) -> str:
    """Return a cell that ``split`` takes apart again."""
    return ";".join(TO_ESCAPE.sub(r"\\\g<0>", part) for part in parts)
