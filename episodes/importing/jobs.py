"""The worker's part of importing: whole feeds asked for in the admin, and the pictures that feeds name."""

import io
from dataclasses import replace
from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from publishing.acts import publish
from publishing.fetch import FetchError, fetch
from publishing.images import read_image
from publishing.jobs import GiveUp, Held, TryLater, job_kind, kept_alive
from publishing.models import Item, Revision
from publishing.revisions import lock_item, save_revision
from publishing.turns import Disturbed
from publishing.uploads import take

from ..images import store_image
from ..models import FeedSource, Show
from .following import change_following, wish_of
from .parsed import FeedUnreadable
from .service import ImportRefused, Options, import_feed
from .source import FoundFeed, move_source, read_address, read_bytes, remember_answer

if TYPE_CHECKING:
    from django.contrib.auth.models import User

MOST_BYTES = 15 * 1024 * 1024
TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}


@job_kind("import-feed")
def import_feed_job(held: Held) -> dict:
    """Import the feed that an editor looked at, as that editor; returns the report as JSON."""
    options = Options(
        actor=held.starter,
        show=_chosen_show(held),
        publish=held.payload["publish"],
        owner_agrees=held.payload["owner_agrees"],
        progress=held.report,
    )
    try:
        with kept_alive(held):
            found = _read(held)
            if found.feed is None:
                raise GiveUp(_("The feed has not changed since it was last read."))
            report = import_feed(found.feed, found.address, options)
        remember_answer(found)
        if held.payload["follow"]:
            _follow(found.address, held.starter)
    except (FetchError, FeedUnreadable, ImportRefused, PermissionDenied) as refused:
        raise GiveUp(str(refused)) from refused
    except Disturbed as disturbed:
        raise TryLater(str(disturbed)) from disturbed
    return report.as_dict()


def _follow(address: str, starter: "User") -> None:
    source = FeedSource.objects.filter(address=address).first()
    if source:  # else its show was deleted in this moment
        change_following(source.pk, replace(wish_of(source), is_followed=True), actor=starter)


def _read(held: Held) -> FoundFeed:
    address = held.payload["address"]
    if held.payload["file"]:
        return read_bytes(take(held), address)
    found = read_address(address, always=True)
    move_source(address, found)
    return found


def _chosen_show(held: Held) -> Show | None:
    if not held.payload["show"]:
        return None
    show = Show.objects.filter(pk=held.payload["show"]).first()
    if show is None:
        raise GiveUp(_("The show that was chosen is no longer here. Choose another and import it anew."))
    return show


@job_kind("fetch-artwork")
def fetch_artwork(held: Held) -> dict:
    """Fetch the picture that a feed names into a draft that has none; publish it where nothing else is pending."""
    address = held.payload["address"]
    try:
        answer = fetch(address, max_bytes=MOST_BYTES, accept="image/jpeg, image/png, image/webp")
        read = read_image(io.BytesIO(answer.body))
    except FetchError as refused:
        if refused.status in TRY_AGAIN:
            raise TryLater(f"{address}: {refused}") from refused
        raise GiveUp(f"{address}: {refused}") from refused
    except ValidationError as unread:
        raise GiveUp(f"{address}: {' '.join(unread.messages)}") from unread
    image = store_image(read, by=None, source_url=address)
    with transaction.atomic():
        if not Item.objects.filter(pk=held.payload["item"]).exists():
            raise GiveUp("The item was deleted meanwhile.")
        item = lock_item(held.payload["item"])
        content = item.newest.content
        if content.get("artwork"):
            return {"image": image.pk, "used": False}
        had_draft = item.has_draft
        alt = content.get("artwork_alt") or _("Cover of “%(title)s”") % {"title": item.working_title[:250]}
        save_revision(item, content | {"artwork": image.pk, "artwork_alt": alt}, actor=None, kind=Revision.Kind.IMPORT)
        if held.payload["publish"] and item.is_live and not had_draft:
            publish(item, actor=None)
    return {"image": image.pk, "used": True}
