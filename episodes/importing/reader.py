"""Read a podcast feed: bytes in, plain data out, whatever the bytes are."""

from uuid import UUID

from django.utils.translation import gettext as _, ngettext
from lxml import etree

from episodes.youtube import is_youtube_channel

from .elements import (
    Children,
    absolute_url,
    attribute,
    children_of,
    first_attribute,
    first_text,
    longest_html,
    plain_name,
    read_flag,
    text_of,
)
from .items import read_item, read_persons
from .parsed import FeedUnreadable, FeedWarning, ParsedFeed, ParsedItem
from .repair import parse_document

MAX_ITEMS = 10_000


def read_feed(data: bytes, *, feed_url: str, content_type: str | None = None) -> ParsedFeed:
    """Return what an RSS 2.0 feed says, its items in file order.

    ``feed_url`` is what relative addresses are resolved against, or where it is empty,
    what the feed says of itself; ``content_type`` is the HTTP header, whose charset
    counts where the file names none.

    Raises FeedUnreadable for anything else: an empty or oversized file, a web page,
    another kind of XML, a DOCTYPE, a file cut off, nested too deep or beyond repair.
    """
    root, repairs = parse_document(data, content_type)
    channel = _find_channel(root)
    elements = [child for child in channel.iterchildren(etree.Element) if plain_name(child) == "item"]
    if len(elements) > MAX_ITEMS:
        raise FeedUnreadable(_("The feed has more than %(limit)s items.") % {"limit": MAX_ITEMS})
    children = children_of(channel, without="item")
    self_url = absolute_url(_atom_link(children, "self"), feed_url)
    feed_url = feed_url or self_url or ""
    feed = _read_channel(children, feed_url)
    feed.self_url = self_url
    feed.repairs = repairs
    feed.items = [read_item(index, element, feed_url) for index, element in enumerate(elements)]
    feed.warnings = _channel_warnings(feed, children) + _item_warnings(feed.items)
    return feed


def _find_channel(root: etree._Element) -> etree._Element:
    name = plain_name(root)
    if name == "atom:feed":
        raise FeedUnreadable(_("This is an Atom feed. Give the address of the show’s RSS feed."))
    if name.rpartition(":")[2] == "RDF":
        raise FeedUnreadable(_("This is an RSS 1.0 feed. Give the address of an RSS 2.0 feed."))
    if name.rpartition(":")[2].lower() in {"html", "body"}:
        raise FeedUnreadable(_("This is a web page, not a feed."))
    channels = children_of(root).get("channel", []) if name == "rss" else []
    if not channels:
        raise FeedUnreadable(_("This is an XML file, but not a feed."))
    return channels[0]


def _read_channel(children: Children, feed_url: str) -> ParsedFeed:
    owner = children_of(children["itunes:owner"][0]) if "itunes:owner" in children else {}
    return ParsedFeed(
        title=first_text(children, "title", "itunes:title"),
        link=absolute_url(first_text(children, "link"), feed_url),
        language=first_text(children, "language"),
        author=first_text(children, "itunes:author"),
        owner_name=first_text(owner, "itunes:name"),
        owner_email=first_text(owner, "itunes:email"),
        description=longest_html(children, "content:encoded", "description", "itunes:summary"),
        explicit=read_flag(first_text(children, "itunes:explicit")),
        kind=_lower(first_text(children, "itunes:type")),
        image_url=absolute_url(_image(children), feed_url),
        categories=_categories(children),
        podcast_guid=_uuid(first_text(children, "podcast:guid")),
        locked=read_flag(first_text(children, "podcast:locked")),
        new_feed_url=first_text(children, "itunes:new-feed-url"),
        blocked=_is_blocked(children),
        copyright=first_text(children, "copyright"),
        youtube=_youtube_channel(children),
        persons=read_persons(children, feed_url),
        next_page=absolute_url(_atom_link(children, "next"), feed_url),
    )


def _lower(text: str | None) -> str | None:
    return text.lower() if text else None


