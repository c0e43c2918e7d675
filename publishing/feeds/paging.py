"""Pages of feeds, as podcast apps know them (RFC 5005, section 3)."""

import re
from typing import Any

from django.http import Http404, HttpRequest

from publishing.models import PublishableQuerySet

from .description import Paging

_PAGE_NUMBER = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)


def page_number(request: HttpRequest) -> int:
    """Return the page of a feed or a list that ``?page=`` names, the first without it. Raises Http404 for what is no number."""
    text = request.GET.get("page", "1")
    if not _PAGE_NUMBER.fullmatch(text):
        raise Http404
    return int(text)


def page_of(rows: PublishableQuerySet, number: int, per_page: int) -> tuple[Paging, list[Any]]:
    """Return one page of rows that are ready for a feed, and which page it is. Raises Http404 past the end."""
    last = max(1, -(-rows.count() // per_page))
    if number > last:
        raise Http404
    return Paging(number, last), rows.slice_of((number - 1) * per_page, number * per_page)
