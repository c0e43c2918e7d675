"""What the pages of quotes, and home, tell machines.

A verdict on an outside source is an editor's reading of that source. In schema.org's words only a
ClaimReview carries one, and its author would be us or the source, neither of whom has reviewed the
claim. So the sources are told as works about the claim, and the verdict is left to the page.
"""

from collections.abc import Iterable, Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from episodes.models import Episode
from episodes.player import Player
from episodes.structured import (
    episode_mention,
    licence,
    named,
    person_mention,
    played,
    poster,
    seconds,
    show_mention,
    topic_mention,
)
from publishing.models import SiteSettings, once_live
from publishing.pages import absolute
from publishing.structured import WEB, Node, PageData, item_list, ref, site_nodes, thing

from .models import Quote


def quote_data(quote: Quote, player: Player, moment_url: str) -> PageData:
    """Describe a quote that was loaded for its page."""
    episode, show = quote.episode, quote.episode.show
    speaker = person_mention(once_live(quote.speaker))
    topics = [topic_mention(link.topic) for link in quote.topic_links]
    main = thing("Quotation", quote) | {
        "text": quote.text,
        "description": quote.context,
        "creator": ref(speaker),
        "spokenByCharacter": ref(speaker),
        "isPartOf": ref(episode_mention(episode)),
        "citation": ref(episode_mention(episode)),
        "about": [ref(topic) for topic in topics],
        "inLanguage": show.language,
    }
    more = [
        speaker,
        episode_mention(episode),
        show_mention(show) | {"license": licence(show)},
        *topics,
        _clip(quote, player, moment_url),
        _claim(quote),
    ]
    trail = [(show.title, show.get_absolute_url()), (episode.title, episode.get_absolute_url())]
    return PageData(main=main, more=more, trail=trail)


def _clip(quote: Quote, player: Player, moment_url: str) -> Node:
    """Return where in the episode the quote is said; how long it is only where the page tells that."""
    if quote.start_ms is None:
        return {}
    return {
        "@type": "Clip",
        "@id": f"{absolute(quote.get_absolute_url())}#clip",
        "name": quote.headline,
        "startOffset": seconds(quote.start_ms),
        "endOffset": seconds(quote.end_ms) if player.is_clip and quote.end_ms is not None else None,
        "url": absolute(moment_url),
        "partOfEpisode": ref(episode_mention(quote.episode)),
        "associatedMedia": _played(quote, player),
    }


def _played(quote: Quote, player: Player) -> Node:
    """Return the file that the page plays: just the words, or the whole episode's."""
    if player.clip is None:
        return played(player, quote.episode)
    kind, mime = ("VideoObject", "video/mp4") if player.clip.is_video else ("AudioObject", "audio/mp4")
    return {
        "@type": kind,
        "name": quote.headline,
        "contentUrl": absolute(player.clip.url),
        "encodingFormat": mime,
        "thumbnailUrl": poster(player, quote.episode),
    }


def _claim(quote: Quote) -> Node:
    """Return what the speaker claims in the editors' words, if outside sources speak to it."""
    sources = [_source(source) for source in quote.assessments]
    if not sources:
        return {}
    return {
        "@type": "Claim",
        "@id": f"{absolute(quote.get_absolute_url())}#claim",
        "name": quote.claim,
        "author": ref(person_mention(once_live(quote.speaker))),
        "appearance": ref(thing("Quotation", quote)),
        "subjectOf": sources,
    }


def _source(source: dict) -> Node:
    url = source["url"]
    return {
        "@type": "CreativeWork",
        "name": source["title"],
        "description": source["summary"],
        "url": url if url.lower().startswith(WEB) else "",
        "publisher": {"@type": "Organization", "name": source["publisher"]},
    }


def home_data(site: SiteSettings, quotes: Sequence[Quote], episodes: Iterable[Episode]) -> PageData:
    """Describe the site itself, who is behind it, and what is newest."""
    website, publisher = site_nodes(site)
    main = ref(website) | {"description": site.tagline}
    behind = ref(publisher) | {
        "logo": absolute(reverse("episodes:media", args=[site.logo.name])) if site.logo else "",
        "email": site.contact,
        "publishingPrinciples": absolute(reverse("quotes:how")),
    }
    lists = [item_list(_("Newest quotes"), named(quotes)), item_list(_("Newest episodes"), named(episodes))]
    return PageData(main=main, more=[behind, *lists])
