from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone

from publishing.archive.contents import EXPORTED
from publishing.models import ContentVersion
from tests.public import addresses
from tests.tables import dump_tables

from .making import fill_site, unpacked

CLIPS = ("quotes:clip-mp4", "quotes:clip-m4a", "quotes:clip-jpg")  # there once somebody has asked for them


@dataclass(frozen=True)
class Exported:
    """An archive of the small site, what readers saw on it, and every row that it had."""

    path: Path
    pages: dict[str, tuple]
    rows: dict[str, list[tuple]]


def seen_at(path: str) -> tuple:
    """Return all that a reader gets, but the random padding of what is compressed."""
    response = Client().get(path)
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return response.status_code, body, dict(response.headers)


@pytest.fixture(scope="session")
def exported(django_db_setup, django_db_blocker, tmp_path_factory) -> Exported:
    """The site is made once and rolled back, so that each test has an empty one to import into."""
    folder = tmp_path_factory.mktemp("exported")
    archive = folder / "site.zip"
    with django_db_blocker.unblock(), override_settings(MEDIA_ROOT=folder / "media"), transaction.atomic():
        site = fill_site()
        ContentVersion.objects.update(changed_at=timezone.now())  # each of so many acts counts as a second
        call_command("export_site", str(archive), verbosity=0)
        pages = {path: seen_at(path) for path, name in addresses(site).items() if name not in CLIPS}
        rows = dump_tables(*EXPORTED)
        transaction.set_rollback(True)
    return Exported(archive, pages, rows)


@pytest.fixture
def media(settings, tmp_path) -> Path:
    """A folder of media with nothing in it."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def folder(exported, tmp_path) -> Path:
    """The archive unpacked, to be spoiled."""
    return unpacked(exported.path, tmp_path / "folder")
