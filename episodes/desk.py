"""What the desk lists of episodes: transcripts that wait, summaries that their transcript has left behind."""

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from publishing.admin.desk import NEWEST, DeskList, DeskRow, desk_list, items_of

from .transcripts.waiting import newest_waiting, outdated_summaries

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@desk_list
def transcripts_that_wait(user: "User") -> DeskList:
    """One query."""
    rows = newest_waiting().filter(episode__item__in=items_of(user)).select_related("episode__item")[:NEWEST]
    return DeskList(
        _("Transcripts that wait for a publisher"),
        [
            DeskRow(
                str(transcript.episode.item),
                reverse("admin:episodes_episode_transcripts", args=[transcript.episode_id]),
                _("transcript %(number)s, %(language)s")
                % {"number": transcript.number, "language": transcript.language},
            )
            for transcript in rows
        ],
    )


@desk_list
def summaries_left_behind(user: "User") -> DeskList:
    """One query."""
    rows = outdated_summaries().filter(item__in=items_of(user))[:NEWEST]
    note = _("from transcript %(then)s, now %(now)s")
    return DeskList(
        _("Summaries older than their transcript"),
        [
            DeskRow(
                str(episode.item),
                episode.item.admin_path,
                note % {"then": episode.summary_transcript, "now": episode.number_now},
            )
            for episode in rows
        ],
    )
