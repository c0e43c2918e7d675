"""Feeds as readers get them: through their addresses, read by others' parsers."""

import io
import json
from datetime import UTC, datetime

import feedparser
import podcastparser
import pytest
import time_machine
from django.urls import reverse
from lxml import etree

from episodes.models import MediaFile
from publishing.acts import publish, retire
from publishing.feeds.rss import NAMESPACES
from publishing.models import Item, SiteSettings
from tests.factories import (
    edit,
    make_audio,
    make_corrections,
    make_episode,
    make_guest,
    make_quote,
    make_show,
    make_topic,
)

pytestmark = pytest.mark.django_db

FEED = "/shows/signal-path/feed.rss"


def channel_of(client, path: str = FEED) -> etree._Element:
    return etree.fromstring(client.get(path).content).find("channel")


def texts(element: etree._Element, path: str) -> list[str]:
    return [found.text for found in element.findall(path, NAMESPACES)]


def make_own_show(**content):
    return make_show(**{"title": "Signal Path", "slug": "signal-path", "feed_identity": "own"} | content)


def make_heard_episode(show, **content):
    media = content.pop("media", None) or make_audio()
    return make_episode(show=show, media=[{"media": media.pk}], duration_ms=6_082_000, **content)


def test_podcastparser_reads_our_show(client):
    show = make_own_show(description="About **wires**.", author="Tomas Lund", website="https://example.org")
    make_heard_episode(show, title="The grid & you", guid="guid-1", number=7, notes="Some *notes*.")

    parsed = podcastparser.parse("https://example.org" + FEED, io.BytesIO(client.get(FEED).content))

    assert (parsed["title"], parsed["link"], parsed["description"]) == (
        "Signal Path",
        "https://example.org/shows/signal-path/",
        "About wires.",
    )
    episode = parsed["episodes"][0]
    assert (episode["title"], episode["guid"].endswith("guid-1"), episode["total_time"], episode["number"]) == (
        "The grid & you",
        True,
        6082,
        7,
    )
    assert episode["enclosures"] == [
        {"url": "https://media.example.org/one.mp3", "file_size": 1_000_000, "mime_type": "audio/mpeg"}
    ]


def test_a_show_feed_has_what_directories_require(client):
    make_heard_episode(
        make_own_show(author="Tomas Lund", categories=["Technology"], language="en-gb", licence="CC BY 4.0")
    )

    channel = channel_of(client)

    assert texts(channel, "language") == ["en-gb"]
    assert texts(channel, "itunes:explicit") == ["false"]
    assert texts(channel, "itunes:author") == ["Tomas Lund"]
    assert [category.get("text") for category in channel.findall("itunes:category", NAMESPACES)] == ["Technology"]
    assert [dict(link.attrib) for link in channel.findall("atom:link", NAMESPACES)] == [
        {"rel": "self", "type": "application/rss+xml", "href": "https://example.org" + FEED}
    ]
    item = channel.find("item")
    assert [len(item.findall(name)) for name in ("title", "guid", "pubDate", "description", "enclosure", "link")] == [
        1
    ] * 6
    assert item.find("guid").get("isPermaLink") == "false"


def test_only_the_shows_own_site_carries_its_identity(client):
    own = make_own_show()
    about = make_show(title="Theirs", slug="theirs")
    make_episode(show=own, guid="their-guid-1")
    other = make_episode(show=about, guid="their-guid-2")

    ours, theirs = channel_of(client), channel_of(client, "/shows/theirs/feed.rss")

    assert (texts(ours, "podcast:guid"), texts(ours, "item/guid")) == ([str(own.podcast_guid)], ["their-guid-1"])
    assert (texts(theirs, "podcast:guid"), texts(theirs, "item/guid")) == ([], [other.item.uid.urn])


