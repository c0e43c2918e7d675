"""How much one person, and all together, may bring in; counted from rows."""

import io
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from episodes.images import store_image
from episodes.media import media_from_upload
from episodes.models import Image, MediaFile, Transcript
from publishing.images import read_image
from publishing.jobs import work_through
from publishing.models import Item, Job, SiteSettings, StoredFile
from publishing.stored_files import MEGABYTE, check_room, store
from publishing.uploads import keep
from tests.factories import make_audio, make_episode, make_user
from tests.server import reply

from .making import part, picture, sound
from .test_names import send

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def files(settings, tmp_path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_DIR = tmp_path
    return settings.MEDIA_ROOT


def brought_in(by, megabytes: float, hours: float = 0) -> None:
    row = StoredFile.objects.create(name=f"episodes/{StoredFile.objects.count()}", bytes=megabytes * MEGABYTE, by=by)
    StoredFile.objects.filter(pk=row.pk).update(at=timezone.now() - timedelta(hours=hours))


def is_empty(folder: Path) -> bool:
    return not [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize(("size", "is_taken"), [(1, True), (2 * MEGABYTE, True), (2 * MEGABYTE + 1, False)])
def test_a_day_has_room_for_so_much_and_no_byte_more(settings, editor, size, is_taken):
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 10
    brought_in(editor, 8)

    if is_taken:
        check_room(size, editor)
        return
    with pytest.raises(ValidationError) as refused:
        check_room(size, editor)
    assert refused.value.messages == [
        "This file has 3 MB. You brought in 8 MB within 24 hours, and 10 MB is what one person may. "
        "Bring it in tomorrow."
    ]


def test_what_others_brought_in_or_what_is_a_day_old_does_not_count(settings, editor):
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 10
    brought_in(make_user("otto"), 9)
    brought_in(None, 9)
    brought_in(editor, 9, hours=24.1)
    brought_in(editor, 9, hours=-0.1)  # a clock that was set back

    with pytest.raises(ValidationError):
        check_room(2 * MEGABYTE, editor)
    StoredFile.objects.filter(by=editor, at__gt=timezone.now()).delete()
    check_room(2 * MEGABYTE, editor)


def test_it_is_counted_from_rows(settings, editor):
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 10
    brought_in(editor, 10)

    cache.clear()

    with pytest.raises(ValidationError):
        check_room(1, editor)


def test_all_together_have_room_for_so_much(settings, editor):
    settings.UPLOADS_MEGABYTES = 20
    brought_in(make_user("otto"), 12, hours=500)
    brought_in(None, 8, hours=500)

    for by in (editor, None):
        with pytest.raises(ValidationError) as refused:
            check_room(1, by)
        assert refused.value.messages == [
            "With this file the site would hold more than the 20 MB that it may. Ask its operator."
        ]


# Every way in


def store_picture(by):
    store_image(read_image(io.BytesIO(picture())), by=by)


WAYS = {
    "picture": store_picture,
    "sound": lambda by: media_from_upload(SimpleUploadedFile("one.wav", sound()), by=by),
    "table, feed, transcript that waits": lambda by: keep(b"name\nGrid\n", by=by),
    "transcript, logo": lambda by: store(ContentFile(b"x"), "site", "png", by=by),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_in_is_counted_and_leaves_nothing_where_it_is_refused(settings, editor, files, way):
    WAYS[way](editor)
    counted = StoredFile.objects.get()
    assert (counted.by, counted.bytes) == (editor, (files / counted.name).stat().st_size)
    before = sorted(path for path in files.rglob("*") if path.is_file())
    Image.objects.update(content_hash="another")

    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 0
    with pytest.raises(ValidationError):
        WAYS[way](editor)

    assert StoredFile.objects.count() == 1
    assert Image.objects.count() + MediaFile.objects.count() <= 1
    assert sorted(path for path in files.rglob("*") if path.is_file()) == before


def test_the_same_picture_again_takes_no_room(settings, editor):
    store_picture(editor)
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 0

    store_picture(editor)

    assert Image.objects.count() == 1


def test_the_page_says_it_and_keeps_what_was_typed(settings, editor_client, files):
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 0
    episode = make_episode(live=False)
    files_sent = part("artwork_file", picture(), b"a.jpg"), part("media-0-upload", sound(), b"a.wav")

    answer = send(editor_client, episode, *files_sent, title="Kept while refused")

    said = answer.content.decode()
    assert answer.status_code == 422
    assert said.count("0 MB is what one person may. Bring it in tomorrow.") >= 2
    assert 'value="Kept while refused"' in said
    assert is_empty(files)


@pytest.mark.parametrize("address", ["admin:import-feed", "admin:import-table", "transcript"])
def test_import_pages_say_it(settings, editor_client, files, address):
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 0
    episode = make_episode(live=False)
    page = reverse("admin:episodes_episode_transcript_add", args=[episode.pk]) if address == "transcript" else None
    feed = b"<rss version='2.0'><channel><title>A</title><item><title>B</title><guid>c</guid></item></channel></rss>"
    data = {
        "admin:import-feed": {"file": SimpleUploadedFile("feed.xml", feed), "feed_url": "https://example.org/feed"},
        "admin:import-table": {"table": "topics", "file": SimpleUploadedFile("topics.csv", b"name\nGrid\n")},
        "transcript": {
            "language": "en",
            "file": SimpleUploadedFile("a.vtt", b"WEBVTT\n\n00:01.000 --> 00:02.000\nYes.\n"),
        },
    }[address]

    answer = editor_client.post(page or reverse(address), data)

    assert answer.status_code == 422
    assert "is what one person may" in answer.content.decode()
    assert is_empty(files)
    assert not Transcript.objects.exists()


def test_a_logo_is_counted_and_has_a_name_of_ours(settings, publisher_client, publisher, files):
    page = reverse("admin:publishing_sitesettings_change", args=[1])
    SiteSettings.objects.get_or_create(pk=1)
    shown = publisher_client.get(page).context["adminform"].form
    typed = {field.html_name: field.value() for field in shown if isinstance(field.value(), str | int)}
    data = typed | {"footer_links-TOTAL_FORMS": 0, "footer_links-INITIAL_FORMS": 0}

    answer = publisher_client.post(page, data | {"logo": SimpleUploadedFile("../x.php.png", picture())})

    assert answer.status_code == 302, answer.context["adminform"].form.errors
    stored = StoredFile.objects.get()
    assert (stored.name, stored.by) == (SiteSettings.objects.get().logo.name, publisher)
    assert (files / stored.name).is_file()
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 0
    refused = publisher_client.post(
        page, data | {"seen_version": 1, "logo": SimpleUploadedFile("y.png", picture((1, 2, 3)))}
    )
    assert "is what one person may" in refused.content.decode()


def test_a_fetch_counts_for_who_asked_for_it(settings, editor_client, editor, server):
    settings.UPLOADS_MEGABYTES_A_USER_A_DAY = 0
    server.answers["/one.wav"] = reply(sound())
    elsewhere = make_audio(f"http://{server.host}/one.wav")
    episode = make_episode(live=False, media=[{"media": elsewhere.pk}])

    editor_client.post(reverse("admin:episodes_episode_media_fetch", args=[episode.pk, elsewhere.pk]))
    work_through()

    job = Job.objects.get(kind="fetch-media")
    assert (job.state, "is what one person may" in job.last_error) == ("failed", True)
    assert Item.objects.get(pk=episode.pk).head.content["media"] == [{"media": elsewhere.pk}]


# Uploads that fail


def test_a_refused_file_leaves_neither_file_nor_row(editor, files):
    for data in (b"RIFF\x10\0\0\0WAVEnothing", b"\0\0\0\x18ftypisom" + bytes(999)):
        with pytest.raises(ValidationError):
            media_from_upload(SimpleUploadedFile("one.wav", data), by=editor)

    assert is_empty(files)
    assert not StoredFile.objects.exists()


def test_a_row_that_cannot_be_written_leaves_no_file(editor, files, monkeypatch):
    def broken(**_values):
        raise OSError("The database is gone.")

    monkeypatch.setattr(StoredFile.objects, "create", broken)

    with pytest.raises(OSError, match="gone"):
        store(ContentFile(b"x"), "images", "jpg", by=editor)
    assert is_empty(files)
