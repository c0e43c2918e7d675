"""Drafts: making items, saving revisions, restoring old ones. Nothing here is public."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from .content import Content, ContentForm, hash_content
from .events import log, make_event
from .kinds import get_kind
from .merge import Clash, changed_fields, merge
from .models import Event, Item, ItemLink, LinkTable, Publishable, Revision
from .permissions import Actor, require
from .references import MOST_NAMED
from .slugs import assign_slugs
from .version import bump_version

if TYPE_CHECKING:
    from .models import Publishable


@dataclass
class NewItem:
    """What is needed to make one item: its content, and the parents fixed at creation."""

    kind: str
    content: Content
    parents: dict[str, int] = field(default_factory=dict)
    columns: dict = field(default_factory=dict)  # stored once on the row, such as a guid


@dataclass(frozen=True)
class Saved:
    """What a save came to. ``merged`` names the fields taken over from somebody else."""

    revision: Revision
    is_new: bool
    merged: tuple[str, ...] = ()


class Clashed(Exception):
    """Raised when a stale save and the head changed the same field in two ways."""

    def __init__(self, head: Revision, merged: Content, clashes: list[Clash]):
        super().__init__(", ".join(clash.name for clash in clashes))
        self.head = head
        self.merged = merged
        self.clashes = clashes


def create_items(new: Sequence[NewItem], *, actor: Actor, kind: str = Revision.Kind.SAVE, note: str = "") -> list[Item]:
    """Make items with their public rows (hidden, empty) and first revisions.

    Takes a constant number of queries for each kind in the batch, whatever its size.
    """
    require(actor, "add")
    with transaction.atomic():
        owner = actor if actor is not None and actor.pk else None
        items = Item.objects.bulk_create([Item(kind=one.kind, owner=owner) for one in new])
        rows: dict[type[Publishable], list[Publishable]] = {}
        for item, one in zip(items, new, strict=True):
            model = get_kind(one.kind).model
            parents = {f"{name}_id": pk for name, pk in one.parents.items()}
            columns = model.first_columns(item) | one.columns
            rows.setdefault(model, []).append(model(item=item, **parents, **columns))
        for model, model_rows in rows.items():
            model.objects.bulk_create(model_rows)
        assign_slugs([(item, one.content) for item, one in zip(items, new, strict=True)])
        save_revisions(
            [(item, one.content) for item, one in zip(items, new, strict=True)], actor=actor, kind=kind, note=note
        )
    return items


def create_item(kind: str, content: Content, *, actor: Actor, parents: dict[str, int] | None = None) -> Item:
    """Make one item with its first revision and return it."""
    return create_items([NewItem(kind, content, parents or {})], actor=actor)[0]


def save_revision(
    item: Item, content: Content, *, actor: Actor, kind: str = Revision.Kind.SAVE, note: str = ""
) -> Saved:
    """Save one draft; see ``save_revisions``. The item must be locked by the caller."""
    return save_revisions([(item, content)], actor=actor, kind=kind, note=note)[0]


def save_revisions(
    drafts: Sequence[tuple[Item, Content]], *, actor: Actor, kind: str = Revision.Kind.SAVE, note: str = ""
) -> list[Saved]:
    """Make each content the head of its item, and rewrite the index of the head.

    The same content makes no new revision; the live content makes the live revision
    the head again. Public columns are never touched. A fixed number of queries.
    """
    for item, _content in drafts:
        require(actor, "edit", item)
    with transaction.atomic():
        known = _known_revisions([item for item, _content in drafts])
        numbers = _last_numbers([item.pk for item, _content in drafts])
        saved = [_draft(item, content, known, numbers, actor, kind, note) for item, content in drafts]
        Revision.objects.bulk_create([one.revision for one in saved if one.is_new])
        moved = [
            (item, one.revision)
            for (item, _content), one in zip(drafts, saved, strict=True)
            if item.head_id != one.revision.pk
        ]
        _move_heads(moved, actor)
        for kind in {item.kind for item, _revision in moved}:
            get_kind(kind).form.saved({item.pk: revision for item, revision in moved if item.kind == kind})
    return saved


def _known_revisions(items: Iterable[Item]) -> dict[int, Revision]:
    wanted = {pk for item in items for pk in (item.head_id, item.live_id) if pk}
    return Revision.objects.in_bulk(wanted) if wanted else {}


def _last_numbers(pks: list[int]) -> dict[int, int]:
    rows = Revision.objects.filter(item__in=pks).values("item").annotate(last=Max("number"))
    return {row["item"]: row["last"] for row in rows}


def _draft(item, content, known, numbers, actor, kind, note) -> Saved:
    digest = hash_content(content)
    for pk in (item.head_id, item.live_id):
        if pk and known[pk].content_hash == digest:
            return Saved(known[pk], is_new=False)
    revision = Revision(
        item=item,
        number=numbers.get(item.pk, 0) + 1,
        parent_id=item.head_id,
        kind=kind,
        content=content,
        content_hash=digest,
        schema=get_kind(item.kind).form.schema,
        note=note[:300],
        created_by=actor,
    )
    return Saved(revision, is_new=True)


def _move_heads(moved: list[tuple[Item, Revision]], actor: Actor) -> None:
    now = timezone.now()
    for item, revision in moved:
        form = get_kind(item.kind).form
        item.head = revision
        item.draft_state = Item.DraftState.EDITING
        item.touched_at = now
        item.working_title = form.title_of(revision.content)[:300]
        item.working_slug = revision.content.get("slug") or ""
        item.working_date = form.date_of(revision.content)
        item.working_text = form.text_of(revision.content)
    names = ["head", "draft_state", "touched_at", "working_title", "working_slug", "working_date", "working_text"]
    Item.objects.bulk_update([item for item, _revision in moved], names)
    _rewrite_links(moved)
    Event.objects.bulk_create(
        [make_event(actor, "save", item, revision_number=revision.number) for item, revision in moved]
    )


def _rewrite_links(moved: list[tuple[Item, Revision]]) -> None:
    ItemLink.objects.filter(source__in=[item.pk for item, _revision in moved]).delete()
    parents = _fixed_parents([item for item, _revision in moved])
    links = []
    for item, revision in moved:
        named = [*parents[item.pk], *get_kind(item.kind).form.links_of(revision.content)]
        links += [ItemLink(source=item, role=role, position=place, target_id=target) for role, place, target in named]
    targets = {link.target_id for link in links}
    if Item.objects.filter(pk__in=targets).count() < len(targets):
        raise ValidationError(
            _("Something that this links to was deleted meanwhile. Look at the links again."), code="gone"
        )
    ItemLink.objects.bulk_create(links)


def _fixed_parents(items: list[Item]) -> dict[int, list[tuple[str, int, int]]]:
    """Return the links to parents that were fixed at creation and are no content."""
    parents: dict[int, list[tuple[str, int, int]]] = {item.pk: [] for item in items}
    for kind in {item.kind for item in items}:
        held = get_kind(kind)
        names = fixed_parents(held.form)
        if names:
            rows = held.model.objects.filter(pk__in=parents).values_list("pk", *(f"{name}_id" for name in names))
            for pk, *targets in rows:
                parents[pk] = [(name, 0, target) for name, target in zip(names, targets, strict=True)]
    return parents


def fixed_parents(form: type[ContentForm]) -> list[str]:
    """Return the parents that the model names and the content does not hold."""
    return [name for name in form.model.parents if name not in form.base_fields]


def save_draft(
    item: Item, content: Content, *, base: Revision, actor: Actor, note: str = "", kind: str = Revision.Kind.SAVE
) -> Saved:
    """Save what was written on top of ``base``, merging what others saved meanwhile.

    The item must be locked. Raises Clashed, with nothing saved, where both sides
    changed one field in two ways.
    """
    content = get_kind(item.kind).form.settle(content, base.content, item=item, actor=actor)
    assign_slugs([(item, content)])
    if item.head_id == base.pk:
        return save_revision(item, content, actor=actor, kind=kind, note=note)
    head = item.newest
    merged, clashes = merge(base.content, content, head.content)
    if clashes:
        raise Clashed(head, merged, clashes)
    saved = save_revision(item, merged, actor=actor, kind=Revision.Kind.MERGE, note=note)
    return Saved(saved.revision, saved.is_new, tuple(changed_fields(content, merged)))


def remove(item: Item, *, actor: Actor) -> None:
    """Delete an item for good, with its row, revisions and addresses; its events stay.

    The item must be locked. Raises ValidationError where it is live or others link to it.
    """
    require(actor, "delete", item)
    if item.is_live:
        raise ValidationError(_("“%(item)s” is live. Retire it first.") % {"item": item}, code="live")
    linking = [str(link.source) for link in item.linked_from.select_related("source").exclude(source=item)[:MOST_NAMED]]
    if linking:
        message = _("“%(item)s” is still linked from “%(links)s”. Take it out there first.")
        raise ValidationError(message % {"item": item, "links": "”, “".join(linking)}, code="linked")
    shown = public_links_to(item)
    if shown:
        message = _("“%(item)s” still belongs to what was published as “%(links)s”. Publish that without it first.")
        raise ValidationError(message % {"item": item, "links": "”, “".join(shown)}, code="shown")
    log(actor, "delete", item)
    if item.corrections.live().exists():  # its removal is told in public, and is no longer
        bump_version(timezone.now())
    ItemLink.objects.filter(source=item).delete()
    Item.objects.filter(pk=item.pk).update(head=None)
    Item.objects.get(pk=item.pk).delete()


def public_links_to(item: Item) -> list[str]:
    """Return the titles of other things whose public rows or link tables name this one; the first few."""
    found: set[int] = set()
    for model, target in ((get_kind(item.kind).model, item.pk), (Item, item.pk)):
        for relation in model._meta.related_objects:
            table = relation.related_model
            if issubclass(table, LinkTable):
                source = f"{table.source_field}_id"
            elif issubclass(table, Publishable) and relation.field.name != "item":
                source = "pk"
            else:
                continue
            named = table.objects.filter(**{relation.field.name: target})
            found |= set(named.values_list(source, flat=True)[:MOST_NAMED])
    return [str(other) for other in Item.objects.filter(pk__in=found - {item.pk}).order_by("pk")[:MOST_NAMED]]


def restore(item: Item, revision: Revision, *, actor: Actor, only: Sequence[str] = ()) -> Saved:
    """Make an old revision, or only some of its fields, the content of a new draft.

    Links to what was deleted meanwhile are left out; the item must be locked.
    """
    if revision.item_id != item.pk:
        raise ValidationError(_("That revision belongs to something else."), code="other_item")
    form = get_kind(item.kind).form
    content = form.blank() | item.newest.content
    names = only or list(form.base_fields)
    content |= {name: revision.content[name] for name in names if name in revision.content}
    content = drop_dead_links(form, content)
    note = _("From revision %(number)s") % {"number": revision.number}
    return save_revision(item, content, actor=actor, kind=Revision.Kind.RESTORE, note=note)


def drop_dead_links(form: type[ContentForm], content: Content) -> Content:
    """Return the content without links to items that are gone; one query."""
    targets = {target for _role, _place, target in form.links_of(content)}
    held = set(Item.objects.filter(pk__in=targets).values_list("pk", flat=True))
    gone = targets - held
    if not gone:
        return content
    kept = dict(content)
    for name, field_ in form.base_fields.items():
        if hasattr(field_, "without"):
            kept[name] = field_.without(content.get(name), gone)
    return kept


def lock_item(pk: int) -> Item:
    """Lock one item's row, alone, for the rest of the transaction."""
    return Item.objects.locked().get(pk=pk)


def edited_since_live(pks: list[int]) -> set[int]:
    """Return those items that people have edited since they were last published, or ever. One query."""
    newer = Q(number__gt=Coalesce(F("item__live__number"), 0))
    rows = Revision.objects.filter(newer, item__in=pks).values_list("pk", "parent", "kind", "item", "item__head")
    known = {pk: (parent, kind) for pk, parent, kind, _item, _head in rows}
    return {item for _pk, _parent, _kind, item, head in rows if _has_edit_above(head, known)}


def _has_edit_above(head: int | None, known: dict[int, tuple[int | None, str]]) -> bool:
    """Tell whether a person made the head or one it grew from; what was drafted and given up again does not count."""
    while head in known:
        head, kind = known[head]
        if kind != Revision.Kind.IMPORT:
            return True
    return False
