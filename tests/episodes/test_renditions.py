"""Pictures in the sizes that pages show: made when asked for, and hidden with what they show."""

import io

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from PIL import Image as Pillow, ImageDraw

from episodes.images import store_image
from episodes.models import Image
from episodes.renditions import Rendition, nearest, sides_of, srcset
from publishing.acts import retire
from publishing.images import read_image
from publishing.models import Item
from tests.factories import make_guest, make_show

pytestmark = pytest.mark.django_db

RED, BLUE = (200, 30, 30), (30, 30, 200)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def store(size=(900, 600), format="JPEG", mode="RGB") -> Image:
    """Keep a picture that is red on the left and blue on the right."""
    drawn = Pillow.new("RGB", size, RED)
    ImageDraw.Draw(drawn).rectangle((size[0] // 2, 0, *size), fill=BLUE)
    file = io.BytesIO()
    drawn.convert(mode).save(file, format)
    file.seek(0)
    return store_image(read_image(file), by=None)


def opened(response) -> Pillow.Image:
    return Pillow.open(io.BytesIO(b"".join(response.streaming_content)))


@pytest.mark.parametrize(("kind", "format", "mime"), [("webp", "WEBP", "image/webp"), ("jpg", "JPEG", "image/jpeg")])
@pytest.mark.parametrize("side", [96, 192, 400])
def test_a_picture_comes_as_squares(client, side, kind, format, mime):
    image = store()
    make_show(artwork=image.pk, artwork_alt="x")

    response = client.get(Rendition(image, side, kind).url)

    assert response.status_code == 200
    assert response["Content-Type"] == mime
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    picture = opened(response)
    assert (picture.size, picture.format) == ((side, side), format)


def test_it_is_made_once_and_kept(client, monkeypatch):
    image = store()
    make_show(artwork=image.pk, artwork_alt="x")
    url = nearest(image, 192).url
    first = b"".join(client.get(url).streaming_content)

    monkeypatch.setattr("episodes.renditions.crop_square", None)

    assert b"".join(client.get(url).streaming_content) == first
    assert client.head(url).status_code == 200
    assert client.get(url, headers={"range": "bytes=0-9"}).status_code == 206


@pytest.mark.parametrize(("focal_x", "colours"), [(0, (RED, RED)), (100, (BLUE, BLUE)), (50, (RED, BLUE))])
def test_it_is_cut_around_the_place_to_look_at(client, focal_x, colours):
    image = store((800, 200))
    Image.objects.update(focal_x=focal_x)
    image.refresh_from_db()
    make_show(artwork=image.pk, artwork_alt="x")

    picture = opened(client.get(Rendition(image, 96, "webp").url)).convert("RGB")

    seen = [picture.getpixel((x, 48)) for x in (8, 88)]
    assert all(
        abs(a - b) < 40 for pixel, want in zip(seen, colours, strict=True) for a, b in zip(pixel, want, strict=True)
    )


def test_no_size_is_larger_than_the_picture():
    assert sides_of(store((900, 600))) == [96, 192, 400]
    assert sides_of(store((40, 40))) == [96]
    assert [part.split()[1] for part in srcset(store((900, 600)), "webp", 192).split(", ")] == ["96w", "192w"]
    assert (nearest(store((900, 600)), 150).side, nearest(store((900, 600)), 800).side) == (192, 400)


def test_clear_parts_are_white_in_a_jpeg(client):
    drawn = Pillow.new("RGBA", (200, 200), (0, 0, 0, 0))
    file = io.BytesIO()
    drawn.save(file, "PNG")
    file.seek(0)
    image = store_image(read_image(file), by=None)
    make_show(artwork=image.pk, artwork_alt="x")

    assert opened(client.get(Rendition(image, 96, "jpg").url)).getpixel((5, 5)) == (255, 255, 255)
    assert opened(client.get(Rendition(image, 96, "webp").url)).convert("RGBA").getpixel((5, 5))[3] == 0


@pytest.mark.parametrize(
    "name",
    ["{}/50-50-97.webp", "{}/50-50-800.webp", "{}/49-50-96.webp", "{}/50-50-96.png", "{}/050-50-96.webp", "{}/", "{}x/50-50-96.webp", "../{}/50-50-96.webp"],
)  # fmt: skip
def test_there_are_no_others(client, name):
    image = store()
    make_show(artwork=image.pk, artwork_alt="x")

    assert client.get(reverse("episodes:media", args=[f"renditions/{name.format(image.file.name)}"])).status_code == 404


def test_they_are_hidden_with_what_they_show(client):
    image = store()
    guest = make_guest(portrait=image.pk, portrait_alt="x", live=False)
    url = nearest(image, 192).url
    assert client.get(url).status_code == 404
    assert not default_storage.exists(nearest(image, 192).name)

    show = make_show(artwork=image.pk, artwork_alt="x")
    assert client.get(url).status_code == 200
    retire(Item.objects.get(pk=show.pk), actor=None, reason="Withdrawn.")

    assert client.get(url).status_code == 404
    assert guest.pk


def test_a_file_that_is_no_picture_is_not_found(client):
    name = default_storage.save("images/odd.jpg", ContentFile(b"no picture"))
    image = Image.objects.create(file=name, width=1400, height=1400, content_hash=name)
    make_show(artwork=image.pk, artwork_alt="x")

    assert client.get(nearest(image, 192).url).status_code == 404


def test_pages_offer_them(client):
    image = store()
    show = make_show(artwork=image.pk, artwork_alt="A mast")
    guest = make_guest(portrait=image.pk, portrait_alt="Ada")

    for path, largest in ((show.get_absolute_url(), 400), (guest.get_absolute_url(), 400)):
        page = client.get(path).content.decode()
        assert srcset(image, "webp", largest) in page
        assert f'src="{nearest(image, 192).url}"' in page
        assert 'sizes="9rem"' in page
