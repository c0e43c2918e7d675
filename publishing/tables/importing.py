"""Importing the lines of a table: all or nothing, unless asked to keep the good ones."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ..acts import PublishRefused, publish_many
from ..content import Content, ContentForm, missing_message
from ..fields import MOST_ROWS, CardListField
from ..kinds import get_kind
from ..merge import take_over
from ..models import Item, Revision, TableEntry
from ..permissions import Actor
from ..reports import ImportReport
from ..revisions import NewItem, create_items, edited_since_live, fixed_parents, save_revisions
from ..slugs import make_slug
from ..turns import import_turn
from .columns import CellFault, Column, References
from .reading import Line, read_lines

CHUNK = 100  # items in one batch of statements
MOST_NAMED = 400  # slugs, titles or keys in one query
LONGEST_KEY = 300  # characters that a table entry holds
MOST_SHOWN = 100  # lines that a preview lists


class TableFaults(Exception):
    """Every line that is not right, as sentences; nothing was written."""

    def __init__(self, faults: list[str]):
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Table:
    """One kind's table.

    ``complete`` makes content of what a line's columns read, such as a media row of an
    address. ``take_apart`` is the way back for many contents, in a fixed number of queries.
    """

    kind: str
    columns: dict[str, Column]
    needed: tuple[str, ...]
    complete: Callable[[Content, dict[str, str]], Content] = lambda values, cells: values
    take_apart: Callable[[Sequence[Content]], Sequence[Content]] = lambda contents: contents

    @property
    def form(self) -> type[ContentForm]:
        return get_kind(self.kind).form

    def read(self, data: bytes) -> tuple[list[Line], list[str]]:
        """Return a file's lines, and sentences on those that do not fit. Raises TableUnreadable."""
        lists = {name for name, column in self.columns.items() if column.is_list}
        return read_lines(data, set(self.columns), set(self.needed), lists)


@dataclass
class TableOptions:
    actor: Actor = None
    publish: bool = False
    reason: str = ""
    dry_run: bool = False
    keep_good: bool = False
    progress: Callable[[int, int], None] = lambda done, of: None
    before_commit: Callable[[], None] = lambda: None  # may stop it all by raising


@dataclass
class _Plan:
    """One line. ``slug`` is the cell's or made of the title, and empty where that has no letters.

    ``values`` hold a slug only where the cell gives one; another is made free when the item is.
    """

    line: Line
    title: str
    slug: str
    path: str  # how cells of the same table name it: below the slugs that its address stands under
    key: str
    values: Content
    parents: dict[str, int]
    entry: TableEntry | None = None
    held: Item | None = None  # the item, once it is found or made
    status: str = "unchanged"

    @property
    def gives_slug(self) -> bool:
        return "slug" in self.values

    @property
    def item(self) -> Item:
        if self.held is None:
            raise LookupError(f"Line {self.line.number} is neither found nor made yet.")
        return self.held


@dataclass(frozen=True)
class _Found:
    """An item that has a line's slug or title, with the ids and titles of its fixed parents."""

    item: Item
    parents: dict[str, int]
    titles: dict[str, str]


def import_table(table: Table, data: bytes, options: TableOptions) -> ImportReport:
    """Import a CSV or JSON Lines file; returns what was done. Running it twice changes nothing.

    An empty cell says nothing. A field that an editor changed since the last import
    stays. Two imports at once go one after the other. Raises TableUnreadable, or
    TableFaults naming every line that is not right, or Disturbed.
    """
    lines, faults = table.read(data)
    run = _Run(table, options)
    with import_turn():
        plans = run.plan(lines)
        faults = sorted_by_line([*faults, *run.report.faults])
        if faults and not options.keep_good:
            raise TableFaults(faults)
        run.report.faults = faults
        run.write(plans)
        options.before_commit()
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
    lines, faults = table.read(data)
    run = _Run(table, TableOptions())
    with transaction.atomic():
        plans = run.plan(lines)
        transaction.set_rollback(True)
    titles = [table.form.title_of(plan.values) for plan in plans[:MOST_SHOWN]]
    known = sum(plan.held is not None for plan in plans)
    return TablePreview(len(plans), known, titles, sorted_by_line([*faults, *run.report.faults]))


