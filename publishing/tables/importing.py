"""Importing the lines of a table: all or nothing, unless asked to keep the good ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ..acts import PublishRefused, publish_many
from ..content import Content, ContentForm, missing_message
from ..kinds import get_kind
from ..merge import take_over
from ..models import Item, Revision, TableEntry
from ..permissions import Actor
from ..reports import ImportReport
from ..revisions import NewItem, create_items, edited_since_live, save_revisions
from ..slugs import make_slug
from .columns import CellFault, Column, References
from .reading import Line, read_lines

CHUNK = 100  # items in one batch of statements
MOST_SHOWN = 100  # lines that a preview lists


class TableFaults(Exception):
    """Every line that is not right, as sentences; nothing was written."""

    def __init__(self, faults: list[str]):
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Table:
    """One kind's table. ``complete`` adds what follows from the cells, such as media rows."""

    kind: str
    columns: dict[str, Column]
    needed: tuple[str, ...]
    complete: Callable[[Content, dict[str, str]], Content] = lambda values, cells: values

    @property
    def form(self) -> type[ContentForm]:
        return get_kind(self.kind).form


@dataclass
class TableOptions:
    actor: Actor = None
    publish: bool = False
    reason: str = ""
    dry_run: bool = False
    keep_good: bool = False
    progress: Callable[[int, int], None] = lambda done, of: None


@dataclass
class _Plan:
    line: Line
    key: str
    values: Content
    parents: dict[str, int]
    entry: TableEntry | None = None
    held: Item | None = None  # the item, once it is found or made
    status: str = "unchanged"

    @property
    def item(self) -> Item:
        if self.held is None:
            raise LookupError(f"Line {self.line.number} is neither found nor made yet.")
        return self.held


def import_table(table: Table, data: bytes, options: TableOptions) -> ImportReport:
    """Import a CSV file; returns what was done. Running it twice changes nothing.

    An empty cell says nothing. A field that an editor changed since the last import
    stays. Raises TableUnreadable, or TableFaults naming every line that is not right.
    """
    lines, faults = read_lines(data, set(table.columns), set(table.needed))
    run = _Run(table, options)
    with transaction.atomic():
        plans = run.plan(lines)
        faults = sorted_by_line([*faults, *run.report.faults])
        if faults and not options.keep_good:
            raise TableFaults(faults)
        run.report.faults = faults
        run.write(plans)
        if options.dry_run:
            transaction.set_rollback(True)
    return run.report


@dataclass(frozen=True)
class TablePreview:
    """How many lines are right, how many of them are known already, and what is wrong with the others."""

    right: int
    known: int
    titles: list[str]
    faults: list[str]


def preview_table(table: Table, data: bytes) -> TablePreview:
    """Return what importing the file would come to. Raises TableUnreadable."""
    lines, faults = read_lines(data, set(table.columns), set(table.needed))
    run = _Run(table, TableOptions())
    with transaction.atomic():
        plans = run.plan(lines)
        run.find(plans)
        transaction.set_rollback(True)
    titles = [table.form.title_of(plan.values) for plan in plans[:MOST_SHOWN]]
    known = sum(plan.held is not None for plan in plans)
    return TablePreview(len(plans), known, titles, sorted_by_line([*faults, *run.report.faults]))


def sorted_by_line(faults: list[str]) -> list[str]:
    def number(fault: str) -> int:
        return int(next((word.strip(":,") for word in fault.split() if word.strip(":,").isdecimal()), 0))

    return sorted(faults, key=number)


