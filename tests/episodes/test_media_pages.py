"""One file of an episode: looked into, rewritten where it must be, fetched here, and set by ear."""

from pathlib import Path

import pytest
from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from episodes.ffmpeg import find_programs
from episodes.media import media_from_upload
from episodes.media_admin import read_offset
from episodes.media_jobs import part_of
from episodes.models import MediaFile
from publishing.jobs import work_through
from publishing.models import Item, Job
from tests.factories import make_audio, make_episode, make_user
from tests.media import MediaMaker
from tests.server import reply

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="session")
def maker(tmp_path_factory):
    programs = find_programs()
    if programs is None:
        pytest.skip("There is no ffmpeg here.")
    return MediaMaker(tmp_path_factory.getbasetemp() / "clip-media", programs.ffmpeg)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.DATA_DIR = tmp_path


def media_of(episode) -> MediaFile:
    content = Item.objects.get(pk=episode.pk).newest.content
    return MediaFile.objects.get(pk=content["media"][0]["media"])


def upload(path: Path, name: str) -> MediaFile:
    with path.open("rb") as file:
        return media_from_upload(File(file, name=name), by=None)


@pytest.mark.parametrize(
    ("recipe", "kind", "mime"), [("25.ts", "video", "video/mp4"), ("sound.aac", "audio", "audio/mp4")]
)
def test_streams_that_cannot_be_cut_well_are_rewritten(maker, recipe, kind, mime):
    try:
        source = maker.get(recipe)
    except KeyError:
        source = maker.folder / recipe
        extra = ["-c", "copy", "-f", "mpegts"] if recipe.endswith("ts") else ["-vn", "-c:a", "copy", "-f", "adts"]
        maker.run("-i", maker.get("25.mp4"), *extra, source)

    media = upload(source, recipe)

    assert (media.kind, media.mime) == (kind, mime)
    assert "mp4" in media.probed["container"]
    assert media.file.name.endswith((".mp4", ".m4a"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("empty.mp4", b""),
        ("page.mp4", b"<!doctype html><title>404</title>"),
        ("list.mp4", b"#EXTM3U\n#EXTINF:10,\nfile:///etc/hostname\n"),
        ("script.mp4", b"ffconcat version 1.0\nfile other.mp4\n"),
        ("noise.mp4", b"\0\0\0\x18ftypisom" + bytes(range(256)) * 40),
    ],
)
def test_what_is_no_media_is_refused_in_words_and_leaves_nothing(maker, name, data, tmp_path):
    with pytest.raises(ValidationError) as refused:
        media_from_upload(SimpleUploadedFile(name, data), by=None)

    assert refused.value.messages[0].endswith(".")
    assert list((tmp_path / "media").rglob("*.*")) == []


@pytest.mark.parametrize(
    ("typed", "offset"), [("", None), ("12.5", 12_500), ("-3", -3_000), (" −0,25 ", -250), ("0", 0)]
)
def test_an_offset_as_typed(typed, offset):
    assert read_offset(typed) == offset


@pytest.mark.parametrize("typed", ["later", "1e9", "nan", "inf", "1:20"])
def test_what_is_no_offset_is_said(typed):
    with pytest.raises(ValueError, match="is no number of seconds"):
        read_offset(typed)


def test_an_offset_is_a_draft_with_a_row_of_its_own(editor_client):
    sound = make_audio()
    episode = make_episode(media=[{"media": sound.pk}])
    page = reverse("admin:episodes_episode_media", args=[episode.pk, sound.pk])

    html = editor_client.get(page).content.decode()
    assert "css/newsroom" in html  # the admin's own style, not what the file is called
    assert "https://media.example.org/one.mp3" in html
    assert str(sound) not in html
    assert editor_client.post(page, {"offset": "soon"}).status_code == 422
    assert editor_client.post(page, {"offset": "12.5"}).status_code == 302

    assert media_of(episode).offset_ms == 12_500
    assert MediaFile.objects.get(pk=sound.pk).offset_ms == 0
    assert episode.episode_media.get().media_id == sound.pk  # readers see nothing of it yet


def test_only_files_of_the_episode_have_a_page(editor_client):
    stranger = make_audio("https://media.example.org/two.mp3")
    episode = make_episode(media=[{"media": make_audio().pk}])

    assert editor_client.get(reverse("admin:episodes_episode_media", args=[episode.pk, stranger.pk])).status_code == 404


def fetch(client, episode, media):
    return client.post(reverse("admin:episodes_episode_media_fetch", args=[episode.pk, media.pk]))


def test_an_enclosure_is_fetched_into_the_draft(editor_client, server, maker):
    server.answers["/one.mp3"] = reply(maker.get("25.mp4").read_bytes())
    elsewhere = make_audio(f"http://{server.host}/one.mp3", offset_ms=250)
    episode = make_episode(media=[{"media": elsewhere.pk}])

    assert fetch(editor_client, episode, elsewhere).status_code == 302
    work_through()

    fetched = media_of(episode)
    assert (fetched.kind, fetched.offset_ms, bool(fetched.file)) == ("video", 250, True)
    assert Job.objects.get(kind="fetch-media").state == Job.State.DONE
    assert not part_of(elsewhere.address).exists()
    assert episode.episode_media.get().media_id == elsewhere.pk


def test_a_fetch_that_broke_off_goes_on_where_it_ended(editor_client, server, maker):
    data = maker.get("25.mp4").read_bytes()
    half = len(data) // 2

    def answer(connection):
        asked = server.requests[-1].lower()
        if "range: bytes=" not in asked:
            head = f'HTTP/1.1 200 OK\r\nContent-Length: {len(data)}\r\nETag: "one"\r\n\r\n'
            connection.sendall(head.encode() + data[:half])
            return
        start = int(asked.partition("range: bytes=")[2].partition("-")[0])
        assert 'if-range: "one"' in asked
        span = f"bytes {start}-{len(data) - 1}/{len(data)}"
        connection.sendall(reply(data[start:], status="206 Partial Content", Content_Range=span, ETag='"one"'))

    server.answers["/one.mp3"] = answer
    elsewhere = make_audio(f"http://{server.host}/one.mp3")
    episode = make_episode(media=[{"media": elsewhere.pk}])

    fetch(editor_client, episode, elsewhere)
    work_through()
    assert Job.objects.get(kind="fetch-media").state == Job.State.READY
    Job.objects.update(run_after=timezone.now())
    work_through()

    assert Job.objects.get(kind="fetch-media").state == Job.State.DONE
    assert media_of(episode).bytes == len(data)
    assert len(server.requests) == 2


def test_what_is_fetched_and_is_no_media_is_said(editor_client, server):
    server.answers["/one.mp3"] = reply(b"<html>404</html>")
    elsewhere = make_audio(f"http://{server.host}/one.mp3")
    episode = make_episode(media=[{"media": elsewhere.pk}])

    fetch(editor_client, episode, elsewhere)
    work_through()

    job = Job.objects.get(kind="fetch-media")
    assert (job.state, "no sound or video" in job.last_error) == (Job.State.FAILED, True)
    assert media_of(episode).pk == elsewhere.pk


def test_only_editors_fetch(client):
    elsewhere = make_audio()
    episode = make_episode(media=[{"media": elsewhere.pk}])
    assert fetch(client, episode, elsewhere).status_code == 302  # to the log-in
    client.force_login(make_user("anna", "Author"))

    assert fetch(client, episode, elsewhere).status_code in (403, 404)
    assert not Job.objects.filter(kind="fetch-media").exists()
