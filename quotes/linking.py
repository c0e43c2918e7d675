"""What readers will see after a quote, for the choice that an editor is making."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from publishing.models import Item

from .models import Quote, QuoteQuerySet
from .more import NEWEST_LOOKED_AT, first_of_each_moment


@dataclass(frozen=True)
class Following:
    """The cards that would follow, with the ids that the editor chose; ``waiting`` are chosen and not live."""

    quotes: list[Quote]
    chosen: set[int]
    waiting: list[Item]


def following(pk: int, speaker: int | None, chosen: list[int]) -> Following:
    """Return what would follow a quote of this speaker with these chosen, in this order. A few queries."""
    own = Quote.objects.get(pk=pk)
    others = Quote.objects.live().filter(speaker=speaker).exclude(pk=pk).for_listing()
    by_default = others.filter(item__on_guests__guest=speaker).order_by("item__on_guests__position")
    return _first_chosen([number for number in chosen if number != pk], others, by_default, own)


def following_by_default(speaker: int, chosen: list[int]) -> Following:
    """Return what would follow a quote without a list of its own, with these chosen for its speaker. A few queries."""
    return _first_chosen(chosen, Quote.objects.live().filter(speaker=speaker).for_listing())


def _first_chosen(
    chosen: list[int], others: QuoteQuerySet, then: Iterable[Quote] = (), own: Quote | None = None
) -> Following:
    """Put the chosen of the others first, then what the speaker's page names, then the newest."""
    live = {quote.pk: quote for quote in others.filter(pk__in=chosen)}
    lists = ([live[pk] for pk in chosen if pk in live], then, others.newest_first()[:NEWEST_LOOKED_AT])
    waiting = Item.objects.of_kind("quote").filter(pk__in=set(chosen) - set(live))
    shown = first_of_each_moment(chain.from_iterable(lists), own.moment if own else None)
    return Following(shown, set(chosen), list(waiting[:60]))
