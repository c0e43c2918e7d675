"""Read one ``item`` of a feed."""

import re
from datetime import datetime
from urllib.parse import urlsplit

from lxml import etree

from episodes.timecodes import parse_feed_duration
from episodes.youtube import youtube_id_of
from publishing.text import clean_line

from .dates import parse_feed_date
from .elements import (
    Children,
    absolute_url,
    attribute,
    children_of,
    first_attribute,
    first_text,
    longest_html,
    positive_number,
    read_flag,
    text_of,
)
from .parsed import ParsedChapter, ParsedItem, ParsedPerson, ParsedTranscriptLink, Soundbite

TYPES_BY_EXTENSION = {
    "mp3": "audio/mpeg",
    "m4a": "audio/x-m4a",
    "m4b": "audio/x-m4b",
    "aac": "audio/aac",
    "ogg": "audio/ogg",
    "oga": "audio/ogg",
    "opus": "audio/opus",
    "flac": "audio/flac",
    "wav": "audio/wav",
    "mp4": "video/mp4",
    "m4v": "video/x-m4v",
    "mov": "video/quicktime",
    "webm": "video/webm",
    "mkv": "video/x-matroska",
    "ogv": "video/ogg",
}
_PLAYABLE = re.compile(r"(?:audio|video)/(?!.*(?:mpegurl|scpls))[^\s;]+")


def read_item(index: int, element: etree._Element, feed_url: str) -> ParsedItem:
    """Return what an item says; ``index`` counts from 0 in file order."""
    children = children_of(element)
    item = ParsedItem(
        index=index,
        title=first_text(children, "title", "itunes:title") or "",
        link=absolute_url(first_text(children, "link"), feed_url),
        published_at=_first_date(children),
        duration_ms=_first_duration(children),
        description_html=longest_html(children, "content:encoded", "description", "itunes:summary"),
        season=_first_number(children, "itunes:season", "podcast:season"),
        episode_number=_first_number(children, "itunes:episode", "podcast:episode"),
        episode_type=(first_text(children, "itunes:episodeType") or "").lower() or None,
        explicit=read_flag(first_text(children, "itunes:explicit")),
        image_url=absolute_url(first_attribute(children, "itunes:image", "href"), feed_url),
        transcripts=_transcripts(children, feed_url),
        chapters_url=absolute_url(first_attribute(children, "podcast:chapters", "url"), feed_url),
        chapters=_chapters(children, feed_url),
        persons=read_persons(children, feed_url),
        soundbites=_soundbites(children),
        categories=_texts(children, "category"),
        keywords=_keywords(children),
        author=first_text(children, "itunes:author", "dc:creator", "author"),
    )
    _set_enclosure(item, children, feed_url)
    _set_identity(item, children, feed_url)
    return item


def read_persons(children: Children, feed_url: str) -> list[ParsedPerson]:
    """Return the persons that a channel or an item names, in order."""
    named = ((person, clean_line(text_of(person))) for person in children.get("podcast:person", []))
    return [
        ParsedPerson(
            name=name,
            role=attribute(person, "role").lower() or "host",
            group=attribute(person, "group").lower() or "cast",
            href=absolute_url(person.get("href"), feed_url),
            img=absolute_url(person.get("img"), feed_url),
        )
        for person, name in named
        if name
    ]


def _set_enclosure(item: ParsedItem, children: Children, feed_url: str) -> None:
    """Take the first playable enclosure, or else the first one, for the report."""
    enclosures = [
        (url, enclosure)
        for enclosure in children.get("enclosure", [])
        if (url := absolute_url(enclosure.get("url"), feed_url))
    ]
    playable = [pair for pair in enclosures if _is_playable(*pair)]
    if not enclosures:
        item.skip_reason = "no-enclosure"
        return
    url, enclosure = (playable or enclosures)[0]
    item.enclosure_url = url
    item.enclosure_type = attribute(enclosure, "type").lower() or type_by_extension(url)
    item.enclosure_length = positive_number(attribute(enclosure, "length"))
    item.is_episode = bool(playable)
    item.skip_reason = None if playable else "enclosure-not-audio-video"


def _is_playable(url: str, enclosure: etree._Element) -> bool:
    has_type = _PLAYABLE.match(attribute(enclosure, "type").lower())
    return bool(has_type or type_by_extension(url))


def type_by_extension(url: str) -> str | None:
    try:
        path = urlsplit(url).path
    except ValueError:
        return None
    return TYPES_BY_EXTENSION.get(path.rpartition(".")[2].lower())


def _set_identity(item: ParsedItem, children: Children, feed_url: str) -> None:
    """Set the guid, kept as it is written, or what stands in for it."""
    atom_links = [link.get("href") for link in children.get("atom:link", [])]
    links = [item.link, *(absolute_url(href, feed_url) for href in atom_links)]
    written = next((text for text in map(text_of, children.get("guid", [])) if text), None)
    if written:
        item.guid, item.guid_source = written, "guid"
    elif item.is_episode:
        item.guid, item.guid_source = item.enclosure_url, "enclosure"
    elif any(links):
        item.guid, item.guid_source = next(link for link in links if link), "link"
    videos = (youtube_id_of(link) for link in links if link)
    item.youtube_id = next((video for video in videos if video), None)


def _first_date(children: Children) -> datetime | None:
    names = ("pubDate", "dc:date", "atom:published")
    texts = (text_of(child) for name in names for child in children.get(name, []))
    dates = (parse_feed_date(text) for text in texts)
    return next((date for date in dates if date), None)


def _first_duration(children: Children) -> int | None:
    durations = (parse_feed_duration(text_of(child)) for child in children.get("itunes:duration", []))
    return next((duration for duration in durations if duration is not None), None)


def _first_number(children: Children, *names: str) -> int | None:
    texts = (text_of(child) for name in names for child in children.get(name, []))
    return next((number for number in map(positive_number, texts) if number), None)


def _transcripts(children: Children, feed_url: str) -> list[ParsedTranscriptLink]:
    return [
        ParsedTranscriptLink(
            url=url,
            type=attribute(transcript, "type").lower(),
            language=attribute(transcript, "language"),
            rel=attribute(transcript, "rel"),
        )
        for transcript in children.get("podcast:transcript", [])
        if (url := absolute_url(transcript.get("url"), feed_url))
    ]


def _chapters(children: Children, feed_url: str) -> list[ParsedChapter]:
    found = [
        ParsedChapter(
            start_ms=start,
            title=attribute(chapter, "title"),
            url=absolute_url(chapter.get("href"), feed_url),
            image=absolute_url(chapter.get("image"), feed_url),
        )
        for chapters in children.get("psc:chapters", [])
        for chapter in children_of(chapters).get("psc:chapter", [])
        if (start := parse_feed_duration(attribute(chapter, "start"))) is not None
    ]
    return sorted(found, key=lambda chapter: chapter.start_ms)


def _soundbites(children: Children) -> list[Soundbite]:
    return [
        (attribute(bite, "startTime"), attribute(bite, "duration"), clean_line(text_of(bite)))
        for bite in children.get("podcast:soundbite", [])
    ]


def _texts(children: Children, name: str) -> list[str]:
    texts = (clean_line(text_of(child)) for child in children.get(name, []))
    return list(dict.fromkeys(text for text in texts if text))


def _keywords(children: Children) -> list[str]:
    words = ",".join(_texts(children, "itunes:keywords")).split(",")
    return list(dict.fromkeys(word.strip() for word in words if word.strip()))
