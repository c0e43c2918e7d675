"""The public data set: a page for people, the same for machines, and the files. All 404 unless the operator wants them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.functional import Promise
from django.utils.http import content_disposition_header, http_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from publishing.middleware import site_of
from publishing.models import SiteSettings
from publishing.pages import Head, absolute
from publishing.ranges import KEPT, serve_file
from publishing.tables.writing import MIMES
from publishing.templatetags.pullquote import day_in_words

from .export_files import FILES, DataSet, MadeFile
from .exports import TABLES, DataColumn

COME_BACK = 300  # seconds
PACKED_MIME = "application/gzip"

View = Callable[..., HttpResponseBase]


def where_wanted(view: View) -> View:
    """Answer 404 where the operator wants no exports (a decorator)."""

    @wraps(view)
    def wanted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.PUBLIC_EXPORTS:
            raise Http404
        return view(request, *args, **kwargs)

    return wanted


@dataclass(frozen=True)
class Listed:
    """A table as the page shows it."""

    name: str
    title: str | Promise
    columns: tuple[DataColumn, ...]
    files: list[MadeFile]


@require_safe
@where_wanted
def exports(request: HttpRequest) -> HttpResponse:
    held = DataSet.current()
    context = {
        "head": Head(_("Data"), _("All episodes and quotes of this site as files, to count, search and reuse.")),
        "data_set": held,
        "tables": [Listed(table.name, table.title, table.columns, _files_of(table.name, held)) for table in TABLES],
        "citation": citation_of(site_of(request), held) if held else "",
    }
    return render(request, "quotes/exports.html", context)


def _files_of(table: str, held: DataSet | None) -> list[MadeFile]:
    return [file for file in held.files.values() if file.name.partition(".")[0] == table] if held else []


def citation_of(site: SiteSettings, held: DataSet) -> str:
    """Return how to cite the data set, in a line."""
    parts = {"site": site.name, "day": day_in_words(held.made_at), "url": absolute(reverse("quotes:exports"))}
    return _("%(site)s: Episodes and quotes. Data set of %(day)s. %(url)s") % parts


@require_safe
@where_wanted
def index(request: HttpRequest) -> HttpResponseBase:
    """Tell machines what the page tells people."""
    held = DataSet.current()
    if held is None:
        return _later()
    site = site_of(request)
    told = {
        "schema": held.schema,
        "made_at": held.made_at.isoformat(),
        "licence": site.licence,
        "citation": citation_of(site, held),
        "files": [_told(file) for file in held.files.values()],
        "columns": {table.name: {one.name: str(one.about) for one in table.columns} for table in TABLES},
    }
    data = json.dumps(told, ensure_ascii=False, indent=1).encode()
    etag = f'"{sha256(data).hexdigest()[:32]}"'
    unmodified = get_conditional_response(request, etag, int(held.made_at.timestamp()))
    return _open_to_all(unmodified or HttpResponse(data, content_type="application/json"), held, etag)


def _told(file: MadeFile) -> dict[str, Any]:
    url = absolute(reverse("quotes:export-file", args=[file.name]))
    return {"name": file.name, "url": url, "rows": file.rows, "bytes": file.bytes, "sha256": file.sha256}


@require_safe
@where_wanted
def export_file(request: HttpRequest, name: str) -> HttpResponseBase:
    """Answer with a file that was made, as a whole or in ranges; 503 while it is being made anew."""
    if name not in FILES:
        raise Http404
    held = DataSet.current()
    file = held.files.get(name) if held else None
    if held is None or file is None:
        return _later()
    etag = f'"{file.stored.rpartition("/")[2]}"'
    unmodified = get_conditional_response(request, etag, int(held.made_at.timestamp()))
    if unmodified:
        return _open_to_all(unmodified, held, etag)
    try:
        stored = default_storage.open(file.stored)
    except FileNotFoundError:  # made anew since we asked
        return _later()
    response = serve_file(request, stored, _mime_of(name))
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return _open_to_all(response, held, etag)


def _mime_of(name: str) -> str:
    return MIMES.get(name.rpartition(".")[2], PACKED_MIME)


def _open_to_all(response: HttpResponseBase, held: DataSet, etag: str) -> HttpResponseBase:
    """Say which state this is, and let pages of other sites read it."""
    response["ETag"] = etag
    response["Last-Modified"] = http_date(held.made_at.timestamp())
    response.setdefault("Cache-Control", KEPT)
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _later() -> HttpResponse:
    said = _("The files are being made anew. Come back in a few minutes.")
    headers = {"Retry-After": str(COME_BACK), "Cache-Control": "no-store", "Access-Control-Allow-Origin": "*"}
    return HttpResponse(f"{said}\n", content_type="text/plain; charset=utf-8", status=503, headers=headers)
