"""Files that are made from others and can be made again: cards and renditions, named for what is in them."""

import os
import secrets
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.db import transaction

from .housekeeping import chore

CARDS, RENDITIONS = "cards", "renditions"
FOLDERS = (CARDS, RENDITIONS)
KEEP_DAYS = 30  # without being asked for
DAY = 24 * 60 * 60  # seconds
UNFINISHED = ".part"


def open_made(name: str) -> File | None:
    """Return a file that was made before, or None; asking for it keeps it from being swept."""
    try:
        file = default_storage.open(name)
    except FileNotFoundError:
        return None
    _mark_used(name)
    return file


def keep_made(name: str, data: bytes) -> None:
    """Keep a file for the next who asks; nobody ever reads half of it. Made twice at once, it is the same."""
    path = _path(name)
    if path is None:
        default_storage.save(name, ContentFile(data))
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(8)}{UNFINISHED}")
    try:
        unfinished.write_bytes(data)
        unfinished.chmod(settings.FILE_UPLOAD_PERMISSIONS)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def forget(folders: Iterable[str]) -> None:
    """Delete what was made in folders, once the transaction holds. Only where files have paths, as of ``sweep``."""
    paths = [path for folder in folders if (path := _path(folder))]

    def delete() -> None:
        for path in paths:
            shutil.rmtree(path, ignore_errors=True)  # most were never asked for; who asks now may be adding to one

    transaction.on_commit(delete)


@chore
def sweep() -> None:
    """Delete what nobody asked for in 30 days, and the longest unused above MADE_FILES_MEGABYTES.

    Only where files have paths; a bucket has rules of its own for that.
    """
    now = time.time()
    found = [file for folder in FOLDERS for file in _files_in(folder)]
    room = settings.MADE_FILES_MEGABYTES * 1_000_000
    for used_at, size, path in sorted(found, reverse=True):
        room -= size
        lasts = DAY if path.name.endswith(UNFINISHED) else KEEP_DAYS * DAY
        if room < 0 or used_at < now - lasts:
            path.unlink(missing_ok=True)


def _files_in(folder: str) -> list[tuple[float, int, Path]]:
    root = _path(folder)
    found = []
    for path in root.rglob("*") if root else ():
        try:
            about = path.stat()
        except FileNotFoundError:  # swept by somebody else
            continue
        if path.is_file():
            found.append((about.st_mtime, about.st_size, path))
    return found


def _mark_used(name: str) -> None:
    path = _path(name)
    if path is None:
        return
    try:
        if path.stat().st_mtime < time.time() - DAY:
            os.utime(path)
    except OSError:  # gone meanwhile, or a disk that is only read
        return


def _path(name: str) -> Path | None:
    """Return where the storage keeps a file; None where it has no paths."""
    try:
        return Path(default_storage.path(name))
    except NotImplementedError:
        return None
