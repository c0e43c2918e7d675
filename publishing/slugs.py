"""The last part of an address: made from the title, and free when it is made."""

from collections.abc import Sequence

from django.utils.text import slugify

from .content import Content
from .kinds import get_kind
from .models import Item

Place = tuple[int, ...]  # the parents below which a slug must be the only one
LONGEST = 80  # characters of a made slug; a typed one may have 120


def make_slug(title: str) -> str:
    """Return the title as a slug in its own script, cut between words; may be empty."""
    slug = slugify(title, allow_unicode=True)
    if len(slug) <= LONGEST:
        return slug
    cut = slug[:LONGEST]
    return (cut.rsplit("-", 1)[0] if "-" in cut and slug[LONGEST] != "-" else cut).strip("-")


def assign_slugs(drafts: Sequence[tuple[Item, Content]]) -> None:
    """Fill the empty slugs of contents with free ones; three queries a kind. The items' rows exist.

    “Free” looks at the heads and the live rows of the same kind, below the same parents
    where these are part of the address, and at those in the batch; what is truly free is
    decided at publication, by the path.
    """
    for kind in {item.kind for item, content in drafts if not content.get("slug")}:
        of_kind = [(item, content) for item, content in drafts if item.kind == kind]
        places = _places(kind, [item.pk for item, _content in of_kind])
        form = get_kind(kind).form
        batch = [
            (item, content, make_slug(form.title_of(content))) for item, content in of_kind if not content.get("slug")
        ]
        taken = _taken(kind, {slug for _item, _content, slug in batch}, [item.pk for item, _content, _slug in batch])
        taken |= {(*places[item.pk], content["slug"]) for item, content in of_kind if content.get("slug")}
        for item, content, slug in batch:
            is_free = slug and (*places[item.pk], slug) not in taken
            content["slug"] = slug if is_free else f"{slug or item.kind}-{item.short_id}"
            taken.add((*places[item.pk], content["slug"]))


def _places(kind: str, pks: list[int]) -> dict[int, Place]:
    """Return what the address of each row stands under."""
    names = get_kind(kind).model.address_parents
    if not names:
        return dict.fromkeys(pks, ())
    rows = get_kind(kind).model.objects.filter(pk__in=pks).values_list("pk", *(f"{name}_id" for name in names))
    return {pk: tuple(place) for pk, *place in rows}


def _taken(kind: str, wanted: set[str], own: list[int]) -> set[tuple]:
    """Return ``(*place, slug)`` of the heads and live rows that have one of the slugs."""
    model = get_kind(kind).model
    place = [f"{name}_id" for name in model.address_parents]
    rows = model.objects.exclude(pk__in=own)
    heads = rows.filter(item__kind=kind, item__working_slug__in=wanted)
    live = rows.filter(slug__in=wanted)
    return {*heads.values_list(*place, "item__working_slug"), *live.values_list(*place, "slug")}
