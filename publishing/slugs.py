"""The last part of an address: made from the title, and free when it is made."""

from collections.abc import Sequence

from django.utils.text import slugify

from .content import Content
from .kinds import get_kind
from .models import Item

LONGEST = 80  # characters of a made slug; a typed one may have 120


def make_slug(title: str) -> str:
    """Return the title as a slug in its own script, cut between words; may be empty."""
    slug = slugify(title, allow_unicode=True)
    if len(slug) <= LONGEST:
        return slug
    cut = slug[:LONGEST]
    return (cut.rsplit("-", 1)[0] if "-" in cut and slug[LONGEST] != "-" else cut).strip("-")


def assign_slugs(drafts: Sequence[tuple[Item, Content]]) -> None:
    """Fill the empty slugs of contents with free ones; two queries a kind.

    “Free” looks at the heads of the same kind and at those in the batch; what is
    truly free is decided at publication, by the path.
    """
    empty = [(item, content) for item, content in drafts if not content.get("slug")]
    for kind in {item.kind for item, _content in empty}:
        form = get_kind(kind).form
        batch = [(item, content, make_slug(form.title_of(content))) for item, content in empty if item.kind == kind]
        taken = _taken(kind, {slug for _item, _content, slug in batch}, [item.pk for item, _content, _slug in batch])
        taken |= {content["slug"] for _item, content in drafts if content.get("slug")}
        for item, content, slug in batch:
            content["slug"] = _free(slug, item, taken)
            taken.add(content["slug"])


def _taken(kind: str, wanted: set[str], own: list[int]) -> set[str]:
    heads = Item.objects.of_kind(kind).filter(working_slug__in=wanted).exclude(pk__in=own)
    live = get_kind(kind).model.objects.filter(slug__in=wanted).exclude(pk__in=own)
    return {*heads.values_list("working_slug", flat=True), *live.values_list("slug", flat=True)}


def _free(slug: str, item: Item, taken: set[str]) -> str:
    if slug and slug not in taken:
        return slug
    return f"{slug or item.kind}-{item.short_id}"
