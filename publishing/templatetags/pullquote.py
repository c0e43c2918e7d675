"""Filters and tags of the public pages."""

from datetime import date, datetime

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.encoding import escape_uri_path
from django.utils.formats import date_format, get_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from publishing import pages, text
from publishing.structured import page_graph, to_script

register = template.Library()

register.filter("absolute", pages.absolute)
register.filter("markdown", text.render_markdown)

LONG_ENGLISH, SHORT_ENGLISH = "N j, Y", "M j, Y"  # Django abbreviates months as newspapers do: Sept., but June
WEB = ("https://", "http://")
# Where a language that is named without a place is spoken by most, as Unicode's likely subtags have it.
TERRITORIES = {
    "ar": "EG", "bg": "BG", "cs": "CZ", "da": "DK", "de": "DE", "el": "GR", "en": "US", "es": "ES", "et": "EE",
    "fa": "IR", "fi": "FI", "fr": "FR", "he": "IL", "hi": "IN", "hr": "HR", "hu": "HU", "id": "ID", "it": "IT",
    "ja": "JP", "ko": "KR", "lt": "LT", "lv": "LV", "nb": "NO", "nl": "NL", "pl": "PL", "pt": "BR", "ro": "RO",
    "ru": "RU", "sk": "SK", "sl": "SI", "sv": "SE", "th": "TH", "tr": "TR", "uk": "UA", "vi": "VN",
    "zh-hans": "CN", "zh-hant": "TW",
}  # fmt: skip


@register.filter
def shorten(value: str, limit: int) -> str:
    return text.shorten(value, limit)


@register.filter
def site_date(value: date | str | None) -> SafeString | str:
    """Return a day as ``<time>``, as the site's locale writes it and in the site's time zone."""
    moment = parse_date(value) if isinstance(value, str) else value
    if moment is None:
        return ""
    if isinstance(moment, datetime):
        moment = timezone.localtime(moment)
    return format_html('<time datetime="{}">{}</time>', moment.isoformat(), day_in_words(moment))


def day_in_words(moment: date | None) -> str:
    """Return a day as ``site_date`` writes it, as plain text."""
    if moment is None:
        return ""
    if isinstance(moment, datetime):
        moment = timezone.localtime(moment)
    style = get_format("DATE_FORMAT")
    return date_format(moment, SHORT_ENGLISH if style == LONG_ENGLISH else style)


@register.filter
def outside_link(url: str, label: str) -> SafeString | str:
    """Return a link to another site, or the label alone where the address is none of the web."""
    return _outside_link(url, label, "nofollow noopener")


@register.filter
def own_link(url: str, label: str) -> SafeString | str:
    """Return a link to somebody's page from the page about them, which ``rel=me`` says."""
    return _outside_link(url, label, "me nofollow noopener")


def _outside_link(url: str, label: str, rel: str) -> SafeString | str:
    if not str(url).lower().startswith(WEB):
        return label
    return format_html('<a href="{}" rel="{}">{}</a>', url, rel, label)


@register.simple_tag(takes_context=True)
def canonical_url(context: Context) -> str:
    """Return the one address of this page, without parameters but those that make it another page."""
    request: HttpRequest = context["request"]
    number = getattr(context.get("page"), "number", 1)
    query = f"page={number}" if number > 1 else getattr(context.get("head"), "query", "")
    return settings.SITE_URL + escape_uri_path(request.path) + (f"?{query}" if query else "")


@register.simple_tag(takes_context=True)
def structured_data(context: Context) -> SafeString | str:
    """Return what the page tells machines, as a script element that runs nothing."""
    head = context.get("head")
    if not head:
        return ""
    return to_script(page_graph(head, canonical_url(context), context["site"], context.get("corrections") or ()))


@register.filter
def og_locale(code: str) -> str:
    """Return a language as Open Graph names it, such as ``en_GB``; empty where no territory is known."""
    language, _dash, territory = code.partition("-")
    known = TERRITORIES.get(code.lower()) or (territory if len(territory) == 2 else "")
    return f"{language.lower()}_{known.upper()}" if known else ""


@register.simple_tag(takes_context=True)
def nav_link(context: Context, view_name: str, label: str) -> SafeString:
    """Return a link of the main menu, marked where it leads to this very page."""
    url = reverse(view_name)
    html = '<a href="{}" aria-current="page">{}</a>' if url == context["request"].path else '<a href="{}">{}</a>'
    return format_html(html, url, label)
