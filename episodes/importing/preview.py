"""What an import would make, told without writing anything."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from .matching import FileNames, Home, find_known
from .parsed import ParsedFeed
from .people import people_of
from .plans import Plan, importable

MOST_SHOWN = 100  # episodes and people listed


@dataclass(frozen=True)
class FeedPreview:
    """Counts and the first of each list; ``rows`` are (title, date, what would happen).

    ``is_known`` says that we read this very feed before, ``is_new_show`` that it goes into no show of ours.
    """

    show: str
    is_known: bool
    is_new_show: bool
    new: int
    known: int
    skipped: int
    rows: list[tuple[str, datetime | None, str]]
    people: list[str]
    told: list[str]


def preview(feed: ParsedFeed, home: Home) -> FeedPreview:
    """Return what importing the feed would come to; three queries."""
    items, skipped = importable(feed)
    plans = [Plan(item, people_of(item, feed)) for item in items]
    find_known(home, plans, FileNames.of(items))
    known = sum(plan.held is not None for plan in plans)
    rows = [(plan.title, plan.item.published_at, _("update") if plan.held else _("new")) for plan in plans[:MOST_SHOWN]]
    rows += [(line, None, _("skip")) for line in skipped[: MOST_SHOWN - len(rows)]]
    names = dict.fromkeys(one.name for plan in plans for one in plan.named)
    return FeedPreview(
        show=str(home.show) if home.show else feed.title or _("Untitled show"),
        is_known=home.source is not None,
        is_new_show=home.show is None,
        new=len(plans) - known,
        known=known,
        skipped=len(skipped),
        rows=rows,
        people=list(names)[:MOST_SHOWN],
        told=[*feed.repairs, *(warning.message for warning in feed.warnings)],
    )
