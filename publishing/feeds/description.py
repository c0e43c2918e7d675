"""What a feed says, apart from how each format says it. Every address in here is absolute."""

from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from uuid import UUID


@dataclass(frozen=True)
class Enclosure:
    """Sound or video of an entry; ``bytes`` is 0 where nobody told."""

    url: str
    mime: str
    bytes: int


@dataclass(frozen=True)
class Person:
    """Somebody who takes part; role and group are of the podcast taxonomy."""

    name: str
    role: str
    group: str
    link: str
    image: str = ""


@dataclass(frozen=True)
class Soundbite:
    """A moment of an entry; times are plain decimal seconds, such as ``6110.2``."""

    start: str
    duration: str
    title: str


@dataclass(frozen=True)
class TranscriptFile:
    """What is said in an entry, as a file; ``language`` is empty where unknown, ``is_captions`` tells that it is timed for a player."""

    url: str
    mime: str
    language: str
    is_captions: bool = False


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One item. Title and summary are plain text; ``html`` is clean and says all there is.

    ``guid`` never changes and is the same in every feed; ``uid`` stands in for it
    where a format asks for an IRI and the guid is none.
    """

    guid: str
    uid: UUID
    title: str
    link: str
    summary: str
    published: datetime
    updated: datetime
    html: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    image: str = ""
    enclosure: Enclosure | None = None
    duration_ms: int | None = None
    explicit: bool | None = None
    season: int | None = None
    number: int | None = None
    kind: str = ""
    persons: tuple[Person, ...] = ()
    soundbites: tuple[Soundbite, ...] = ()
    transcripts: tuple[TranscriptFile, ...] = ()

    @property
    def content_html(self) -> str:
        return self.html or f"<p>{escape(self.summary, quote=False)}</p>"


@dataclass(frozen=True, kw_only=True)
class Podcast:
    """What podcast apps and directories read of a show, beyond what every feed says."""

    explicit: bool
    author: str = ""
    categories: tuple[str, ...] = ()
    owner_email: str = ""
    guid: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class Feed:
    """A feed in all formats; ``addresses`` has its own address by the name of the format."""

    id: str
    title: str
    link: str
    description: str
    language: str
    author: str
    addresses: dict[str, str]
    updated: datetime | None
    copyright: str = ""
    image: str = ""
    podcast: Podcast | None = None
    entries: list[Entry] = field(default_factory=list)
