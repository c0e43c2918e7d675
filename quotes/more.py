"""More from the speaker: which quotes follow a quote."""

from collections.abc import Hashable, Iterable
from itertools import chain

from .models import Quote

MOST = 6  # cards
NEWEST_LOOKED_AT = 60  # so that six are found among quotes of few moments


def more_from_speaker(quote: Quote) -> list[Quote]:
    """Return up to six live quotes of the same speaker, no moment twice.

    First the quote's own list, then the guest's default list, then the newest. Three
    queries at most.
    """
    others = Quote.objects.live().by_guest(quote.speaker).exclude(pk=quote.pk).for_listing()
    lists = (
        others.filter(related_from__quote=quote).order_by("related_from__position"),
        others.filter(item__on_guests__guest=quote.speaker).order_by("item__on_guests__position"),
        others.newest_first()[:NEWEST_LOOKED_AT],
    )
    return first_of_each_moment(chain.from_iterable(lists), quote.moment)


def first_of_each_moment(candidates: Iterable[Quote], own: Hashable) -> list[Quote]:
    """Return the first quotes of the candidates, none of the moment ``own``, none of a moment twice."""
    chosen: dict[Hashable, Quote] = {}
    for candidate in candidates:
        if candidate.moment != own:
            chosen.setdefault(candidate.moment, candidate)
        if len(chosen) == MOST:
            break
    return list(chosen.values())
