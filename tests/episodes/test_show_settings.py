"""What podcast directories ask of a show, checked while an editor types."""

import io

import pytest
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from lxml import etree
from PIL import Image as Pillow

from episodes.forms import ShowContentForm
from episodes.models import Image, Show
from episodes.podcast.categories import CATEGORIES, NAMES, find_category
from episodes.podcast.languages import feed_language, is_language
from publishing.acts import PublishRefused, publish
from publishing.feeds.rss import NAMESPACES
from tests.factories import edit, make_audio, make_episode, make_guest, make_show
from tests.whole_show import make_picture

pytestmark = pytest.mark.django_db

NO_ROWS = {
    f"{name}-{count}": "0"
    for name in ("people", "funding", "locations", "social", "txts", "seasons")
    for count in ("TOTAL_FORMS", "INITIAL_FORMS")
}
TYPED = {"title": "Signal", "language": "en", "feed_identity": "about", "order": "episodic", "medium": "podcast"}


def errors_of(initial: dict | None = None, **typed) -> dict[str, list[str]]:
    form = ShowContentForm(
        NO_ROWS | TYPED | typed, initial=ShowContentForm.load(ShowContentForm.blank()) | (initial or {})
    )
    return {name: list(found) for name, found in form.errors.items()}


def cleaned(**typed) -> dict:
    form = ShowContentForm(NO_ROWS | TYPED | typed, initial=ShowContentForm.load(ShowContentForm.blank()))
    assert form.is_valid(), form.errors
    return form.dump()


@pytest.mark.parametrize("code", ["en", "EN-gb", "de", "zh-Hant-TW", "fil", "es-419"])
def test_a_language_is_told_by_its_code(code):
    assert cleaned(language=code)["language"] == code.lower()


@pytest.mark.parametrize("code", ["xx", "english", "en_GB", "e", "en-", "qq-de"])
def test_no_other_word_is_a_language(code):
    assert errors_of(language=code) == {
        "language": [f"“{code.lower()}” is no language code. Use one such as en, en-gb or de."]
    }


def test_directories_take_no_script_of_a_language():
    assert (feed_language("zh-hant-tw"), feed_language("en-gb"), is_language("")) == ("zh-tw", "en-gb", False)


def test_categories_are_put_as_directories_write_them():
    typed = "technology\nsociety & culture>documentary\nTechnology"

    assert cleaned(categories=typed)["categories"] == ["Technology", "Society & Culture > Documentary"]


def test_an_unknown_category_names_the_nearest():
    assert errors_of(categories="Technolgy\nDocumentry") == {
        "categories": [
            "“Technolgy” is no category of podcast directories. Did you mean “Technology”?",
            "“Documentry” is no category of podcast directories. Did you mean “Society & Culture > Documentary”?",
        ]
    }


def test_a_category_that_the_feed_brought_does_not_stand_in_the_way():
    assert errors_of({"categories": ["Technology > Gadgets"]}, categories="Technology > Gadgets") == {}


def test_every_category_is_found_by_its_own_name():
    assert len(CATEGORIES) == 19
    assert [find_category(name.upper()) for name in NAMES] == NAMES


def test_an_unknown_category_is_not_in_the_feed(client):
    make_show(slug="signal-path", categories=["Technology > Gadgets", "Technology"])

    assert category_texts(client) == ["Technology"]


def category_texts(client) -> list[str]:
    channel = etree.fromstring(client.get("/shows/signal-path/feed.rss").content).find("channel")
    return [category.get("text") for category in channel.findall("itunes:category", NAMESPACES)]


