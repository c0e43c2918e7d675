"""Files that wait between a preview and the job that imports them."""

import secrets

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

FOLDER = "imports"
PREVIEW_LASTS = 60 * 60  # seconds between looking and confirming
SALT = "publishing.uploads"


def keep(data: bytes) -> str:
    """Keep bytes under a random name and return it."""
    return default_storage.save(f"{FOLDER}/{secrets.token_hex(16)}", ContentFile(data))


def take(name: str) -> bytes:
    with default_storage.open(name) as file:
        return file.read()


def drop(name: str) -> None:
    default_storage.delete(name)


def seal(payload: dict) -> str:
    """Return a payload as text that comes back unchanged or not at all."""
    return signing.dumps(payload, salt=SALT, compress=True)


def unseal(text: str) -> dict:
    """Return a sealed payload. Raises signing.BadSignature, also when it is an hour old."""
    return signing.loads(text, salt=SALT, max_age=PREVIEW_LASTS)
