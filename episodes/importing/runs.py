"""What reads of a followed feed came to: reports of the last ones, and what follows for the next."""

from dataclasses import asdict, dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from publishing.fetch import FetchError
from publishing.reports import ImportReport

from ..models import FeedRun, FeedSource
from .following import asked_pause, pause_after, pause_between, spread, turn_off
from .plans import LONGEST_ADDRESS, fits
from .source import FoundFeed, validators_of

KEPT = 20  # reports of one feed
MOST_LINES = 20  # of each list of a report
LONGEST_LINE = 300  # characters
MOST_FAILURES = 5  # in a row, after which the desk lists the show
GONE = 410

Outcome = FeedRun.Outcome


@dataclass(frozen=True)
class Read:
    """One read of a feed. ``found`` and ``report`` are there where it worked, ``problem`` where not."""

    outcome: FeedRun.Outcome
    status: int | None = None
    found: FoundFeed | None = None
    report: ImportReport | None = None
    problem: str = ""
    pause: timedelta = timedelta(0)  # that the site asks for
    needs_editor: bool = False

    @property
    def said(self) -> str:
        """Return what it came to in a sentence or two."""
        return self.problem or (self.report.counts() if self.report else _("Nothing has changed there."))


def not_fetched(refused: FetchError) -> Read:
    """Return the read of a feed that the site does not hand out."""
    problem, is_gone = str(refused), refused.status == GONE
    if is_gone:
        problem += " " + _(
            "It is not looked for any more. If it has moved, import it from its new address into this show."
        )
    pause = asked_pause(refused.retry_after, timezone.now())
    return Read(Outcome.FAILED, refused.status, problem=problem, pause=pause, needs_editor=is_gone)


def record(pk: int, read: Read) -> None:
    """Keep what a read came to and when the next is due, in the caller's transaction; four queries or five."""
    source = FeedSource.objects.select_for_update().defer("values", "people").filter(pk=pk).first()
    if source is None:  # the show was deleted meanwhile
        return
    last = source.runs.order_by("-pk").first()
    if read.outcome == Outcome.READ:
        _note_success(source, read, last)
    elif source.is_followed:  # else it was turned off meanwhile, and nobody waits for it
        _note_failure(source, read, last)
    source.save()


def _note_success(source: FeedSource, read: Read, last: FeedRun | None) -> None:
    now = timezone.now()
    source.read_at, source.failures, source.problem, source.waits_for_editor = now, 0, "", False
    if source.is_followed:
        source.next_read_at = now + pause_between(source)
    if read.found and read.report:
        for name, value in validators_of(read.found).items():
            setattr(source, name, value)
        _move(source, read.found.address, read.report)
    if read.report and _is_news(read.report, last):
        _keep(source, read)
        source.quiet_reads = 0
    else:
        source.quiet_reads += 1


def _move(source: FeedSource, address: str, report: ImportReport) -> None:
    """Follow a permanent redirect, unless another feed is read there."""
    if address == source.address or not fits(address, LONGEST_ADDRESS):
        return
    other = FeedSource.objects.filter(address=address).select_related("show__item").first()
    if other:
        message = _("The feed has moved for good to %(address)s, which is read for “%(show)s” already.")
        report.warnings.append(message % {"address": address, "show": other.show.item})
        return
    message = _("The feed has moved for good from %(old)s to %(new)s and is read there now.")
    report.warnings.append(message % {"old": source.address, "new": address})
    source.address = address


def _is_news(report: ImportReport, last: FeedRun | None) -> bool:
    """Tell whether a report says anything that the last one did not."""
    if last is None or last.outcome != Outcome.READ or report.made or report.updated or report.left_alone:
        return True
    told = ("skipped", "repaired", "warnings", "kept_draft")
    now, then = _cut(report), last.report
    return any(set(now[name]) - set(then.get(name, [])) for name in told)


def _note_failure(source: FeedSource, read: Read, last: FeedRun | None) -> None:
    source.failures += 1
    source.problem = read.problem
    if read.status == GONE:
        turn_off(source)
    else:
        source.next_read_at = timezone.now() + spread(max(pause_after(source.failures), read.pause))
    source.waits_for_editor = read.needs_editor or source.failures >= MOST_FAILURES
    if last is None or (last.outcome, last.problem) != (read.outcome, read.problem):
        _keep(source, read)


def _keep(source: FeedSource, read: Read) -> None:
    """Keep a report and drop those beyond the newest."""
    report = read.report or ImportReport()
    source.runs.create(
        at=timezone.now(),
        outcome=read.outcome,
        status=read.status,
        made=len(report.made),
        updated=len(report.updated),
        unchanged=report.unchanged,
        clashes=len(report.left_alone),
        skipped=len(report.skipped),
        problem=read.problem,
        report=_cut(read.report) if read.report else {},
    )
    kept = list(source.runs.order_by("-pk").values_list("pk", flat=True)[:KEPT])
    source.runs.filter(pk__lt=kept[-1]).delete()


def _cut(report: ImportReport) -> dict:
    """Return a report as JSON with each list and line cut; the numbers stand beside it."""
    return {
        name: [line[:LONGEST_LINE] for line in value[:MOST_LINES]] if isinstance(value, list) else value
        for name, value in asdict(report).items()
    }
