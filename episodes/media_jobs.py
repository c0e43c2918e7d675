"""The worker's part of media: fetching an enclosure here, when an editor asked for it."""

from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files import File
from django.db import transaction
from django.utils.translation import gettext as _

from publishing.fetch import FetchError, download
from publishing.jobs import GiveUp, Held, TryLater, job_kind, kept_alive
from publishing.models import Item
from publishing.permissions import require
from publishing.revisions import lock_item

from .media import MOST_BYTES, media_from_upload, replace_media, with_offset
from .models import MediaFile

FOLDER = "downloads"
FATAL = {400, 401, 403, 404, 410, 451}


@job_kind("fetch-media")
def fetch_media(held: Held) -> dict:
    """Fetch a file that lies elsewhere and name it in the episode's draft, as whoever asked for it."""
    media = MediaFile.objects.filter(pk=held.payload["media"]).first()
    if media is None or media.file or not Item.objects.filter(pk=held.payload["episode"]).exists():
        raise GiveUp(_("The episode or its file is no longer here."))
    path = part_of(media.address)
    starter = held.starter
    try:
        with kept_alive(held) as alive:
            download(media.address, path, max_bytes=MOST_BYTES, progress=alive.progress)
            with path.open("rb") as data:
                fetched = media_from_upload(File(data, name=path.name), by=starter)
    except FetchError as refused:
        raise (GiveUp if refused.status in FATAL else TryLater)(f"{media.address}: {refused}") from refused
    except ValidationError as refused:
        path.unlink(missing_ok=True)
        raise GiveUp(f"{media.address}: {' '.join(refused.messages)}") from refused
    held.when_done.append(lambda: path.unlink(missing_ok=True))
    with transaction.atomic():
        item = lock_item(held.payload["episode"])
        try:
            require(starter, "edit", item)
        except PermissionDenied as refused:
            raise GiveUp(str(refused)) from refused
        replace_media(item, media.pk, with_offset(fetched, media.offset_ms).pk, actor=starter)
    return {"media": fetched.pk, "bytes": fetched.bytes}


def part_of(address: str) -> Path:
    """Return where a download waits until it is whole."""
    folder = Path(settings.DATA_DIR) / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{sha256(address.encode()).hexdigest()[:32]}.part"
