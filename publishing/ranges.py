"""Files with byte ranges, which players need and Django's FileResponse does not give."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TypeVar
from urllib.parse import quote

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header

ONE_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
KEPT = "public, max-age=300"  # seconds: what is taken down must be gone soon everywhere
FOR_GOOD = "public, max-age=31536000, immutable"  # small pictures, whose address says all that is in them
CHUNK = 64 * 1024  # bytes read at a time
Response = TypeVar("Response", bound=HttpResponseBase)


def serve_file(
    request: HttpRequest, file: File, content_type: str, *, kept: str = KEPT
) -> HttpResponse | StreamingHttpResponse:
    """Answer with the whole file (200), the one range asked for (206), or 416.

    Several ranges in one request are answered whole, as RFC 9110 allows. The file's
    name is random and its bytes never change, so the name is its tag. With
    X_ACCEL_PREFIX the proxy sends the bytes, and answers ranges itself.
    """
    size = file.size
    name = (file.name or "").rpartition("/")[2]
    etag = f'"{name}"'
    if is_held(request.headers.get("If-None-Match", ""), etag):
        file.close()
        return _marked(HttpResponse(status=304, content_type=content_type), name, kept)
    if settings.X_ACCEL_PREFIX:
        file.close()
        return _handed_on(file.name or "", content_type, kept)
    wanted = request.headers.get("Range") if request.headers.get("If-Range", etag) == etag else None
    span = read_range(wanted, size) if wanted else None
    if span == ():
        file.close()
        refused = HttpResponse(status=416, content_type=content_type, headers={"Content-Range": f"bytes */{size}"})
        return _marked(refused, name, "no-store")
    if span:
        start, end = span
        file.seek(start)
        response = StreamingHttpResponse(_slice(file, end - start + 1), status=206, content_type=content_type)
        response["Content-Range"] = f"bytes {start}-{end}/{size}"
        response["Content-Length"] = str(end - start + 1)
    else:
        response = FileResponse(file, content_type=content_type)
        response["Content-Length"] = str(size)
    response["Accept-Ranges"] = "bytes"
    return _marked(response, name, kept)


def _handed_on(name: str, content_type: str, kept: str) -> HttpResponse:
    """Tell nginx which file to send; the path is below the storage's folder."""
    path = Path(name)
    inside = path.relative_to(default_storage.path("")) if path.is_absolute() else path
    response = HttpResponse(content_type=content_type)
    response["X-Accel-Redirect"] = quote(f"{settings.X_ACCEL_PREFIX.rstrip('/')}/{inside.as_posix()}")
    return _marked(response, path.name, kept)


def _marked(response: Response, name: str, kept: str) -> Response:
    """Say which file it is, how long it may be kept, and that a browser must run nothing in it."""
    response["Content-Disposition"] = content_disposition_header(False, name) or "inline"
    response["Content-Encoding"] = "identity"  # whatever packs answers would spoil ranges
    response["Cache-Control"] = kept
    response["ETag"] = f'"{name}"'
    response["Content-Security-Policy"] = "sandbox; default-src 'none'; frame-ancestors 'none'"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # podcast apps on the web show artwork and play
    return response


def is_held(header: str, etag: str) -> bool:
    """Tell whether an If-None-Match names the tag; weak and strong ones are alike here."""
    tags = {tag.strip().removeprefix("W/") for tag in header.split(",")}
    return "*" in tags or etag in tags


def read_range(header: str, size: int) -> tuple[int, int] | tuple[()] | None:
    """Return the first and last byte asked for, ``()`` if there are none such, None to ignore the header."""
    match = ONE_RANGE.fullmatch(header.strip())
    if not match or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:
        length = min(int(last), size)
        return (size - length, size - 1) if length else ()
    start, end = int(first), min(int(last), size - 1) if last else size - 1
    if last and int(last) < start:
        return None
    return (start, end) if start < size else ()


def _slice(file: IO[bytes], length: int) -> Iterator[bytes]:
    with file:
        while length > 0 and (chunk := file.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk
