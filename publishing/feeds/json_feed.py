"""JSON Feed 1.1."""

import json
from typing import Any

from publishing.text import clean_line, clean_text

from .atom import rfc3339
from .description import Enclosure, Entry, Feed, lines_of


def to_json(feed: Feed) -> bytes:
    """Return the feed as JSON in UTF-8; what has no value is left out."""
    document = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": clean_line(feed.title),
        "home_page_url": feed.link,
        "feed_url": feed.addresses["json"],
        "next_url": feed.pages("json").get("next", ""),
        "hubs": [{"type": "WebSub", "url": feed.hub}] if feed.hub else [],
        "description": clean_text(feed.description),
        "icon": feed.image,
        "authors": _authors([feed.author]),
        "language": feed.language,
    }
    items = [_without_empty(_item(entry)) for entry in feed.entries]
    return json.dumps(_without_empty(document) | {"items": items}, ensure_ascii=False, indent=1).encode()


def _item(entry: Entry) -> dict[str, Any]:
    return {
        "id": clean_text(entry.guid),
        "url": entry.link,
        "title": clean_line(entry.title),
        "content_html": clean_text(entry.content_html),
        "summary": clean_text(entry.summary),
        "image": entry.image,
        "date_published": rfc3339(entry.published),
        "date_modified": rfc3339(entry.updated),
        "authors": _authors(entry.authors),
        "tags": lines_of(entry.categories),
        "attachments": [_attachment(entry, media) for media in (entry.enclosure, *entry.alternates) if media],
    }


def _attachment(entry: Entry, enclosure: Enclosure) -> dict[str, Any]:
    """Return one file; of several the same title tells that they are the same in another form."""
    return _without_empty(
        {
            "url": enclosure.url,
            "mime_type": enclosure.mime,
            "title": clean_line(entry.title) if entry.alternates else "",
            "size_in_bytes": enclosure.bytes,
            "duration_in_seconds": (entry.duration_ms or 0) // 1000,
        }
    )


def _authors(names: list[str] | tuple[str, ...]) -> list[dict[str, str]]:
    return [{"name": name} for name in lines_of(names)]


def _without_empty(values: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}
