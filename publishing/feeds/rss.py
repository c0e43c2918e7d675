"""RSS 2.0 with the tags of podcast apps: iTunes and the podcast namespace."""

from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from urllib.parse import urlsplit

from lxml import etree

from publishing.text import clean_line, clean_text, shorten

from .description import Entry, Feed, Podcast
from .xml import add, write_document

ATOM = "http://www.w3.org/2005/Atom"
CONTENT = "http://purl.org/rss/1.0/modules/content/"
DC = "http://purl.org/dc/elements/1.1/"
ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
PODCAST = "https://podcastindex.org/namespace/1.0"
NAMESPACES = {"atom": ATOM, "content": CONTENT, "dc": DC, "itunes": ITUNES, "podcast": PODCAST}

MOST_DESCRIPTION_BYTES = 4000  # Apple's and PSP-1's limit
MOST_SOUNDBITE_CHARS = 128
ARTWORK_EXTENSIONS = (".jpg", ".png")  # what Apple takes


def to_rss(feed: Feed) -> bytes:
    """Return the feed as RSS; times are in English and in UTC whatever the site speaks."""
    root = etree.Element("rss", {"version": "2.0"}, nsmap=NAMESPACES)
    channel = etree.SubElement(root, "channel")
    _add_channel(channel, feed)
    if feed.podcast:
        _add_podcast(channel, feed.podcast, feed.title)
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
    title = clean_line(feed.title)
    add(channel, "title", title)
    add(channel, "link", feed.link)
    add(channel, "description", html_within(clean_text(feed.description)) or title)
    add(channel, "language", feed.language.lower())
    add(
        channel,
        f"{{{ATOM}}}link",
        attributes={"rel": "self", "type": "application/rss+xml", "href": feed.addresses["rss"]},
    )
    if feed.copyright:
        add(channel, "copyright", feed.copyright)
    add(channel, "generator", "Pullquote")
    if feed.updated:
        add(channel, "lastBuildDate", _rfc822(feed.updated))
    if feed.image:
        image = add(channel, "image")
        add(image, "url", feed.image)
        add(image, "title", title)
        add(image, "link", feed.link)
        _add_artwork(channel, feed.image)


def _add_podcast(channel: etree._Element, podcast: Podcast, title: str) -> None:
    add(channel, f"{{{ITUNES}}}explicit", _claim(podcast.explicit))
    if podcast.author:
        add(channel, f"{{{ITUNES}}}author", clean_line(podcast.author))
    for category in podcast.categories:
        _add_category(channel, category)
    if podcast.owner_email:
        owner = add(channel, f"{{{ITUNES}}}owner")
        add(owner, f"{{{ITUNES}}}name", clean_line(podcast.author or title))
        add(owner, f"{{{ITUNES}}}email", podcast.owner_email)
    if podcast.guid:
        add(channel, f"{{{PODCAST}}}guid", str(podcast.guid))


def _add_category(channel: etree._Element, category: str) -> None:
    """Write ``Society & Culture > Documentary`` as one element in another."""
    parent = channel
    for name in category.split(">"):
        parent = add(parent, f"{{{ITUNES}}}category", attributes={"text": name.strip()})


def _add_item(channel: etree._Element, entry: Entry) -> None:
    item = add(channel, "item")
    add(item, "title", clean_line(entry.title))
    add(item, "link", entry.link)
    add(item, "guid", clean_line(entry.guid), {"isPermaLink": "false"})
    add(item, "pubDate", _rfc822(entry.published))
    add(item, "description", html_within(clean_text(entry.summary)))
    if entry.html:
        add(item, f"{{{CONTENT}}}encoded", entry.html)
    for author in entry.authors:
        add(item, f"{{{DC}}}creator", clean_line(author))
    for category in entry.categories:
        add(item, "category", clean_line(category))
    if entry.enclosure:
        media = entry.enclosure
        add(item, "enclosure", attributes={"url": media.url, "length": str(media.bytes), "type": media.mime})
    _add_artwork(item, entry.image)
    _add_facts(item, entry)
    _add_moments(item, entry)


def _add_facts(item: etree._Element, entry: Entry) -> None:
    facts = {
        "duration": str(entry.duration_ms // 1000) if entry.duration_ms else "",
        "explicit": "" if entry.explicit is None else _claim(entry.explicit),
        "season": str(entry.season or ""),
        "episode": str(entry.number or ""),
        "episodeType": entry.kind,
    }
    for name, value in facts.items():
        if value:
            add(item, f"{{{ITUNES}}}{name}", value)


def _add_moments(item: etree._Element, entry: Entry) -> None:
    for person in entry.persons:
        attributes = {"role": person.role, "group": person.group, "href": person.link}
        attributes |= {"img": person.image} if person.image else {}
        add(item, f"{{{PODCAST}}}person", clean_line(person.name), attributes)
    for bite in entry.soundbites:
        title = shorten(clean_line(bite.title), MOST_SOUNDBITE_CHARS)
        add(item, f"{{{PODCAST}}}soundbite", title, {"startTime": bite.start, "duration": bite.duration})
    for file in entry.transcripts:
        attributes = {"url": file.url, "type": file.mime}
        attributes |= {"language": file.language} if file.language else {}
        attributes |= {"rel": "captions"} if file.is_captions else {}
        add(item, f"{{{PODCAST}}}transcript", attributes=attributes)


def _add_artwork(parent: etree._Element, url: str) -> None:
    if urlsplit(url).path.endswith(ARTWORK_EXTENSIONS):
        add(parent, f"{{{ITUNES}}}image", attributes={"href": url})


def _claim(value: bool) -> str:
    return "true" if value else "false"


def _rfc822(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC))
