"""What is deleted by itself: files that no row names, and rows that nothing names; never anything else."""

import io
import os
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from episodes.images import store_image, with_focus
from episodes.media import media_from_address, media_from_upload, with_offset
from episodes.models import Image, MediaFile
from episodes.unused import sweep_unused
from publishing import housekeeping, stored_files
from publishing.acts import retire
from publishing.images import read_image
from publishing.models import Item, SiteSettings, StoredFile
from publishing.revisions import lock_item, remove
from publishing.stored_files import store, sweep
from publishing.worker import Ticker
from quotes.models import Clip
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_transcript

from .making import picture, sound

pytestmark = pytest.mark.django_db

YEAR_AGO = timedelta(days=365)


@pytest.fixture(autouse=True)
def files(settings, tmp_path) -> Path:
    """Return the folder of files, of a database that is a year old."""
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.WORK_DIR = tmp_path / "work"
    MigrationRecorder(connection).migration_qs.update(applied=timezone.now() - YEAR_AGO)
    return settings.MEDIA_ROOT


def make_picture(number: int = 0) -> Image:
    return store_image(read_image(io.BytesIO(picture((number * 40, 9, 9)))), by=None)


def make_sound(number: int = 0) -> MediaFile:
    return media_from_upload(ContentFile(sound(number), name="one.wav"), by=None)


def age(days: float, *names: str) -> None:
    """Make files, all of them by default, and every row of a file or picture older."""
    root = Path(default_storage.path(""))
    then = time.time() - days * 24 * 3600
    for path in [root / name for name in names] or root.rglob("*.*"):
        os.utime(path, (then, then))
    moment = timezone.now() - timedelta(days=days)
    StoredFile.objects.update(at=moment)
    Image.objects.update(created_at=moment)
    MediaFile.objects.update(created_at=moment)


def tidy() -> None:
    """Sweep rows, then the files that they named."""
    sweep_unused()
    sweep()


# Files


@pytest.mark.parametrize("folder", ["images", "episodes", "transcripts", "site", "clips", "clips/ab"])
def test_a_file_without_a_row_goes_after_a_day(files, folder):
    young, old = (default_storage.save(f"{folder}/{name}.bin", ContentFile(b"x")) for name in ("young", "old"))
    age(1.1, old)

    sweep()

    assert [default_storage.exists(name) for name in (young, old)] == [True, False]


def test_what_a_row_names_stays_however_old(files):
    image, media = make_picture(), make_sound()
    episode = make_episode()
    transcript = make_transcript(episode)
    site = SiteSettings.objects.create(pk=1, logo=store(ContentFile(b"x"), "site", "png", by=None))
    quote = make_quote(episode=episode)
    clip = Clip.objects.create(
        quote=quote,
        tag="a",
        kind="video",
        bytes=1,
        duration_ms=1,
        used_at=timezone.now(),
        file=default_storage.save("clips/ab/one.mp4", ContentFile(b"x")),
        poster=default_storage.save("clips/ab/one.jpg", ContentFile(b"x")),
    )
    age(300)

    sweep()

    named = [image.file, media.file, transcript.original, site.logo, clip.file, clip.poster]
    assert [default_storage.exists(file.name) for file in named] == [True] * 6
    assert StoredFile.objects.count() == 4  # clips are made, not brought in


def test_what_is_older_than_the_database_or_lies_elsewhere_is_left_alone(files):
    names = [default_storage.save(name, ContentFile(b"x")) for name in ("images/a.jpg", "notes/b.txt", "c.txt")]
    age(366, names[0])
    age(300, *names[1:])

    sweep()

    assert all(default_storage.exists(name) for name in names)


def test_a_replaced_logo_goes(files):
    old, new = (store(ContentFile(b"x"), "site", "png", by=None) for _time in range(2))
    SiteSettings.objects.create(pk=1, logo=new)
    age(2)

    sweep()

    assert [default_storage.exists(name) for name in (old, new)] == [False, True]
    assert [stored.name for stored in StoredFile.objects.all()] == [new]


def test_a_file_that_comes_to_be_named_during_the_sweep_stays(files, monkeypatch):
    name = default_storage.save("images/a.jpg", ContentFile(b"x"))
    age(2)
    listed = stored_files._kept_files

    def listed_while_somebody_saves():
        for kept in listed():
            Image.objects.create(file=kept, width=1, height=1)
            yield kept

    monkeypatch.setattr(stored_files, "_kept_files", listed_while_somebody_saves)
    sweep()

    assert default_storage.exists(name)


