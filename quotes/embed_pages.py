"""A quote in somebody else's page: the words whole, who said them and where, and what is promised of them."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from episodes.player import player_of
from publishing.embeds import (
    SMALL_LETTER,
    SMALL_LINE,
    WIDE,
    Embed,
    clip_height,
    column_at,
    count_lines,
    embed_response,
    height_around,
    may_be_framed_anywhere,
)
from publishing.middleware import site_of
from publishing.models import SiteSettings, once_live
from publishing.pages import absolute
from publishing.templatetags.pullquote import day_in_words

from .card_pages import quote_card
from .checking import live_check_of
from .clip_pages import ready_among
from .clips import Kind
from .clips.offers import Offer, offers_of
from .models import Quote
from .playing import clip_to_play, kind_to_play, moment_url_of
from .proof_page import proof_of
from .provenance import provenance_of

LONG = 400  # characters of a quote, above which it is set in smaller letters

# What static/css/embed.css sets: narrow, wide.
WORDS = ((9.0, 24), (11.0, 29))  # pixels of a letter and of a line
LONG_WORDS = ((8.6, 24), (9.0, 26))
INDENT = (15, 19)  # pixels beside the words
AROUND = 28  # pixels over and under the words, and over what is promised
PROOF_CHARS = 110  # of what is promised, with room to spare


@require_safe
@may_be_framed_anywhere
def quote_embed(request: HttpRequest, slug: str) -> HttpResponse:
    quote = get_object_or_404(Quote.objects.live().for_page(), slug=slug)
    check = live_check_of(quote)
    offers = offers_of(quote, site_of(request), check)
    player = player_of(quote.episode.media_links, quote.start_ms, quote.end_ms)
    context = {
        "quote": quote,
        "is_long": len(quote.text) > LONG,
        "canonical": absolute(quote.get_absolute_url()),
        "moment_url": absolute(moment_url_of(quote, player)),
        "plays": kind_to_play(offers),
        "player": replace(player, clip=clip_to_play(offers, ready_among(offers))),
        "proof": proof_of(quote, check),
        "provenance": provenance_of(quote, check),
    }
    return embed_response(request, "quotes/embed.html", context)


def embed_of(quote: Quote, site: SiteSettings, offers: dict[Kind, Offer]) -> Embed:
    """Return what others are told of a quote that was loaded by ``for_page()``. No query."""
    speaker = once_live(quote.speaker)
    return Embed(
        url=absolute(reverse("quotes:embed", args=[quote.slug])),
        title=quote.headline,
        author_name=speaker.name,
        author_url=absolute(speaker.get_absolute_url()),
        height_at=lambda width: _height(quote, kind_to_play(offers), width),
        card=quote_card(site, quote),
    )


def _height(quote: Quote, plays: Kind | None, width: int) -> int:
    """Return about how many pixels the page needs at a width.

    What is promised of the words has a fixed room: it may change when the quote does not.
    """
    is_wide, column = width >= WIDE, column_at(width)
    letter, line = (LONG_WORDS if len(quote.text) > LONG else WORDS)[is_wide]
    words = count_lines(f"“{quote.text}”", column - INDENT[is_wide], letter) * line
    where = " · ".join([quote.speaker_name, quote.episode.title, day_in_words(quote.episode.aired_at), "at 0:00:00"])
    small = (quote.headline, where, "x" * PROOF_CHARS)
    lines = sum(count_lines(text, column, SMALL_LETTER) for text in small)
    clip = clip_height(plays is Kind.VIDEO, width) + SMALL_LINE if plays else 0
    return height_around(width) + AROUND + words + lines * SMALL_LINE + clip
