from .episode import Episode, EpisodeGuest, EpisodeMedia, EpisodeQuerySet, EpisodeTopic, Origin
from .feed import FeedEntry, FeedRun, FeedSource
from .guest import Guest, GuestQuerySet, GuestQuote
from .media import Image, MediaFile
from .people import Role
from .show import Show, ShowPerson, ShowQuerySet
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
    "FeedRun",
    "FeedSource",
    "Guest",
    "GuestQuerySet",
    "GuestQuote",
    "Image",
    "MediaFile",
    "Origin",
    "Role",
    "Show",
    "ShowPerson",
    "ShowQuerySet",
    "Topic",
    "TopicQuerySet",
    "Transcript",
    "TranscriptBody",
]
