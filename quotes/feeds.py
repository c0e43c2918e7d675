"""What the feed of quotes says."""

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from episodes.feeds import last_change_of
from episodes.timecodes import format_timecode
from publishing.feeds import Entry, Feed, feed_addresses
from publishing.models import SiteSettings, once_live
from publishing.pages import absolute

from .models import Quote


def quotes_feed(site: SiteSettings) -> Feed:
    """Describe the newest quotes of all speakers."""
    link = absolute(reverse("quotes:list"))
    return Feed(
        id=link,
        title=_("Quotes from %(site)s") % {"site": site.name},
        link=link,
        description=site.tagline or site.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("quotes:feed"),
        updated=last_change_of("quote"),
        copyright=site.licence,
        entries=[_entry(quote) for quote in Quote.objects.live().for_feed().slice_of(0, site.feed_items)],
    )


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
        '<blockquote cite="{}"><p>“{}”</p></blockquote>\n<p>{}</p>\n<p>{}</p>',
        link,
        quote.text,
        _attribution(quote),
        quote.context,
    )


def _attribution(quote: Quote) -> SafeString:
    episode = quote.episode
    place = format_html('<a href="{}">{}</a>', absolute(episode.get_absolute_url()), episode.title)
    if quote.start_ms is None:
        return format_html("{} · {}", quote.speaker_name, place)
    moment = _("at %(time)s") % {"time": format_timecode(quote.start_ms)}
    return format_html("{} · {} · {}", quote.speaker_name, place, moment)
