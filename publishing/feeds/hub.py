"""WebSub: telling a hub that feeds have changed, so that their readers need not ask."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from publishing.fetch import FetchError, post_form
from publishing.jobs import Held, TryLater, enqueue, job_kind
from publishing.kinds import all_kinds
from publishing.models import Item, Job

KIND = "ping-hub"
PAUSE = timedelta(seconds=30)  # acts within it are told of together
LONGEST_ACT = timedelta(minutes=5)  # from when an act says it changed things until others see that
MOST_FEEDS = 300  # told of in one job; a hub that misses one serves it at its readers' next look
AT_ONCE = 20  # addresses in one request

FeedsOf = Callable[[dict[str, list[int]]], list[str]]
_feeds: list[FeedsOf] = []


def tells_feeds(feeds_of: FeedsOf) -> FeedsOf:
    """Register a function that names the addresses of feeds that changed with items, by kind (a decorator)."""
    _feeds.append(feeds_of)
    return feeds_of


def note_change() -> None:
    """Let the hub be told after a public act, once for all that happen within the pause."""
    if settings.WEBSUB_HUB:
        number = int(timezone.now().timestamp() // PAUSE.total_seconds())
        end = datetime.fromtimestamp((number + 1) * PAUSE.total_seconds(), UTC)
        enqueue(KIND, f"{KIND}:{number}", run_after=end + PAUSE)  # all acts of the pause have ended by then


@job_kind(KIND)
def ping(held: Held) -> dict:
    """Tell the hub of every feed that changed since it was last told.

    It looks back a little further: what a long act changed is seen only when the act ends.
    """
    if not settings.WEBSUB_HUB:
        return {"feeds": 0}
    until = timezone.now()
    addresses = _changed_feeds((_told_until() or held.job.created_at) - LONGEST_ACT, until)
    for start in range(0, len(addresses), AT_ONCE):
        fields = [("hub.mode", "publish"), *(("hub.url", url) for url in addresses[start : start + AT_ONCE])]
        try:
            post_form(settings.WEBSUB_HUB, fields)
        except FetchError as refused:
            raise TryLater(_("The hub was not told. %(why)s") % {"why": refused}) from refused
    return {"feeds": len(addresses), "until": until.isoformat()}


def _told_until() -> datetime | None:
    """Return up to when the hub knows of changes."""
    last = Job.objects.filter(kind=KIND, state=Job.State.DONE, result__has_key="until").order_by("-pk").first()
    return parse_datetime(last.result["until"]) if last and last.result else None


def _changed_feeds(since: datetime, until: datetime) -> list[str]:
    """Return the addresses of feeds that show items whose public face changed in a time."""
    changed = {}
    for kind in all_kinds():
        items = Item.objects.of_kind(kind.name).filter(changed_at__gt=since, changed_at__lte=until)
        changed[kind.name] = list(items.order_by("-changed_at").values_list("pk", flat=True)[:MOST_FEEDS])
    found = [address for feeds_of in _feeds for address in feeds_of(changed)]
    return list(dict.fromkeys(found))[:MOST_FEEDS]
