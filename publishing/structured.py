"""Structured data: what a page shows, said to machines in JSON-LD and the words of schema.org.

Whatever is empty is left out. Nothing may stand here that the page does not show.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe

from .models import Correction, Publishable, SiteSettings
from .pages import Head, absolute
from .text import clean_text

Node = dict[str, Any]

WEB = ("https://", "http://")
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


@dataclass(frozen=True)
class PageData:
    """What a page is about: its ``main`` thing, what ``more`` stands on it, and the ``trail`` down to it.

    The steps of the trail are names and paths, without the page itself. ``kind`` is a type of page.
    """

    kind: str = "WebPage"
    main: Node | None = None
    more: Sequence[Node] = ()
    trail: Sequence[tuple[str, str]] = ()


def id_of(row: Publishable) -> str:
    """Return the name of a thing in all structured data: its page's address and its kind."""
    return f"{absolute(row.get_absolute_url())}#{row.kind}"


def ref(node: Node) -> Node:
    """Return a link to a node that stands in the same graph."""
    return {"@id": node["@id"]}


def thing(kind: str, row: Publishable) -> Node:
    """Return what every mention of a thing says of it."""
    return {"@type": kind, "@id": id_of(row), "url": absolute(row.get_absolute_url()), "name": row.headline}


def item_list(name: str, rows: Iterable[tuple[str, str]], *, start: int = 1, count: int | None = None) -> Node:
    """Return rows of name and path as a list; ``count`` is of all pages of it, if the page tells that."""
    items = [
        {"@type": "ListItem", "position": position, "name": label, "url": absolute(path)}
        for position, (label, path) in enumerate(rows, start)
    ]
    return {"@type": "ItemList", "name": name, "numberOfItems": count, "itemListElement": items} if items else {}


def web_only(urls: Iterable[str]) -> list[str]:
    """Return the addresses that are of the web, as pages link to them."""
    return [url for url in urls if url.lower().startswith(WEB)]


def moment(value: datetime | None) -> str:
    """Return a moment as pages write it into their dates."""
    return timezone.localtime(value).isoformat() if value else ""


def correction(text: str, published: datetime | None) -> Node:
    return {"@type": "CorrectionComment", "text": text, "datePublished": moment(published)}


def page_graph(head: Head, url: str, site: SiteSettings, corrections: Iterable[Correction] = ()) -> list[Node]:
    """Return the nodes of a page under its one address: the page, what it is about, and whose it is.

    The corrections are those that the page tells.
    """
    data = head.data or PageData()
    website, publisher = site_nodes(site)
    page = {
        "@type": data.kind,
        "@id": url,
        "url": url,
        "name": head.title,
        "inLanguage": site.locale,
        "isPartOf": ref(website),
        "publisher": ref(publisher),
        "primaryImageOfPage": _card(head),
        "breadcrumb": _breadcrumb(head, data),
        "correction": [correction(each.note, each.published_at) for each in corrections],
    }
    if data.main is None:
        return _merged([page, *data.more, website, publisher])
    main = {"@id": f"{url}#main"} | data.main
    return _merged([page | {"mainEntity": ref(main)}, main, *data.more, website, publisher])


def site_nodes(site: SiteSettings) -> tuple[Node, Node]:
    """Return what every page says of the site, and of who is behind it."""
    home = absolute(reverse("home"))
    publisher: Node = {"@type": "Organization", "@id": f"{home}#publisher", "name": site.name, "url": home}
    website: Node = {"@type": "WebSite", "@id": f"{home}#site", "name": site.name, "url": home}
    return website | {"publisher": ref(publisher)}, publisher


def to_script(graph: Iterable[Node]) -> SafeString:
    """Return the element that holds a graph; nothing in a text can end it."""
    document = {"@context": "https://schema.org", "@graph": tidy(list(graph))}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES)
    return mark_safe(f'<script type="application/ld+json">{text}</script>')  # noqa: S308


def tidy(value: Any) -> Any:
    """Return a value without what is empty in it, its texts as XML can carry them too."""
    if isinstance(value, str | Promise):
        return clean_text(str(value))
    if isinstance(value, dict):
        kept = {key: tidied for key, each in value.items() if not _is_empty(tidied := tidy(each))}
        return kept if kept.keys() - {"@type"} else {}
    if isinstance(value, list | tuple):
        return [tidied for each in value if not _is_empty(tidied := tidy(each))]
    return value


def _is_empty(value: Any) -> bool:
    return value in (None, "", [], {})


def _card(head: Head) -> Node:
    return {"@type": "ImageObject", "url": absolute(head.card.url), "caption": head.card.alt} if head.card else {}


def _breadcrumb(head: Head, data: PageData) -> Node:
    if not data.trail:
        return {}
    pages: list[Node] = [{"@type": "WebPage", "@id": absolute(path), "name": name} for name, path in data.trail]
    steps: list[Node] = [*({"item": page} for page in pages), {"name": head.title}]
    items = [{"@type": "ListItem", "position": position} | step for position, step in enumerate(steps, 1)]
    return {"@type": "BreadcrumbList", "itemListElement": items}


def _merged(nodes: Iterable[Node]) -> list[Node]:
    """Return the nodes with what is said of one thing in one place."""
    found: dict[Any, Node] = {}
    for place, node in enumerate(nodes):
        key = node.get("@id", place)
        found[key] = found.get(key, {}) | node
    return list(found.values())
