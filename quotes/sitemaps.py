"""What crawlers are told: which pages there are, and which are not for them."""

from datetime import datetime

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from episodes import sitemaps as episodes
from publishing.card_files import card_path
from publishing.documents import document_response
from publishing.pages import absolute
from publishing.sitemaps import Location, Section, page_of, write_index, write_sitemap

from .models import Quote

XML = "application/xml; charset=utf-8"
GENERAL = "pages"
GENERAL_NAMES = (
    *("home", "episodes:list", "quotes:list", "episodes:show-list", "episodes:guest-list", "episodes:topic-list"),
    *("quotes:how", "publishing:corrections", "episodes:feeds"),
)
# Not to be found: the newsroom, drafts, what a reader's own words make, and pages that are asked to make a clip.
NOT_CRAWLED = ("/admin/", "/accounts/", "/preview/", "/search/", "/quotes/*/clip/")


def _quotes() -> QuerySet:
    return Quote.objects.live().select_related("item").only("slug", "item__changed_at")


def _quote(quote: Quote) -> list[Location]:
    return page_of(quote, [card_path("quotes:card", quote.slug)])


SECTIONS = episodes.SECTIONS | {"quotes": Section(_quotes, _quote)}


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    """Answer with the list of all parts. One query a kind."""

    def write() -> bytes:
        parts = [(kind, *part) for kind, section in SECTIONS.items() for part in section.parts().items()]
        return write_index(_part(kind, number, changed) for kind, number, changed in [(GENERAL, 1, None), *parts])

    return _closed(document_response(request, write, XML))


@require_safe
def sitemap_part(request: HttpRequest, kind: str, number: int) -> HttpResponse:
    def write() -> bytes:
        found = _locations(kind, number)
        if not found:
            raise Http404
        return write_sitemap(found)

    return _closed(document_response(request, write, XML))


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in NOT_CRAWLED)]
    text = "\n".join([*lines, "", f"Sitemap: {absolute(reverse('sitemap'))}", ""])
    return _closed(document_response(request, text.encode(), "text/plain; charset=utf-8"))


def _part(kind: str, number: int, changed: datetime | None) -> Location:
    return Location(absolute(reverse("sitemap-part", args=[kind, number])), changed)


def _locations(kind: str, number: int) -> list[Location]:
    if kind == GENERAL:
        return [Location(absolute(reverse(name))) for name in GENERAL_NAMES] if number == 1 else []
    return SECTIONS[kind].locations(number) if kind in SECTIONS else []


def _closed(response: HttpResponse) -> HttpResponse:
    """Return a document that no page of another site needs to read."""
    del response["Access-Control-Allow-Origin"]
    return response
