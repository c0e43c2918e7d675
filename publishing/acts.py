"""The public acts: the only code that writes what readers see."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from .addresses import AddressTaken, address_problems, write_addresses
from .content import Content, Objections, missing_message
from .corrections import (
    LONGEST_NOTE,
    Change,
    Step,
    file_corrections,
    file_removal,
    hide_corrections,
    problems_with_changes,
    show_corrections,
)
from .events import make_event
from .kinds import Kind, all_kinds, children_of, get_kind
from .models import Correction, Event, Item, ItemLink, Publishable, Revision
from .permissions import Actor, require
from .revisions import drop_dead_links
from .text import clean_text
from .version import bump_version, tell_taken_back

LONGEST_REASON = 1_000  # characters; readers see it


class PublishRefused(ValidationError):
    """All that stands in the way, as sentences.

    ``needs`` are items to publish as well; ``takes_reason`` tells that with a written
    reason some of it would not stand in the way.
    """

    def __init__(self, messages: list[str], needs: Iterable[int] = (), *, takes_reason: bool = False):
        super().__init__(messages, code="refused")
        self.needs = sorted(set(needs))
        self.takes_reason = takes_reason


@dataclass
class _Batch:
    """What one act is about: locked items, their revisions before and after, and their public rows."""

    items: dict[int, Item]
    revisions: dict[int, Revision]
    contents: dict[int, Content]
    steps: list[Step] = field(default_factory=list)
    rows: dict[int, Publishable] = field(default_factory=dict)
    actor: Actor = None
    reason: str = ""
    waived: dict[int, list[str]] = field(default_factory=dict)
    now: datetime = field(default_factory=timezone.now)

    def of_kind(self, kind: Kind) -> list[Publishable]:
        return [row for pk, row in self.rows.items() if self.items[pk].kind == kind.name]


def publish(
    item: Item, *, actor: Actor, revision: Revision | None = None, reason: str = "", change: Change | None = None
) -> Item:
    """Show one item to readers as its head, or as the given revision; ``change`` says what it is to them."""
    revisions = {item.pk: revision} if revision else None
    changes = {item.pk: change} if change else None
    return publish_many([item], actor=actor, revisions=revisions, reason=reason, changes=changes)[0]


def publish_many(
    items: Sequence[Item],
    *,
    actor: Actor,
    revisions: dict[int, Revision] | None = None,
    reason: str = "",
    changes: Mapping[int, Change] | None = None,
    strict: bool = True,
) -> list[Item]:
    """Show items to readers, all or none. Returns them as they are now.

    With ``strict=False``, for a preview that is rolled back, nothing is refused: what is
    missing stays empty, and a taken address gives way to one of no meaning.
    A written ``reason`` waives the objections that allow it. ``changes`` says, by item id,
    what the change of a live item is: with a correction, readers are told in the same act.
    Raises PublishRefused naming everything that is missing, hidden or taken, and
    PermissionDenied. The number of queries does not grow with the batch.
    """
    with transaction.atomic():
        batch = _lock_batch([item.pk for item in items], revisions or {}, actor, changes)
        batch.reason = clean_text(reason)[:LONGEST_REASON]
        for item in batch.items.values():
            require(actor, "publish", item)
        _load_rows(batch)
        if strict:
            _refuse_problems(batch)
        else:
            _sidestep_addresses(batch)
        slugs = _present_slugs(batch)
        _write_rows(batch)
        _write_items(batch)
        _waive(batch)
        try:
            write_addresses(list(batch.rows.values()), actor)
            _readdress_children(batch, slugs)
        except AddressTaken as taken:
            raise PublishRefused(
                [_("The address %(path)s was taken a moment ago. Choose another slug.") % {"path": taken}]
            ) from taken
        moved = _show_children(batch)
        _tell_shown(batch, moved)
        _touch_pages_that_show(batch, moved)
        show_corrections([*batch.items, *(pk for pks in moved.values() for pk in pks)])
        corrections = file_corrections(batch.steps, actor=actor, now=batch.now)
        if corrections:
            tell_taken_back()
        Event.objects.bulk_create([_published(step, corrections, actor, reason) for step in batch.steps])
        bump_version(batch.now)
    return [batch.items[item.pk] for item in items]


def _published(step: Step, corrections: dict[int, Correction], actor: Actor, reason: str) -> Event:
    data = {"reason": reason}
    if step.change:
        data["change"] = step.change.choice
    if step.item.pk in corrections:
        data["correction"] = str(corrections[step.item.pk].uid)
    return make_event(actor, "publish", step.item, revision_number=step.after.number, **data)


def retire(item: Item, *, actor: Actor, reason: str, act: str = "retire", is_told: bool = False) -> Item:
    """Take an item, and what hangs on it, out of public; its address answers 410 with the reason.

    ``act`` is how the log calls it. With ``is_told`` the page of corrections says that a
    thing of its kind was removed, and why; not which, nor what it said. Raises
    ValidationError where it is not live or no reason is given.
    """
    reason = clean_text(reason)
    if len(reason) > LONGEST_REASON:
        raise ValidationError(_("Say it in 1,000 characters."), code="long_reason")
    if not reason:
        raise ValidationError(
            _("Say in a sentence why; readers who come to the address will see it."), code="no_reason"
        )
    with transaction.atomic():
        batch = _lock_batch([item.pk], {}, actor)
        locked = batch.items[item.pk]
        require(actor, "retire", locked)
        if is_told:
            require(actor, "publish", locked)
        if locked.live is None:
            raise ValidationError(
                _("“%(item)s” is not live, so there is nothing to retire.") % {"item": locked}, code="not_live"
            )
        shown, locked.live = locked.live, None
        locked.retired_at = locked.changed_at = batch.now
        locked.retired_reason = reason
        locked.save(update_fields=["live", "retired_at", "changed_at", "retired_reason"])
        kind = get_kind(locked.kind)
        kind.model.objects.filter(pk=locked.pk).update(visible=False)
        moved = {kind.name: [locked.pk]} | _hide_children(kind, [locked.pk])
        touch(pk for pks in moved.values() for pk in pks)
        _touch_linkers(moved)
        for name, pks in moved.items():
            if pks:
                get_kind(name).form.hidden(pks)
        hide_corrections([pk for pks in moved.values() for pk in pks])
        tell_taken_back()
        told = file_removal(locked, shown, note=reason, actor=actor, now=batch.now) if is_told else None
        data = {"correction": str(told.uid)} if told else {}
        make_event(actor, act, locked, revision_number=shown.number, reason=reason, **data).save()
        bump_version(batch.now)
    return locked


def reword_correction(correction: Correction, note: str, *, seen: str, actor: Actor) -> Correction:
    """Change the note of a correction. ``seen`` is the note that the new wording was written over.

    Raises ValidationError where it is empty, too long, or somebody changed it meanwhile.
    """
    note = clean_text(note)
    if not note:
        raise ValidationError(_("Say in a sentence what was wrong and what is right."), code="no_note")
    if len(note) > LONGEST_NOTE:
        raise ValidationError(_("Say it in 1,000 characters."), code="long_note")
    with transaction.atomic():
        _lock_reach([correction.item_id], {})
        held = Correction.objects.select_related("item").get(pk=correction.pk)
        require(actor, "publish", held.item)
        if held.note != clean_text(seen):
            message = _("Somebody changed the note meanwhile. It says now: %(note)s")
            raise ValidationError(message, code="stale", params={"note": held.note})
        if held.note == note:
            return held
        before, held.note, held.changed_at = held.note, note, timezone.now()
        held.save(update_fields=["note", "changed_at"])
        moved = {held.item.kind: [held.item_id]}
        touch(moved[held.item.kind])
        _touch_linkers(moved)
        make_event(actor, "reword", held.item, correction=str(held.uid), before=before, after=note).save()
        bump_version(held.changed_at)
    return held


def _lock_batch(
    pks: list[int], revisions: dict[int, Revision], actor: Actor, changes: Mapping[int, Change] | None = None
) -> _Batch:
    _lock_reach(pks, revisions)
    loaded = Item.objects.select_related("live").in_bulk(pks)
    items = {pk: loaded[pk] for pk in pks}
    heads = Revision.objects.in_bulk([item.head_id for pk, item in items.items() if pk not in revisions])
    chosen = {pk: revisions.get(pk) or heads[item.head_id] for pk, item in items.items()}
    contents = {pk: revision.content for pk, revision in chosen.items()}
    for pk in revisions:  # an older revision may name what was deleted since; a head cannot
        contents[pk] = drop_dead_links(get_kind(items[pk].kind).form, contents[pk])
    steps = [Step(item, item.live, chosen[pk], contents[pk], (changes or {}).get(pk)) for pk, item in items.items()]
    return _Batch(items, chosen, contents, steps, actor=actor)


def _lock_reach(pks: list[int], revisions: dict[int, Revision]) -> None:
    """Lock the items, what they hang on, what hangs on them, and the pages that show them, in one order.

    Two acts that touch each other's pages then wait instead of deadlocking, and a parent
    is not retired between the look and the write.
    """
    reach = _with_descendants(dict(Item.objects.filter(pk__in=pks).values_list("pk", "kind")))
    wanted = set(reach) | _named_parents(pks, revisions)
    for kind in all_kinds():
        own = [pk for pk, name in reach.items() if name == kind.name]
        for ids in kind.model.shown_on(own) if own else ():
            wanted |= set(ids)
    list(Item.objects.locked().filter(pk__in=wanted).values_list("pk", flat=True))


def _named_parents(pks: list[int], revisions: dict[int, Revision]) -> set[int]:
    """Return the parents that contents name, such as a quote's speaker, public or not."""
    roles = {name for kind in all_kinds() for name in kind.model.parents}
    heads = ItemLink.objects.filter(source__in=pks, role__in=roles).values_list("target", flat=True)
    pinned = {revision.content.get(name) for revision in revisions.values() for name in roles}
    return {*heads, *(pk for pk in pinned if pk)}


