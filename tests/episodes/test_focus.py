"""The place to look at in a picture, as an editor sets it."""

import io

import pytest
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.urls import reverse
from PIL import Image as Pillow, ImageDraw

from episodes.fields import ImageField, read_percent
from episodes.images import store_image, with_focus
from episodes.models import Image
from episodes.renditions import find_rendition, nearest
from publishing.acts import publish
from publishing.images import read_image
from publishing.models import Item
from tests.factories import make_guest

pytestmark = pytest.mark.django_db

RED, BLUE = (200, 30, 30), (30, 30, 200)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def portrait() -> Image:
    """Return a picture that is red on the left and blue on the right."""
    image = Pillow.new("RGB", (400, 200), RED)
    ImageDraw.Draw(image).rectangle((200, 0, 400, 200), fill=BLUE)
    file = io.BytesIO()
    image.save(file, "PNG")
    return store_image(read_image(io.BytesIO(file.getvalue())), by=None)


def save(client, guest, **changes):
    item = Item.objects.get(pk=guest.pk)
    content = item.head.content
    lists = {name: value for name, value in content.items() if isinstance(value, list)}
    forms = {f"{name}-{what}_FORMS": 0 for name in lists for what in ("TOTAL", "INITIAL")}
    plain = {"name": "Ada", "slug": "ada", "portrait_alt": "Ada", "portrait_id": content["portrait"] or ""}
    data = forms | dict.fromkeys(lists, "") | plain | {"base_revision": item.head_id, "_save": ""}
    return client.post(reverse("admin:episodes_guest_change", args=[guest.pk]), data | changes)


def portrait_of(guest) -> Image:
    return Image.objects.get(pk=Item.objects.get(pk=guest.pk).head.content["portrait"])


def is_red(client, image: Image) -> bool:
    answer = client.get(nearest(image, 96, "jpg").url)
    with Pillow.open(io.BytesIO(b"".join(answer.streaming_content))) as square:
        red, _green, blue = square.getpixel((48, 48))
    return red > blue


def test_the_form_shows_it_and_keeps_another_as_a_draft(editor_client, portrait):
    guest = make_guest(name="Ada", portrait=portrait.pk, portrait_alt="Ada")
    page = editor_client.get(reverse("admin:episodes_guest_change", args=[guest.pk])).content.decode()
    assert 'name="portrait_x" value="50"' in page
    assert 'name="portrait_y" value="50"' in page

    answer = save(editor_client, guest, portrait_x="100", portrait_y="0")

    assert answer.status_code == 302
    changed = portrait_of(guest)
    assert (changed.focal_x, changed.focal_y, changed.file) == (100, 0, portrait.file)
    portrait.refresh_from_db()
    assert (portrait.focal_x, portrait.focal_y) == (50, 50)
    guest.refresh_from_db()
    assert guest.portrait == portrait  # readers see nothing of it yet


def test_readers_see_it_once_it_is_published(client, portrait):
    left, right = with_focus(portrait, 0, 50), with_focus(portrait, 100, 50)
    guest = make_guest(name="Ada", portrait=left.pk, portrait_alt="Ada")
    assert is_red(client, left)

    item = Item.objects.get(pk=guest.pk)
    item.head.content["portrait"] = right.pk
    item.head.save()
    publish(item, actor=None)

    assert nearest(right, 96).url in client.get(guest.get_absolute_url()).content.decode()
    assert not is_red(client, right)
    assert find_rendition(nearest(portrait, 96).name).image == portrait


@pytest.mark.parametrize(
    "sent", [{}, {"portrait_x": "", "portrait_y": ""}, {"portrait_x": "50", "portrait_y": " 50 % "}]
)
def test_what_is_not_changed_makes_no_row(editor_client, portrait, sent):
    guest = make_guest(name="Ada", portrait=portrait.pk, portrait_alt="Ada")

    save(editor_client, guest, **sent)

    assert portrait_of(guest) == portrait
    assert Image.objects.count() == 1


def test_the_same_place_again_is_the_same_row(portrait):
    assert with_focus(portrait, 10, 20) == with_focus(portrait, 10, 20)
    assert with_focus(with_focus(portrait, 10, 20), 50, 50) == portrait


@pytest.mark.parametrize("typed", ["101", "-1", "5.5", "left", "1e1", "9" * 5000, "½", "0x10"])
def test_what_is_no_place_in_the_picture_is_said(editor_client, portrait, typed):
    guest = make_guest(name="Ada", portrait=portrait.pk, portrait_alt="Ada")

    answer = save(editor_client, guest, portrait_x=typed, name="Kept")

    said = answer.content.decode()
    assert answer.status_code == 422
    assert "is no place in the picture. Use whole numbers from 0 to 100." in said
    assert 'value="Kept"' in said
    assert Image.objects.count() == 1


@pytest.mark.parametrize(
    ("typed", "percent"), [("0", 0), ("100", 100), (" 7 ", 7), ("33%", 33), ("٧", 7), (None, 50), ("", 50)]
)
def test_a_place_as_typed(typed, percent):
    assert read_percent(typed, 50) == percent


def test_a_new_file_begins_in_the_middle_and_a_removed_one_is_gone(portrait):
    with default_storage.open(portrait.file.name) as file:
        again = ImageField().clean([file, str(portrait.pk), False, "10", "20"])

    assert again == portrait.pk
    assert ImageField().clean([None, str(portrait.pk), True, "10", "20"]) is None
    with pytest.raises(ValidationError):
        ImageField().clean([None, str(portrait.pk + 1), False, "10", "20"])
