"""Search-as-you-type over the items of one kind, for every field that links to one."""

from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_safe

from ..kinds import all_kinds
from ..models import Item
from ..permissions import can
from ..references import read_id, write_reference

MOST_FOUND = 20
LONGEST_QUERY = 200  # characters


@require_safe
def lookup(request: HttpRequest, kind: str) -> JsonResponse:
    """Answer ``{"items": [{"reference", "label", "state", "note"}]}``, newest edited first.

    ``q`` is searched in titles; ``PARENT=ID`` keeps only items whose head links there
    as one of its parents, such as ``speaker=12`` for quotes.
    """
    if not can(request.user, "view"):
        raise PermissionDenied
    found_kind = next((known for known in all_kinds() if known.name == kind), None)
    if found_kind is None:
        raise Http404
    items = Item.objects.of_kind(kind).filter(working_title__icontains=request.GET.get("q", "").strip()[:LONGEST_QUERY])
    for role in found_kind.model.parents:
        if parent := read_id(request.GET.get(role)):
            items = items.filter(links__role=role, links__target=parent)
    found = items.annotate(used=Count("linked_from__source", distinct=True)).order_by("-touched_at", "-pk")[:MOST_FOUND]
    described = [describe(item, item.used) for item in found]
    return JsonResponse({"items": described}, headers={"Cache-Control": "private, no-store"})


def describe(item: Item, used: int) -> dict:
    """Return an item as the field shows it; ``used`` is how many heads link to it."""
    state = "live" if item.is_live else "retired" if item.retired_at else "draft"
    note = ngettext("used on %(n)s page", "used on %(n)s pages", used) % {"n": used} if used else _("not used yet")
    return {"reference": write_reference(item.pk, str(item)), "label": str(item), "state": state, "note": note}
