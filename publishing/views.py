from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.encoding import iri_to_uri

from .addresses import find_address
from .kinds import get_kind
from .models import Address, Item


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer an address that no live page has: 301 to where it went, 410 with the reason, or 404."""
    found = find_address(request.path) if request.method in {"GET", "HEAD"} else None
    if found is None:
        return render(request, "404.html", status=HTTPStatus.NOT_FOUND)
    address, rest = found
    gone = retired_with(address.item)
    if gone is not None:
        return render(request, "410.html", {"reason": gone.retired_reason}, status=HTTPStatus.GONE)
    target = _present_path(address, rest)
    if target is None:
        return render(request, "404.html", status=HTTPStatus.NOT_FOUND)
    query = request.META.get("QUERY_STRING")
    response = HttpResponsePermanentRedirect(iri_to_uri(target) + (f"?{query}" if query else ""))
    response["Access-Control-Allow-Origin"] = "*"  # players in browsers follow a moved feed only so
    return response


def retired_with(item: Item) -> Item | None:
    """Return the item if it is retired, else the parent whose retirement hides it, else None."""
    if item.retired_at is not None:
        return item
    if not item.is_live:
        return None
    row = get_kind(item.kind).model.objects.get(pk=item.pk)
    parents = [getattr(row, name) for name in row.parents if getattr(row, f"{name}_id") is not None]
    return next((gone for parent in parents if not parent.visible and (gone := retired_with(parent.item))), None)


def _present_path(address: Address, rest: str) -> str | None:
    """Return where the item is now, with what followed the old path; None if that is nowhere or here."""
    is_visible = get_kind(address.item.kind).model.objects.live().filter(pk=address.item_id).exists()
    if not is_visible or address.retired_at is None:
        return None
    present = Address.objects.filter(item=address.item, retired_at__isnull=True).values_list("path", flat=True).first()
    if present is None:
        return None
    try:
        resolve(present + rest)
    except Resolver404:
        return None
    return present + rest