def test_an_episode_has_one_guid_in_all_feeds_and_keeps_it_under_a_new_slug(client):
    guest, topic = make_guest(slug="ada"), make_topic(slug="grid")
    episode = make_episode(
        show=make_own_show(),
        guid="guid-1",
        guests=[{"guest": guest.pk, "role": "guest", "credit": ""}],
        topics=[{"topic": topic.pk}],
    )
    publish(edit(episode, slug="another", title="Another"), actor=None)

    feeds = ["/feed.rss", FEED, "/guests/ada/feed.rss", "/topics/grid/feed.rss"]

    assert [texts(channel_of(client, path), "item/guid") for path in feeds] == [["guid-1"]] * 4
    assert [json.loads(client.get(path.replace(".rss", ".json")).content)["items"][0]["id"] for path in feeds] == [
        "guid-1"
    ] * 4
    assert texts(channel_of(client), "item/link") == ["https://example.org/shows/signal-path/another/"]


def test_persons_are_the_complete_visible_list_with_roles_of_the_taxonomy(client):
    people = [
        (make_guest(name="Ada"), "guest"),
        (make_guest(name="Tomas"), "host"),
        (make_guest(name="Kim"), "producer"),
        (make_guest(name="Hidden", live=False), "guest"),
    ]
    make_episode(
        show=make_own_show(), guests=[{"guest": guest.pk, "role": role, "credit": ""} for guest, role in people]
    )

    persons = channel_of(client).findall("item/podcast:person", NAMESPACES)

    assert [(person.text, person.get("role"), person.get("group")) for person in persons] == [
        ("Ada", "guest", "cast"),
        ("Tomas", "host", "cast"),
        ("Kim", "producer", "creative direction"),
    ]
    assert persons[0].get("href") == "https://example.org/guests/ada/"


def test_live_quotes_are_soundbites_in_plain_decimal_seconds(client):
    episode = make_heard_episode(make_own_show())
    make_quote(episode=episode, claim="At the end", start_ms=6_110_000, end_ms=6_120_000)  # after the episode
    make_quote(episode=episode, claim="Second", start_ms=6_010_200, end_ms=6_027_800)
    make_quote(episode=episode, claim="First", start_ms=0, end_ms=15_000)
    make_quote(episode=episode, claim="Draft", live=False)
    make_quote(episode=episode, claim="No time", start_ms=None, end_ms=None)

    bites = channel_of(client).findall("item/podcast:soundbite", NAMESPACES)

    assert [(bite.text, bite.get("startTime"), bite.get("duration")) for bite in bites] == [
        ("First", "0", "15"),
        ("Second", "6010.2", "17.6"),
    ]


def test_soundbites_follow_the_files_offset_and_are_left_out_where_it_is_approximate(client):
    show = make_own_show()
    shifted = make_heard_episode(show, media=make_audio("https://media.example.org/a.mp3", offset_ms=2_500))
    vague = make_heard_episode(show, media=make_audio("https://media.example.org/b.mp3", offset_ms=None))
    for episode in (shifted, vague):
        make_quote(episode=episode, start_ms=1_000, end_ms=3_000)

    bites = channel_of(client).findall("item/podcast:soundbite", NAMESPACES)

    assert [bite.get("startTime") for bite in bites] == ["3.5"]


@pytest.mark.parametrize(
    "media", [{"kind": "youtube", "address": "dQw4w9WgXcQ"}, {"kind": "audio", "address": "ftp://example.org/a.mp3"}]
)
def test_what_podcast_apps_cannot_fetch_is_no_enclosure(client, media):
    make_heard_episode(make_own_show(), media=MediaFile.objects.create(**media))

    assert channel_of(client).find("item/enclosure") is None


