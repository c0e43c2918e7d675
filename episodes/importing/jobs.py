"""What an import leaves for the worker: pictures."""

import io

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from publishing.acts import publish
from publishing.fetch import FetchError, fetch
from publishing.images import read_image
from publishing.jobs import GiveUp, Held, job_kind
from publishing.models import Item, Revision
from publishing.revisions import lock_item, save_revision

from ..images import store_image

MOST_BYTES = 15 * 1024 * 1024
TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}


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
        content = item.head.content
        if content.get("artwork"):
            return {"image": image.pk, "used": False}
        had_draft = item.has_draft
        alt = content.get("artwork_alt") or _("Cover of “%(title)s”") % {"title": item.working_title[:250]}
        save_revision(item, content | {"artwork": image.pk, "artwork_alt": alt}, actor=None, kind=Revision.Kind.IMPORT)
        if held.payload["publish"] and item.is_live and not had_draft:
            publish(item, actor=None)
    return {"image": image.pk, "used": True}
