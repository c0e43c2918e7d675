"""Files: who may fetch them, and in which pieces."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from episodes.models import Image, MediaFile
from publishing.acts import publish, retire
from publishing.models import Item
from tests.factories import edit, make_episode, make_guest, make_show

pytestmark = pytest.mark.django_db

BYTES = b"0123456789"


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def make_sound(name: str = "episodes/one.mp3") -> MediaFile:
    return MediaFile.objects.create(
        kind="audio", file=default_storage.save(name, ContentFile(BYTES)), mime="audio/mpeg", bytes=len(BYTES)
    )


def make_picture(name: str) -> Image:
    return Image.objects.create(
        file=default_storage.save(name, ContentFile(b"x")), width=1, height=1, content_hash=name
    )


@pytest.fixture
def sound():
    media = make_sound()
    make_episode(media=[{"media": media.pk}])
    return media


@pytest.mark.parametrize(
    ("asked", "status", "body", "content_range"),
    [
        (None, 200, BYTES, None),
        ("bytes=2-4", 206, b"234", "bytes 2-4/10"),
        ("bytes=7-", 206, b"789", "bytes 7-9/10"),
        ("bytes=-3", 206, b"789", "bytes 7-9/10"),
        ("bytes=5-99", 206, b"56789", "bytes 5-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=0-1,4-5", 200, BYTES, None),
        ("lines=1-2", 200, BYTES, None),
    ],
)
def test_a_file_comes_in_the_piece_asked_for(client, sound, asked, status, body, content_range):
    response = client.get(sound.url, headers={"range": asked} if asked else {})

    data = b"".join(response.streaming_content) if response.streaming else response.content
    assert (response.status_code, data, response.get("Content-Range")) == (status, body, content_range)


def test_a_file_says_what_it_is(client, sound):
    response = client.get(sound.url)

    names = ("Content-Type", "Content-Length", "Accept-Ranges", "Access-Control-Allow-Origin")
    assert [response[name] for name in names] == ["audio/mpeg", "10", "bytes", "*"]


def test_a_file_goes_with_its_episode(client, sound):
    episode = sound.episode_media.get().episode
    retire(Item.objects.get(pk=episode.show_id), actor=None, reason="Rights.")

    assert client.get(sound.url).status_code == 404


def test_pictures_are_public_while_something_visible_shows_them(client):
    artwork, cover, portrait, unused = (
        make_picture(f"images/{name}.webp") for name in ("artwork", "cover", "portrait", "unused")
    )
    show = make_show(artwork=artwork.pk, artwork_alt="A")
    make_episode(show=show, artwork=cover.pk, artwork_alt="C")
    guest = make_guest(portrait=portrait.pk, portrait_alt="P")

    assert [client.get(picture.get_absolute_url()).status_code for picture in (artwork, cover, portrait, unused)] == [
        200,
        200,
        200,
        404,
    ]
    publish(edit(guest, portrait=None), actor=None)
    assert client.get(portrait.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("name", ["../settings.py", "episodes/../../x", "nothing.mp3", "tests.sqlite3"])
def test_no_name_reaches_beside_the_published_files(client, sound, name):
    assert client.get(f"/media/{name}").status_code == 404


def test_a_file_that_is_lost_is_404(client, sound):
    default_storage.delete(sound.file.name)

    assert client.get(sound.url).status_code == 404
