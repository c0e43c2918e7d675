"""The last part of an address: made from the title, and free when it is made."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.utils.text import slugify

from .kinds import get_kind
from .models import Item

if TYPE_CHECKING:
    from .revisions import NewItem

LONGEST = 80  # characters of a made slug; a typed one may have 120


def make_slug(title: str) -> str:
    """Return the title as a slug in its own script, cut between words; may be empty."""
    slug = slugify(title, allow_unicode=True)
    if len(slug) <= LONGEST:
        return slug
    cut = slug[:LONGEST]
    return (cut.rsplit("-", 1)[0] if "-" in cut and slug[LONGEST] != "-" else cut).strip("-")


def assign_slugs(new: "Sequence[tuple[Item, NewItem]]") -> None:
    """Fill the empty slugs of new content with free ones; two queries a kind.

    “Free” looks at the heads of the same kind and at those in the batch; what is
    truly free is decided at publication, by the path.
    """
    for kind in {item.kind for item, _one in new}:
        batch = [(item, one) for item, one in new if item.kind == kind]
        wanted = {make_slug(get_kind(kind).form.title_of(one.content)) or kind for _item, one in batch}
        taken = _taken(kind, wanted)
        taken |= {one.content["slug"] for _item, one in batch if one.content.get("slug")}
        for item, one in batch:
            if not one.content.get("slug"):
                one.content["slug"] = _free(make_slug(get_kind(kind).form.title_of(one.content)), item, taken)
                taken.add(one.content["slug"])


def _taken(kind: str, wanted: set[str]) -> set[str]:
    heads = Item.objects.of_kind(kind).filter(working_slug__in=wanted)
    live = get_kind(kind).model.objects.filter(slug__in=wanted)
    return {*heads.values_list("working_slug", flat=True), *live.values_list("slug", flat=True)}


def _free(slug: str, item: Item, taken: set[str]) -> str:
    if slug and slug not in taken:
        return slug
    return f"{slug or item.kind}-{item.short_id}"
