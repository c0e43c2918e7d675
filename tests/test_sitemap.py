"""Sitemaps and robots.txt: every page that readers see, and no other."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext
from lxml import etree

from episodes.models import MediaFile
from publishing.acts import publish, retire
from publishing.models import Item
from publishing.sitemaps import IMAGE, PART, SITEMAP, VIDEO
from quotes.sitemaps import NOT_CRAWLED
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic, make_transcript
from tests.public import Site, addresses, make_image, make_site

pytestmark = pytest.mark.django_db

NAMES = {"s": SITEMAP, "image": IMAGE, "video": VIDEO}


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def parts_of(client) -> dict[str, str]:
    """Return the paths of all parts, each with its last change."""
    root = etree.fromstring(client.get("/sitemap.xml").content)
    assert root.tag == f"{{{SITEMAP}}}sitemapindex"
    return {
        urlsplit(part.findtext("s:loc", namespaces=NAMES)).path: part.findtext("s:lastmod", "", NAMES) for part in root
    }


def entries_of(client, path: str) -> dict[str, etree._Element]:
    """Return the entries of a part, by address."""
    response = client.get(path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/xml; charset=utf-8")
    root = etree.fromstring(response.content)
    assert root.tag == f"{{{SITEMAP}}}urlset"
    found = {entry.findtext("s:loc", namespaces=NAMES): entry for entry in root}
    assert len(found) == len(root)
    return found


def all_entries(client) -> dict[str, etree._Element]:
    return {url: entry for path in parts_of(client) for url, entry in entries_of(client, path).items()}


def entry_of(client, row) -> etree._Element:
    return all_entries(client)[settings.SITE_URL + row.get_absolute_url()]


def test_every_page_of_a_thing_is_named_and_nothing_that_is_no_page(client):
    site = make_site()

    named = all_entries(client)

    pages = ("home", "list", "show", "detail", "guest", "topic", "transcript", "how", "feeds", "corrections")
    wanted = {
        settings.SITE_URL + path for path, name in addresses(site).items() if name.rpartition(":")[2].removesuffix("-list") in pages
    }  # fmt: skip
    assert set(named) == wanted
    assert all(url.isascii() and url.startswith(f"{settings.SITE_URL}/") for url in named)
    for url in named:
        answer = client.get(url.removeprefix(settings.SITE_URL))
        assert answer.status_code == 200
        assert f'<link rel="canonical" href="{url}">' in answer.content.decode()


def test_other_languages_of_a_transcript_are_pages_of_their_own(client):
    episode = make_episode()
    make_transcript(episode)
    make_transcript(episode, language="de")
    make_transcript(episode, language="fr", current=False)

    named = [url for url in all_entries(client) if "transcript" in url]

    own = f"{settings.SITE_URL}{episode.get_absolute_url()}transcript/"
    assert named == [own, f"{own}?language=de"]


def test_addresses_in_other_scripts_are_escaped(client):
    topic = make_topic(name="Зелёная энергия", slug="зелёная-энергия")

    assert settings.SITE_URL + topic.get_absolute_url() in all_entries(client)
    assert "%D0%B7" in topic.get_absolute_url()


def test_what_is_hidden_is_not_named(client):
    before = set(all_entries(client))
    for make in (make_show, make_guest, make_topic, make_episode, make_quote):
        make(live=False)
        retire(Item.objects.get(pk=make().pk), actor=None, reason="Withdrawn.")
    hidden = make_show()
    spoken = make_quote(episode=make_episode(show=hidden))
    make_transcript(spoken.episode)
    for pk in (
        Item.objects.filter(live__isnull=False).exclude(kind__in=["episode", "quote"]).values_list("pk", flat=True)
    ):
        retire(Item.objects.get(pk=pk), actor=None, reason="Withdrawn.")
    live = make_topic(slug="stays")
    edit(live, slug="not-yet")

    assert spoken.item.is_live
    assert set(all_entries(client)) - before == {settings.SITE_URL + live.get_absolute_url()}


def test_the_last_change_is_that_of_the_public_act(client):
    topic = make_topic(name="Grid")
    Item.objects.filter(pk=topic.pk).update(changed_at=datetime(2026, 5, 14, 23, 30, 1, 500_000, tzinfo=UTC))
    edit(topic, name="Not seen yet")

    assert entry_of(client, topic).findtext("s:lastmod", namespaces=NAMES) == "2026-05-14T23:30:01Z"
    assert [changed for path, changed in parts_of(client).items() if "topics" in path] == ["2026-05-14T23:30:01Z"]


def test_pictures_of_a_page_are_named(client, monkeypatch):
    picture = make_image("images/ada.jpg").pk
    guest, bare = make_guest(portrait=picture, portrait_alt="Ada"), make_guest()

    images = [
        [image.text for image in entry_of(client, row).findall("image:image/image:loc", NAMES)] for row in (guest, bare)
    ]

    cards = [f"{settings.SITE_URL}{row.get_absolute_url()}card.png" for row in (guest, bare)]
    assert images == [[f"{settings.SITE_URL}/media/renditions/images/ada.jpg/50-50-400.jpg", cards[0]], [cards[1]]]
    for url in (cards[0], cards[1]):
        assert client.head(url.removeprefix(settings.SITE_URL)).status_code == 200


def test_without_fonts_no_card_is_named(client, monkeypatch):
    monkeypatch.setattr("publishing.card_files.card_fonts", lambda: None)
    guest = make_guest()

    assert entry_of(client, guest).find("image:image", NAMES) is None


def make_video(**fields) -> MediaFile:
    known = {"address": "https://media.example.net/one.mp4", "mime": "video/mp4", "duration_ms": 6_082_900}
    return MediaFile.objects.create(kind="video", **known | fields)


def test_a_video_is_named_with_all_that_it_must_have(client):
    show = make_show(artwork=make_image("images/mast.jpg").pk, artwork_alt="A mast")
    episode = make_episode(show=show, title="The grid & you", summary="S. " * 900, media=[{"media": make_video().pk}])

    video = entry_of(client, episode).find("video:video", NAMES)

    told = {element.tag.rpartition("}")[2]: element.text for element in video}
    assert len(told.pop("description")) <= 2_048
    assert told == {
        "thumbnail_loc": f"{settings.SITE_URL}/media/renditions/images/mast.jpg/50-50-800.jpg",
        "title": "The grid & you",
        "content_loc": "https://media.example.net/one.mp4",
        "duration": "6082",
    }


@pytest.mark.parametrize(
    "fields", [{"duration_ms": None}, {"duration_ms": 30_000_000}, {"duration_ms": 400}, {"kind": "audio"}]
)
def test_a_video_that_is_not_known_enough_is_not_named(client, fields):
    media = make_video()
    MediaFile.objects.filter(pk=media.pk).update(**fields)
    show = make_show(artwork=make_image("images/mast.jpg").pk, artwork_alt="A mast")
    episode = make_episode(show=show, media=[{"media": media.pk}])

    assert entry_of(client, episode).find("video:video", NAMES) is None


def test_a_video_without_a_picture_is_not_named(client):
    episode = make_episode(media=[{"media": make_video().pk}])

    assert entry_of(client, episode).find("video:video", NAMES) is None


def test_large_sites_have_many_parts(client, monkeypatch):
    monkeypatch.setattr("publishing.sitemaps.PART", 3)
    topics = [make_topic() for _number in range(7)]
    retire(Item.objects.get(pk=topics[3].pk), actor=None, reason="Withdrawn.")

    paths = [path for path in parts_of(client) if "topics" in path]

    held = {path: set(entries_of(client, path)) for path in paths}
    numbers = {(topic.pk - 1) // 3 + 1 for topic in topics if topic != topics[3]}
    assert paths == [f"/sitemaps/topics-{number}.xml" for number in sorted(numbers)]
    assert len(paths) > 2
    assert max(len(urls) for urls in held.values()) <= 3
    assert sorted(url for urls in held.values() for url in urls) == sorted(
        settings.SITE_URL + topic.get_absolute_url() for topic in topics if topic != topics[3]
    )


@pytest.mark.parametrize(
    "path", ["topics-2", "pages-2", "topics-0", "topics-01", "nothing-1", "topics-99999999", "topics-9999999", "topics"]
)
def test_a_part_that_holds_nothing_is_404(client, path):
    assert client.get(f"/sitemaps/{path}.xml").status_code == 404


def test_an_empty_site_has_its_general_pages(client):
    assert list(parts_of(client)) == ["/sitemaps/pages-1.xml"]


def site_of_many() -> Site:
    site = make_site()
    for _number in range(20):
        episode = make_episode(show=make_show(), media=[{"media": make_video().pk}])
        make_quote(episode=episode)
        make_transcript(episode)
    return site


def test_nothing_takes_more_queries_for_more_rows(client):
    counts = []
    for make in (make_site, site_of_many):
        make()
        counts.append({path.rpartition("-")[0]: count_queries(client, path) for path in parts_of(client)})

    assert counts[0] == counts[1]
    assert max(counts[0].values()) <= 4
    assert count_queries(client, "/sitemap.xml") == 2 + 6  # the settings, the version, one a kind of thing


def count_queries(client, path: str, **headers) -> int:
    with CaptureQueriesContext(connection) as queries:
        client.get(path, **headers)
    return len(queries)


@pytest.mark.parametrize("path", ["/sitemap.xml", "/sitemaps/topics-{}.xml", "/sitemaps/pages-1.xml", "/robots.txt"])
def test_who_has_it_already_is_told_so_at_no_cost(client, path):
    topic = make_topic()
    path = path.format((topic.pk - 1) // PART + 1)
    first = client.get(path)

    held = {"HTTP_IF_NONE_MATCH": first["ETag"]}
    assert client.get(path, **held).status_code == 304
    assert count_queries(client, path, **held) == 2  # the settings and the version
    assert client.get(path).content == first.content
    assert "Access-Control-Allow-Origin" not in first


def test_what_leaves_the_sitemap_is_noticed(client):
    topics = [make_topic(), make_topic()]
    path = next(path for path in parts_of(client) if "topics" in path)
    etag = client.get(path)["ETag"]
    retire(Item.objects.get(pk=topics[0].pk), actor=None, reason="Withdrawn.")

    answer = client.get(path, HTTP_IF_NONE_MATCH=etag)

    assert answer.status_code == 200
    assert topics[0].slug not in answer.content.decode()


def test_a_new_transcript_moves_its_page(client):
    episode = make_episode()
    Item.objects.filter(pk=episode.pk).update(changed_at=datetime(2026, 5, 1, tzinfo=UTC))
    make_transcript(episode)

    [entry] = [entry for url, entry in all_entries(client).items() if url.endswith("/transcript/")]

    changed = Item.objects.get(pk=episode.pk).changed_at
    assert entry.findtext("s:lastmod", namespaces=NAMES) == f"{changed:%Y-%m-%dT%H:%M:%SZ}"
    assert changed > datetime(2026, 5, 1, tzinfo=UTC)


def test_robots_name_the_sitemap_and_keep_out_of_what_is_no_page(client):
    response = client.get("/robots.txt")

    assert response["Content-Type"] == "text/plain; charset=utf-8"
    lines = response.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert lines[-1] == f"Sitemap: {settings.SITE_URL}/sitemap.xml"
    assert [line.removeprefix("Disallow: ") for line in lines if line.startswith("Disallow")] == list(NOT_CRAWLED)


def test_robots_are_kept_from_no_page_that_the_sitemap_names(client):
    make_site()
    starts = [path.partition("*")[0] for path in NOT_CRAWLED if "*" not in path]

    paths = [url.removeprefix(settings.SITE_URL) for url in all_entries(client)]

    assert [path for path in paths if path.startswith(tuple(starts)) or path.endswith("/clip/")] == []


def test_a_new_slug_is_named_and_the_old_one_is_not(client):
    topic = make_topic(slug="old")
    publish(edit(topic, slug="new"), actor=None)

    named = [url for url in all_entries(client) if "/topics/" in url]

    assert named == [f"{settings.SITE_URL}/topics/", f"{settings.SITE_URL}/topics/new/"]
