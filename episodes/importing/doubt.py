"""Whether a feed is still the show that was read there: addresses are sold, hijacked and mistyped."""

from collections import Counter

from django.utils.translation import gettext as _

from ..models import FeedSource
from .matching import enclosure_key
from .parsed import ParsedFeed

FEW = 5  # episodes; a feed of which we know no more may well have changed all of them


def doubt_about(source: FeedSource, feed: ParsedFeed) -> str:
    """Return why a feed looks like another show's, with the way out, or an empty text. One query."""
    why = _other_name(source, feed) or _nothing_known(source, feed)
    way_out = _("Nothing was imported. If it is the same show, import it once by hand, where you see first what comes.")
    return f"{why} {way_out}" if why else ""


def _other_name(source: FeedSource, feed: ParsedFeed) -> str:
    if not source.podcast_guid or not feed.podcast_guid or source.podcast_guid == feed.podcast_guid:
        return ""
    message = _("This looks like another show: its podcast:guid is %(now)s, and was %(then)s.")
    return message % {"now": feed.podcast_guid, "then": source.podcast_guid}


def _nothing_known(source: FeedSource, feed: ParsedFeed) -> str:
    entries = list(source.entries.values_list("guid", "enclosure_key"))
    if len(entries) <= FEW:
        return ""
    guids = {guid for guid, _key in entries}
    times = Counter(key for _guid, key in entries if key)
    keys = {key for key, count in times.items() if count == 1}  # those of several tell apart by their query only
    if any(item.guid in guids or enclosure_key(item.enclosure_url) in keys for item in feed.items):
        return ""
    message = _("This looks like another show: none of the %(count)s episodes that we know from there is in it.")
    return message % {"count": len(entries)}
