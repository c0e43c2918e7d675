"""What the desk lists of episodes: transcripts that wait, summaries left behind, what feeds brought and which brought nothing."""

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _

from publishing.admin.base import shown_day
from publishing.admin.desk import NEWEST, DeskList, DeskRow, desk_list, items_of
from publishing.permissions import can

from .models import FeedRun, FeedSource
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


@desk_list
def feeds_that_need_a_look(user: "User") -> DeskList:
    """One query."""
    waiting = FeedSource.objects.filter(waits_for_editor=True, show__item__in=items_of(user))
    feeds = waiting.select_related("show__item").defer("values", "people").order_by("-pk")[:NEWEST]
    may_look = can(user, "import")
    return DeskList(
        _("Feeds that need a look"),
        [
            DeskRow(
                str(feed.show.item),
                reverse("admin:episodes_show_feed", args=[feed.show_id, feed.pk]),
                feed.problem,
                reverse("admin:episodes_show_feed_look", args=[feed.show_id, feed.pk])
                if may_look and feed.is_followed
                else "",
                _("Look again now"),
            )
            for feed in feeds
        ],
    )


@desk_list
def news_from_feeds(user: "User") -> DeskList:
    """One query."""
    runs = FeedRun.objects.with_news().filter(source__show__item__in=items_of(user))
    newest = runs.select_related("source__show__item").defer("report", "source__values", "source__people")
    note = _("%(day)s: %(new)s new, %(changed)s changed, %(edited)s edited here")
    return DeskList(
        _("What feeds brought"),
        [
            DeskRow(
                str(run.source.show.item),
                reverse("admin:episodes_show_feed", args=[run.source.show_id, run.source_id]),
                note % {"day": shown_day(run.at), "new": run.made, "changed": run.updated, "edited": run.clashes},
            )
            for run in newest.order_by("-pk")[:NEWEST]
        ],
    )