def _with_descendants(kinds: dict[int, str]) -> dict[int, str]:
    """Add to ``{item id: kind}`` whatever hangs on these, level by level."""
    reach = dict(kinds)
    for kind in all_kinds():
        own = [pk for pk, name in reach.items() if name == kind.name]
        for child, name in children_of(kind.model) if own else ():
            found = child.model.objects.filter(**{f"{name}__in": own}).values_list("pk", flat=True)
            reach |= dict.fromkeys(found, child.name)
    return reach


def _load_rows(batch: _Batch) -> None:
    """Load each row with its parents and set its public columns in memory."""
    for kind in all_kinds():
        pks = [pk for pk, item in batch.items.items() if item.kind == kind.name]
        if not pks:
            continue
        for row in kind.model.objects.filter(pk__in=pks):
            row.item = batch.items[row.pk]
            kind.form.write_columns(row, batch.contents[row.pk])
            row.visible = True
            row.first_published_at = row.item.first_published_at or batch.now
            batch.rows[row.pk] = row
        _attach_parents(kind, batch)


def _attach_parents(kind: Kind, batch: _Batch) -> None:
    for name in kind.model.parents:
        rows = batch.of_kind(kind)
        model = kind.model.parent_model(name)
        wanted = {getattr(row, f"{name}_id") for row in rows} - set(batch.rows) - {None}
        others = {parent.pk: parent for parent in model.objects.select_related("item").filter(pk__in=wanted)}
        for row in rows:
            pk = getattr(row, f"{name}_id")
            if pk is not None:
                setattr(row, name, batch.rows.get(pk) or others[pk])


