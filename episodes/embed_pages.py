"""An episode in somebody else's page: what it is, its sound where it is ours, and its first quotes."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Protocol

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_safe

from publishing.embeds import (
    SMALL_LETTER,
    SMALL_LINE,
    Embed,
    clip_height,
    column_at,
    count_lines,
    embed_response,
    height_around,
    may_be_framed_anywhere,
)
from publishing.models import SiteSettings
from publishing.pages import absolute
from publishing.text import shorten

from .cards import episode_card
from .models import Episode
from .player import Player, player_of

SUMMARY_CHARS = 280
MOST_QUOTES = 3

# What static/css/embed.css sets, in pixels.
TITLE_LETTER, TITLE_LINE = 9.4, 24
ARTWORK = 84  # with what is beside it; in a narrow frame there is none
NARROW = 352
BULLET = 18
AROUND = 40  # over the summary and over and under the heading of the quotes


class Headed(Protocol):
    """What episodes read of a quote; its model lies in an app that imports this one."""

    @property
    def headline(self) -> str: ...


@require_safe
@may_be_framed_anywhere
def episode_embed(request: HttpRequest, show_slug: str, slug: str) -> HttpResponse:
    episode = get_object_or_404(Episode.objects.live().for_page(), show__slug=show_slug, slug=slug)
    context = {
        "episode": episode,
        "canonical": absolute(episode.get_absolute_url()),
        "artwork": episode.artwork or episode.show.artwork,
        "summary": _summary(episode),
        "player": own_player(episode),
        "quotes": first_quotes(episode),
    }
    return embed_response(request, "episodes/embed.html", context)


def first_quotes(episode: Episode) -> Sequence[Headed]:
    """Return the quotes that come first in an episode, as readers see them. One query, when they are read."""
    return episode.quotes.live().as_said().for_listing()[:MOST_QUOTES]


def own_player(episode: Episode) -> Player:
    """Return the player of the files that lie here; a frame asks no other host for anything."""
    return player_of([link for link in episode.media_links if link.media.file])


def _summary(episode: Episode) -> str:
    return shorten(episode.summary, SUMMARY_CHARS)


def embed_of(episode: Episode, site: SiteSettings, quotes: Iterable[Headed]) -> Embed:
    """Return what others are told of an episode that was loaded by ``for_page()``; ``quotes`` are as said."""
    headlines = [quote.headline for quote in islice(quotes, MOST_QUOTES)]
    return Embed(
        url=absolute(reverse("episodes:embed", args=[episode.show.slug, episode.slug])),
        title=episode.title,
        author_name=episode.show.author or episode.show.title,
        author_url=absolute(episode.show.get_absolute_url()),
        height_at=lambda width: _height(episode, headlines, width),
        card=episode_card(site, episode),
    )


def _height(episode: Episode, headlines: Sequence[str], width: int) -> int:
    """Return about how many pixels the page needs at a width."""
    column = column_at(width)
    beside = column - (ARTWORK if width > NARROW and (episode.artwork or episode.show.artwork) else 0)
    title = count_lines(episode.title, beside, TITLE_LETTER) * TITLE_LINE
    lines = count_lines(_summary(episode), column, SMALL_LETTER) + count_lines(episode.show.title, beside, SMALL_LETTER)
    lines += sum(count_lines(headline, column - BULLET, SMALL_LETTER) for headline in headlines)
    player = own_player(episode)
    clip = clip_height(player.is_video, width) if player.src else 0
    return height_around(width) + AROUND + title + (lines + 2) * SMALL_LINE + clip