def _key(name: str, parents: dict[str, int]) -> str:
    """Return what a line is remembered by, below its parents."""
    key = "/".join([*(str(parents[parent]) for parent in sorted(parents)), name])
    return key if len(key) <= LONGEST_KEY else sha256(key.encode()).hexdigest()


def _in_parts(texts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), MOST_NAMED):
        yield texts[start : start + MOST_NAMED]


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
        plans = []
        for line in lines:
            try:
                plans.append(self._plan_line(line))
            except CellFault as fault:
                self._refuse(line, str(fault))
            except ValidationError as refused:
                self._refuse(line, self._sentence(refused))
        return self._check_own_kind(self._find(self._without_repeats(plans)))

    def _without_repeats(self, plans: list[_Plan]) -> list[_Plan]:
        """Refuse lines that mean the item of a line before them: by the same key, or by the same address given."""
        lines: dict[str, int] = {}
        kept = []
        for plan in plans:
            names = {f"key {plan.key}", *([f"slug {plan.path}"] if plan.gives_slug else [])}
            other = next((lines[name] for name in names if name in lines), None)
            if other is None:
                kept.append(plan)
            else:
                self._refuse_repeat(plan, other)
            lines |= {name: plan.line.number for name in names if name not in lines}
        return kept

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
        values = self.table.complete(values, line.cells)
        checked = self.table.form.check_content(self.table.form.blank() | values)
        self._check_lists(checked)
        title = self.table.form.title_of(checked)
        if not title:
            raise CellFault(_("nothing of its title can be read."))
        slug = checked["slug"] or make_slug(title)
        path = "/".join([*self._slugs_above(parents), slug or title])
        key = _key(slug or f"={title}", parents)
        said = {name: checked[name] for name in values if name != "slug" or checked["slug"]}
        return _Plan(line, title, slug, path, key, said, parents)

    def _check_lists(self, content: Content) -> None:
        """Refuse lists that the form would: too long, or with a row twice, such as one guest in one role."""
        for name, field in self.table.form.base_fields.items():
            if not isinstance(field, CardListField):
                continue
            rows = content[name]
            if len(rows) > MOST_ROWS:
                raise CellFault(_("%(field)s: at most %(most)s rows.") % {"field": field.label, "most": MOST_ROWS})
            unique = {tuple(row[key] for key in field.row_form.unique) for row in rows}
            if field.row_form.unique and len(unique) < len(rows):
                raise CellFault(_("%(field)s: somebody or something is listed twice.") % {"field": field.label})

    def _read(self, name: str, column: Column, cell: str):
        try:
            return column.read(cell, self.references)
        except CellFault as fault:
            raise CellFault(f"{name}: {fault}") from fault

    def _slugs_above(self, parents: dict[str, int]) -> list[str]:
        return [self.references.slugs[parents[name]] for name in get_kind(self.table.kind).model.address_parents]

    def _refuse_repeat(self, plan: _Plan, other: int) -> None:
        self._refuse(plan.line, _("“%(name)s” stands on line %(other)s already.") % {"name": plan.path, "other": other})

    # Finding: which item of ours a line is

    def _find(self, plans: list[_Plan]) -> list[_Plan]:
        """Find each line's item and refuse the lines that mean none clearly; queries grow by the hundred lines."""
        entries = self._entries([plan.key for plan in plans])
        by_slug = self._items_by("working_slug", {plan.slug for plan in plans if plan.slug})
        by_title = self._items_by("working_title", {plan.title for plan in plans if not plan.slug})
        lines: dict[int, int] = {}
        kept = []
        for plan in plans:
            plan.entry = entries.get(plan.key)
            candidates = by_slug.get(plan.slug, []) if plan.slug else by_title.get(plan.title, [])
            try:
                plan.held = self._which(plan, candidates)
            except CellFault as fault:
                self._refuse(plan.line, str(fault))
                continue
            if plan.held and lines.setdefault(plan.held.pk, plan.line.number) != plan.line.number:
                self._refuse_repeat(plan, lines[plan.held.pk])
            else:
                kept.append(plan)
        return kept

    def _which(self, plan: _Plan, candidates: list["_Found"]) -> Item | None:
        """Return the item that a line is: as an earlier import knew it, else by slug below the same parents.

        A title without letters makes no slug: there the exact title counts. An address
        below other parents is a fault where the cell gives it; one made of the title
        gives way. Raises CellFault.
        """
        above = get_kind(self.table.kind).model.address_parents
        for found in candidates if plan.gives_slug else ():
            other = next((name for name, pk in plan.parents.items() if found.parents[name] != pk), None)
            if other and all(found.parents[name] == plan.parents[name] for name in above):
                message = _("“%(slug)s” belongs to another %(parent)s, “%(title)s”. Give another slug.")
                word = get_kind(self.table.kind).model.parent_model(other)._meta.verbose_name
                raise CellFault(message % {"slug": plan.slug, "parent": word, "title": found.titles[other]})
        if plan.entry:
            return plan.entry.item
        same = [found.item for found in candidates if found.parents == plan.parents]
        if len(same) > 1:
            message = _("more than one %(kind)s is called “%(text)s”. Give one of them another slug.")
            word = get_kind(self.table.kind).model._meta.verbose_name
            raise CellFault(message % {"kind": word, "text": plan.slug or plan.title})
        return same[0] if same else None

    def _items_by(self, column: str, texts: set[str]) -> dict[str, list["_Found"]]:
        """Return the kind's items by working slug or title, each with its fixed parents."""
        kind = get_kind(self.table.kind)
        names = fixed_parents(kind.form)
        columns = [path for name in names for path in (f"{name}_id", f"{name}__item__working_title")]
        found: dict[str, list[_Found]] = {}
        for some in _in_parts(sorted(texts)):
            rows = kind.model.objects.filter(item__kind=kind.name, **{f"item__{column}__in": some}).order_by("pk")
            told = list(rows.values_list("pk", *columns))
            items = Item.objects.in_bulk([pk for pk, *_parents in told])
            for pk, *parents in told:
                ids, titles = dict(zip(names, parents[::2], strict=True)), dict(zip(names, parents[1::2], strict=True))
                found.setdefault(getattr(items[pk], column), []).append(_Found(items[pk], ids, titles))
        return found

    def _entries(self, keys: list[str]) -> dict[str, TableEntry]:
        held = TableEntry.objects.filter(kind=self.table.kind).select_related("item")
        return {entry.key: entry for some in _in_parts(keys) for entry in held.filter(key__in=some)}

    # Rows that name others of the same table

    def _check_own_kind(self, plans: list[_Plan]) -> list[_Plan]:
        """Refuse lines that name rows which are neither here nor in the table, or lines refused for that."""
        while True:
            here = Counter(plan.path for plan in plans)
            kept = []
            for plan in plans:
                try:
                    self._check_own_names(plan, here)
                except CellFault as fault:
                    self._refuse(plan.line, str(fault))
                else:
                    kept.append(plan)
            if len(kept) == len(plans):
                return kept
            plans = kept

    def _check_own_names(self, plan: _Plan, here: Counter[str]) -> None:
        for text in self._own_names(plan):
            if here[text] > 1:
                raise CellFault(_("more than one line is called “%(text)s”. Give each a slug.") % {"text": text})
            if here[text] == 0:
                self.references.one(self.table.kind, text)

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
        ordered = sorted(plans, key=lambda plan: not plan.gives_slug)  # what is made gives way to what is given
        for start in range(0, len(plans), CHUNK):
            self._write_chunk(ordered[start : start + CHUNK])
            self.options.progress(min(start + CHUNK, len(plans)), len(plans))
        for plan in plans:
            self.references.add(self.table.kind, plan.path, plan.item.pk)
        linking = [plan for plan in plans if self._own_columns(plan)]
        for start in range(0, len(linking), CHUNK):
            self._link_chunk(linking[start : start + CHUNK])
        self._tally(plans)
        for start in range(0, len(plans), CHUNK) if self.options.publish else ():
            self._publish_chunk(plans[start : start + CHUNK])

    def _write_chunk(self, plans: list[_Plan]) -> None:
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
