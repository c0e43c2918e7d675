"""RSS 2.0: what every feed says, and around it the tags of podcast apps."""

from html import escape

from lxml import etree

from publishing.text import clean_text

from .description import Entry, Feed, lines_of
from .podcast import ITUNES, PODCAST, add_episode, add_podcast, line, rfc822
from .xml import ATOM, add, add_link, write_document

CONTENT = "http://purl.org/rss/1.0/modules/content/"
DC = "http://purl.org/dc/elements/1.1/"
NAMESPACES = {"atom": ATOM, "content": CONTENT, "dc": DC, "itunes": ITUNES, "podcast": PODCAST}

MOST_DESCRIPTION_BYTES = 4000  # Apple's and PSP-1's limit
LOOK_AGAIN = 60  # minutes until readers without conditional requests should ask again


def to_rss(feed: Feed) -> bytes:
    """Return the feed as RSS."""
    root = etree.Element("rss", {"version": "2.0"}, nsmap=NAMESPACES)
    channel = etree.SubElement(root, "channel")
    _add_channel(channel, feed)
    if feed.podcast:
        add_podcast(channel, feed.podcast, feed.title)
    for entry in feed.entries:
        _add_item(channel, entry)
    return write_document(root)


def html_within(text: str, most_bytes: int = MOST_DESCRIPTION_BYTES) -> str:
    """Return plain text as HTML of at most so many bytes, cut at a word and ended with ``…``."""
    html = escape(text, quote=False)
    if len(html.encode()) <= most_bytes:
        return html
    room = most_bytes - len("…".encode())
    kept = []
    for character in text:
        piece = escape(character, quote=False)
        room -= len(piece.encode())
        if room < 0:
            break
        kept.append(piece)
    cut = "".join(kept)
    whole_words = cut.rpartition(" ")[0]
    return f"{(whole_words or cut).rstrip()}…"


def _add_channel(channel: etree._Element, feed: Feed) -> None:
    title = line(feed.title)
    add(channel, "title", title)
    add(channel, "link", feed.link)
    add(channel, "description", html_within(clean_text(feed.description)) or title)
    add(channel, "language", feed.language.lower())
    add_link(channel, "self", feed.address("rss"), "application/rss+xml")
    for rel, address in feed.pages("rss").items():
        add_link(channel, rel, address, "application/rss+xml")
    if feed.hub:
        add_link(channel, "hub", feed.hub)
    if feed.copyright:
        add(channel, "copyright", line(feed.copyright))
    add(channel, "generator", "Pullquote")
    add(channel, "ttl", str(LOOK_AGAIN))
    if feed.updated:
        add(channel, "lastBuildDate", rfc822(feed.updated))
    if feed.published:
        add(channel, "pubDate", rfc822(feed.published))
    if feed.image:
        image = add(channel, "image")
        add(image, "url", feed.image)
        add(image, "title", title)
        add(image, "link", feed.link)


def _add_item(channel: etree._Element, entry: Entry) -> None:
    item = add(channel, "item")
    add(item, "title", line(entry.title))
    add(item, "link", entry.link)
    add(item, "guid", clean_text(entry.guid), {"isPermaLink": "false"})
    add(item, "pubDate", rfc822(entry.published))
    add(item, "description", html_within(clean_text(entry.summary)))
    if entry.html:
        add(item, f"{{{CONTENT}}}encoded", entry.html)
    for author in lines_of(entry.authors):
        add(item, f"{{{DC}}}creator", author)
    for category in lines_of(entry.categories):
        add(item, "category", category)
    if entry.enclosure:
        media = entry.enclosure
        add(item, "enclosure", attributes={"url": media.url, "length": str(media.bytes), "type": media.mime})
    add_episode(item, entry)