def test_an_enclosure_is_absolute_and_ascii(client):
    show = make_own_show()
    make_heard_episode(
        show, media=make_audio("https://media.example.org/größe 1.mp3?a=1&b=2"), aired_at="2026-05-15T10:00:00Z"
    )
    make_heard_episode(
        show, media=MediaFile.objects.create(kind="audio", file="episodes/x.mp3", mime="audio/mpeg", bytes=5)
    )

    urls = [item.get("url") for item in channel_of(client).findall("item/enclosure")]

    assert urls == [
        "https://media.example.org/gr%C3%B6%C3%9Fe%201.mp3?a=1&b=2",
        "https://example.org/media/episodes/x.mp3",
    ]


@pytest.mark.parametrize(("public", "owners"), [(False, []), (True, ["owner@example.org"])])
def test_the_owners_address_is_public_only_by_choice(client, public, owners):
    make_own_show(owner_email="owner@example.org", owner_email_public=public)

    assert texts(channel_of(client), "itunes:owner/itunes:email") == owners
    assert [lock.get("owner") for lock in channel_of(client).findall("podcast:locked", NAMESPACES)] == (
        owners or [None]
    )
    assert (b"owner@example.org" in client.get(FEED).content) == public


def test_a_feed_holds_as_many_items_as_the_site_says(client):
    SiteSettings.objects.create(pk=1, feed_items=2)
    show = make_own_show()
    for day in (1, 2, 3):
        make_episode(show=show, title=f"Day {day}", aired_at=f"2026-05-0{day}T10:00:00Z")

    assert texts(channel_of(client), "item/title") == ["Day 3", "Day 2"]


@pytest.mark.parametrize(
    ("format_name", "content_type"),
    [
        ("rss", "application/rss+xml; charset=utf-8"),
        ("atom", "application/atom+xml; charset=utf-8"),
        ("json", "application/feed+json"),
    ],
)
def test_headers_let_readers_keep_a_feed(client, format_name, content_type):
    with time_machine.travel(datetime(2026, 6, 1, tzinfo=UTC)):
        make_episode(show=make_own_show())
    path = FEED.replace("rss", format_name)

    first, second = client.get(path), client.get(path)

    assert first.content == second.content
    assert first["Content-Type"] == content_type
    assert (first["Cache-Control"], first["Access-Control-Allow-Origin"]) == ("public, max-age=300", "*")
    head = client.head(path)
    assert {name: head[name] for name in ("ETag", "Last-Modified", "Content-Length")} == {
        name: first[name] for name in ("ETag", "Last-Modified", "Content-Length")
    }


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_who_has_the_feed_gets_304_without_a_body(client, form):
    make_episode(show=make_own_show())
    etag = client.get(FEED)["ETag"]

    answer = client.get(
        FEED, headers={"if-none-match": form.format(etag), "if-modified-since": "Thu, 01 Jan 1970 00:00:00 GMT"}
    )

    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag)
    assert (answer["Cache-Control"], answer["Access-Control-Allow-Origin"]) == ("public, max-age=300", "*")


def test_another_etag_beats_an_unchanged_date(client):
    with time_machine.travel(datetime(2026, 6, 1, tzinfo=UTC)):
        make_episode(show=make_own_show())
    modified = client.get(FEED)["Last-Modified"]

    assert client.get(FEED, headers={"if-modified-since": modified}).status_code == 304
    assert client.get(FEED, headers={"if-modified-since": modified, "if-none-match": '"old"'}).status_code == 200


def test_last_modified_moves_when_an_episode_is_withdrawn(client):
    with time_machine.travel(datetime(2026, 6, 1, tzinfo=UTC)):
        episode = make_episode(show=make_own_show())
        before = client.get(FEED)["Last-Modified"]

    with time_machine.travel(datetime(2026, 6, 2, tzinfo=UTC)):
        retire(Item.objects.get(pk=episode.pk), actor=None, reason="Wrong file.")
        after = client.get(FEED, headers={"if-modified-since": before})

    assert (before, after.status_code, after["Last-Modified"]) == (
        "Mon, 01 Jun 2026 00:00:00 GMT",
        200,
        "Tue, 02 Jun 2026 00:00:00 GMT",
    )
    assert b"<item>" not in after.content