def _refuse_problems(batch: _Batch) -> None:
    messages: dict[int, list[str]] = {}
    needs: set[int] = set()
    for pk, row in batch.rows.items():
        kind, content = get_kind(batch.items[pk].kind), batch.contents[pk]
        missing = kind.form.missing(content)
        found = [missing_message(missing)] if missing else []
        found += kind.form.problems(row, content)
        for parent in hidden_ancestors(row):
            found.append(_why_hidden(parent))
            if parent.item.retired_at is None:
                needs.add(parent.pk)
        if found:
            messages[pk] = found
    for kind in all_kinds():
        contents = {row.pk: batch.contents[row.pk] for row in batch.of_kind(kind)}
        for pk, found in kind.form.problems_together(contents).items() if contents else ():
            messages.setdefault(pk, []).extend(found)
    for pk, found in address_problems([row for row in batch.rows.values() if row.slug], batch.actor).items():
        messages.setdefault(pk, []).extend(found)
    for pk, found in problems_with_changes(batch.steps, batch.now).items():
        messages.setdefault(pk, []).extend(found)
    waivable = _take_objections(batch, messages)
    if not batch.reason:
        for pk, found in waivable.items():
            messages.setdefault(pk, []).extend(found)
    if messages:
        raise PublishRefused(_sentences(batch, messages), needs, takes_reason=bool(waivable) and not batch.reason)
    batch.waived = waivable


