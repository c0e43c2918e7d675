"""What a feed says, apart from how each format says it. Every address in here is absolute."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from uuid import UUID

from publishing.text import clean_line


@dataclass(frozen=True)
class Enclosure:
    """Sound or video of an entry; ``bytes`` is 0 where nobody told. ``title`` tells one of several apart."""

    url: str
    mime: str
    bytes: int
    title: str = ""


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


@dataclass(frozen=True)
class Location:
    """A place that a show or an entry is about, or is made in; ``geo`` and ``osm`` as OpenStreetMap gives them."""

    name: str
    rel: str = ""
    geo: str = ""
    osm: str = ""
    country: str = ""


@dataclass(frozen=True)
class Social:
    """Where people talk about a show or an entry."""

    protocol: str
    uri: str
    account_id: str = ""
    account_url: str = ""


@dataclass(frozen=True)
class Funding:
    """Where a show takes money."""

    url: str
    label: str


@dataclass(frozen=True)
class Txt:
    """A word to machines, such as a proof of ownership."""

    text: str
    purpose: str = ""


@dataclass(frozen=True)
class Licence:
    """An identifier in lower case, or a name and the address of its text."""

    name: str
    url: str = ""


@dataclass(frozen=True)
class Trailer:
    """What a show plays to those who do not know it."""

    title: str
    published: datetime
    enclosure: Enclosure
    season: int | None = None


@dataclass(frozen=True)
class Paging:
    """Which page of a feed this is, of how many."""

    number: int = 1
    last: int = 1


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
    alternates: tuple[Enclosure, ...] = ()
    duration_ms: int | None = None
    explicit: bool | None = None
    season: int | None = None
    season_name: str = ""
    number: int | None = None
    number_label: str = ""
    kind: str = ""
    persons: tuple[Person, ...] = ()
    soundbites: tuple[Soundbite, ...] = ()
    transcripts: tuple[TranscriptFile, ...] = ()
    chapters: str = ""
    locations: tuple[Location, ...] = ()
    social: tuple[Social, ...] = ()

    @property
    def content_html(self) -> str:
        return self.html or f"<p>{escape(self.summary, quote=False)}</p>"


@dataclass(frozen=True, kw_only=True)
class Podcast:
    """What podcast apps and directories read of a show, beyond what every feed says.

    ``categories`` are of Apple's list, a subcategory behind `` > ``.
    """

    explicit: bool
    author: str = ""
    categories: tuple[str, ...] = ()
    artwork: str = ""
    owner_email: str = ""
    guid: UUID | None = None
    is_serial: bool = False
    locked: bool = False
    medium: str = "podcast"
    licence: Licence | None = None
    persons: tuple[Person, ...] = ()
    funding: tuple[Funding, ...] = ()
    txts: tuple[Txt, ...] = ()
    trailers: tuple[Trailer, ...] = ()
    locations: tuple[Location, ...] = ()
    social: tuple[Social, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Feed:
    """A feed in all formats; ``addresses`` has its first page by the name of the format.

    ``changed`` is when the feed's own words or its list last changed; its entries know
    when they did.
    """

    id: str
    title: str
    link: str
    description: str
    language: str
    author: str
    addresses: dict[str, str]
    changed: datetime | None
    copyright: str = ""
    image: str = ""
    hub: str = ""
    paging: Paging = Paging()
    podcast: Podcast | None = None
    entries: list[Entry] = field(default_factory=list)

    @property
    def updated(self) -> datetime | None:
        """Return when anything in the feed last changed."""
        moments = [entry.updated for entry in self.entries]
        return max([*moments, self.changed] if self.changed else moments, default=None)

    @property
    def published(self) -> datetime | None:
        """Return when the newest entry came out."""
        return max((entry.published for entry in self.entries), default=None)

    def address(self, format: str, number: int | None = None) -> str:
        """Return where a page of the feed is served, this one if no number is given."""
        number = self.paging.number if number is None else number
        return self.addresses[format] if number == 1 else f"{self.addresses[format]}?page={number}"

    def pages(self, format: str) -> dict[str, str]:
        """Return the addresses of other pages by their relation (RFC 5005, section 3); none where there is one page."""
        number, last = self.paging.number, self.paging.last
        if last == 1:
            return {}
        pages = {"first": 1, "previous": number - 1, "next": number + 1, "last": last}
        return {rel: self.address(format, page) for rel, page in pages.items() if 1 <= page <= last}


def lines_of(texts: Iterable[str]) -> list[str]:
    """Return texts as clean lines, without those of which nothing is left."""
    return [line for line in map(clean_line, texts) if line]