def test_feeds_of_a_guest_and_a_topic_have_their_own_episodes_only(client):
    guest, topic = make_guest(name="Ada", slug="ada"), make_topic(name="Grid", slug="grid")
    make_episode(
        title="With Ada",
        guests=[{"guest": guest.pk, "role": "guest", "credit": ""}, {"guest": guest.pk, "role": "host", "credit": ""}],
    )
    make_episode(title="On grids", topics=[{"topic": topic.pk}])

    by_guest, by_topic = (
        feedparser.parse(client.get(path).content) for path in ("/guests/ada/feed.atom", "/topics/grid/feed.atom")
    )

    assert (by_guest.feed.title, [entry.title for entry in by_guest.entries]) == ("Episodes with Ada", ["With Ada"])
    assert (by_topic.feed.title, [entry.title for entry in by_topic.entries]) == ("Episodes about Grid", ["On grids"])


def test_a_page_names_its_feeds(client):
    show = make_own_show()

    page = client.get(show.get_absolute_url()).content.decode()

    for format_name, mime in (
        ("rss", "application/rss+xml"),
        ("atom", "application/atom+xml"),
        ("json", "application/feed+json"),
    ):
        assert f'<link rel="alternate" type="{mime}"' in page
        assert reverse("episodes:show-feed", args=["signal-path", format_name]) in page


@pytest.mark.parametrize(
    ("address", "told", "type_"),
    [
        ("https://media.example.org/a.mp3", "", "audio/mpeg"),
        ("https://media.example.org/a.MP3?x=1.mp4", "application/octet-stream", "audio/mpeg"),
        ("https://media.example.org/a.mp3", "audio/mp3", "audio/mpeg"),
        ("https://media.example.org/a.m4a", "audio/mp4; codecs=mp4a", "audio/x-m4a"),
        ("https://media.example.org/a.mp4", "audio/mp4", "audio/mp4"),
        ("https://media.example.org/a.m3u8", "application/x-mpegURL", "application/x-mpegurl"),
        ("https://media.example.org/play", "", "audio/mpeg"),
        ("https://[media/a.mp3", "", "audio/mpeg"),
    ],
)
def test_an_enclosure_has_the_type_that_fits_its_extension(client, address, told, type_):
    make_heard_episode(make_own_show(), media=make_audio(address, mime=told))

    assert channel_of(client).find("item/enclosure").get("type") == type_


def test_addresses_of_others_are_ascii_and_their_hosts_can_be_looked_up(client):
    address, ascii_address = "https://bücher.example/ä?q=ü", "https://xn--bcher-kva.example/%C3%A4?q=%C3%BC"
    post = {"protocol": "activitypub", "uri": address, "account_id": "@ä", "account_url": address}
    show = make_own_show(
        funding=[{"url": address, "label": "Give"}],
        social=[post],
        machine_licence="Our rules",
        machine_licence_url=address,
    )
    make_heard_episode(show, media=make_audio("https://bücher.example:8080/ä 1.mp3"), social=[post])

    channel = channel_of(client)

    assert channel.find("item/enclosure").get("url") == "https://xn--bcher-kva.example:8080/%C3%A4%201.mp3"
    for path, attribute in (
        ("podcast:funding", "url"),
        ("podcast:license", "url"),
        ("podcast:socialInteract", "uri"),
        ("item/podcast:socialInteract", "accountUrl"),
    ):
        assert channel.find(path, NAMESPACES).get(attribute) == ascii_address


def test_a_show_that_names_no_language_speaks_the_sites(client):
    SiteSettings.objects.create(pk=1, locale="de")
    make_own_show(language="")

    assert texts(channel_of(client), "language") == ["de"]


def test_less_than_a_second_is_no_duration(client):
    make_episode(show=make_own_show(), duration_ms=999)

    assert channel_of(client).find("item/itunes:duration", NAMESPACES) is None


