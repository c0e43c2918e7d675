"""What an import would make, told without writing anything."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from ..models import FeedSource
from .matching import FileNames, find_known
from .parsed import ParsedFeed
from .people import people_of
from .plans import Plan, importable

MOST_SHOWN = 100  # episodes and people listed


@dataclass(frozen=True)
class FeedPreview:
    """Counts and the first of each list; ``rows`` are (title, date, what would happen)."""

    show: str
    is_known: bool
    new: int
    known: int
    skipped: int
    rows: list[tuple[str, datetime | None, str]]
    people: list[str]
    told: list[str]


def preview(feed: ParsedFeed, source: FeedSource | None) -> FeedPreview:
    """Return what importing the feed would come to; three queries."""
    items, skipped = importable(feed)
    plans = [Plan(item, people_of(item, feed)) for item in items]
    if source:
        find_known(source, plans, FileNames.of(items))
    known = sum(plan.held is not None for plan in plans)
    rows = [(plan.title, plan.item.published_at, _("update") if plan.held else _("new")) for plan in plans[:MOST_SHOWN]]
    rows += [(line, None, _("skip")) for line in skipped[: MOST_SHOWN - len(rows)]]
    names = dict.fromkeys(one.name for plan in plans for one in plan.named)
    return FeedPreview(
        show=str(source.show) if source else feed.title or _("Untitled show"),
        is_known=source is not None,
        new=len(plans) - known,
        known=known,
        skipped=len(skipped),
        rows=rows,
        people=list(names)[:MOST_SHOWN],
        told=[*feed.repairs, *(warning.message for warning in feed.warnings)],
    )
