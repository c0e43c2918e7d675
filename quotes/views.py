from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from episodes.models import Episode, EpisodeGuest, Show
from episodes.player import ClipFile, Player, player_of
from publishing.feeds import feed_links, feed_response
from publishing.middleware import site_of
from publishing.pages import Head, paginate

from . import feeds
from .bylines import headline_byline, sources_of
from .card_pages import quote_card
from .checking import live_check_of
from .clip_pages import DOWNLOADS, file_url, ready_among, token_of
from .clips import Kind
from .clips.offers import Offer, offers_of
from .models import Clip, Quote
from .more import more_from_speaker
from .proof_page import heard_by, proof_of
from .provenance import provenance_of

EPISODES_ON_HOME = 6
CARDS_ON_HOME = 6  # below the newest quote, which leads
SHOWS_ON_HOME = 12


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    site = site_of(request)
    episode_links = feed_links(site.name, "episodes:site-feed")
    lead, *quotes = Quote.objects.live().for_listing().with_episode().newest_first().slice_of(0, CARDS_ON_HOME + 1) or [
        None
    ]
    context = {
        "head": Head(site.name, site.tagline, feeds=episode_links + feed_links(_("Quotes"), "quotes:feed")),
        "lead": lead,
        "quotes": quotes,
        "episodes": Episode.objects.live().for_listing().slice_of(0, EPISODES_ON_HOME),
        "shows": Show.objects.live().select_related("artwork").order_by("title", "pk")[:SHOWS_ON_HOME],
        "follow": episode_links,
    }
    return render(request, "quotes/home.html", context)


@require_safe
def quote_list(request: HttpRequest) -> HttpResponse:
    head = Head(_("Quotes"), feeds=feed_links(_("Quotes"), "quotes:feed"))
    page = paginate(request, Quote.objects.live().for_listing().newest_first())
    return render(request, "quotes/quote_list.html", {"head": head, "page": page})


@require_safe
def quote_detail(request: HttpRequest, slug: str) -> HttpResponse:
    quote = get_object_or_404(Quote.objects.live().for_page(), slug=slug)
    check = live_check_of(quote)
    offers = offers_of(quote, site_of(request), check)
    made = ready_among(offers)
    player = player_of(quote.episode.media_links, quote.start_ms, quote.end_ms)
    player = replace(player, clip=_clip_to_play(offers, made))
    context = {
        "head": Head(
            quote.headline,
            quote.context,
            feeds=feed_links(_("Quotes"), "quotes:feed"),
            card=quote_card(site_of(request), quote),
        ),
        "quote": quote,
        "artwork": quote.episode.artwork or quote.episode.show.artwork,
        "player": player,
        "clip_token": token_of(quote) if offers.keys() & DOWNLOADS else "",
        "clip_is_made": bool(made.keys() & DOWNLOADS),
        "moment_url": _moment_url(quote, player),
        "provenance": provenance_of(quote, check),
        "proof": proof_of(quote, check),
        "heard": heard_by(quote),
        "byline": headline_byline(quote),
        "sources": sources_of(quote),
        "credit": _credit(quote),
        "quote_count": quote.speaker.quotes.live().count(),
        "more": more_from_speaker(quote),
    }
    return render(request, "quotes/quote_detail.html", context)


@require_safe
def quotes_feed(request: HttpRequest, format: str) -> HttpResponse:
    return feed_response(request, feeds.quotes_feed(site_of(request)), format)


@require_safe
def short_link(request: HttpRequest, short_id: str) -> HttpResponse:
    return redirect(get_object_or_404(Quote.objects.live(), item__short_id=short_id))


@require_safe
def how(request: HttpRequest) -> HttpResponse:
    head = Head(
        _("How quotes are made"), _("What we check, what we change, and what the words on a quote's page mean.")
    )
    return render(request, "quotes/how.html", {"head": head, "verdicts": Quote.Verdict.choices} | _asked_about(request))


def _asked_about(request: HttpRequest) -> dict:
    """Return what is known of the quote that ``?quote=`` names; nothing where readers may not see it. Five queries at most."""
    slug = request.GET.get("quote", "")
    quotes = Quote.objects.live().with_episode().select_related("item", "speaker")
    quote = quotes.filter(slug=slug).first() if slug else None
    if quote is None:
        return {}
    return {"quote": quote, "proof": proof_of(quote, live_check_of(quote)), "heard": heard_by(quote)}


def _clip_to_play(offers: dict[Kind, Offer], made: dict[Kind, Clip]) -> ClipFile | None:
    """Return the clip that the page plays in place of the whole file, if one is made: the picture where there is one."""
    kind = next((kind for kind in (Kind.VIDEO, Kind.AUDIO) if kind in made), None)
    if kind is None or (kind is Kind.AUDIO and Kind.VIDEO in offers):
        return None
    return ClipFile(file_url(offers[kind]), kind is Kind.VIDEO, offers[kind].padding_ms[0])


def _moment_url(quote: Quote, player: Player) -> str:
    """Return where the quote can be heard, else where it stands in its episode."""
    if quote.start_ms is None:
        return ""
    path = quote.episode.get_absolute_url()
    return player.moment_url(quote.start_ms, path) or f"{path}#quote-{quote.slug}"


def _credit(quote: Quote) -> str:
    """Return who the speaker was at the time of the episode, where the episode says so."""
    links = EpisodeGuest.objects.filter(episode=quote.episode, guest=quote.speaker).exclude(credit="")
    return links.values_list("credit", flat=True).first() or ""