def test_a_guid_is_told_as_it_was_given(client):
    make_episode(show=make_own_show(), guid="https://old.example.org/?p=1  \u202e2")

    guids = [
        *texts(channel_of(client), "item/guid"),
        client.get(FEED.replace("rss", "json")).json()["items"][0]["id"],
    ]

    assert guids == ["https://old.example.org/?p=1  \u202e2"] * 2


def test_a_feed_that_moved_is_found_by_players_in_browsers_too(client):
    publish(edit(make_own_show(), slug="another"), actor=None)

    answer = client.get(f"{FEED}?page=1&utm=x")

    assert (answer.status_code, answer["Location"]) == (301, "/shows/another/feed.rss?page=1&utm=x")
    assert answer["Access-Control-Allow-Origin"] == "*"


FEEDS_OF_THINGS = [
    (make_show, "/shows/{}/feed.atom", "/shows/{}/"),
    (make_guest, "/guests/{}/feed.atom", "/guests/{}/"),
    (make_guest, "/guests/{}/quotes/feed.atom", "/guests/{}/quotes/"),
    (make_topic, "/topics/{}/feed.atom", "/topics/{}/"),
    (make_topic, "/topics/{}/quotes/feed.atom", "/topics/{}/quotes/"),
]


@pytest.mark.parametrize(("make", "feed", "page"), FEEDS_OF_THINGS)
def test_a_feed_keeps_its_id_under_a_new_slug(client, make, feed, page):
    row = make(slug="before")
    before = feedparser.parse(client.get(feed.format("before")).content).feed.id
    publish(edit(row, slug="after"), actor=None)

    assert before.startswith("urn:uuid:")
    assert feedparser.parse(client.get(feed.format("after")).content).feed.id == before


def test_no_two_feeds_have_one_id(client):
    for make in (make_show, make_guest, make_topic):
        make(slug="one")
    paths = ["/feed.atom", "/episodes/feed.atom", "/quotes/feed.atom", "/corrections/feed.atom"]
    paths += [feed.format("one") for _make, feed, _page in FEEDS_OF_THINGS]

    ids = {feedparser.parse(client.get(path).content).feed.id for path in paths}

    assert len(ids) == len(paths)


@pytest.mark.parametrize(("make", "feed", "page"), FEEDS_OF_THINGS)
def test_a_page_names_the_feed_of_what_it_lists(client, make, feed, page):
    make(slug="one")

    html = client.get(page.format("one")).content.decode()

    head, _end, body = html.partition("</head>")
    assert f'href="{feed.format("one")}"' in head.replace("https://example.org", "")
    assert f'href="{feed.format("one")}"' in body.replace("https://example.org", "")


LISTS = ["/feed", "/episodes/feed", "/quotes/feed", "/corrections/feed"]


@pytest.mark.parametrize("feed", [*LISTS, *(path.removesuffix(".atom") for _make, path, _page in FEEDS_OF_THINGS)])
def test_a_feed_says_when_something_left_it(client, feed):
    path = feed.format("one")
    with time_machine.travel(datetime(2026, 6, 1, tzinfo=UTC)):
        guest, topic = make_guest(slug="one"), make_topic(slug="one")
        topics = [{"topic": topic.pk}]
        episode = make_episode(
            show=make_show(slug="one"), topics=topics, guests=[{"guest": guest.pk, "role": "guest", "credit": ""}]
        )
        make_quote(episode=episode, speaker=guest, topics=topics)
        make_corrections(episode)

    with time_machine.travel(datetime(2026, 6, 2, tzinfo=UTC)):
        retire(Item.objects.get(pk=episode.pk), actor=None, reason="Gone.")

    assert feedparser.parse(client.get(f"{path}.atom").content).feed.updated == "2026-06-02T00:00:00Z"
    assert feedparser.parse(client.get(f"{path}.rss").content).feed.updated == "Tue, 02 Jun 2026 00:00:00 +0000"
