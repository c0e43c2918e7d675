"""Feeds: one description, three writers."""

from .description import (
    Enclosure,
    Entry,
    Feed,
    Funding,
    Licence,
    Location,
    Paging,
    Person,
    Podcast,
    Social,
    Soundbite,
    Trailer,
    TranscriptFile,
    Txt,
)
from .links import FeedLink, feed_addresses, feed_links
from .paging import page_number, page_of
from .response import feed_response

__all__ = [
    "Enclosure",
    "Entry",
    "Feed",
    "FeedLink",
    "Funding",
    "Licence",
    "Location",
    "Paging",
    "Person",
    "Podcast",
    "Social",
    "Soundbite",
    "Trailer",
    "TranscriptFile",
    "Txt",
    "feed_addresses",
    "feed_links",
    "feed_response",
    "page_number",
    "page_of",
]
