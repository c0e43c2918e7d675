"""A quote's citation, as files and as its page shows it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from publishing.documents import document_response
from publishing.middleware import site_of

from .citations import FORMATS, citation_of
from .models import Quote


@require_safe
def cite(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    form = FORMATS.get(format)
    if form is None:
        raise Http404

    def write() -> bytes:
        quote = get_object_or_404(Quote.objects.live().for_page(), slug=slug)
        return form.write(citation_of(quote, site_of(request))).encode()

    response = document_response(request, write, form.content_type)
    response["Content-Disposition"] = content_disposition_header(form.is_saved, f"{slug}.{format}") or "inline"
    response["X-Robots-Tag"] = "noindex"
    return response


def cite_links(quote: Quote) -> list[tuple[str | Promise, str]]:
    """Return the name and the address of each format."""
    return [(form.label, reverse("quotes:cite", args=[quote.slug, name])) for name, form in FORMATS.items()]
