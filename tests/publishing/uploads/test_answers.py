"""What files are answered with: what they are, in which pieces, and that no browser runs them."""

import io

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from hypothesis import given, strategies as st

from episodes.images import store_image
from episodes.models import Image, MediaFile
from episodes.renditions import nearest
from publishing.images import read_image
from publishing.ranges import read_range
from publishing.stored_files import store
from quotes.models import Clip
from tests.factories import make_episode, make_quote, make_show
from tests.public import make_clips, make_file

from .making import picture

pytestmark = pytest.mark.django_db

BYTES = bytes(range(256)) * 800  # more than is read at once
SIZE = len(BYTES)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def image() -> Image:
    image = store_image(read_image(io.BytesIO(picture(size=(300, 300)))), by=None)
    make_show(artwork=image.pk, artwork_alt="A mast")
    return image


@pytest.fixture
def sound() -> MediaFile:
    name = store(ContentFile(BYTES), "episodes", "mp3", by=None)
    media = MediaFile.objects.create(kind="audio", file=name, mime="audio/mpeg", bytes=SIZE)
    make_episode(media=[{"media": media.pk}])
    return media


@pytest.fixture
def clips() -> list[str]:
    """Return the addresses of a quote's clips."""
    show = make_show(clips_allowed=True)
    quote = make_quote(episode=make_episode(show=show, media=[{"media": make_file("episodes/one.mp3").pk}]))
    make_clips(quote)
    if not Clip.objects.exists():
        pytest.skip("There is no ffmpeg here, so no clips are offered.")
    return [f"{quote.get_absolute_url()}clip.{extension}" for extension in ("mp4", "m4a", "jpg")]


def body_of(response) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


# D5


