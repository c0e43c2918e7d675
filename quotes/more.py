"""More from the speaker: which quotes follow a quote."""

from collections.abc import Hashable
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
    chosen: dict[Hashable, Quote] = {}
    for candidate in chain.from_iterable(lists):
        if _moment(candidate) != _moment(quote):
            chosen.setdefault(_moment(candidate), candidate)
        if len(chosen) == MOST:
            break
    return list(chosen.values())


def _moment(quote: Quote) -> Hashable:
    """Return what two quotes of the same words share; one without a time is its own moment."""
    return (quote.episode_id, quote.start_ms) if quote.start_ms is not None else quote.pk