def _image(children: Children) -> str | None:
    """Return the address of the artwork, ``itunes:image`` before RSS's own."""
    written = first_attribute(children, "itunes:image", "href")
    if written or "image" not in children:
        return written
    image = children["image"][0]
    return first_text(children_of(image), "url") or attribute(image, "url")


def _categories(children: Children) -> list[str]:
    names: dict[str, None] = {}
    for category in children.get("itunes:category", []):
        top = attribute(category, "text")
        nested = children_of(category).get("itunes:category", [])
        subs = [sub for sub in (attribute(child, "text") for child in nested) if sub]
        names |= dict.fromkeys([f"{top} > {sub}" for sub in subs] or [top] if top else [])
    return list(names)


def _uuid(text: str | None) -> str | None:
    try:
        return str(UUID(text)) if text else None
    except ValueError:
        return None


def _is_blocked(children: Children) -> bool:
    """Tell whether the show asks every directory, not just one, to leave it out."""
    everywhere = [block for block in children.get("podcast:block", []) if not block.get("id")]
    flags = [*children.get("itunes:block", []), *everywhere]
    return any(read_flag(text_of(flag)) for flag in flags)


def _youtube_channel(children: Children) -> str | None:
    candidates = (
        value
        for elements in children.values()
        for element in elements
        for value in [*element.attrib.values(), element.text or ""]
    )
    return next((value.strip() for value in candidates if is_youtube_channel(value)), None)


def _atom_link(children: Children, rel: str) -> str | None:
    links = [link for link in children.get("atom:link", []) if attribute(link, "rel") == rel]
    return attribute(links[0], "href") if links else None


def _channel_warnings(feed: ParsedFeed, children: Children) -> list[FeedWarning]:
    warnings = []
    if feed.locked:
        sentence = _("The feed is locked: import it only if the show is yours.")
        warnings.append(FeedWarning("locked", sentence))
    if feed.blocked:
        sentence = _("The feed asks directories not to list the show.")
        warnings.append(FeedWarning("blocked", sentence))
    if feed.new_feed_url:
        sentence = _("The feed says that it moved to “%(url)s”.") % {"url": feed.new_feed_url}
        warnings.append(FeedWarning("new-feed-url", sentence))
    written_guid = first_text(children, "podcast:guid")
    if written_guid and not feed.podcast_guid:
        sentence = _("The podcast:guid “%(guid)s” is not a UUID and is left out.")
        warnings.append(FeedWarning("invalid-podcast-guid", sentence % {"guid": written_guid}))
    return warnings


def _item_warnings(items: list[ParsedItem]) -> list[FeedWarning]:
    """Mark the items whose guid came before, and sum up what items lack."""
    episodes = [item for item in items if item.is_episode]
    seen: set[str | None] = set()
    for item in episodes:
        if item.guid in seen:
            item.skip_reason = "duplicate-guid"
        seen.add(item.guid)
    duplicate = [item.index for item in episodes if item.skip_reason == "duplicate-guid"]
    without_guid = [item.index for item in episodes if item.guid_source != "guid"]
    without_date = [item.index for item in episodes if item.published_at is None]
    warnings = [
        FeedWarning("duplicate-guid", _duplicate_sentence(len(duplicate)), tuple(duplicate)),
        FeedWarning("missing-guid", _guid_sentence(len(without_guid)), tuple(without_guid)),
        FeedWarning("missing-date", _date_sentence(len(without_date)), tuple(without_date)),
    ]
    return [warning for warning in warnings if warning.items]


def _duplicate_sentence(count: int) -> str:
    sentence = ngettext(
        "%(count)s item has the guid of an item before it and is left out.",
        "%(count)s items have the guid of an item before them and are left out.",
        count,
    )
    return sentence % {"count": count}


def _guid_sentence(count: int) -> str:
    sentence = ngettext(
        "%(count)s item has no guid; the address of its audio stands in for it.",
        "%(count)s items have no guid; the addresses of their audio stand in for it.",
        count,
    )
    return sentence % {"count": count}


def _date_sentence(count: int) -> str:
    sentence = ngettext(
        "%(count)s item has no date that can be read.",
        "%(count)s items have no date that can be read.",
        count,
    )
    return sentence % {"count": count}
