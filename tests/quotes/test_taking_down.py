"""What was drawn and cut of a thing goes in the moment it is taken down, and nothing else."""

import io
from pathlib import Path

import pytest
from django.core.files.storage import default_storage

from episodes.images import store_image
from episodes.models import Image
from episodes.renditions import nearest
from publishing import card_files, made_files
from publishing.acts import publish, retire
from publishing.images import read_image
from publishing.models import Item
from publishing.views import not_found
from tests.factories import REASON, make_episode, make_guest, make_quote, make_show, make_topic
from tests.publishing.uploads.making import picture

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def files(settings, tmp_path) -> Path:
    if card_files.card_fonts() is None:
        pytest.skip("There are no fonts here, so no cards.")
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


def make_picture(number: int) -> Image:
    return store_image(read_image(io.BytesIO(picture((number * 60, 9, 9), size=(300, 300)))), by=None)


def made(files: Path) -> set[str]:
    """Return whose cards there are, by item, and of which pictures there are sizes."""
    return {path.parent.relative_to(files).as_posix() for path in files.rglob("*") if path.is_file()} - {"images"}


def card_of(row) -> str:
    return f"cards/{row.pk}"


def sizes_of(image: Image) -> str:
    return f"renditions/{image.file.name}"


@pytest.fixture
def things(client):
    """Return a show, an episode, a guest, a topic and a quote, each with its card and its picture's size asked for."""
    pictures = [make_picture(number) for number in range(3)]
    show = make_show(artwork=pictures[0].pk, artwork_alt="A")
    episode = make_episode(show=show, artwork=pictures[1].pk, artwork_alt="B")
    guest = make_guest(portrait=pictures[2].pk, portrait_alt="C")
    quote = make_quote(episode=episode, speaker=guest)
    rows = {"show": show, "episode": episode, "guest": guest, "topic": make_topic(), "quote": quote}
    for row in rows.values():
        assert client.get(f"{row.get_absolute_url()}card.png").status_code == 200
    for image in pictures:
        assert client.get(nearest(image, 192).url).status_code == 200
    return rows, dict(zip(("show", "episode", "guest"), pictures, strict=True))


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("quote", {"quote"}),
        ("guest", {"guest", "quote"}),
        ("episode", {"episode", "quote"}),
        ("show", {"show", "episode", "quote"}),
        ("topic", {"topic"}),
    ],
)
def test_its_files_go_at_once_with_those_of_what_hangs_on_it(client, files, things, name, gone):
    rows, pictures = things
    before = made(files)
    assert before == {card_of(row) for row in rows.values()} | {sizes_of(image) for image in pictures.values()}

    retire(Item.objects.get(pk=rows[name].pk), actor=None, reason="Taken down.", act="takedown")

    lost = {card_of(rows[one]) for one in gone} | {sizes_of(pictures[one]) for one in gone & pictures.keys()}
    assert made(files) == before - lost
    assert all(default_storage.exists(image.file.name) for image in pictures.values())  # the draft has them still
    assert client.get(f"{rows[name].get_absolute_url()}card.png").status_code in {404, 410}


def test_all_cards_that_it_ever_had_go(client, files, things):
    quote = things[0]["quote"]
    made_files.keep_made(f"{card_of(quote)}/older.png", b"x")

    retire(Item.objects.get(pk=quote.pk), actor=None, reason="Taken down.")

    assert not (files / card_of(quote)).exists()


def test_what_is_shown_again_is_drawn_again(client, things):
    quote = things[0]["quote"]
    item = retire(Item.objects.get(pk=quote.pk), actor=None, reason="Taken down.")
    publish(item, actor=None, reason=REASON)

    assert client.get(f"{quote.get_absolute_url()}card.png").status_code == 200


def test_nothing_goes_where_the_act_fails(files, things, monkeypatch):
    quote, before = things[0]["quote"], made(files)
    monkeypatch.setattr("publishing.acts.bump_version", lambda _now: not_found(None, None))

    with pytest.raises(AttributeError):
        retire(Item.objects.get(pk=quote.pk), actor=None, reason="Taken down.")

    assert made(files) == before


def test_where_files_have_no_paths_they_are_left_to_the_bucket(files, things, monkeypatch):
    quote, before = things[0]["quote"], made(files)
    monkeypatch.setattr(made_files, "_path", lambda _name: None)

    retire(Item.objects.get(pk=quote.pk), actor=None, reason="Taken down.")

    assert made(files) == before
