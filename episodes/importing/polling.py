"""Reading followed feeds again when they are due: one job a feed, so that no two workers read the same one at once."""

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone
from django.utils.translation import gettext as _

from publishing.fetch import FetchError
from publishing.jobs import Held, TryLater, call_worker, enqueue_many, job_kind, kept_alive
from publishing.models import Job
from publishing.permissions import can
from publishing.schedule import planner
from publishing.turns import Disturbed

from ..models import FeedSource
from .doubt import doubt_about
from .parsed import FeedUnreadable
from .runs import Outcome, Read, not_fetched, record
from .service import ImportRefused, NeedsConfirmation, Options, import_feed
from .source import read_address

KIND = "poll-feed"
MOST_A_TICK = 20  # feeds; the next tick asks for more
OK = 200


def key_of(pk: int) -> str:
    """Return the key of the one job that reads a feed, again and again."""
    return f"{KIND}:{pk}"


def ask_to_read(source: FeedSource) -> None:
    """Have a followed feed read now; where a worker is at it already, that is the read."""
    with transaction.atomic():
        FeedSource.objects.followed().filter(pk=source.pk).update(next_read_at=timezone.now())
        _make_ready([source.pk], {*Job.State} - {Job.State.RUNNING})
        call_worker()


@planner
def plan_reads() -> None:
    """Ask for some of the feeds that are due and that no job waits or works for; as many queries for many as for one."""
    waiting = Job.objects.filter(
        key=Concat(Value(f"{KIND}:"), Cast(OuterRef("pk"), CharField())),
        state__in=[Job.State.READY, Job.State.RUNNING],
    )
    due = FeedSource.objects.due(timezone.now()).filter(~Exists(waiting))
    pks = list(due.values_list("pk", flat=True)[:MOST_A_TICK])
    if pks:
        given_up = _count_given_up(pks)
        _make_ready([pk for pk in pks if pk not in given_up], {Job.State.DONE})


def _make_ready(pks: list[int], states: set[Job.State]) -> None:
    """Make the jobs of feeds, or have those that are in one of the states be done again, now."""
    enqueue_many(KIND, {key_of(pk): {"source": pk} for pk in pks})
    Job.objects.filter(key__in=[key_of(pk) for pk in pks], state__in=states).update(
        state=Job.State.READY, attempts=0, run_after=timezone.now()
    )


def _count_given_up(pks: list[int]) -> set[int]:
    """Count each job that was given up (its worker died each time) as a read that failed, once; returns whose."""
    given_up = set()
    for job in Job.objects.filter(key__in=[key_of(pk) for pk in pks], state=Job.State.FAILED):
        with transaction.atomic():
            if Job.objects.filter(pk=job.pk, state=Job.State.FAILED).update(state=Job.State.DONE):
                record(job.payload["source"], Read(Outcome.FAILED, problem=job.last_error))
        given_up.add(job.payload["source"])
    return given_up


@job_kind(KIND)
def poll_feed(held: Held) -> dict:
    """Read a followed feed that is due; what it came to is kept with it, so the job itself hardly ever fails."""
    people = ("followed_by", "publisher")
    source = FeedSource.objects.due(timezone.now()).filter(pk=held.payload["source"]).select_related(*people).first()
    if source is None:
        return {"said": _("It is not due, or no longer followed.")}
    with kept_alive(held) as alive:
        try:
            read = read_again(source)
        except Disturbed as disturbed:
            raise TryLater(str(disturbed)) from disturbed
        with transaction.atomic():
            record(source.pk, read)
            alive.settle()
    return {"said": read.said}


def read_again(source: FeedSource, *, dry_run: bool = False) -> Read:
    """Fetch a feed and import what changed there, as whoever follows it. Raises Disturbed."""
    try:
        found = read_address(source.address)
    except FetchError as refused:
        return not_fetched(refused)
    except FeedUnreadable as unread:
        return Read(Outcome.FAILED, OK, problem=str(unread))
    if found.feed is None:
        return _not_modified(source)
    doubt = doubt_about(source, found.feed)
    if doubt:
        return Read(Outcome.REFUSED, OK, problem=doubt, needs_editor=True)
    options, warning = _options(source, dry_run)
    try:
        report = import_feed(found.feed, found.address, options)
    except NeedsConfirmation as locked:
        problem = _("%(locked)s Tick on the feed's page that the owner agrees.") % {"locked": locked}
        return Read(Outcome.REFUSED, OK, problem=problem, needs_editor=True)
    except (ImportRefused, PermissionDenied) as refused:
        return Read(Outcome.REFUSED, OK, problem=str(refused), needs_editor=True)
    report.warnings += [warning] if warning else []
    return Read(Outcome.READ, OK, found, report)


def _not_modified(source: FeedSource) -> Read:
    if source.etag or source.last_modified:
        return Read(Outcome.READ, 304)
    problem = _("The site says that nothing has changed (304), though we did not ask and have not read it whole.")
    return Read(Outcome.FAILED, 304, problem=problem)


def _options(source: FeedSource, dry_run: bool) -> tuple[Options, str]:
    """Return how to import, and a sentence where what was wished may not be: rights are looked at anew each time.

    What becomes of the person who turned it on stops no drafts; those are then the system's.
    """
    publisher = source.publisher if source.publisher and can(source.publisher, "publish") else None
    follower = source.followed_by if source.followed_by and can(source.followed_by, "import") else None
    options = Options(actor=publisher or follower, source=source, publish_new=publisher is not None, dry_run=dry_run)
    if source.publisher is None or publisher:
        return options, ""
    message = _("New episodes stay drafts: %(who)s, who had them published at once, may not publish any more.")
    return options, message % {"who": source.publisher}
