from .episode import Episode, EpisodeGuest, EpisodeMedia, EpisodeQuerySet, EpisodeTopic, Origin
from .feed import FeedEntry, FeedSource
from .guest import Guest, GuestQuerySet, GuestQuote
from .media import Image, MediaFile
from .show import Show, ShowQuerySet
from .topic import Topic, TopicQuerySet
from .transcript import CurrentTranscript, Transcript, TranscriptBody

__all__ = [
    "CurrentTranscript",
    "Episode",
    "EpisodeGuest",
    "EpisodeMedia",
    "EpisodeQuerySet",
    "EpisodeTopic",
    "FeedEntry",
    "FeedSource",
    "Guest",
    "GuestQuerySet",
    "GuestQuote",
    "Image",
    "MediaFile",
    "Origin",
    "Show",
    "ShowQuerySet",
    "Topic",
    "TopicQuerySet",
    "Transcript",
    "TranscriptBody",
]