def check_headers(response, content_type: str, name: str) -> None:
    assert response["Content-Type"] == content_type
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"].startswith("sandbox; default-src 'none'")
    assert response["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response["Content-Disposition"] == f'inline; filename="{name}"'
    assert "Set-Cookie" not in response


@pytest.mark.parametrize(
    ("status", "asked"),
    [(200, {}), (206, {"range": "bytes=0-1"}), (416, {"range": "bytes=999999999-"}), (304, {"if-none-match": "*"})],
)
def test_a_file_is_what_it_is_and_runs_nowhere(client, sound, status, asked):
    response = client.get(sound.url, headers=asked)

    assert response.status_code == status
    check_headers(response, "audio/mpeg", sound.file.name.rpartition("/")[2])


def test_pictures_and_their_sizes_are_what_they_are(client, image):
    small = nearest(image, 96)

    check_headers(client.get(image.get_absolute_url()), "image/jpeg", image.file.name.rpartition("/")[2])
    check_headers(client.get(small.url), "image/jpeg", small.name.rpartition("/")[2])


def test_clips_are_what_they_are(client, clips):
    for url, content_type in zip(clips, ["video/mp4", "audio/mp4", "image/jpeg"], strict=True):
        response = client.get(url)

        assert response["Content-Type"] == content_type
        assert response["Content-Disposition"].startswith("inline; filename=")
        assert response["Content-Security-Policy"].startswith("sandbox; default-src 'none'")


def test_a_picture_that_an_editor_looks_at_runs_nowhere_either(editor_client, image):
    response = editor_client.get(reverse("admin:image", args=[image.pk]))

    check_headers(response, "image/jpeg", image.file.name.rpartition("/")[2])
    assert "private" in response["Cache-Control"]


@pytest.mark.parametrize("extension", ["html", "svg", "xhtml", "js", ""])
def test_what_is_called_a_page_is_none(client, extension):
    name = default_storage.save(f"episodes/odd.{extension}", ContentFile(b"<script>alert(1)</script>"))
    media = MediaFile.objects.create(kind="audio", file=name, mime="text/html", bytes=25)
    make_episode(media=[{"media": media.pk}])

    assert client.get(media.url)["Content-Type"] == "application/octet-stream"


@pytest.mark.parametrize("folder", ["", "images", "images/", "episodes", "episodes/", "renditions/images/", ".", "./"])
def test_a_folder_is_no_page(client, image, sound, folder):
    client.get(nearest(image, 96).url)

    response = client.get(f"/media/{folder}")

    assert response.status_code == 404
    assert image.file.name.encode() not in response.content


# D6

TWO_THOUSAND = ",".join(f"{start}-{start + 1}" for start in range(0, 4000, 2))


@pytest.mark.parametrize(
    ("asked", "span"),
    [
        ("bytes=0-", (0, SIZE - 1)),
        ("bytes=0-0", (0, 0)),
        ("bytes=1-1", (1, 1)),
        ("bytes=65535-65536", (65_535, 65_536)),
        (f"bytes={SIZE - 1}-", (SIZE - 1, SIZE - 1)),
        ("bytes=-1", (SIZE - 1, SIZE - 1)),
        (f"bytes=-{SIZE}", (0, SIZE - 1)),
        ("bytes=-999999999999999999", (0, SIZE - 1)),
        ("bytes=100-999999999999999999", (100, SIZE - 1)),
        (" bytes=5-9 ", (5, 9)),
        (f"bytes={SIZE}-", ()),
        ("bytes=999999999999999999-", ()),
        ("bytes=-0", ()),
        (f"bytes={SIZE}-{SIZE + 5}", ()),
        ("bytes=9-5", None),
        ("bytes=-", None),
        ("bytes=", None),
        ("bytes", None),
        ("bytes=a-b", None),
        ("bytes=1-2-3", None),
        ("bytes=--5", None),
        ("bytes=+1-5", None),
        ("bytes=1.0-5", None),
        ("bytes=0x10-", None),
        ("bytes= 1 - 5", None),
        ("items=0-5", None),
        (f"bytes={'9' * 5000}-", None),
        (f"bytes=-{'9' * 5000}", None),
        ("bytes=0-1,2-3", None),
        ("bytes=0-10,5-15,0-10", None),
        ("bytes=0-,0-,0-,0-", None),
        (f"bytes={TWO_THOUSAND}", None),
        (f"bytes={'0-,' * 2000}0-", None),
    ],
)
def test_one_range_is_answered_and_the_length_is_right(client, sound, asked, span):
    response = client.get(sound.url, headers={"range": asked})

    body = body_of(response)
    if span == ():
        assert (response.status_code, response["Content-Range"], body) == (416, f"bytes */{SIZE}", b"")
        return
    start, end = span or (0, SIZE - 1)
    assert response.status_code == (206 if span else 200)
    assert body == BYTES[start : end + 1]
    assert response["Content-Length"] == str(len(body))
    assert response.get("Content-Range") == (f"bytes {start}-{end}/{SIZE}" if span else None)
    assert response["Accept-Ranges"] == "bytes"


@pytest.mark.parametrize(
    ("tag", "status"),
    [
        (lambda tag: tag, 206),
        (lambda tag: f"W/{tag}", 200),
        (lambda tag: '"other"', 200),
        (lambda tag: "Wed, 21 Oct 2026 07:28:00 GMT", 200),
        (lambda tag: "", 200),
    ],
)
def test_a_range_of_another_file_is_the_whole_of_this_one(client, sound, tag, status):
    etag = client.get(sound.url)["ETag"]

    response = client.get(sound.url, headers={"range": "bytes=5-9", "if-range": tag(etag)})

    assert response.status_code == status
    assert body_of(response) == (BYTES[5:10] if status == 206 else BYTES)


@pytest.mark.parametrize("asked", [None, "bytes=0-1", "bytes=-5"])
def test_head_says_the_same_without_the_bytes(client, sound, asked):
    headers = {"range": asked} if asked else {}

    head, get = client.head(sound.url, headers=headers), client.get(sound.url, headers=headers)

    assert head.status_code == get.status_code
    assert {**head.headers} == {**get.headers}
    assert body_of(head) == b""


@pytest.mark.parametrize("asked", ["bytes=0-1", "bytes=-1", f"bytes={TWO_THOUSAND}"])
def test_clips_come_in_pieces_too(client, clips, asked):
    for url in clips:
        response = client.get(url, headers={"range": asked})

        body = body_of(response)
        assert response["Content-Length"] == str(len(body))
        assert response.status_code == (200 if "," in asked else 206)


@given(header=st.text(alphabet="bytes=-0123456789, x", max_size=40), size=st.integers(1, 10**12))
def test_no_header_leads_beyond_the_file(header, size):
    span = read_range(header, size)

    assert not span or 0 <= span[0] <= span[1] < size
