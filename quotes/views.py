from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from episodes.models import Episode, EpisodeGuest
from episodes.player import player_of
from publishing.feeds import feed_links, feed_response
from publishing.middleware import site_of
from publishing.pages import Head, paginate

from . import feeds
from .models import Quote
from .more import more_from_speaker

NEWEST_ON_HOME = 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    site = site_of(request)
    links = feed_links(site.name, "episodes:site-feed") + feed_links(_("Quotes"), "quotes:feed")
    context = {
        "head": Head(site.name, site.tagline, feeds=links),
        "episodes": Episode.objects.live().for_listing()[:NEWEST_ON_HOME],
        "quotes": Quote.objects.live().for_listing().newest_first()[:NEWEST_ON_HOME],
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
    context = {
        "head": Head(quote.headline, quote.context, feeds=feed_links(_("Quotes"), "quotes:feed")),
        "quote": quote,
        "player": player_of(quote.episode.media_links, quote.start_ms, quote.end_ms),
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
    return render(request, "quotes/how.html", {"head": head, "verdicts": Quote.Verdict.choices})


def _credit(quote: Quote) -> str:
    """Return who the speaker was at the time of the episode, where the episode says so."""
    links = EpisodeGuest.objects.filter(episode=quote.episode, guest=quote.speaker).exclude(credit="")
    return links.values_list("credit", flat=True).first() or ""
