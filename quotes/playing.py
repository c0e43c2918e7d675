"""What plays on the pages of a quote, and where else its words can be heard."""

from django.urls import reverse

from episodes.player import ClipFile, Player

from .clip_pages import file_url
from .clips import Kind
from .clips.offers import Offer
from .models import Clip, Quote


def kind_to_play(offers: dict[Kind, Offer]) -> Kind | None:
    """Return which of a quote's clips a page plays, made or not: the picture where there is one."""
    return next((kind for kind in (Kind.VIDEO, Kind.AUDIO) if kind in offers), None)


def clip_to_play(offers: dict[Kind, Offer], made: dict[Kind, Clip]) -> ClipFile | None:
    """Return the clip that a page plays in place of the whole file, if it is made."""
    kind = kind_to_play(offers)
    if kind is None or kind not in made:
        return None
    offer = offers[kind]
    poster = reverse("quotes:clip-jpg", args=[offer.quote.slug]) if kind is Kind.VIDEO else ""
    return ClipFile(file_url(offer), kind is Kind.VIDEO, offer.padding_ms[0], poster)


def moment_url_of(quote: Quote, player: Player) -> str:
    """Return where the quote can be heard, else where it stands in its episode; empty for one without a start."""
    if quote.start_ms is None:
        return ""
    path = quote.episode.get_absolute_url()
    return player.moment_url(quote.start_ms, path) or f"{path}#quote-{quote.slug}"
