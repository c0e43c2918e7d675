"""What readers will see after a quote, for the choice that an editor is making."""

from dataclasses import dataclass
from itertools import chain

from publishing.models import Item

from .models import Quote
from .more import NEWEST_LOOKED_AT, first_of_each_moment


@dataclass(frozen=True)
class Following:
    """The cards that would follow, with the ids that the editor chose; ``waiting`` are chosen and not live."""

    quotes: list[Quote]
    chosen: set[int]
    waiting: list[Item]


def following_draft(pk: int) -> Following:
    """Return what would follow a quote once its head is published."""
    content = Item.objects.select_related("head").get(pk=pk).newest.content
    chosen = [row["related"] for row in content.get("related") or []]
    return following(pk, content.get("speaker"), chosen)


def following(pk: int, speaker: int | None, chosen: list[int]) -> Following:
    """Return what would follow a quote of this speaker with these chosen, in this order. A few queries."""
    own = Quote.objects.get(pk=pk)
    others = Quote.objects.live().filter(speaker=speaker).exclude(pk=pk).for_listing()
    live = {quote.pk: quote for quote in others.filter(pk__in=chosen)}
    lists = (
        [live[pk] for pk in chosen if pk in live],
        others.filter(item__on_guests__guest=speaker).order_by("item__on_guests__position"),
        others.newest_first()[:NEWEST_LOOKED_AT],
    )
    waiting = Item.objects.of_kind("quote").filter(pk__in=set(chosen) - set(live) - {pk})
    return Following(first_of_each_moment(chain.from_iterable(lists), own.moment), set(chosen), list(waiting[:60]))
