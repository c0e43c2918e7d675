from django.http import HttpRequest, HttpResponse

from publishing.documents import document_response

from .description import Feed
from .formats import FORMATS


def feed_response(request: HttpRequest, feed: Feed, format_name: str) -> HttpResponse:
    """Answer with the feed, or 304 where the reader has it already. One query."""
    form = FORMATS[format_name]
    return document_response(request, form.write(feed), form.content_type)
