"""What a feed says, as plain data: the result of ``read_feed``."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Soundbite = tuple[str, str, str]  # start and duration in seconds as written, title


class FeedUnreadable(Exception):
    """Why nothing can be imported from a file, as one sentence for the editor."""


@dataclass(frozen=True)
class FeedWarning:
    """Something the editor should know before importing.

    ``code`` is one of ``blocked``, ``duplicate-guid``, ``invalid-podcast-guid``,
    ``locked``, ``missing-date``, ``missing-guid`` and ``new-feed-url``. ``items``
    holds the indexes of the items concerned.
    """

    code: str
    message: str
    items: tuple[int, ...] = ()


@dataclass(frozen=True)
class ParsedPerson:
    """A ``podcast:person``; role and group are in lower case, host and cast by default."""

    name: str
    role: str
    group: str
    href: str | None
    img: str | None


@dataclass(frozen=True)
class ParsedTranscriptLink:
    """A ``podcast:transcript``; ``url`` is absolute, the rest as written, maybe empty."""

    url: str
    type: str
    language: str
    rel: str


@dataclass(frozen=True)
class ParsedChapter:
    """A chapter that stands in the feed itself (Podlove Simple Chapters)."""

    start_ms: int
    title: str
    url: str | None
    image: str | None


@dataclass
class ParsedItem:
    """One ``item`` of the channel.

    ``is_episode`` tells whether it has a playable enclosure. ``skip_reason`` is None
    for an item to import, else ``no-enclosure``, ``enclosure-not-audio-video`` or
    ``duplicate-guid``. ``guid`` is verbatim; where the file has none, ``guid_source``
    names what stands in for it, and both are None when nothing can.
    """

    index: int
    title: str = ""
    guid: str | None = None
    guid_source: Literal["guid", "enclosure", "link"] | None = None
    link: str | None = None
    published_at: datetime | None = None  # aware, UTC
    duration_ms: int | None = None
    enclosure_url: str | None = None
    enclosure_type: str | None = None
    enclosure_length: int | None = None  # bytes
    is_episode: bool = False
    skip_reason: str | None = None
    description_html: str = ""  # as found: HTML or text, not cleaned
    season: int | None = None
    episode_number: int | None = None
    episode_type: str | None = None
    explicit: bool | None = None
    image_url: str | None = None
    transcripts: list[ParsedTranscriptLink] = field(default_factory=list)
    chapters_url: str | None = None
    chapters: list[ParsedChapter] = field(default_factory=list)
    persons: list[ParsedPerson] = field(default_factory=list)
    soundbites: list[Soundbite] = field(default_factory=list)
    youtube_id: str | None = None
    categories: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    author: str | None = None


@dataclass
class ParsedFeed:
    """One feed. What the file does not say is None, never a guess."""

    title: str | None = None
    link: str | None = None
    language: str | None = None
    author: str | None = None
    owner_name: str | None = None
    owner_email: str | None = None
    description: str = ""  # as found: HTML or text, not cleaned
    explicit: bool | None = None
    kind: str | None = None  # episodic or serial
    image_url: str | None = None
    categories: list[str] = field(default_factory=list)  # "Top" or "Top > Sub"
    podcast_guid: str | None = None  # a UUID in lower case
    locked: bool | None = None
    new_feed_url: str | None = None  # as written: shown, never followed
    blocked: bool = False
    copyright: str | None = None
    youtube: str | None = None
    persons: list[ParsedPerson] = field(default_factory=list)
    self_url: str | None = None  # where the feed says it lies
    next_page: str | None = None
    items: list[ParsedItem] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)
    warnings: list[FeedWarning] = field(default_factory=list)
