"""What the newsroom's first page shows: what waits, what runs, whether the worker lives."""

from typing import TYPE_CHECKING

from django.db.models import F

from ..models import Item, Job
from ..permissions import can
from ..worker import is_silent

if TYPE_CHECKING:
    from django.contrib.auth.models import User

NEWEST = 10  # rows of each list


def desk_context(user: "User") -> dict:
    """Return the lists of the desk; a fixed number of queries, each bounded."""
    if not can(user, "view"):
        return {}
    items = Item.objects.all() if user.has_perm("publishing.edit_others_item") else Item.objects.filter(owner=user)
    drafts = items.filter(live__isnull=True, retired_at__isnull=True).order_by("-touched_at")
    newer = items.filter(live__isnull=False).exclude(head=F("live")).order_by("-touched_at")
    return {
        "may_import": can(user, "import"),
        "worker_is_silent": is_silent(),
        "desk_drafts": list(drafts[:NEWEST]),
        "desk_newer": list(newer[:NEWEST]),
        "desk_jobs": list(Job.objects.filter(kind__startswith="import-").order_by("-pk")[:NEWEST]),
        "desk_failed": Job.objects.filter(state=Job.State.FAILED).count(),
    }
