"""Following a feed: whether it is read again by itself, how often, and when next."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.http import parse_http_date_safe
from django.utils.translation import gettext as _

from publishing.events import log
from publishing.models import Item
from publishing.permissions import Actor, can, require

from ..models import FeedSource

FIRST_PAUSE = timedelta(hours=1)  # after a read that came to nothing; doubles with each
LONGEST_PAUSE = timedelta(days=7)
SPREAD = 10  # a tenth of each pause is left to chance, so that feeds turned on together drift apart


@dataclass(frozen=True)
class Wish:
    """What an editor wants of a feed."""

    is_followed: bool
    every_hours: int = FeedSource.Every.SIX_HOURS
    publishes_new: bool = False
    owner_agrees: bool = False


def wish_of(source: FeedSource) -> Wish:
    """Return what is wanted of a feed now."""
    return Wish(source.is_followed, source.every_hours, source.publisher_id is not None, source.owner_agrees)


def change_following(pk: int, wish: Wish, *, actor: Actor) -> FeedSource:
    """Follow a feed as wished, or no longer.

    Whoever turns it on is kept, and apart from that who had new episodes published at
    once; somebody who may not publish can take that back and not turn it on. Raises
    PermissionDenied, and ValidationError for a feed that came as a file.
    """
    require(actor, "import")
    with transaction.atomic():
        source = FeedSource.objects.select_for_update().defer("values", "people").get(pk=pk)
        before = wish_of(source)
        source.owner_agrees = wish.owner_agrees
        if wish.is_followed:
            _turn_on(source, wish, actor)
        else:
            turn_off(source)
            source.problem, source.failures, source.waits_for_editor = "", 0, False
        source.save()
        now = wish_of(source)
        if now != before:
            act = "follow" if source.is_followed else "unfollow"
            item = Item.objects.get(pk=source.show_id)
            log(actor, act, item, address=source.address, every_hours=now.every_hours, publishes=now.publishes_new)
    return source


def _turn_on(source: FeedSource, wish: Wish, actor: Actor) -> None:
    if not source.is_on_the_web:
        raise ValidationError(_("A file cannot be read again. Import the feed from its address first."), code="file")
    if not source.is_followed or source.followed_by_id is None:
        source.followed_by = actor
    source.is_followed, source.every_hours = True, wish.every_hours
    if not wish.publishes_new:
        source.publisher = None
    elif source.publisher_id is None or (actor is not None and can(actor, "publish")):
        require(actor, "publish")
        source.publisher = actor
    now = timezone.now()
    source.next_read_at = now
    if source.read_at and not source.problem:
        source.next_read_at = max(now, source.read_at + pause_between(source))


def turn_off(source: FeedSource) -> None:
    """Have a feed read no more by itself, and nothing published when it is turned on again. Not saved."""
    source.is_followed, source.next_read_at, source.publisher = False, None, None


def pause_between(source: FeedSource) -> timedelta:
    """Return how long to wait after a read that worked."""
    return spread(timedelta(hours=source.every_hours))


def pause_after(failures: int) -> timedelta:
    """Return how long to wait after so many reads in a row that came to nothing: an hour, two, up to a week."""
    return min(FIRST_PAUSE * 2 ** min(failures - 1, 10), LONGEST_PAUSE)


def spread(pause: timedelta) -> timedelta:
    return pause + timedelta(seconds=secrets.randbelow(int(pause.total_seconds()) // SPREAD + 1))


def asked_pause(retry_after: str | None, now: datetime) -> timedelta:
    """Return how long a Retry-After header (seconds or a date) asks to wait; at most a week, and nothing for what is neither."""
    text = (retry_after or "").strip()
    if text.isascii() and text.isdecimal():
        return min(timedelta(seconds=int(text[:9])), LONGEST_PAUSE)
    moment = parse_http_date_safe(text) if text else None
    if moment is None:
        return timedelta(0)
    return min(max(timedelta(seconds=moment - now.timestamp()), timedelta(0)), LONGEST_PAUSE)
