"""What the feeds of quotes say, and that of the whole site."""

from uuid import uuid5

from django.http import Http404
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from episodes.feeds import addresses_of, last_change_of, newest_episodes
from episodes.models import Guest, Topic
from episodes.timecodes import format_timecode
from publishing.corrections_page import corrected_html
from publishing.feeds import Entry, Feed, Paging, feed_addresses, page_of
from publishing.feeds.hub import tells_feeds
from publishing.models import SiteSettings, once_live
from publishing.pages import absolute

from .models import Quote, QuoteQuerySet


def site_feed(site: SiteSettings, page: int = 1) -> Feed:
    """Describe what is new on the whole site, episodes and quotes together; older things have feeds of their own.

    Raises Http404 for any page but the first.
    """
    if page != 1:
        raise Http404
    entries = newest_episodes(site.feed_items) + [
        _entry(quote) for quote in Quote.objects.live().for_feed().slice_of(0, site.feed_items)
    ]
    newest = sorted(entries, key=lambda entry: (entry.published, entry.guid), reverse=True)
    return Feed(
        id=absolute(reverse("home")),
        title=site.name,
        link=absolute(reverse("home")),
        description=site.tagline or site.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("quotes:site-feed"),
        changed=max((moment for moment in map(last_change_of, ("episode", "quote")) if moment), default=None),
        copyright=site.licence,
        entries=newest[: site.feed_items],
    )


@tells_feeds
def feeds_of(changed: dict[str, list[int]]) -> list[str]:
    """Return the addresses of the feeds of quotes that changed with these items, by kind. Two queries."""
    addresses: list[str] = []
    if changed["episode"] or changed["quote"]:
        addresses += feed_addresses("quotes:site-feed").values()
    if changed["quote"]:
        addresses += feed_addresses("quotes:feed").values()
        addresses += addresses_of(Guest, "quotes:guest-feed", changed["guest"])
        addresses += addresses_of(Topic, "quotes:topic-feed", changed["topic"])
    return addresses


def quotes_feed(site: SiteSettings, page: int = 1) -> Feed:
    """Describe the newest quotes of all speakers."""
    link = absolute(reverse("quotes:list"))
    paging, entries = _entries(Quote.objects.live(), site, page)
    return Feed(
        id=link,
        title=_("Quotes from %(site)s") % {"site": site.name},
        link=link,
        description=site.tagline or site.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("quotes:feed"),
        changed=last_change_of("quote"),
        copyright=site.licence,
        paging=paging,
        entries=entries,
    )


def guest_quotes_feed(site: SiteSettings, guest: Guest, page: int = 1) -> Feed:
    """Describe the newest quotes of one speaker."""
    link = absolute(reverse("episodes:guest-quotes", args=[guest.slug]))
    paging, entries = _entries(guest.quotes.live(), site, page)
    return Feed(
        id=_id_of(guest),
        title=_("Quotes by %(name)s") % {"name": guest.name},
        link=link,
        description=guest.bio or guest.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("quotes:guest-feed", once_live(guest.slug)),
        changed=guest.item.changed_at,
        copyright=site.licence,
        paging=paging,
        entries=entries,
    )


def topic_quotes_feed(site: SiteSettings, topic: Topic, page: int = 1) -> Feed:
    """Describe the newest quotes on a topic."""
    link = absolute(reverse("episodes:topic-quotes", args=[topic.slug]))
    paging, entries = _entries(topic.quotes.live(), site, page)
    return Feed(
        id=_id_of(topic),
        title=_("Quotes on %(topic)s") % {"topic": topic.name},
        link=link,
        description=topic.description or topic.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("quotes:topic-feed", once_live(topic.slug)),
        changed=topic.item.changed_at,
        copyright=site.licence,
        paging=paging,
        entries=entries,
    )


def _id_of(row: Guest | Topic) -> str:
    """Return what names a feed of somebody's quotes for good, whatever its address: another thing than their episodes."""
    return uuid5(row.item.uid, "quotes").urn


def _entries(quotes: QuoteQuerySet, site: SiteSettings, page: int) -> tuple[Paging, list[Entry]]:
    paging, rows = page_of(quotes.for_feed(), page, site.feed_items)
    return paging, [_entry(quote) for quote in rows]


def _entry(quote: Quote) -> Entry:
    link = absolute(quote.get_absolute_url())
    return Entry(
        guid=quote.item.uid.urn,
        uid=quote.item.uid,
        title=quote.headline,
        link=link,
        summary=f"“{quote.text}”",
        html=_html(quote, link),
        published=once_live(quote.first_published_at),
        updated=once_live(quote.item.changed_at),
        authors=(quote.speaker_name,),
        categories=tuple(link.topic.name for link in quote.topic_links),
    )


def _html(quote: Quote, link: str) -> SafeString:
    return format_html(
        '<blockquote cite="{}"><p>“{}”</p></blockquote>\n<p>{}</p>\n<p>{}</p>\n<p><a href="{}">{}</a></p>{}',
        link,
        quote.text,
        _attribution(quote),
        quote.context,
        link,
        quote.headline,
        corrected_html(quote.item.told_corrections),
    )


def _attribution(quote: Quote) -> SafeString:
    episode = quote.episode
    place = format_html('<a href="{}">{}</a>', absolute(episode.get_absolute_url()), episode.title)
    if quote.start_ms is None:
        return format_html("{} · {}", quote.speaker_name, place)
    moment = _("at %(time)s") % {"time": format_timecode(quote.start_ms)}
    return format_html("{} · {} · {}", quote.speaker_name, place, moment)
