"""Documents for machines: conditional requests, compression, and open to every site."""

import re
from collections.abc import Callable
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.http import http_date, parse_etags

from .middleware import site_of
from .models import ContentVersion

KEPT = "public, max-age=300"  # seconds
EDITION = 1  # of our writers: raise it when they write the same content otherwise

_NO_GZIP = re.compile(r"\bgzip\s*;\s*q=0(?:\.0*)?\s*(?:,|$)", re.IGNORECASE)


class _Compress(GZipMiddleware):
    """Add nothing random: a document holds no secret to hide, and HEAD tells the length that GET has."""

    max_random_bytes = 0


_compress = _Compress(lambda request: HttpResponse()).process_response


def document_response(
    request: HttpRequest, body: bytes | Callable[[], bytes], content_type: str, *, link: str = ""
) -> HttpResponse:
    """Answer any site with a document, or 304 where the reader has it already. One query.

    The ETag says which state of the site and which bytes a reader has. Of the present
    state there is nothing to make: a ``body`` to be called is not. Of an older one the
    bytes decide, and the reader's own ETag is repeated. Last-Modified is the time of the
    last public act of any kind, so that it moves also when something leaves the document.
    ``link`` is a Link header.
    """
    version = ContentVersion.objects.first()
    stamp = _stamp(request, version, link)
    held = _held(request)
    known = next((etag for etag in held if etag.startswith(f'"{stamp}-')), None)
    if known is None:
        data = body if isinstance(body, bytes) else body()
        etag = f'"{stamp}-{sha256(data).hexdigest()[:24]}"'
        known = etag if held == ["*"] else next((tag for tag in held if _bytes_of(tag) == _bytes_of(etag)), None)
    response = HttpResponseNotModified() if known else HttpResponse(data, content_type=content_type)
    response["ETag"] = known or etag
    response["Cache-Control"] = KEPT
    if version and version.changed_at:
        response["Last-Modified"] = http_date(min(version.changed_at, timezone.now()).timestamp())
        if not known:
            changed = int(version.changed_at.timestamp())
            response = get_conditional_response(request, etag, changed, response) or response
    response["Access-Control-Allow-Origin"] = "*"
    if link:
        response["Link"] = link
    patch_vary_headers(response, ["Accept-Encoding"])
    if not known and not _NO_GZIP.search(request.headers.get("Accept-Encoding", "")):
        _compress(request, response)  # in place, after the ETag is made of what is compressed
    return response


def _stamp(request: HttpRequest, version: ContentVersion | None, link: str) -> str:
    """Return a word for the present state of an address, which only we can have given to a reader."""
    act = f"{version.number} {version.changed_at}" if version else ""  # the number alone comes again after a restore
    state = f"{EDITION} {act} {site_of(request).version} {link} {settings.SITE_URL}{request.get_full_path()}"
    return salted_hmac("publishing.documents", state, algorithm="sha256").hexdigest()[:16]


def _held(request: HttpRequest) -> list[str]:
    """Return the ETags of a conditional request, as we gave them before they were compressed."""
    header = request.headers.get("If-None-Match", "")
    return [etag.removeprefix("W/") for etag in parse_etags(header)]


def _bytes_of(etag: str) -> str:
    return etag.rpartition("-")[2]
