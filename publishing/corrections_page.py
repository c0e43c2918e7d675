"""The public page and feed of all corrections, and how an entry of another feed tells those of its thing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from .corrections import visible_rows
from .feeds import Entry, Feed, feed_addresses, feed_links, feed_response, page_number, page_of
from .feeds.hub import tells_feeds
from .kinds import get_kind
from .middleware import site_of
from .models import Correction, SiteSettings
from .pages import Head, absolute, paginate
from .templatetags.pullquote import day_in_words

MOST_IN_ENTRY = 5  # corrections that the entry of a thing tells


@dataclass(frozen=True)
class Told:
    """A correction with what it corrects; ``path`` is empty where readers no longer see that."""

    correction: Correction
    title: str
    path: str = ""


@require_safe
def corrections(request: HttpRequest) -> HttpResponse:
    """Show what was corrected on the whole site, the newest first."""
    head = Head(
        _("Corrections"),
        _("What we got wrong and put right, the newest first."),
        feeds=feed_links(_("Corrections"), "publishing:corrections-feed"),
    )
    page = paginate(request, Correction.objects.live().with_items().newest_first())
    return render(request, "publishing/corrections.html", {"head": head, "page": page, "told": told_of(page)})


@require_safe
def corrections_feed(request: HttpRequest, format: str) -> HttpResponse:
    return feed_response(request, format, lambda: _feed(site_of(request), page_number(request)))


@tells_feeds
def feeds_of(changed: dict[str, list[int]]) -> list[str]:
    """Return the addresses of the feed of corrections, where what changed has any. One query."""
    pks = [pk for held in changed.values() for pk in held]
    is_told = Correction.objects.filter(item__in=pks).exists()
    return list(feed_addresses("publishing:corrections-feed").values()) if is_told else []


def told_of(found: Iterable[Correction]) -> list[Told]:
    """Return corrections with the titles and paths of what they correct, as readers see it.

    Of what readers do not see, only removals are told, without its title. One query for each
    kind of item.
    """
    known = list(found)
    rows = visible_rows({correction.item_id: correction.item.kind for correction in known})
    told = []
    for correction in known:
        row = rows.get(correction.item_id)
        if row is not None:
            told.append(Told(correction, row.headline, f"{row.get_absolute_url()}{_anchor(correction)}"))
        elif correction.is_removal:
            told.append(Told(correction, str(get_kind(correction.item.kind).model.when_removed)))
    return told


def _anchor(correction: Correction) -> str:
    """Return where a correction stands in any page that shows it."""
    return f"#correction-{correction.uid}"


def corrected_html(found: Sequence[Correction]) -> SafeString:
    """Return what ends the entry of a thing in a feed: a line with a paragraph for each of its newest corrections."""
    newest = sorted(found, key=lambda correction: (correction.published_at, correction.pk), reverse=True)
    return format_html_join("", "\n<p>{}</p>", [(_line(correction),) for correction in newest[:MOST_IN_ENTRY]])


def _line(correction: Correction) -> str:
    words = _("Corrected on %(day)s: %(note)s")
    return words % {"day": day_in_words(correction.published_at), "note": correction.note}


def _feed(site: SiteSettings, number: int) -> Feed:
    link = absolute(reverse("publishing:corrections"))
    paging, rows = page_of(Correction.objects.live().with_items().newest_first(), number, site.feed_items)
    return Feed(
        id=link,
        title=_("Corrections at %(site)s") % {"site": site.name},
        link=link,
        description=_("What we got wrong and put right."),
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("publishing:corrections-feed"),
        changed=_last_left(),
        copyright=site.licence,
        paging=paging,
        entries=[_entry(told, link, site) for told in told_of(rows)],
    )


def _last_left() -> datetime | None:
    """Return when corrections last left the feed with what they correct."""
    gone = Correction.objects.filter(visible=False)
    return gone.aggregate(last=Max("item__changed_at"))["last"]


def _entry(told: Told, link: str, site: SiteSettings) -> Entry:
    correction = told.correction
    return Entry(
        guid=correction.uid.urn,
        uid=correction.uid,
        title=_("Correction: %(title)s") % {"title": told.title} if told.path else told.title,
        link=absolute(told.path) if told.path else f"{link}{_anchor(correction)}",
        summary=correction.note,
        html=_html(correction),
        published=correction.published_at,
        updated=correction.changed_at,
        authors=(site.name,),
        categories=(correction.get_kind_display(),),
    )


def _html(correction: Correction) -> SafeString:
    facts = [
        (_("It said"), correction.said),
        (_("It says now"), correction.says),
        (_("Found by"), correction.found_by),
    ]
    kind = f"{capfirst(correction.get_kind_display())} · {correction.get_severity_display()}"
    quoted = format_html_join("", "\n<p>{}: {}</p>", [(label, text) for label, text in facts if text])
    return format_html("<p>{}</p>\n<p>{}</p>{}", correction.note, kind, quoted)
