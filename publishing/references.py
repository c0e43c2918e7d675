"""References to items as people type them: ``Ada Okafor (#12)``, or a title alone."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from .models import Item

NUMBERED = re.compile(r"\(#(\d{1,18})\)\s*$")
ID = re.compile(r"[0-9]{1,18}")
MOST_NAMED = 3  # candidates that a message about an ambiguous title lists


@dataclass(frozen=True)
class Resolved:
    """What a typed reference means: an item id, or a sentence on why it means nothing."""

    item_id: int | None
    problem: str = ""


def read_id(text: object) -> int:
    """Return a key that somebody sent as text, or 0, which no row has, where it could be none of ours."""
    return int(str(text)) if ID.fullmatch(str(text)) else 0


def item_labels(ids: Iterable[int]) -> dict[int, str]:
    """Return the working titles of items, in one query; an id that is gone is left out."""
    wanted = set(ids)
    if not wanted:
        return {}
    return {item.pk: str(item) for item in Item.objects.filter(pk__in=wanted).only("pk", "working_title")}


def write_reference(item_id: int, label: str) -> str:
    return f"{label} (#{item_id})"


def write_references(ids: Iterable[int]) -> dict[int, str]:
    """Return the typed form of each item, in one query; a deleted item says so."""
    wanted = set(ids)
    labels = item_labels(wanted)
    return {pk: write_reference(pk, labels.get(pk, _("deleted"))) for pk in wanted}


def resolve_references(kind: str, texts: Iterable[str]) -> dict[str, Resolved]:
    """Return what each text means among the items of one kind, in two queries at most."""
    wanted = {text.strip() for text in texts}
    numbers = {text: int(match[1]) for text in wanted if (match := NUMBERED.search(text))}
    titles = wanted - set(numbers)
    return _resolve_numbers(kind, numbers) | _resolve_titles(kind, titles)


def _resolve_numbers(kind: str, numbers: dict[str, int]) -> dict[str, Resolved]:
    if not numbers:
        return {}
    held = set(Item.objects.of_kind(kind).filter(pk__in=numbers.values()).values_list("pk", flat=True))
    gone = _("“%(text)s” is no longer here. Choose another, or leave it empty.")
    return {
        text: Resolved(number) if number in held else Resolved(None, gone % {"text": text})
        for text, number in numbers.items()
    }


def _resolve_titles(kind: str, titles: set[str]) -> dict[str, Resolved]:
    if not titles:
        return {}
    lowered = [title.lower() for title in titles]
    found: dict[str, list[int]] = {}
    rows = Item.objects.of_kind(kind).annotate(lowered=Lower("working_title")).filter(lowered__in=lowered)
    for pk, lower in rows.order_by("pk").values_list("pk", "lowered")[: 50 * len(lowered)]:
        found.setdefault(lower, []).append(pk)
    return {title: _one_of(title, found.get(title.lower(), [])) for title in titles}


def _one_of(title: str, candidates: list[int]) -> Resolved:
    if len(candidates) == 1:
        return Resolved(candidates[0])
    if not candidates:
        return Resolved(
            None, _("Nothing here is called “%(title)s”. Add it first, or choose from the list.") % {"title": title}
        )
    named = ", ".join(write_reference(pk, title) for pk in candidates[:MOST_NAMED])
    message = _("More than one is called “%(title)s”. Write the number too: %(named)s.")
    return Resolved(None, message % {"title": title, "named": named})
