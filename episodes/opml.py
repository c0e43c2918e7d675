"""All shows as a list of feeds that feed readers and podcast apps take in (OPML 2.0)."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from lxml import etree

from publishing.documents import document_response
from publishing.feeds.podcast import rfc822
from publishing.feeds.xml import add, write_document
from publishing.middleware import site_of
from publishing.models import SiteSettings
from publishing.pages import absolute
from publishing.text import clean_line

from .feeds import last_change_of
from .models import Show

MOST_SHOWS = 1_000  # by title


@require_safe
def shows(request: HttpRequest) -> HttpResponse:
    return document_response(request, lambda: to_opml(site_of(request)), "text/x-opml; charset=utf-8")


def to_opml(site: SiteSettings) -> bytes:
    """Return the feeds of all live shows. Its date is that of the last change of a show. Two queries."""
    root = etree.Element("opml", {"version": "2.0"})
    head = add(root, "head")
    add(head, "title", clean_line(_("Shows on %(site)s") % {"site": site.name}))
    changed = last_change_of("show")
    if changed:
        add(head, "dateCreated", rfc822(changed))
    body = add(root, "body")
    for show in Show.objects.live().order_by("title", "pk").only("title", "slug", "tagline")[:MOST_SHOWS]:
        _add_show(body, show)
    return write_document(root)


def _add_show(body: etree._Element, show: Show) -> None:
    title = clean_line(show.title)
    attributes = {
        "type": "rss",
        "text": title,
        "title": title,
        "description": clean_line(show.tagline),
        "xmlUrl": absolute(reverse("episodes:show-feed", args=[show.slug, "rss"])),
        "htmlUrl": absolute(show.get_absolute_url()),
    }
    add(body, "outline", attributes={name: value for name, value in attributes.items() if value})