def _take_objections(batch: _Batch, messages: dict[int, list[str]]) -> dict[int, list[str]]:
    """Add what can never be published to the messages; return what can be with a written reason."""
    waivable: dict[int, list[str]] = {}
    for kind in all_kinds():
        revisions = {row.pk: batch.revisions[row.pk] for row in batch.of_kind(kind)}
        objections = kind.form.objections(revisions) if revisions else Objections()
        for pk, found in objections.firm.items():
            messages.setdefault(pk, []).extend(found)
        waivable |= objections.waivable
    return waivable


def _waive(batch: _Batch) -> None:
    for kind in {batch.items[pk].kind for pk in batch.waived}:
        revisions = {pk: batch.revisions[pk] for pk in batch.waived if batch.items[pk].kind == kind}
        get_kind(kind).form.waive(revisions, reason=batch.reason, actor=batch.actor)


def _sidestep_addresses(batch: _Batch) -> None:
    for pk in address_problems(list(batch.rows.values()), batch.actor):
        batch.rows[pk].slug = batch.items[pk].short_id


def _why_hidden(parent: Publishable) -> str:
    if parent.item.retired_at is not None:
        message = _("“%(parent)s” was retired: %(reason)s If that is over, publish it again first.")
        return message % {"parent": parent, "reason": parent.item.retired_reason}
    return _("“%(parent)s” is not live yet. Publish it first, or both together.") % {"parent": parent}


def hidden_ancestors(row: Publishable) -> list[Publishable]:
    """Return all that keeps a row from being seen, the uppermost first."""
    found: dict[int, Publishable] = {}
    for parent in hidden_parents(row):
        for above in [*hidden_ancestors(_as_drafted(parent)), parent]:
            found.setdefault(above.pk, above)
    return list(found.values())


def _as_drafted(row: Publishable) -> Publishable:
    """Return the row with the parents that its head names, if it was never live."""
    if row.item.live_id is None:
        get_kind(row.item.kind).form.write_columns(row, row.item.newest.content)
    return row


def hidden_parents(row: Publishable) -> list[Publishable]:
    """Return the parents that keep a row from being seen."""
    parents = [getattr(row, name) for name in row.parents if getattr(row, f"{name}_id") is not None]
    return [parent for parent in parents if not parent.visible]


def _sentences(batch: _Batch, messages: dict[int, list[str]]) -> list[str]:
    if len(batch.items) == 1:
        return [sentence for found in messages.values() for sentence in found]
    return [f"“{batch.items[pk]}”: {sentence}" for pk, found in messages.items() for sentence in found]


def _present_slugs(batch: _Batch) -> dict[int, str | None]:
    slugs: dict[int, str | None] = {}
    for kind in all_kinds():
        pks = [row.pk for row in batch.of_kind(kind)]
        if pks:
            slugs |= dict(kind.model.objects.filter(pk__in=pks).values_list("pk", "slug"))
    return slugs


