"""Where a feed comes from: a file, or an address with the pages that follow it."""

import time
from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from publishing.fetch import FetchError, fetch
from publishing.text import clean_text

from ..models import FeedSource, Show
from .parsed import FeedUnreadable, ParsedFeed
from .plans import LONGEST_ADDRESS, fits
from .reader import read_feed

MOST_PAGES = 50
MOST_PAGE_SECONDS = 180  # in which the further pages must come
LONGEST_ETAG = 300  # characters
LONGEST_DATE = 100
MOST_BYTES = 20 * 1024 * 1024
ACCEPT = "application/rss+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1"


@dataclass(frozen=True)
class FoundFeed:
    """A feed as read. ``address`` is what to ask next time; ``not_modified`` means nothing is new.

    Only a feed of one page has an ETag or a date: those of a first page say nothing of the others.
    """

    address: str
    feed: ParsedFeed | None
    etag: str = ""
    last_modified: str = ""

    @property
    def not_modified(self) -> bool:
        return self.feed is None


def read_file(path: Path, feed_url: str) -> FoundFeed:
    """Read a feed from a file that came from ``feed_url``.

    Raises FeedUnreadable, also where the file cannot be opened.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise FeedUnreadable(_("“%(name)s” is larger than 20 MB, which no feed is.") % {"name": path.name})
        data = path.read_bytes()
    except OSError as unread:
        raise FeedUnreadable(
            _("“%(name)s” cannot be opened: %(why)s.") % {"name": path.name, "why": unread.strerror}
        ) from unread
    return read_bytes(data, feed_url)


def read_bytes(data: bytes, feed_url: str) -> FoundFeed:
    """Read a feed from bytes that came from ``feed_url``. Raises FeedUnreadable."""
    return FoundFeed(feed_url, read_feed(data, feed_url=feed_url))


def read_upload(data: bytes, feed_url: str, show: Show | None) -> FoundFeed:
    """Read a feed from an uploaded file, whose name says nothing of where it came from.

    Where ``feed_url`` is empty it is known by what it says of itself (its own address, else
    its guid), else by the show it goes into. Raises FeedUnreadable, also where none is given.
    """
    feed = read_feed(data, feed_url=feed_url)
    address = feed_url or (feed.self_url if fits(feed.self_url or "", LONGEST_ADDRESS) else "")
    if not address and feed.podcast_guid:
        address = f"urn:uuid:{feed.podcast_guid}"
    if not address and show:
        address = f"urn:uuid:{show.item.uid}"
    if not address:
        raise FeedUnreadable(_("Say where the file came from, or into which show it goes; it does not say so itself."))
    return FoundFeed(address, feed)


def read_address(address: str, *, always: bool = False) -> FoundFeed:
    """Fetch a feed, and the older pages it names, unless nothing changed since the last time.

    With ``always``, also where nothing changed. Raises FetchError or FeedUnreadable.
    """
    known = None if always else FeedSource.objects.filter(address=address).first()
    answer = fetch(
        address,
        etag=(known.etag or None) if known else None,
        last_modified=(known.last_modified or None) if known else None,
        accept=ACCEPT,
    )
    if answer.not_modified:
        return FoundFeed(address, None)
    feed = read_feed(answer.body, feed_url=answer.url, content_type=answer.content_type)
    lasting = answer.permanent_url if fits(answer.permanent_url, LONGEST_ADDRESS) else address
    if feed.next_page is None:
        return FoundFeed(lasting, feed, answer.etag or "", answer.last_modified or "")
    _append_pages(feed, answer.url)
    return FoundFeed(lasting, feed)


def _append_pages(feed: ParsedFeed, address: str) -> None:
    """Add the items of the pages that follow; a page that cannot be read ends it and is told."""
    ends_at = time.monotonic() + MOST_PAGE_SECONDS
    visited = {address}
    page = feed
    while page.next_page and page.next_page not in visited and len(visited) < MOST_PAGES:
        visited.add(page.next_page)
        try:
            if time.monotonic() > ends_at:
                raise FetchError(_("The site takes too long to answer."))
            answer = fetch(page.next_page, accept=ACCEPT)
            page = read_feed(answer.body, feed_url=answer.url, content_type=answer.content_type)
        except (FetchError, FeedUnreadable) as unread:
            feed.repairs.append(
                _("A further page could not be read, so older episodes may be missing: %(why)s") % {"why": unread}
            )
            return
        _append_items(feed, page)
    if len(visited) > 1:
        count = len(visited)
        feed.repairs.append(ngettext("%(n)s page read", "%(n)s pages read", count) % {"n": count})


def _append_items(feed: ParsedFeed, page: ParsedFeed) -> None:
    seen = {item.guid for item in feed.items if item.guid}
    for item in page.items:
        item.index = len(feed.items)
        if item.guid in seen:
            item.skip_reason = item.skip_reason or "duplicate-guid"
        feed.items.append(item)
    feed.repairs += [repair for repair in page.repairs if repair not in feed.repairs]
    feed.warnings += page.warnings


def remember_answer(found: FoundFeed) -> None:
    """Keep the validators of a feed that was imported whole, and that it can be read again."""
    known = FeedSource.objects.filter(address=found.address)
    now = timezone.now()
    known.followed().filter(failures__gt=0).update(next_read_at=now)
    known.update(**validators_of(found), read_at=now, failures=0, problem="", waits_for_editor=False)


def validators_of(found: FoundFeed) -> dict[str, str]:
    """Return the columns that the next request repeats; one that does not fit whole is of no use."""
    etag, last_modified = clean_text(found.etag), clean_text(found.last_modified)
    return {
        "etag": etag if len(etag) <= LONGEST_ETAG else "",
        "last_modified": last_modified if len(last_modified) <= LONGEST_DATE else "",
    }


def move_source(asked: str, found: FoundFeed) -> None:
    """Follow a permanent redirect: the feed we know under the old address has a new one."""
    if asked != found.address and not FeedSource.objects.filter(address=found.address).exists():
        FeedSource.objects.filter(address=asked).update(address=found.address)