def test_two_workers_may_sweep_at_once(files, monkeypatch):
    default_storage.save("images/a.jpg", ContentFile(b"x"))
    age(2)
    listed = list(stored_files._kept_files())
    sweep()
    monkeypatch.setattr(stored_files, "_kept_files", lambda: listed)

    sweep()

    assert list(files.rglob("*.jpg")) == []


def test_there_may_be_nothing_to_sweep():
    tidy()


# Rows


def test_what_was_brought_in_and_never_named_goes_after_a_week(files):
    image, media = make_picture(), make_sound()

    age(6.9)
    tidy()
    assert Image.objects.filter(pk=image.pk).exists()
    assert MediaFile.objects.filter(pk=media.pk).exists()
    age(7.1)
    tidy()

    assert not Image.objects.exists()
    assert not MediaFile.objects.exists()
    assert not StoredFile.objects.exists()
    assert [path for path in files.rglob("*") if path.is_file()] == []


def test_what_any_revision_of_anything_names_stays(files):
    pictures, sounds = [make_picture(number) for number in range(5)], [make_sound(number) for number in range(3)]
    show = make_show(artwork=pictures[0].pk, artwork_alt="A")
    make_guest(portrait=pictures[1].pk, live=False)
    episode = make_episode(show=show, artwork=pictures[2].pk, artwork_alt="B", media=[{"media": sounds[0].pk}])
    edit(episode, artwork=pictures[3].pk, media=[{"media": sounds[1].pk}, {"media": sounds[0].pk}])
    edit(episode, artwork=None, media=[])
    retire(Item.objects.get(pk=show.pk), actor=None, reason="Over.")
    age(100)

    tidy()

    assert set(Image.objects.all()) == set(pictures[:4])
    assert set(MediaFile.objects.all()) == set(sounds[:2])
    assert len(list(files.rglob("*.*"))) == 6


def test_what_readers_see_stays_even_where_no_revision_names_it(files):
    image, media = make_picture(), make_sound()
    episode = make_episode(artwork=image.pk, artwork_alt="A", media=[{"media": media.pk}])
    revision = Item.objects.get(pk=episode.pk).head
    type(revision).objects.filter(pk=revision.pk).update(content=revision.content | {"artwork": None, "media": []})
    age(100)

    tidy()

    assert Image.objects.get() == image
    assert MediaFile.objects.get() == media


def test_what_a_deleted_draft_named_goes(files):
    image, media = make_picture(), make_sound()
    episode = make_episode(live=False, artwork=image.pk, media=[{"media": media.pk}])
    age(100)
    remove(lock_item(episode.pk), actor=None)

    tidy()

    assert not Image.objects.exists()
    assert not MediaFile.objects.exists()


def test_a_file_stays_while_one_of_its_rows_does(files):
    image, media = make_picture(), make_sound()
    moved, focused = with_offset(media, 500), with_focus(image, 10, 20)
    make_episode(artwork=focused.pk, artwork_alt="A", media=[{"media": moved.pk}])
    age(100)

    tidy()

    assert [Image.objects.get(), MediaFile.objects.get()] == [focused, moved]
    assert default_storage.exists(image.file.name)
    assert default_storage.exists(media.file.name)


def test_an_address_takes_no_room_and_stays(files):
    media = media_from_address("https://media.example.org/one.mp3")
    age(100)

    tidy()

    assert MediaFile.objects.get() == media


def test_the_same_picture_again_is_as_good_as_new(files):
    image = make_picture()
    age(100)

    assert make_picture() == image
    tidy()

    assert Image.objects.get() == image


# The worker


def test_the_worker_does_all_of_it_and_one_failure_stops_no_other(files, settings, monkeypatch, caplog):
    make_picture()
    age(100)
    left = Path(settings.WORK_DIR) / "7-a"
    left.mkdir(parents=True)
    os.utime(left, (0, 0))

    def broken():
        raise OSError("The disk cannot be read.")

    monkeypatch.setattr(housekeeping, "_chores", [broken, *housekeeping._chores, sweep])
    Ticker("tests")._prune()

    assert not Image.objects.exists()
    assert [path for path in files.rglob("*") if path.is_file()] == []
    assert not left.exists()
    assert "Tidying up failed" in caplog.text
