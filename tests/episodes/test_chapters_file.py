"""Chapters as players read them."""

import json

import pytest

from publishing.acts import publish
from tests.factories import edit, make_audio, make_episode, make_show
from tests.public import make_image

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def make_chapters(*rows: tuple[int, str], **known) -> list[dict]:
    return [{"start_ms": start, "title": title, "url": "", "image": ""} | known for start, title in rows]


def path_of(episode) -> str:
    return f"{episode.get_absolute_url()}chapters.json"


def read(client, episode) -> dict:
    return json.loads(client.get(path_of(episode)).content)


def test_a_player_reads_what_begins_when(client):
    episode = make_episode(
        title="The grid & you",
        show=make_show(title="Signal Path", author="Tomas Lund"),
        chapters=make_chapters((754_600, "Permits <&>"), (0, "Welcome"), url="https://example.org/p"),
    )

    response = client.get(path_of(episode))

    assert response["Content-Type"] == "application/json+chapters"
    assert response["Access-Control-Allow-Origin"] == "*"
    assert json.loads(response.content) == {
        "version": "1.2.0",
        "title": "The grid & you",
        "podcastName": "Signal Path",
        "author": "Tomas Lund",
        "chapters": [
            {"startTime": 0, "title": "Welcome", "url": "https://example.org/p"},
            {"startTime": 754.6, "title": "Permits <&>", "url": "https://example.org/p"},
        ],
    }


def test_what_is_not_known_is_left_out(client):
    episode = make_episode(chapters=make_chapters((0, "Welcome")))

    document = read(client, episode)

    assert "author" not in document
    assert document["chapters"] == [{"startTime": 0, "title": "Welcome"}]


@pytest.mark.parametrize(
    ("offset_ms", "starts"), [(0, [0, 60]), (-2_500, [0, 57.5]), (3_000, [3, 63]), (None, [0, 60])]
)
def test_times_are_those_of_the_file_that_feeds_name(client, offset_ms, starts):
    media = make_audio(offset_ms=offset_ms)
    episode = make_episode(media=[{"media": media.pk}], chapters=make_chapters((0, "One"), (60_000, "Two")))

    assert [chapter["startTime"] for chapter in read(client, episode)["chapters"]] == starts


def test_pictures_are_only_ours_that_readers_see(client):
    shown, hidden = make_image("images/shown.jpg"), make_image("images/hidden.jpg")
    ours = "https://example.org/media/images/"
    addresses = [f"{ours}shown.jpg", f"{ours}hidden.jpg", "https://elsewhere.example.net/p.jpg", ""]
    rows = [{"start_ms": number, "title": str(number), "url": "", "image": url} for number, url in enumerate(addresses)]
    episode = make_episode(artwork=shown.pk, artwork_alt="A mast", chapters=rows)
    edit(episode, artwork=hidden.pk)

    pictures = [chapter.get("img") for chapter in read(client, episode)["chapters"]]

    assert pictures == [f"{ours}shown.jpg", None, None, None]
    assert client.head("/media/images/shown.jpg").status_code == 200


def test_only_addresses_of_the_web_are_links(client):
    episode = make_episode(chapters=make_chapters((0, "Welcome"), url="ftp://example.org/p"))

    assert "url" not in read(client, episode)["chapters"][0]


@pytest.mark.parametrize("live", [True, False])
def test_without_chapters_or_in_hiding_there_is_no_file(client, live):
    episode = make_episode(live=live, slug="one", show=make_show(slug="path"), chapters=[])
    if not live:
        edit(episode, chapters=make_chapters((0, "Secret")))

    assert client.get("/shows/path/one/chapters.json").status_code == 404


def test_drafted_chapters_are_not_told(client):
    episode = make_episode(chapters=make_chapters((0, "Welcome")))
    draft = edit(episode, chapters=make_chapters((0, "Secret")))

    assert "Secret" not in str(read(client, episode))
    etag = client.get(path_of(episode))["ETag"]
    assert client.get(path_of(episode), HTTP_IF_NONE_MATCH=etag).status_code == 304
    publish(draft, actor=None)
    assert client.get(path_of(episode), HTTP_IF_NONE_MATCH=etag).status_code == 200


def test_as_many_queries_for_any_number(client, django_assert_num_queries):
    media = [{"media": make_audio(address=f"https://media.example.net/{number}.mp3").pk} for number in range(3)]
    episode = make_episode(media=media, chapters=make_chapters(*((number * 1_000, "x") for number in range(50))))

    path = path_of(episode)

    with django_assert_num_queries(4):  # the settings, the version, the episode, its media
        document = json.loads(client.get(path).content)

    assert len(document["chapters"]) == 50


def test_an_address_in_a_chapter_is_ascii(client):
    chapters = [{"start_ms": 0, "title": "Books", "url": "https://bücher.example/ä", "image": ""}]

    document = read(client, make_episode(chapters=chapters))

    assert document["chapters"][0]["url"] == "https://xn--bcher-kva.example/%C3%A4"
