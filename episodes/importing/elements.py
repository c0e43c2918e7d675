"""Look into an element of a feed: children by a plain name, texts, addresses, numbers."""

import re
from copy import deepcopy
from functools import lru_cache
from html import escape
from urllib.parse import urljoin

from lxml import etree

from publishing.text import clean_line, clean_text

Children = dict[str, list[etree._Element]]

_FAMILIES = {  # the namespaces we know, without scheme, case and closing slash
    "": "",
    "backend.userland.com/rss2": "",
    "purl.org/rss/1.0/modules/rss091": "",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes:",
    "podcastindex.org/namespace/1.0": "podcast:",
    "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md": "podcast:",
    "purl.org/rss/1.0/modules/content": "content:",
    "search.yahoo.com/mrss": "media:",
    "www.w3.org/2005/atom": "atom:",
    "purl.org/dc/elements/1.1": "dc:",
    "podlove.org/simple-chapters": "psc:",
}


def plain_name(element: etree._Element) -> str:
    """Return an element's name as ``itunes:author`` or ``title``, whatever its prefix."""
    return _plain_tag(str(element.tag))


@lru_cache(maxsize=4096)
def _plain_tag(tag: str) -> str:
    namespace, _, local = tag.rpartition("}")
    key = re.sub(r"^\{?https?://", "", namespace.lower()).strip("{/")
    return _FAMILIES.get(key, "other:") + local


def children_of(element: etree._Element, *, without: str | None = None) -> Children:
    """Return the child elements by plain name, in document order."""
    children: Children = {}
    for child in element.iterchildren(etree.Element):
        name = plain_name(child)
        if name != without:
            children.setdefault(name, []).append(child)
    return children


def text_of(element: etree._Element) -> str:
    return clean_text("".join(element.itertext()))


def first_text(children: Children, *names: str) -> str | None:
    """Return the first text that is not empty, on one line."""
    texts = (clean_line(text_of(child)) for name in names for child in children.get(name, []))
    return next((text for text in texts if text), None)


def inner_html(element: etree._Element) -> str:
    """Return the content as HTML: text as it is, child elements with their tags."""
    if len(element) == 0:
        return clean_text(element.text or "")
    copies = map(deepcopy, element)  # a copy leaves unused namespaces behind
    tags = [etree.tostring(copy, encoding="unicode", method="html") for copy in copies]
    return clean_text(escape(element.text or "", quote=False) + "".join(tags))


def longest_html(children: Children, *names: str) -> str:
    """Return the longest content of the elements so named, empty where none has any."""
    contents = [inner_html(child) for name in names for child in children.get(name, [])]
    return max(contents, key=len, default="")


def attribute(element: etree._Element, name: str) -> str:
    return clean_line(element.get(name) or "")


def first_attribute(children: Children, element_name: str, name: str) -> str | None:
    values = (attribute(child, name) for child in children.get(element_name, []))
    return next((value for value in values if value), None)


def absolute_url(written: str | None, base: str) -> str | None:
    """Return an http(s) address, resolved where it is relative, else None."""
    written = clean_line(written or "")
    if not written:
        return None
    if re.match(r"https?://[^/?#]", written, re.IGNORECASE):
        return written
    try:
        resolved = urljoin(base, written)
    except ValueError:
        return None
    return resolved if re.match(r"https?://[^/?#]", resolved, re.IGNORECASE) else None


def read_flag(text: str | None) -> bool | None:
    """Return yes or no as feeds spell it, None where it is neither."""
    word = (text or "").casefold()
    if word in {"yes", "true", "explicit", "1"}:
        return True
    return False if word in {"no", "false", "clean", "0"} else None


def positive_number(text: str | None) -> int | None:
    """Return a whole number above zero, as ``12`` or ``12.0``, else None."""
    match = re.fullmatch(r"([0-9]{1,15})(?:\.0+)?", text or "")
    return int(match[1]) or None if match else None
