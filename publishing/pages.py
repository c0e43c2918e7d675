"""What public pages share: their heads, their page numbers, their absolute addresses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.paginator import EmptyPage, Page, Paginator
from django.http import Http404, HttpRequest
from django.utils.encoding import iri_to_uri

from .card_files import Card
from .feeds import FeedLink, page_number
from .models import PublishableQuerySet
from .text import clean_line, shorten

if TYPE_CHECKING:
    from .structured import PageData

PER_PAGE = 24  # rows: full lines of two, three and four cards
DESCRIPTION_CHARS = 200  # of a sentence that others show beside a link

_HOST = re.compile(r"(?P<before>\Ahttps?://(?:[^/?#@]*@)?)(?P<host>[^/?#:@\[\]]+)", re.IGNORECASE)


@dataclass(frozen=True)
class Article:
    """When a page was published and last changed, and what it is about."""

    published: datetime | None = None
    changed: datetime | None = None
    tags: Sequence[str] = ()


@dataclass(frozen=True)
class Head:
    """What a page tells those who link to it: a title, a sentence, a picture, its feeds.

    ``query`` is the parameter that is part of its address, such as ``language=de``. ``oembed``
    is where other sites are told how to show it in a page of theirs. ``kind`` is a type of
    Open Graph, and ``article`` what it takes besides; ``video`` and ``audio`` are paths of files
    to play beside a link. ``data`` is what machines are told.
    """

    title: str
    text: str = ""
    feeds: list[FeedLink] = field(default_factory=list)
    query: str = ""
    card: Card | None = None
    oembed: list[FeedLink] = field(default_factory=list)
    kind: str = "website"
    article: Article | None = None
    video: str = ""
    audio: str = ""
    data: "PageData | None" = None

    @property
    def description(self) -> str:
        return shorten(clean_line(self.text), DESCRIPTION_CHARS)


def absolute(path: str) -> str:
    """Return a path of ours as an address, and an address of others, in ASCII: its host as names are looked up."""
    return iri_to_uri(f"{settings.SITE_URL}{path}" if path.startswith("/") else _HOST.sub(_ascii_host, path, count=1))


def _ascii_host(start: re.Match[str]) -> str:
    """Return the start of an address with its host in ASCII; as it is where no such host can be."""
    try:
        return start["before"] + start["host"].encode("idna").decode()
    except UnicodeError:
        return start[0]


def paginate(request: HttpRequest, rows: PublishableQuerySet, per_page: int = PER_PAGE) -> Page:
    """Return the page that ``?page=`` names, the first without it. Three queries.

    Raises Http404 past the end and for what is no page number.
    """
    try:
        paginator = Paginator(rows, per_page)
        number = paginator.validate_number(page_number(request))
    except EmptyPage:
        raise Http404 from None
    start = (number - 1) * per_page
    return Page(rows.slice_of(start, start + per_page), number, paginator)
