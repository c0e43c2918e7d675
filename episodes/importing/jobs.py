"""The worker's part of importing: whole feeds asked for in the admin, and the pictures that feeds name."""

import io

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from publishing.acts import publish
from publishing.fetch import FetchError, fetch
from publishing.images import read_image
from publishing.jobs import GiveUp, Held, job_kind
from publishing.models import Item, Revision
from publishing.revisions import lock_item, save_revision
from publishing.uploads import drop, take

from ..images import store_image
from ..models import Show
from .parsed import FeedUnreadable
from .service import ImportRefused, Options, import_feed
from .source import read_address, read_bytes, remember_answer

MOST_BYTES = 15 * 1024 * 1024
TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}


@job_kind("import-feed")
def import_feed_job(held: Held) -> dict:
    """Import the feed that an editor looked at, as that editor; returns the report as JSON."""
    asked = held.payload
    try:
        found = (
            read_bytes(take(asked["file"]), asked["address"])
            if asked["file"]
            else read_address(asked["address"], always=True)
        )
        if found.feed is None:
            raise GiveUp(_("The feed has not changed since it was last read."))
        report = import_feed(
            found.feed,
            found.address,
            Options(
                actor=get_user_model().objects.get(pk=asked["actor"]),
                show=Show.objects.get(pk=asked["show"]) if asked["show"] else None,
                publish=asked["publish"],
                owner_agrees=True,  # the page asked before it made the job
                progress=held.report,
            ),
        )
    except (FetchError, FeedUnreadable, ImportRefused, PermissionDenied) as refused:
        raise GiveUp(str(refused)) from refused
    remember_answer(found)
    if asked["file"]:
        drop(asked["file"])
    return report.as_dict()


@job_kind("fetch-artwork")
def fetch_artwork(held: Held) -> dict:
    """Fetch the picture that a feed names into a draft that has none; publish it where nothing else is pending."""
    address = held.payload["address"]
    try:
        answer = fetch(address, max_bytes=MOST_BYTES, accept="image/jpeg, image/png, image/webp")
        read = read_image(io.BytesIO(answer.body))
    except FetchError as refused:
        if refused.status in TRY_AGAIN:
            raise
        raise GiveUp(f"{address}: {refused}") from refused
    except ValidationError as unread:
        raise GiveUp(f"{address}: {' '.join(unread.messages)}") from unread
    image = store_image(read, source_url=address)
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