def _write_rows(batch: _Batch) -> None:
    """Write public columns and link tables, a few statements for each kind."""
    for kind in all_kinds():
        rows = batch.of_kind(kind)
        if not rows:
            continue
        columns = [column.name for column in kind.model._meta.concrete_fields if not column.primary_key]
        kind.model.objects.bulk_create(rows, update_conflicts=True, unique_fields=["item"], update_fields=columns)
        for name, table in kind.form.links.items():
            table.objects.filter(**{f"{table.source_field}__in": [row.pk for row in rows]}).delete()
            table.objects.bulk_create(
                [link for row in rows for link in table.build(row, batch.contents[row.pk].get(name) or [])]
            )


def _write_items(batch: _Batch) -> None:
    for pk, item in batch.items.items():
        item.live = batch.revisions[pk]
        item.retired_at, item.retired_reason = None, ""
        item.published_at = item.changed_at = batch.now
        item.first_published_at = item.first_published_at or batch.now
        if item.head_id == item.live_id:
            item.draft_state = Item.DraftState.EDITING
    names = ["live", "retired_at", "retired_reason", "published_at", "changed_at", "first_published_at", "draft_state"]
    Item.objects.bulk_update(batch.items.values(), names)


def _readdress_children(batch: _Batch, old_slugs: dict[int, str | None]) -> None:
    """Give live children new paths where a parent's slug is part of them and has changed."""
    renamed = [pk for pk, slug in old_slugs.items() if slug and slug != batch.rows[pk].slug]
    for kind in {batch.items[pk].kind for pk in renamed}:
        pks = [pk for pk in renamed if batch.items[pk].kind == kind]
        for child, name in children_of(get_kind(kind).model):
            if name in child.model.address_parents:
                children = child.model.objects.select_related(name).filter(
                    item__live__isnull=False, **{f"{name}__in": pks}
                )
                write_addresses(list(children), batch.actor)
                touch(row.pk for row in children)


def _show_children(batch: _Batch) -> dict[str, list[int]]:
    moved: dict[str, list[int]] = {}
    for kind in all_kinds():
        pks = [row.pk for row in batch.of_kind(kind)] + moved.get(kind.name, [])
        for child, name in children_of(kind.model) if pks else ():
            hidden = child.model.objects.filter(child.model.parents_visible(), **{f"{name}__in": pks}, visible=False)
            shown = list(hidden.filter(item__live__isnull=False).values_list("pk", flat=True))
            child.model.objects.filter(pk__in=shown).update(visible=True)
            moved.setdefault(child.name, []).extend(shown)
    touch(pk for pks in moved.values() for pk in pks)
    return moved


def _tell_shown(batch: _Batch, moved: dict[str, list[int]]) -> None:
    for kind in all_kinds():
        pks = [row.pk for row in batch.of_kind(kind)] + moved.get(kind.name, [])
        if pks:
            kind.form.shown(pks)


def _hide_children(kind: Kind, pks: list[int]) -> dict[str, list[int]]:
    moved: dict[str, list[int]] = {}
    for child, name in children_of(kind.model):
        hidden = list(child.model.objects.filter(**{f"{name}__in": pks}, visible=True).values_list("pk", flat=True))
        child.model.objects.filter(pk__in=hidden).update(visible=False)
        moved.setdefault(child.name, []).extend(hidden)
        for deeper, found in _hide_children(child, hidden).items() if hidden else ():
            moved.setdefault(deeper, []).extend(found)
    return moved


def _touch_pages_that_show(batch: _Batch, moved: dict[str, list[int]]) -> None:
    shown = {kind.name: [row.pk for row in batch.of_kind(kind)] for kind in all_kinds()}
    for name, pks in moved.items():
        shown[name] = shown.get(name, []) + pks
    _touch_linkers(shown)


def _touch_linkers(moved: dict[str, list[int]]) -> None:
    """Move ``changed_at`` of the live pages that show what has changed."""
    for name, pks in moved.items():
        for ids in get_kind(name).model.shown_on(pks) if pks else ():
            touch(ids)


def touch(ids: Iterable[int] | models.QuerySet) -> None:
    """Move ``changed_at`` of those items that are live."""
    wanted = ids if isinstance(ids, models.QuerySet) else list(ids)
    if isinstance(wanted, list) and not wanted:
        return
    Item.objects.filter(pk__in=wanted, live__isnull=False).update(changed_at=timezone.now())
