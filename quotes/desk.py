"""What the desk lists of quotes: those that no longer hold, headlines that their transcript has left behind."""

from typing import TYPE_CHECKING

from django.db.models import F
from django.utils.translation import gettext as _

from episodes.transcripts.waiting import differs_from_original, last_changed
from publishing.admin.desk import NEWEST, DeskList, DeskRow, desk_list, items_of

from .check import CheckResult
from .checking import no_longer_hold
from .models import Quote
from .resting import finding

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@desk_list
def quotes_that_no_longer_hold(user: "User") -> DeskList:
    """Two queries."""
    return DeskList(
        _("Quotes that no longer hold"),
        [
            DeskRow(
                str(check.quote.item),
                check.quote.item.admin_path,
                finding(CheckResult.from_json(check.result), check.unsure),
            )
            for check in no_longer_hold(NEWEST, items_of(user))
        ],
        is_urgent=True,
    )


@desk_list
def headlines_left_behind(user: "User") -> DeskList:
    """One query."""
    differs, then = differs_from_original("claim_transcript", "episode")
    current = "episode__current_transcripts"
    changed = Quote.objects.live().filter(
        claim_transcript__isnull=False,
        item__in=items_of(user),
        **{f"{current}__in": last_changed().values("pk"), f"{current}__is_original": True},
    )
    named = changed.annotate(
        words_then=then,
        words_now=F(f"{current}__transcript__words_hash"),
        number_now=F(f"{current}__transcript__number"),
    )
    rows = named.filter(differs).select_related("item").order_by(f"-{current}__since", "-pk")[:NEWEST]
    note = _("from transcript %(then)s, now %(now)s")
    return DeskList(
        _("Headlines older than their transcript"),
        [
            DeskRow(
                str(quote.item),
                quote.item.admin_path,
                note % {"then": quote.claim_transcript, "now": quote.number_now},
            )
            for quote in rows
        ],
    )
