"""What the newsroom's first page shows: what waits, what runs, whether the worker lives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import F, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from ..models import Correction, Item, Job
from ..permissions import can
from ..worker import is_silent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

NEWEST = 10  # rows of each list


@dataclass(frozen=True)
class DeskRow:
    """A line that leads somewhere; ``act_url`` is what a button beside it posts to."""

    title: str
    url: str
    note: str = ""
    act_url: str = ""
    act_label: str | Promise = ""


@dataclass(frozen=True)
class DeskList:
    """One list of the desk that an app adds: NEWEST rows at most, by a fixed number of queries."""

    heading: str | Promise
    rows: list[DeskRow]
    is_urgent: bool = False  # readers see what is wrong


DeskListMaker = Callable[["User"], DeskList]
_lists: list[DeskListMaker] = []


def desk_list(make: DeskListMaker) -> DeskListMaker:
    """Add a list to the desk, made for whoever looks at it (a decorator)."""
    _lists.append(make)
    return make


def items_of(user: "User") -> QuerySet[Item]:
    """Return the items that somebody works on: an author's own, everybody's for the others."""
    return Item.objects.all() if user.has_perm("publishing.edit_others_item") else Item.objects.filter(owner=user)


def desk_context(user: "User") -> dict:
    """Return the lists of the desk; a fixed number of queries, each bounded."""
    if not can(user, "view"):
        return {}
    items = items_of(user)
    drafts = items.filter(live__isnull=True, retired_at__isnull=True).order_by("-touched_at")
    newer = items.filter(live__isnull=False).exclude(head=F("live")).order_by("-touched_at")
    made = sorted([make(user) for make in _lists], key=lambda listed: not listed.is_urgent)
    return {
        "may_import": can(user, "import"),
        "worker_is_silent": is_silent(),
        "desk_lists": [listed for listed in made if listed.rows],
        "desk_drafts": list(drafts[:NEWEST]),
        "desk_newer": list(newer[:NEWEST]),
        "desk_jobs": list(Job.objects.filter(kind__startswith="import-").order_by("-pk")[:NEWEST]),
        "desk_failed": Job.objects.filter(state=Job.State.FAILED).count(),
    }


@desk_list
def newest_corrections(user: "User") -> DeskList:
    """One query."""
    rows = Correction.objects.live().filter(item__in=items_of(user)).with_items().newest_first()[:NEWEST]
    return DeskList(
        _("Corrections that readers see"),
        [DeskRow(str(row.item), row.item.admin_path, f"{row.get_kind_display()} · {row.note}") for row in rows],
    )
