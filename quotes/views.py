from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from episodes.models import Episode, EpisodeGuest, Guest, Show, Topic
from episodes.player import player_of
from episodes.structured import list_data
from publishing.corrections import shown_corrections
from publishing.feeds import Feed, feed_links, feed_response, page_number
from publishing.middleware import site_of
from publishing.oembed import discovery_links
from publishing.pages import Article, Head, paginate

from . import feeds
from .bylines import headline_byline, sources_of
from .card_pages import quote_card
from .checking import live_check_of
from .citations import citation_of, write_text
from .cite_pages import cite_links
from .clip_pages import DOWNLOADS, file_url, ready_among, token_of
from .clips import Kind
from .clips.offers import offers_of
from .embed_pages import embed_of
from .models import Quote
from .more import more_from_speaker
from .playing import clip_to_play, moment_url_of
from .proof_page import heard_by, proof_of
from .provenance import provenance_of
from .structured import home_data, quote_data

EPISODES_ON_HOME = 6
CARDS_ON_HOME = 6  # below the newest quote, which leads
SHOWS_ON_HOME = 12


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    site = site_of(request)
    episode_links = feed_links(site.name, "quotes:site-feed")
    lead, *quotes = Quote.objects.live().for_listing().with_episode().newest_first().slice_of(0, CARDS_ON_HOME + 1) or [
        None
    ]
    episodes = Episode.objects.live().for_listing().slice_of(0, EPISODES_ON_HOME)
    context = {
        "head": Head(
            site.name,
            site.tagline,
            feeds=episode_links + feed_links(_("Quotes"), "quotes:feed"),
            data=home_data(site, [lead, *quotes] if lead else [], episodes),
        ),
        "lead": lead,
        "quotes": quotes,
        "episodes": episodes,
        "shows": Show.objects.live().select_related("artwork").order_by("title", "pk")[:SHOWS_ON_HOME],
        "follow": episode_links,
    }
    return render(request, "quotes/home.html", context)


@require_safe
def quote_list(request: HttpRequest) -> HttpResponse:
    page = paginate(request, Quote.objects.live().for_listing().newest_first())
    head = Head(_("Quotes"), feeds=feed_links(_("Quotes"), "quotes:feed"), data=list_data(_("Quotes"), page))
    return render(request, "quotes/quote_list.html", {"head": head, "page": page})


@require_safe
def quote_detail(request: HttpRequest, slug: str) -> HttpResponse:
    quote = get_object_or_404(Quote.objects.live().for_page(), slug=slug)
    check = live_check_of(quote)
    offers = offers_of(quote, site_of(request), check)
    made = ready_among(offers)
    player = player_of(quote.episode.media_links, quote.start_ms, quote.end_ms)
    player = replace(player, clip=clip_to_play(offers, made))
    moment_url = moment_url_of(quote, player)
    topics = [link.topic.name for link in quote.topic_links]
    context = {
        "head": Head(
            quote.headline,
            quote.context,
            feeds=feed_links(_("Quotes"), "quotes:feed"),
            card=quote_card(site_of(request), quote),
            oembed=discovery_links(quote.headline, quote.get_absolute_url()),
            kind="article",
            article=Article(quote.first_published_at, quote.item.changed_at, topics),
            video=next((file_url(offers[kind]) for kind in DOWNLOADS & made.keys()), ""),
            audio=file_url(offers[Kind.AUDIO]) if Kind.AUDIO in made else "",
            data=quote_data(quote, player, moment_url),
        ),
        "quote": quote,
        "corrections": shown_corrections(quote),
        "artwork": quote.episode.artwork or quote.episode.show.artwork,
        "player": player,
        "clip_token": token_of(quote) if offers.keys() & DOWNLOADS else "",
        "clip_is_made": bool(made.keys() & DOWNLOADS),
        "moment_url": moment_url,
        "provenance": provenance_of(quote, check),
        "proof": proof_of(quote, check),
        "heard": heard_by(quote),
        "byline": headline_byline(quote),
        "sources": sources_of(quote),
        "credit": _credit(quote),
        "citation": write_text(citation_of(quote, site_of(request))),
        "cite_links": cite_links(quote),
        "embed": embed_of(quote, site_of(request), offers),
        "quote_count": quote.speaker.quotes.live().count(),
        "more": more_from_speaker(quote),
    }
    return render(request, "quotes/quote_detail.html", context)


@require_safe
def quotes_feed(request: HttpRequest, format: str) -> HttpResponse:
    return feed_response(request, format, lambda: feeds.quotes_feed(site_of(request), page_number(request)))


@require_safe
def site_feed(request: HttpRequest, format: str) -> HttpResponse:
    return feed_response(request, format, lambda: feeds.site_feed(site_of(request), page_number(request)))


@require_safe
def guest_quotes_feed(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    def describe() -> Feed:
        guest = get_object_or_404(Guest.objects.live().select_related("item", "portrait"), slug=slug)
        return feeds.guest_quotes_feed(site_of(request), guest, page_number(request))

    return feed_response(request, format, describe)


@require_safe
def topic_quotes_feed(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    def describe() -> Feed:
        topic = get_object_or_404(Topic.objects.live().select_related("item"), slug=slug)
        return feeds.topic_quotes_feed(site_of(request), topic, page_number(request))

    return feed_response(request, format, describe)


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


def _credit(quote: Quote) -> str:
    """Return who the speaker was at the time of the episode, where the episode says so."""
    links = EpisodeGuest.objects.filter(episode=quote.episode, guest=quote.speaker).exclude(credit="")
    return links.values_list("credit", flat=True).first() or ""
