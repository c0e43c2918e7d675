"""Writing tables that ``import_table`` reads back, a few hundred rows at a time."""

from collections.abc import Callable, Iterator, Sequence

from django.db.models import Count, F, QuerySet

from ..content import Content
from ..kinds import all_kinds, get_kind
from ..models import Item, ItemLink
from ..revisions import fixed_parents
from .columns import Names, split
from .importing import Table
from .writing import BOM, csv_lines, json_lines

CHUNK = 500  # rows read and written at once
HEADS, DRAFTS, LIVE = (
    "heads",
    "drafts",
    "live",
)  # what editors work on, of it what readers do not see yet, what they see

Cells = list[str]
Tell = Callable[[int], None]


def rows_of(table: Table, which: str) -> QuerySet:
    """Return the rows to export: all, those with a draft, or those that readers see."""
    rows = get_kind(table.kind).model.objects.all()
    if which == LIVE:
        return rows.live()
    return rows.exclude(item__head=F("item__live")) if which == DRAFTS else rows


def export_table(
    table: Table, rows: QuerySet, format_name: str, *, is_live: bool = False, tell: Tell = lambda done: None
) -> Iterator[bytes]:
    """Yield the file piece by piece, by key, as heads or (``is_live``) as readers see them.

    ``tell`` hears how many rows are written. A fixed number of queries for each 500 rows.
    """
    header = list(table.columns)
    if format_name == "csv":
        yield (BOM + csv_lines([header])).encode()
    done = 0
    for keys in keys_in_chunks(rows):
        records = _records(table, keys, is_live=is_live)
        yield (csv_lines(records) if format_name == "csv" else _as_json(table, records)).encode()
        done += len(keys)
        tell(done)


def keys_in_chunks(rows: QuerySet) -> Iterator[list[int]]:
    """Yield the keys of rows, ascending: one query a chunk, however many there are."""
    keys = rows.order_by("pk").prefetch_related(None).values_list("pk", flat=True)
    chunk = list(keys[:CHUNK])
    while chunk:
        yield chunk
        chunk = list(keys.filter(pk__gt=chunk[-1])[:CHUNK])


def doubles(table: Table) -> list[str]:
    """Return the slugs that several heads have where an import tells them apart by it. One query."""
    model = get_kind(table.kind).model
    place = [f"{name}_id" for name in model.address_parents]
    rows = model.objects.order_by("item__working_slug").values("item__working_slug", *place)
    return [row["item__working_slug"] for row in rows.annotate(count=Count("pk")).filter(count__gt=1)]


def _records(table: Table, keys: Sequence[int], *, is_live: bool) -> list[Cells]:
    kind = get_kind(table.kind)
    parents = fixed_parents(kind.form)
    columns = ["item__live__content" if is_live else "item__head__content", *(f"{name}_id" for name in parents)]
    held = list(kind.model.objects.filter(pk__in=keys).order_by("pk").values_list(*columns))
    contents = [table.form.blank() | content for content, *_parents in held]
    above = [dict(zip(parents, ids, strict=True)) for _content, *ids in held]
    names = _names(_named(table, contents, above), is_live=is_live)
    values = [content | fixed for content, fixed in zip(table.take_apart(contents), above, strict=True)]
    return [[column.write(one.get(column.field), names) for column in table.columns.values()] for one in values]


def _named(table: Table, contents: Sequence[Content], above: Sequence[dict[str, int]]) -> set[int]:
    linked = {target for content in contents for _role, _place, target in table.form.links_of(content)}
    return linked | {pk for fixed in above for pk in fixed.values()}


def _names(wanted: set[int], *, is_live: bool) -> Names:
    """Return how cells name items: by slug, below the slugs that their addresses stand under.

    As readers see them, what is hidden has no name.
    """
    return _names_of_live(wanted) if is_live else _names_of_heads(wanted)


def _names_of_live(wanted: set[int]) -> Names:
    names: Names = {}
    for kind in all_kinds():
        slugs = [*(f"{name}__slug" for name in kind.model.address_parents), "slug"]
        rows = kind.model.objects.live().filter(pk__in=wanted).values_list("pk", *slugs)
        names |= {pk: "/".join(path) for pk, *path in rows}
    return names


def _names_of_heads(wanted: set[int]) -> Names:
    items = Item.objects.filter(pk__in=wanted).values_list("pk", "working_slug", "working_title")
    names: Names = {pk: slug or title for pk, slug, title in items}
    roles = {name for kind in all_kinds() for name in kind.model.address_parents}
    links = ItemLink.objects.filter(source__in=wanted, role__in=roles).values_list("source", "target__working_slug")
    return names | {pk: f"{above}/{names[pk]}" for pk, above in links}


def _as_json(table: Table, records: Sequence[Cells]) -> str:
    columns = table.columns.items()
    return json_lines(
        {name: split(cell) if column.is_list else cell for (name, column), cell in zip(columns, cells, strict=True)}
        for cells in records
    )
