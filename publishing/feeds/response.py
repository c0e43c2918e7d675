from collections.abc import Callable
from dataclasses import replace

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from publishing.documents import document_response

from .description import Feed
from .formats import FORMATS
from .paging import page_number


def feed_response(request: HttpRequest, format_name: str, describe: Callable[[], Feed]) -> HttpResponse:
    """Answer with the feed, or 304 where the reader has it already; then it is not even described.

    One query besides those of ``describe``.
    """
    form = FORMATS[format_name]
    return document_response(request, lambda: form.write(_complete(describe())), form.content_type, link=_link(request))


def _complete(feed: Feed) -> Feed:
    return replace(feed, hub=settings.WEBSUB_HUB)


def _link(request: HttpRequest) -> str:
    """Return what WebSub reads in the header: the hub, and the feed's own address."""
    if not settings.WEBSUB_HUB:
        return ""
    number = page_number(request)
    own = f"{settings.SITE_URL}{request.path}" + (f"?page={number}" if number > 1 else "")
    return f'<{settings.WEBSUB_HUB}>; rel="hub", <{own}>; rel="self"'