class _Run:
    def __init__(self, table: Table, options: TableOptions):
        self.table = table
        self.options = options
        self.report = ImportReport(
            about=str(get_kind(table.kind).model._meta.verbose_name_plural), is_dry_run=options.dry_run
        )
        self.references = References()

    # Planning: every fault is found before anything is written

    def plan(self, lines: list[Line]) -> list[_Plan]:
        self._learn(lines)
        keys: dict[str, int] = {}
        plans = []
        for line in lines:
            try:
                plan = self._plan_line(line)
            except CellFault as fault:
                self._refuse(line, str(fault))
                continue
            except ValidationError as refused:
                self._refuse(line, self._sentence(refused))
                continue
            if plan.key in keys:
                self._refuse(
                    line, _("“%(key)s” stands on line %(other)s already.") % {"key": plan.key, "other": keys[plan.key]}
                )
                continue
            keys[plan.key] = line.number
            plans.append(plan)
        return self._check_own_kind(plans, set(keys))

    def _learn(self, lines: list[Line]) -> None:
        named = {
            pair
            for line in lines
            for name, cell in line.cells.items()
            if cell
            for pair in self.table.columns[name].names(cell)
        }
        self.references.learn(named)

    def _plan_line(self, line: Line) -> _Plan:
        values: Content = {}
        parents: dict[str, int] = {}
        for name, cell in line.cells.items():
            column = self.table.columns[name]
            if cell and not column.is_own_kind:
                target = parents if column.is_parent else values
                target[column.field] = self._read(name, column, cell)
        for name in self.table.needed:
            if not line.cells.get(name):
                raise CellFault(_("the cell %(column)s is empty.") % {"column": name})
        slug = values.get("slug") or make_slug(self.table.form.title_of(values)) or f"{self.table.kind}-{line.number}"
        values = self.table.complete(values | {"slug": slug}, line.cells)
        checked = self.table.form.check_content(self.table.form.blank() | values)
        return _Plan(line, self._key(slug, parents), {name: checked[name] for name in values}, parents)

    def _read(self, name: str, column: Column, cell: str):
        try:
            return column.read(cell, self.references)
        except CellFault as fault:
            raise CellFault(f"{name}: {fault}") from fault

    def _key(self, slug: str, parents: dict[str, int]) -> str:
        """Return what a line is known by: its slug, below the parents that the address names."""
        above = [self.references.slugs[parents[name]] for name in get_kind(self.table.kind).model.address_parents]
        return "/".join([*above, slug])[:300]

    def _check_own_kind(self, plans: list[_Plan], keys: set[str]) -> list[_Plan]:
        """Refuse lines that name rows which are neither here nor in the table."""
        kept = []
        for plan in plans:
            unknown = [
                text
                for text in self._own_names(plan)
                if text not in keys and not self.references.ids.get((self.table.kind, text))
            ]
            if unknown:
                self._refuse(
                    plan.line,
                    _("no %(kind)s is called “%(text)s”. Add it first.")
                    % {"kind": self.table.kind, "text": unknown[0]},
                )
            else:
                kept.append(plan)
        return kept

    def _own_names(self, plan: _Plan) -> list[str]:
        return [text for name, column in self._own_columns(plan) for _kind, text in column.names(plan.line.cells[name])]

    def _own_columns(self, plan: _Plan) -> list[tuple[str, Column]]:
        return [
            (name, column)
            for name, column in self.table.columns.items()
            if column.is_own_kind and plan.line.cells.get(name)
        ]

    def _refuse(self, line: Line, sentence: str) -> None:
        self.report.faults.append(_("Line %(number)s: %(sentence)s") % {"number": line.number, "sentence": sentence})

    def _sentence(self, refused: ValidationError) -> str:
        labelled = [
            f"{self.table.form.base_fields[name].label}: {' '.join(messages)}"
            for name, messages in refused.message_dict.items()
        ]
        return " ".join(labelled)

    # Writing

    def write(self, plans: list[_Plan]) -> None:
        for start in range(0, len(plans), CHUNK):
            self._write_chunk(plans[start : start + CHUNK])
            self.options.progress(min(start + CHUNK, len(plans)), len(plans))
        for plan in plans:
            self.references.add(self.table.kind, plan.key, plan.item.pk)
        linking = [plan for plan in plans if self._own_columns(plan)]
        for start in range(0, len(linking), CHUNK):
            self._link_chunk(linking[start : start + CHUNK])
        self._tally(plans)
        for start in range(0, len(plans), CHUNK) if self.options.publish else ():
            self._publish_chunk(plans[start : start + CHUNK])

    def _write_chunk(self, plans: list[_Plan]) -> None:
        self.find(plans)
        self._update([plan for plan in plans if plan.held is not None])
        new = [plan for plan in plans if plan.held is None]
        items = (
            create_items(
                [NewItem(self.table.kind, self.table.form.blank() | plan.values, plan.parents) for plan in new],
                actor=self.options.actor,
                kind=Revision.Kind.IMPORT,
            )
            if new
            else []
        )
        for plan, item in zip(new, items, strict=True):
            plan.held = item
            plan.status = "made"
        self._remember(plans)

    def _link_chunk(self, plans: list[_Plan]) -> None:
        """Fill the fields that name rows of this very table, now that all of them exist."""
        for plan in plans:
            plan.values = {
                column.field: column.read(plan.line.cells[name], self.references)
                for name, column in self._own_columns(plan)
            }
        self._update(plans)
        self._remember(plans)

    def find(self, plans: list[_Plan]) -> None:
        """Find each line's item: as an earlier import knew it, else by its slug."""
        entries = self._entries([plan.key for plan in plans])
        self.references.learn({(self.table.kind, plan.key) for plan in plans})
        by_slug = {plan.key: self.references.ids.get((self.table.kind, plan.key), []) for plan in plans}
        items = Item.objects.in_bulk([pks[0] for pks in by_slug.values() if len(pks) == 1])
        for plan in plans:
            plan.entry = entries.get(plan.key)
            found = by_slug[plan.key]
            plan.held = plan.entry.item if plan.entry else items.get(found[0]) if len(found) == 1 else None
            if plan.held and plan.held.working_slug != plan.values["slug"] and plan.entry is None:
                plan.held = None  # it only has this title

    def _entries(self, keys: list[str]) -> dict[str, TableEntry]:
        found = TableEntry.objects.filter(kind=self.table.kind).select_related("item")
        return {
            entry.key: entry
            for start in range(0, len(keys), 400)
            for entry in found.filter(key__in=keys[start : start + 400])
        }

    def _update(self, plans: list[_Plan]) -> None:
        locked = {item.pk: item for item in Item.objects.locked().filter(pk__in=[plan.item.pk for plan in plans])}
        heads = Revision.objects.in_bulk([item.head_id for item in locked.values()])
        bases = self._bases(plans)
        drafts = []
        for plan in plans:
            plan.held = locked[plan.item.pk]
            head = heads[plan.item.head_id].content
            content, kept = take_over(bases[plan.item.pk], head, plan.values)
            if kept:
                names = ", ".join(str(self.table.form.base_fields[name].label) for name in kept)
                self.report.left_alone.append(f"{plan.item}: {names}")
            if content != head:
                drafts.append((plan.item, content))
                plan.status = "updated" if plan.status == "unchanged" else plan.status
        if drafts:
            save_revisions(drafts, actor=self.options.actor, kind=Revision.Kind.IMPORT)

    def _tally(self, plans: list[_Plan]) -> None:
        self.report.made = [str(plan.item) for plan in plans if plan.status == "made"]
        self.report.updated = [str(plan.item) for plan in plans if plan.status == "updated"]
        self.report.unchanged = sum(plan.status == "unchanged" for plan in plans)

    def _bases(self, plans: list[_Plan]) -> dict[int, Content]:
        """Return what each merge starts from: the table as last read, else the last import, else nothing."""
        blank = self.table.form.blank()
        newest: dict[int, Content] = {}
        imported = Revision.objects.filter(
            item__in=[plan.item.pk for plan in plans if not plan.entry], kind=Revision.Kind.IMPORT
        )
        for revision in imported.order_by("number"):
            newest[revision.item_id] = revision.content
        return {
            plan.item.pk: (blank | plan.entry.values) if plan.entry else newest.get(plan.item.pk, blank)
            for plan in plans
        }

    def _remember(self, plans: Sequence[_Plan]) -> None:
        new = [plan for plan in plans if plan.entry is None]
        made = TableEntry.objects.bulk_create(
            [TableEntry(kind=self.table.kind, key=plan.key, item=plan.item, values=plan.values) for plan in new]
        )
        moved = []
        for plan in plans:
            if plan.entry and plan.entry.values != (said := plan.entry.values | plan.values):
                plan.entry.values = said
                moved.append(plan.entry)
        TableEntry.objects.bulk_update(moved, ["values"])
        for plan, entry in zip(new, made, strict=True):
            plan.entry = entry

    # Publishing

    def _publish_chunk(self, plans: list[_Plan]) -> None:
        """Publish what is new or was not edited here; a line that cannot be is a fault of the table."""
        items = Item.objects.in_bulk([plan.item.pk for plan in plans])
        heads = Revision.objects.in_bulk([item.head_id for item in items.values()])
        drafts = [item for item in items.values() if item.has_draft]
        edited = edited_since_live([item.pk for item in drafts])
        ready = []
        for item in drafts:
            missing = self.table.form.missing(heads[item.head_id].content)
            if item.retired_at is not None:
                self.report.kept_draft.append(f"{item}: {_('retired here')}")
            elif item.pk in edited:
                self.report.kept_draft.append(f"{item}: {_('edited here since, so it waits for an editor')}")
            elif missing:
                self._cannot_publish(plans, item, missing_message(missing))
            else:
                ready.append(item)
        self._publish(plans, ready)

    def _publish(self, plans: list[_Plan], items: list[Item]) -> None:
        try:
            with transaction.atomic():
                self.report.published += (
                    [str(item) for item in publish_many(items, actor=self.options.actor, reason=self.options.reason)]
                    if items
                    else []
                )
        except PublishRefused as refused:
            if len(items) == 1:
                self._cannot_publish(plans, items[0], " ".join(refused.messages))
                return
            for item in items:
                self._publish(plans, [item])

    def _cannot_publish(self, plans: list[_Plan], item: Item, why: str) -> None:
        line = next(plan.line for plan in plans if plan.item.pk == item.pk)
        if not self.options.keep_good:
            raise TableFaults([_("Line %(number)s: %(sentence)s") % {"number": line.number, "sentence": why}])
        self.report.kept_draft.append(_("Line %(number)s: %(sentence)s") % {"number": line.number, "sentence": why})
