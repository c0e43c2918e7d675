from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date, quote_etag

from .models import ContentVersion

KEPT = "public, max-age=300"  # seconds


def document_response(request: HttpRequest, body: bytes, content_type: str) -> HttpResponse:
    """Answer any site with a document, or 304 where the reader has it already. One query.

    The ETag is of the bytes. Last-Modified is the time of the last public act of any
    kind, so that it moves also when something leaves the document.
    """
    response = HttpResponse(body, content_type=content_type)
    response["Cache-Control"] = KEPT
    etag = response["ETag"] = quote_etag(sha256(body).hexdigest()[:32])
    changed = _last_change()
    if changed is not None:
        response["Last-Modified"] = http_date(changed)
    answer = get_conditional_response(request, etag=etag, last_modified=changed, response=response) or response
    answer["Access-Control-Allow-Origin"] = "*"
    return answer


def _last_change() -> int | None:
    """Return the time of the last public act in whole seconds since 1970."""
    moment = ContentVersion.objects.values_list("changed_at", flat=True).first()
    return int(moment.timestamp()) if moment else None
