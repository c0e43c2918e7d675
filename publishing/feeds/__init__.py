"""Feeds: one description, three writers."""

from .description import Enclosure, Entry, Feed, Person, Podcast, Soundbite
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
    "feed_addresses",
    "feed_links",
    "feed_response",
]
