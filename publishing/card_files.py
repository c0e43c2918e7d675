"""Cards as files: an address that changes with what is drawn, drawn when first asked for, kept for the next."""

import hashlib
import json
import logging
from dataclasses import asdict, dataclass
from functools import lru_cache

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from .cards import VERSION, CardFacts, FontSet, Picture, draw_card, find_fonts
from .made_files import CARDS, keep_made, open_made
from .models import SiteSettings
from .ranges import FOR_GOOD, KEPT, is_held

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Card:
    """What a page tells of its card."""

    url: str
    alt: str
    width: int = 1200
    height: int = 630


def facts_of(site: SiteSettings, **facts) -> CardFacts:
    """Return facts with those of the site."""
    logo = Picture(str(site.logo.name)) if site.logo else None
    return CardFacts(site=site.name, logo=logo, **{"language": site.locale} | facts)


def card_at(url: str, facts: CardFacts, alt: str) -> Card | None:
    """Return the card under an address, which names what is drawn; None where there are no fonts."""
    key = card_key(facts)
    return Card(f"{url}?v={key}", alt) if key else None


def card_key(facts: CardFacts) -> str:
    """Return a name for everything that a card is drawn from; nothing where there are no fonts."""
    fonts = card_fonts()
    if fonts is None:
        return ""
    known = json.dumps([VERSION, fonts.fingerprint, asdict(facts)], sort_keys=True)
    return hashlib.sha256(known.encode()).hexdigest()[:24]


def card_response(request: HttpRequest, facts: CardFacts, pk: int) -> HttpResponse:
    """Answer with the card of an item as PNG, drawn unless it was before. Raises Http404 where there are no fonts."""
    key = card_key(facts)
    if not key:
        raise Http404
    headers = {"ETag": f'"{key}"', "Cache-Control": FOR_GOOD if request.GET.get("v") == key else KEPT}
    if is_held(request.headers.get("If-None-Match", ""), headers["ETag"]):
        return HttpResponse(status=304, headers=headers)
    data = _bytes_of(f"{CARDS}/{pk}/{key}.png", facts)
    return HttpResponse(data, content_type="image/png", headers=headers)


def drawn(facts: CardFacts) -> bytes:
    """Return a card as PNG, drawn now. Raises Http404 where there are no fonts."""
    fonts = card_fonts()
    if fonts is None:
        raise Http404
    return draw_card(facts, fonts, default_storage.open)


def _bytes_of(name: str, facts: CardFacts) -> bytes:
    held = open_made(name)
    if held:
        with held:
            return held.read()
    data = drawn(facts)
    try:
        keep_made(name, data)
    except OSError:  # a full disk: the card is drawn again next time
        logger.exception("The card %s could not be kept.", name)
    return data


def card_path(view_name: str, *args: str | None) -> str:
    """Return the path of a card; empty where there are no fonts."""
    return reverse(view_name, args=args) if card_fonts() else ""


def card_fonts() -> FontSet | None:
    return _fonts(tuple(settings.CARD_FONTS))


@lru_cache(maxsize=4)
def _fonts(paths: tuple[str, ...]) -> FontSet | None:
    try:
        return find_fonts(paths)
    except FileNotFoundError:
        logger.exception("Pages go without cards.")
        return None