@pytest.mark.parametrize(("side", "is_taken"), [(1399, False), (1400, True), (3000, True), (4000, True)])
def test_the_shows_own_artwork_is_large_enough(side, is_taken, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    picture = make_picture(f"images/{side}.jpg", side)

    problems = errors_of(feed_identity="own", artwork_id=str(picture.pk), artwork_alt="A mast")

    assert ("artwork" not in problems) == is_taken


def test_artwork_is_square_for_a_show_of_our_own_only(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    picture = Image.objects.create(file="images/wide.jpg", width=2000, height=1500, content_hash="wide")
    typed = {"artwork_id": str(picture.pk), "artwork_alt": "A mast"}

    assert errors_of(**typed) == {}
    assert errors_of(**typed, feed_identity="own") == {
        "artwork": ["Podcast directories take a square picture, and this one is 2000 × 1500. Crop it."]
    }
    assert errors_of({"artwork": picture.pk, "feed_identity": "own"}, **typed, feed_identity="own") == {}


def test_an_address_to_show_must_be_there():
    assert errors_of(owner_email_public="on") == {"owner_email": ["Type the address that the feed is to show."]}
    assert errors_of(owner_email_public="on", owner_email="owner@example.org") == {}


def test_a_licence_of_ones_own_needs_its_address():
    assert cleaned(machine_licence="CC-BY-4.0")["machine_licence"] == "cc-by-4.0"
    assert "machine_licence" in errors_of(machine_licence="Our rules")
    assert errors_of(machine_licence="Our rules", machine_licence_url="https://example.org/rules") == {}


@pytest.mark.parametrize(
    ("name", "value", "is_taken"),
    [
        ("geo", "geo:52.52,13.405", True),
        ("geo", "52.52,13.405", False),
        ("osm", "R62422", True),
        ("osm", "62422", False),
        ("country", "DE", True),
        ("country", "Germany", False),
    ],
)
def test_a_place_is_told_as_apps_read_it(name, value, is_taken):
    rows = {"locations-TOTAL_FORMS": "1", "locations-0-name": "Berlin", "locations-0-rel": "subject"}

    assert ("locations" not in errors_of(**rows, **{f"locations-0-{name}": value})) == is_taken


def test_an_import_keeps_a_language_it_does_not_know_out():
    with pytest.raises(ValidationError, match="no language code"):
        ShowContentForm.check_content(ShowContentForm.blank() | {"language": "english"})


def test_a_serial_shows_no_full_episode_without_its_number():
    show = make_show(order="serial", title="Serial")

    make_episode(show=show, number=1)
    make_episode(show=show, episode_kind="trailer")
    with pytest.raises(PublishRefused, match="needs? their numbers"):
        make_episode(show=show)


def test_the_regular_cast_is_on_the_channel_and_with_guests(client):
    host, guest, stand_in = make_guest(name="Tomas"), make_guest(name="Ada"), make_guest(name="Kim")
    hidden = make_guest(name="Hidden", live=False)
    cast = [{"guest": host.pk, "role": "host"}, {"guest": hidden.pk, "role": "producer"}]
    show = make_show(slug="signal-path", people=cast)
    for title, people in (
        ("Alone", []),
        ("With", [(guest, "guest")]),
        ("Other", [(guest, "guest"), (stand_in, "host")]),
    ):
        rows = [{"guest": row.pk, "role": role, "credit": ""} for row, role in people]
        make_episode(show=show, title=title, guests=rows)

    channel = etree.fromstring(client.get("/shows/signal-path/feed.rss").content).find("channel")

    named = {
        item.findtext("title"): [person.text for person in item.findall("podcast:person", NAMESPACES)]
        for item in channel.iterfind("item")
    }
    assert [person.text for person in channel.findall("podcast:person", NAMESPACES)] == ["Tomas"]
    assert named == {"Alone": [], "With": ["Tomas", "Ada"], "Other": ["Ada", "Kim"]}


def test_a_guest_who_comes_out_changes_the_show_they_make():
    host = make_guest(name="Tomas", live=False)
    show = make_show(people=[{"guest": host.pk, "role": "host"}])
    before = Show.objects.get(pk=show.pk).item.changed_at

    publish(edit(host, bio="Now live."), actor=None)

    assert Show.objects.get(pk=show.pk).item.changed_at > before


@pytest.mark.parametrize(
    ("size", "name", "side", "is_original"),
    [((1500, 1500), "a.jpg", 1500, True), ((1600, 1500), "a.jpg", 1500, False), ((1500, 1500), "a.png", 1500, False), ((3200, 3100), "a.jpg", 3000, False)],
)  # fmt: skip
def test_feeds_show_artwork_as_a_square_jpeg(client, settings, tmp_path, size, name, side, is_original):
    settings.MEDIA_ROOT = tmp_path
    out = io.BytesIO()
    Pillow.new("RGB", size, "red").save(out, "PNG" if name.endswith("png") else "JPEG")
    saved = default_storage.save(f"images/{name}", ContentFile(out.getvalue()))
    picture = Image.objects.create(file=saved, width=size[0], height=size[1], content_hash=name)
    make_show(slug="signal-path", artwork=picture.pk, artwork_alt="Red")

    channel = etree.fromstring(client.get("/shows/signal-path/feed.rss").content).find("channel")
    path = channel.find("itunes:image", NAMESPACES).get("href").removeprefix("https://example.org")
    answer = client.get(path)

    assert path.endswith(".jpg")
    assert (path == f"/media/images/{name}") == is_original
    assert (client.head(path).status_code, answer["Content-Type"]) == (200, "image/jpeg")
    shown = Pillow.open(io.BytesIO(b"".join(answer) if answer.streaming else answer.content))
    assert (shown.size, shown.format, shown.mode) == ((side, side), "JPEG", "RGB")


def test_a_trailer_without_sound_is_none(client):
    show = make_show(slug="signal-path")
    make_episode(show=show, episode_kind="trailer", title="Silent")
    make_episode(show=show, episode_kind="trailer", title="Heard", media=[{"media": make_audio().pk}])

    channel = etree.fromstring(client.get("/shows/signal-path/feed.rss").content).find("channel")

    assert [trailer.text for trailer in channel.findall("podcast:trailer", NAMESPACES)] == ["Heard"]
