"""Atom (RFC 4287)."""

import re
from datetime import UTC, datetime

from lxml import etree

from publishing.text import clean_line

from .description import Entry, Feed, lines_of
from .xml import ATOM, add, add_link, write_document

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)  # "updated" is required, also of a feed in which nothing ever was

_IRI = re.compile(r"(?:https?://|urn:|tag:)\S+")


def to_atom(feed: Feed) -> bytes:
    """Return the feed as Atom; a guid that is no IRI gives way to the item's UUID."""
    root = etree.Element(f"{{{ATOM}}}feed", nsmap={None: ATOM})
    root.set("{http://www.w3.org/XML/1998/namespace}lang", feed.language)
    _add(root, "id", feed.id)
    _add(root, "title", clean_line(feed.title))
    _add_if(root, "subtitle", feed.description)
    _add(root, "updated", rfc3339(feed.updated or EPOCH))
    add_link(root, "self", feed.address("atom"), "application/atom+xml")
    for rel, address in feed.pages("atom").items():
        add_link(root, rel, address, "application/atom+xml")
    if feed.hub:
        add_link(root, "hub", feed.hub)
    add_link(root, "alternate", feed.link, "text/html")
    _add_author(root, feed.author)
    _add_if(root, "rights", feed.copyright)
    _add_if(root, "logo", feed.image)
    _add(root, "generator", "Pullquote")
    for entry in feed.entries:
        _add_entry(root, entry)
    return write_document(root)


def rfc3339(moment: datetime) -> str:
    """Return an aware moment in UTC to the second, such as ``2026-05-14T10:00:00Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _add_entry(root: etree._Element, entry: Entry) -> None:
    element = _add(root, "entry")
    _add(element, "id", entry.guid if _IRI.fullmatch(entry.guid) else entry.uid.urn)
    _add(element, "title", clean_line(entry.title))
    add_link(element, "alternate", entry.link, "text/html")
    _add(element, "published", rfc3339(entry.published))
    _add(element, "updated", rfc3339(entry.updated))
    for author in lines_of(entry.authors):
        _add_author(element, author)
    for category in lines_of(entry.categories):
        _add(element, "category", attributes={"term": category})
    if entry.enclosure:
        media = entry.enclosure
        add_link(element, "enclosure", media.url, media.mime, media.bytes)
    _add(element, "summary", entry.summary)
    _add(element, "content", entry.content_html, {"type": "html"})


def _add(parent: etree._Element, name: str, text: str = "", attributes: dict[str, str] | None = None) -> etree._Element:
    return add(parent, f"{{{ATOM}}}{name}", text, attributes)


def _add_if(parent: etree._Element, name: str, text: str) -> None:
    if text:
        _add(parent, name, text)


def _add_author(parent: etree._Element, name: str) -> None:
    _add(_add(parent, "author"), "name", clean_line(name))
