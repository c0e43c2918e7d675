"""Pages of ours that other sites may put into theirs: the only ones that may be framed, without script or cookie."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.clickjacking import xframe_options_exempt

from .card_files import Card
from .ranges import KEPT
from .text import clean_text

WIDTH = 600  # pixels, where nobody asks for another

# Pixels, as static/css/embed.css sets them.
WIDE = 480  # of a frame, from which on there is more room around larger letters
SMALL_LINE = 20
SMALL_LETTER = 7.2  # on average, with room to spare
FOOT = 37
SOUND = 54  # of a player
ABOVE_CLIP = 12
LEAST_COLUMN = 40  # that lines are counted for

_POLICY = {
    "default-src": [NONE],
    "style-src": [SELF],
    "font-src": [SELF],
    "img-src": [SELF],
    "media-src": [SELF],
    "base-uri": [NONE],
    "form-action": [NONE],
    "frame-ancestors": ["*"],
}
# A link of the page opens a tab of its own, which is as free as any; nothing else gets out of the frame.
_SANDBOX = "allow-popups allow-popups-to-escape-sandbox"
_FRAME = (
    '<iframe src="{}" title="{}" width="{}" height="{}" loading="lazy" frameborder="0" allowfullscreen sandbox="{}">'
    "</iframe>"
)


@dataclass(frozen=True)
class Embed:
    """A page to be framed, and what others are told of it. Addresses are absolute.

    ``height_at`` gives the height in pixels at which nothing has to be scrolled, for a width.
    """

    url: str
    title: str
    author_name: str
    author_url: str
    height_at: Callable[[int], int]
    card: Card | None = None

    def frame(self, width: int | str, height: int) -> SafeString:
        """Return the HTML that puts the page into another. It has no style, which many sites would not let in."""
        return format_html(_FRAME, self.url, clean_text(self.title), width, height, _SANDBOX)

    @property
    def snippet(self) -> SafeString:
        """Return the HTML for people to paste, as wide as what it is put into."""
        return self.frame("100%", self.height_at(WIDTH))


def may_be_framed_anywhere(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let every site show what a view answers in a frame; all else refuses."""
    return xframe_options_exempt(csp(_POLICY)(view))


def embed_response(request: HttpRequest, template: str, context: dict) -> HttpResponse:
    """Answer with a page to be framed, which no search engine need list: the real one is named in it."""
    response = render(request, template, context)
    response["Cache-Control"] = KEPT
    response["X-Robots-Tag"] = "noindex"
    return response


def column_at(width: int) -> int:
    """Return how wide the text is in a frame of a width, in pixels."""
    return width - (42 if width >= WIDE else 34)


def height_around(width: int) -> int:
    """Return the pixels over and under all that a page says: borders, paddings, foot."""
    return FOOT + (34 if width >= WIDE else 26)


def clip_height(is_video: bool, width: int) -> int:
    """Return the pixels that a player takes, with those above it."""
    return ABOVE_CLIP + (ceil(column_at(width) * 9 / 16) if is_video else SOUND)


def count_lines(text: str, width: int, letter: float) -> int:
    """Return about how many lines a text takes in a column so many pixels wide, a letter being ``letter`` pixels wide."""
    room = max(width, LEAST_COLUMN)
    return sum(max(1, ceil(_letters(line) * letter / room)) for line in text.splitlines()) or 1


def _letters(line: str) -> int:
    """Return how many Latin letters would be as wide; an ideograph is as wide as two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)
