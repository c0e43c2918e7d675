"""oEmbed 1.0: what a site is told that wants to show a page of ours in its own. Nothing is ever fetched for it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from lxml import etree

from .documents import document_response
from .embeds import WIDTH, Embed
from .feeds import FeedLink
from .feeds.xml import add, write_document
from .models import SiteSettings
from .pages import absolute
from .text import clean_text

VIEW = "oembed"
MIMES = {"json": "application/json", "xml": "text/xml; charset=utf-8"}
CACHE_AGE = 3600  # seconds: what is in the frame is always of now
MOST_ADDRESS = 2_000  # characters
MOST_DIGITS = 6  # of a size: a frame of more pixels is no smaller than any of ours

_ADDRESS = re.compile(r"https?://([^/?#]*)(/[^?#]*)(?:[?#].*)?", re.IGNORECASE)
_NEVER = re.compile(r"[\x00-\x1f\x7f\\]")  # in an address of ours


class Refused(Exception):
    """Raised where a question cannot be answered; ``status`` is that of HTTP, the text a sentence for whoever asked."""

    def __init__(self, status: HTTPStatus, sentence: str):
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Question:
    """What a site asks: for which address, in which format, in how many pixels at most."""

    url: str
    format: str = "json"
    most_width: int | None = None
    most_height: int | None = None


def read_question(parameters: QueryDict) -> Question:
    """Return what is asked. Raises Refused for a format that there is not, no address, or a size that is none."""
    form = parameters.get("format") or "json"
    if form not in MIMES:
        raise Refused(
            HTTPStatus.NOT_IMPLEMENTED, _("There is no such format here. Ask with format=json or format=xml.")
        )
    url = parameters.get("url", "")
    if not url:
        raise Refused(HTTPStatus.BAD_REQUEST, _("Give the address of a page of this site as url."))
    return Question(url, form, _size(parameters, "maxwidth"), _size(parameters, "maxheight"))


def _size(parameters: QueryDict, name: str) -> int | None:
    text = parameters.get(name, "")
    digits = text.lstrip("0")
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and digits):
        message = _("%(name)s is a number of pixels, from 1. Give one such as 600, or leave it out.")
        raise Refused(HTTPStatus.BAD_REQUEST, message % {"name": name})
    return int(digits[:MOST_DIGITS])


def own_path(address: str) -> str | None:
    """Return the path, unquoted, that an address names on this site, over http or https; None for any other address."""
    match = _ADDRESS.fullmatch(address) if len(address) <= MOST_ADDRESS else None
    if match is None or _NEVER.search(address) or match[1].lower() != urlsplit(settings.SITE_URL).netloc.lower():
        return None
    try:
        path = unquote(match[2], errors="strict")
    except UnicodeDecodeError:
        return None
    return None if _NEVER.search(path) or "//" in path else path


def oembed_response(request: HttpRequest, site: SiteSettings, embed: Embed, question: Question) -> HttpResponse:
    """Answer with what is told of a page. One query."""
    facts = describe(site, embed, question)
    body = to_xml(facts) if question.format == "xml" else to_json(facts)
    return document_response(request, body, MIMES[question.format])


def refusal(refused: Refused) -> HttpResponse:
    """Answer why there is nothing, to scripts of any site too."""
    headers = {"Access-Control-Allow-Origin": "*"}
    return HttpResponse(f"{refused}\n", "text/plain; charset=utf-8", status=refused.status, headers=headers)


def describe(site: SiteSettings, embed: Embed, question: Question) -> dict[str, Any]:
    """Return the answer, by the names of the standard; neither frame nor picture is larger than asked for."""
    width = min(WIDTH, question.most_width or WIDTH)
    height = embed.height_at(width)
    height = min(height, question.most_height or height)
    facts = {
        "type": "rich",
        "version": "1.0",
        "title": clean_text(embed.title),
        "author_name": clean_text(embed.author_name),
        "author_url": embed.author_url,
        "provider_name": clean_text(site.name),
        "provider_url": absolute("/"),
        "cache_age": CACHE_AGE,
        "html": embed.frame(width, height),
        "width": width,
        "height": height,
    }
    return facts | _thumbnail(embed, question)


def _thumbnail(embed: Embed, question: Question) -> dict[str, Any]:
    card = embed.card
    if (
        card is None
        or card.width > (question.most_width or card.width)
        or card.height > (question.most_height or card.height)
    ):
        return {}
    return {"thumbnail_url": absolute(card.url), "thumbnail_width": card.width, "thumbnail_height": card.height}


def to_json(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts, ensure_ascii=False, indent=1).encode()


def to_xml(facts: Mapping[str, Any]) -> bytes:
    root = etree.Element("oembed")
    for name, value in facts.items():
        add(root, name, str(value))
    return write_document(root)


def discovery_links(title: str, path: str) -> list[FeedLink]:
    """Return the links by which a page says where it is described, in both formats."""
    return [
        FeedLink(title, "oEmbed", mime, f"{reverse(VIEW)}?{urlencode({'url': absolute(path), 'format': form})}")
        for form, mime in (("json", "application/json+oembed"), ("xml", "text/xml+oembed"))
    ]
