"""Feeds in pages (RFC 5005): every item once, and each page under its own address."""

import json

import feedparser
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from lxml import etree

from publishing.feeds.rss import NAMESPACES
from publishing.models import SiteSettings
from tests.factories import make_audio, make_episode, make_guest, make_quote, make_show

pytestmark = pytest.mark.django_db

FEED = "https://example.org/shows/signal-path/feed"


@pytest.fixture
def show():
    SiteSettings.objects.create(pk=1, feed_items=2)
    show = make_show(slug="signal-path")
    for day in range(1, 6):
        make_episode(show=show, title=f"Day {day}", aired_at=f"2026-05-0{day}T10:00:00Z")
    return show


def links_of(client, query: str = "") -> dict[str, str]:
    channel = etree.fromstring(client.get(f"/shows/signal-path/feed.rss{query}").content).find("channel")
    return {link.get("rel"): link.get("href") for link in channel.findall("atom:link", NAMESPACES)}


def test_each_page_names_itself_and_the_others(client, show):
    assert links_of(client) == {
        "self": f"{FEED}.rss", "first": f"{FEED}.rss", "next": f"{FEED}.rss?page=2", "last": f"{FEED}.rss?page=3",
    }  # fmt: skip
    assert links_of(client, "?page=2") == {
        "self": f"{FEED}.rss?page=2", "first": f"{FEED}.rss", "previous": f"{FEED}.rss",
        "next": f"{FEED}.rss?page=3", "last": f"{FEED}.rss?page=3",
    }  # fmt: skip
    assert "next" not in links_of(client, "?page=3")


def test_following_next_gives_every_item_once(client, show):
    found, path = [], "/shows/signal-path/feed.atom"
    while path:
        parsed = feedparser.parse(client.get(path).content)
        found += [entry.title for entry in parsed.entries]
        path = next((link.href for link in parsed.feed.links if link.rel == "next"), "").removeprefix(
            "https://example.org"
        )

    assert found == ["Day 5", "Day 4", "Day 3", "Day 2", "Day 1"]


def test_json_names_the_next_page_until_the_last(client, show):
    pages = [json.loads(client.get(f"/shows/signal-path/feed.json?page={page}").content) for page in (1, 2, 3)]

    assert [page.get("next_url") for page in pages] == [f"{FEED}.json?page=2", f"{FEED}.json?page=3", None]
    assert all(page["feed_url"] != page.get("next_url") for page in pages)


@pytest.mark.parametrize(
    "query", ["?page=4", "?page=0", "?page=-1", "?page=x", "?page=1e3", "?page=99999999", "?page="]
)
def test_there_is_no_other_page(client, show, query):
    assert client.get(f"/shows/signal-path/feed.rss{query}").status_code == 404


def test_the_first_page_by_number_is_the_feed_itself(client, show):
    assert client.get("/shows/signal-path/feed.rss?page=1").content == client.get("/shows/signal-path/feed.rss").content
    assert client.get("/shows/signal-path/feed.rss?utm=x").content == client.get("/shows/signal-path/feed.rss").content


def test_a_feed_of_one_page_has_no_links_to_pages(client):
    make_episode(show=make_show(slug="signal-path"))

    assert set(links_of(client)) == {"self"}


def test_a_late_page_takes_as_many_queries_as_the_first(client, show):
    guest = make_guest()
    for day in range(10, 20):
        episode = make_episode(
            show=show, aired_at=f"2025-05-{day}T10:00:00Z", media=[{"media": make_audio().pk}],
            guests=[{"guest": guest.pk, "role": "guest", "credit": ""}],
        )  # fmt: skip
        make_quote(episode=episode, speaker=guest)

    def count(query: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            client.get(f"/shows/signal-path/feed.rss{query}")
        return len(queries)

    assert count("?page=4") == count("?page=7")


def test_the_feed_of_the_site_holds_episodes_and_quotes(client):
    episode = make_episode(title="The grid", aired_at="2026-05-14T10:00:00Z")
    quote = make_quote(episode=episode)

    parsed = feedparser.parse(client.get("/feed.rss").content)

    assert [entry.title for entry in parsed.entries] == [quote.headline, "The grid"]
    assert [entry.title for entry in feedparser.parse(client.get("/episodes/feed.rss").content).entries] == ["The grid"]


def test_a_guests_and_a_topics_quotes_have_feeds(client):
    ada, kim = make_guest(slug="ada"), make_guest(slug="kim")
    mine = make_quote(speaker=ada)
    make_quote(speaker=kim)

    parsed = feedparser.parse(client.get("/guests/ada/quotes/feed.atom").content)

    assert [entry.title for entry in parsed.entries] == [mine.headline]


@pytest.mark.parametrize("hub", ["", "https://hub.example.org/"])
def test_the_feed_of_the_site_is_one_page(client, settings, hub):
    settings.WEBSUB_HUB = hub

    assert [client.get(f"/feed.rss{query}").status_code for query in ("?page=1", "?page=2", "?page=x")] == [
        200,
        404,
        404,
    ]
