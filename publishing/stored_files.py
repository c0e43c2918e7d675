"""Files that people bring in: kept under names of ours and within quotas, and deleted once nothing names them."""

import secrets
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import ceil

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from .housekeeping import chore
from .models import StoredFile
from .permissions import Actor

DAY = timedelta(days=1)  # that quotas count, and that a file without a row is left alone
MEGABYTE = 1_000_000  # bytes


def random_name(folder: str, extension: str) -> str:
    """Return a file name that tells nothing and meets no other."""
    return f"{folder}/{secrets.token_hex(16)}.{extension}"


def store(file: File, folder: str, extension: str, *, by: Actor) -> str:
    """Keep a file and return its name. Raises ValidationError where a quota has no room for it."""
    check_room(file.size, by)
    name = default_storage.save(random_name(folder, extension), file)
    try:
        StoredFile.objects.create(name=name, bytes=file.size, by=by)
    except BaseException:
        default_storage.delete(name)
        raise
    return name


def discard(name: str) -> None:
    """Delete a file that was not wanted in the end; it counts no more."""
    StoredFile.objects.filter(name=name).delete()
    default_storage.delete(name)


def check_room(size: int, by: Actor) -> None:
    """Refuse bytes that the quotas have no room for, by a ValidationError. Two queries.

    Two files at the same moment may both be let in where there is room for one.
    """
    of_all = settings.UPLOADS_MEGABYTES
    if _sum_of(StoredFile.objects.all()) + size > of_all * MEGABYTE:
        message = _("With this file the site would hold more than the %(most)s MB that it may. Ask its operator.")
        raise ValidationError(message, "site_quota", {"most": of_all})
    if by is None:
        return
    a_day = settings.UPLOADS_MEGABYTES_A_USER_A_DAY
    today = _sum_of(StoredFile.objects.filter(by=by, at__gt=timezone.now() - DAY))
    if today + size > a_day * MEGABYTE:
        message = _(
            "This file has %(size)s MB. You brought in %(today)s MB within 24 hours, and %(most)s MB is what one person may. Bring it in tomorrow."
        )
        shown = {"size": ceil(size / MEGABYTE), "today": ceil(today / MEGABYTE), "most": a_day}
        raise ValidationError(message, "daily_quota", shown)


def _sum_of(files: models.QuerySet) -> int:
    return files.aggregate(sum=Sum("bytes"))["sum"] or 0


@chore
def sweep() -> None:
    """Delete the files of more than a day ago that no row names, and forget those that are gone.

    Files that are older than this database are left alone: they are another's.
    """
    named = _named_files()
    born, young = _born_at(), timezone.now() - DAY
    for name in _kept_files():
        if name not in named and _is_between(name, born, young) and not _is_named(name):
            default_storage.delete(name)
    for name in list(StoredFile.objects.filter(at__lt=young).values_list("name", flat=True)):
        if name not in named:
            StoredFile.objects.filter(name=name).delete()


def _born_at() -> datetime:
    """Return when the tables of this database were made."""
    return MigrationRecorder(connection).migration_qs.aggregate(first=Min("applied"))["first"]


def _is_between(name: str, first: datetime, last: datetime) -> bool:
    try:
        return first < default_storage.get_modified_time(name) < last
    except FileNotFoundError:  # swept by another worker
        return False


def _named_files() -> set[str]:
    columns = [field.model._base_manager.values_list(field.name, flat=True) for field in _file_fields()]
    return {name for column in columns for name in column.iterator() if name}


def _is_named(name: str) -> bool:
    return any(field.model._base_manager.filter(**{field.name: name}).exists() for field in _file_fields())


def _file_fields() -> list[models.FileField]:
    fields = (field for model in apps.get_models() for field in model._meta.local_fields)
    return [field for field in fields if isinstance(field, models.FileField)]


def _kept_files() -> Iterator[str]:
    """Yield the names of all files in the folders that rows keep their files in."""
    for folder in sorted({str(field.upload_to) for field in _file_fields()} - {""}):
        yield from _files_in(folder)


def _files_in(folder: str) -> Iterator[str]:
    try:
        folders, files = default_storage.listdir(folder)
    except FileNotFoundError:  # nothing was kept in it yet
        return
    yield from (f"{folder}/{name}" for name in files)
    for inner in folders:
        yield from _files_in(f"{folder}/{inner}")
