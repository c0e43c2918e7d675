"""Sitemaps: which pages there are, when readers last saw them change, and what they show.

As sitemaps.org describes them, with Google's tags for pictures and videos.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import BigIntegerField, ExpressionWrapper, F, Max, QuerySet
from lxml import etree

from .feeds.xml import add, write_document
from .models import Publishable
from .pages import absolute
from .text import shorten

PART = 5_000  # keys of items in one file, half a second to write; 50,000 addresses and 50 MB are allowed

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
MOST_VIDEO_TEXT = 2_048  # characters
LONGEST_VIDEO = 28_800  # seconds


@dataclass(frozen=True)
class Video:
    """What must be known of a video before it is named; the addresses are absolute."""

    title: str
    description: str
    thumbnail: str
    content: str
    seconds: int

    @property
    def is_complete(self) -> bool:
        texts = (self.title, self.description, self.thumbnail, self.content)
        return all(texts) and 0 < self.seconds <= LONGEST_VIDEO


@dataclass(frozen=True)
class Location:
    """A page by its absolute address, when it last changed, and what it shows."""

    url: str
    changed: datetime | None = None
    images: Sequence[str] = ()
    video: Video | None = None


@dataclass(frozen=True)
class Section:
    """The pages of one kind: ``rows`` gives what is live with its items, and ``describe`` the pages of a row.

    A part holds a fixed range of keys, so that a new page makes a new part or the last one longer.
    """

    rows: Callable[[], QuerySet]
    describe: Callable[[Any], list[Location]]

    def parts(self) -> dict[int, datetime | None]:
        """Return the numbers of the parts that hold anything, each with its last change. One query."""
        number = ExpressionWrapper((F("pk") - 1) / PART + 1, output_field=BigIntegerField())
        found = self.rows().order_by().annotate(part=number).values("part").annotate(last=Max("item__changed_at"))
        return dict(sorted(found.values_list("part", "last")))

    def locations(self, part: int) -> list[Location]:
        """Return the pages of a part, by key."""
        rows = self.rows().filter(pk__gt=(part - 1) * PART, pk__lte=part * PART).order_by("pk")
        return [location for row in rows for location in self.describe(row)]


def page_of(row: Publishable, images: Iterable[str] = (), video: Video | None = None) -> list[Location]:
    """Return the page of a row that came with its item; pictures without an address are left out."""
    shown = [absolute(image) for image in images if image]
    return [Location(absolute(row.get_absolute_url()), row.item.changed_at, shown, video)]


def write_index(parts: Iterable[Location]) -> bytes:
    """Return the sitemap of sitemaps."""
    root = etree.Element(f"{{{SITEMAP}}}sitemapindex", nsmap={None: SITEMAP})
    for part in parts:
        _add_location(root, "sitemap", part)
    return write_document(root)


def write_sitemap(locations: Iterable[Location]) -> bytes:
    root = etree.Element(f"{{{SITEMAP}}}urlset", nsmap={None: SITEMAP, "image": IMAGE, "video": VIDEO})
    for location in locations:
        entry = _add_location(root, "url", location)
        for image in location.images:
            _tag(_tag(entry, IMAGE, "image"), IMAGE, "loc", image)
        if location.video and location.video.is_complete:
            _add_video(entry, location.video)
    return write_document(root)


def _add_location(root: etree._Element, name: str, location: Location) -> etree._Element:
    entry = _tag(root, SITEMAP, name)
    _tag(entry, SITEMAP, "loc", location.url)
    if location.changed:
        _tag(entry, SITEMAP, "lastmod", w3c(location.changed))
    return entry


def _add_video(entry: etree._Element, video: Video) -> None:
    element = _tag(entry, VIDEO, "video")
    _tag(element, VIDEO, "thumbnail_loc", video.thumbnail)
    _tag(element, VIDEO, "title", video.title)
    _tag(element, VIDEO, "description", shorten(video.description, MOST_VIDEO_TEXT))
    _tag(element, VIDEO, "content_loc", video.content)
    _tag(element, VIDEO, "duration", str(video.seconds))


def _tag(parent: etree._Element, namespace: str, name: str, text: str = "") -> etree._Element:
    return add(parent, f"{{{namespace}}}{name}", text)


def w3c(moment: datetime) -> str:
    """Return a moment as ``2026-05-14T10:00:00Z``, to the second."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
