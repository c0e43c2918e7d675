"""Files that wait between a preview and the job that imports them."""

import secrets
from datetime import timedelta

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone
from django.utils.translation import gettext as _

from .housekeeping import chore
from .jobs import GiveUp, Held
from .models import Job
from .permissions import Actor
from .stored_files import store

FOLDER = "imports"
PREVIEW_LASTS = 60 * 60  # seconds between looking and confirming
KEEP_FILES = timedelta(days=1)  # those that no job took: previews that nobody confirmed, jobs that failed
SALT = "publishing.uploads"


def keep(data: bytes, *, by: Actor) -> str:
    """Keep bytes under a random name and return it. Raises ValidationError where a quota has no room for them."""
    return store(ContentFile(data), FOLDER, "bin", by=by)


def take(held: Held) -> bytes:
    """Return the bytes that a job imports; the file goes once the job is done. Raises GiveUp where it is gone."""
    name = held.payload["file"]
    try:
        with default_storage.open(name) as file:
            data = file.read()
    except FileNotFoundError as gone:
        raise GiveUp(_("The file is no longer here. Choose it again and import it anew.")) from gone
    held.when_done.append(lambda: default_storage.delete(name))
    return data


@chore
def sweep() -> None:
    """Delete the files of more than a day ago that no job waits for."""
    waiting = Job.objects.filter(state__in=[Job.State.READY, Job.State.RUNNING], kind__startswith="import-")
    wanted = set(waiting.values_list("payload__file", flat=True))
    for name in _kept():
        path = f"{FOLDER}/{name}"
        is_old = default_storage.get_modified_time(path) < timezone.now() - KEEP_FILES
        if is_old and path not in wanted:
            default_storage.delete(path)


def _kept() -> list[str]:
    try:
        return default_storage.listdir(FOLDER)[1]
    except FileNotFoundError:  # nothing was ever uploaded
        return []


def seal(kind: str, payload: dict) -> str:
    """Return the payload of one kind of job as text that comes back unchanged or not at all; never the same twice."""
    return signing.dumps([secrets.token_hex(8), payload], salt=f"{SALT}.{kind}", compress=True)


def unseal(kind: str, text: str) -> dict:
    """Return a sealed payload. Raises signing.BadSignature, also for another kind's and when it is an hour old."""
    return signing.loads(text, salt=f"{SALT}.{kind}", max_age=PREVIEW_LASTS)[1]
