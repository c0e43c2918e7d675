"""Feeds: one description, three writers."""

from .description import Enclosure, Entry, Feed, Person, Podcast, Soundbite, TranscriptFile
from .links import FeedLink, feed_addresses, feed_links
from .response import feed_response

__all__ = [
    "Enclosure",
    "Entry",
    "Feed",
    "FeedLink",
    "Person",
    "Podcast",
    "Soundbite",
    "TranscriptFile",
    "feed_addresses",
    "feed_links",
    "feed_response",
]
