"""The three writers, on plain descriptions."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from uuid import UUID

import feedparser
import pytest
from django.utils import translation
from lxml import etree

from publishing.feeds import Enclosure, Entry, Feed, Location, Person, Podcast, Soundbite
from publishing.feeds.atom import to_atom
from publishing.feeds.json_feed import to_json
from publishing.feeds.rss import NAMESPACES, html_within, to_rss

UID = UUID("6e7c1f52-7f0e-4c1c-9a43-0f5d7f4d4c11")
NASTY = "Cells & <b>wires</b> ]]> 🔋 \x08\ufffe\ud800 “end”"
CLEAN = "Cells & <b>wires</b> ]]> 🔋  “end”"


def make_entry(**fields) -> Entry:
    defaults = {
        "guid": "urn:uuid:1",
        "uid": UID,
        "title": "The grid",
        "link": "https://example.org/shows/signal-path/grid/",
        "summary": "How storage works.",
        "published": datetime(2024, 3, 5, 10, tzinfo=UTC),
        "updated": datetime(2024, 3, 6, 10, tzinfo=UTC),
    }
    return Entry(**defaults | fields)


def make_feed(*entries: Entry, **fields) -> Feed:
    defaults = {
        "id": "urn:uuid:0",
        "title": "Signal Path",
        "link": "https://example.org/shows/signal-path/",
        "description": "About wires.",
        "language": "en",
        "author": "Tomas Lund",
        "addresses": {name: f"https://example.org/feed.{name}" for name in ("rss", "atom", "json")},
        "changed": datetime(2024, 3, 6, 10, tzinfo=UTC),
    }
    return Feed(**defaults | fields, entries=list(entries))


def find(data: bytes, path: str) -> list[etree._Element]:
    parser = etree.XMLParser(resolve_entities=False, recover=False)
    return etree.fromstring(data, parser).findall(path, NAMESPACES)


def test_an_xml_feed_begins_with_its_declaration():
    for data in (to_rss(make_feed()), to_atom(make_feed())):
        assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<')


@pytest.mark.parametrize("write", [to_rss, to_atom, to_json])
def test_no_text_breaks_a_feed(write):
    entry = make_entry(
        title=NASTY, summary=NASTY, html=f"<p>{NASTY}</p>", authors=(NASTY,), categories=(NASTY,),
        persons=(Person(NASTY, "host", "cast", "https://example.org/g/"),), soundbites=(Soundbite("1", "2", NASTY),),
        enclosure=Enclosure("https://example.org/a.mp3?a=1&b=2", "audio/mpeg", 1),
    )  # fmt: skip
    podcast = Podcast(
        explicit=False, author=NASTY, categories=("Society & Culture > \x08Documentary",), owner_email="a@example.org"
    )

    data = write(make_feed(entry, title=NASTY, description=NASTY, copyright=NASTY, author=NASTY, podcast=podcast))

    parsed = json.loads(data) if write is to_json else feedparser.parse(data)
    titles = (
        [parsed["title"], parsed["items"][0]["title"]]
        if write is to_json
        else [parsed.feed.title, parsed.entries[0].title]
    )
    assert write is to_json or not parsed.bozo, parsed
    assert [" ".join(title.split()) for title in titles] == [" ".join(CLEAN.split())] * 2
    assert "\ufffe" not in data.decode()


def test_feedparser_and_we_agree_on_an_episode():
    entry = make_entry(
        enclosure=Enclosure("https://example.org/a.mp3", "audio/mpeg", 123),
        duration_ms=6_082_900,
        season=3,
        number=7,
        explicit=True,
        kind="full",
    )

    parsed = feedparser.parse(to_rss(make_feed(entry, podcast=Podcast(explicit=False, author="Tomas Lund"))))

    item = parsed.entries[0]
    assert (item.id, item.guidislink, item.link) == ("urn:uuid:1", False, "https://example.org/shows/signal-path/grid/")
    assert item.published_parsed[:6] == (2024, 3, 5, 10, 0, 0)
    assert [(link.href, link.type, link.length) for link in item.enclosures] == [
        ("https://example.org/a.mp3", "audio/mpeg", "123")
    ]
    assert (item.itunes_duration, item.itunes_season, item.itunes_episode, item.itunes_episodetype) == (
        "6082",
        "3",
        "7",
        "full",
    )


def test_dates_are_english_whatever_the_site_speaks():
    with translation.override("de"):
        data = to_rss(make_feed(make_entry()))

    assert [date.text for date in find(data, "channel/item/pubDate")] == ["Tue, 05 Mar 2024 10:00:00 +0000"]
    assert parsedate_to_datetime(find(data, "channel/lastBuildDate")[0].text) == datetime(2024, 3, 6, 10, tzinfo=UTC)


def test_a_description_is_html_of_at_most_4000_bytes_cut_at_a_word():
    text = "Strom & Spannung über " * 300

    html = find(to_rss(make_feed(make_entry(summary=text))), "channel/item/description")[0].text

    assert 3900 < len(html.encode()) <= 4000
    assert html.removesuffix("…").split(" ")[-1] in {"Strom", "&amp;", "Spannung", "über"}


@pytest.mark.parametrize(
    ("text", "most", "html"),
    [("a & b", 100, "a &amp; b"), ("word " * 3, 12, "word…"), ("🔋" * 9, 12, "🔋🔋…"), ("", 9, "")],
)
def test_text_is_cut_between_characters_and_never_within_an_entity(text, most, html):
    assert html_within(text, most) == html
    assert len(html.encode()) <= most


def test_an_item_without_media_has_no_enclosure_and_without_notes_no_content():
    item = find(to_rss(make_feed(make_entry())), "channel/item")[0]

    assert item.find("enclosure") is None
    assert item.find("content:encoded", NAMESPACES) is None


def test_categories_nest_as_apple_wants_them():
    data = to_rss(make_feed(podcast=Podcast(explicit=True, categories=("Society & Culture > Documentary",))))

    outer = find(data, "channel/itunes:category")[0]
    assert (outer.get("text"), [inner.get("text") for inner in outer]) == ("Society & Culture", ["Documentary"])
    assert find(data, "channel/itunes:explicit")[0].text == "true"


@pytest.mark.parametrize(
    ("guid", "id_"),
    [
        ("urn:uuid:1", "urn:uuid:1"),
        ("https://a.example/1", "https://a.example/1"),
        ("42", UID.urn),
        ("http://a b", UID.urn),
    ],
)
def test_an_atom_id_is_the_guid_where_it_is_an_iri(guid, id_):
    parsed = feedparser.parse(to_atom(make_feed(make_entry(guid=guid))))

    assert parsed.entries[0].id == id_


def test_a_json_feed_has_strings_for_ids_and_numbers_for_sizes():
    entry = make_entry(
        guid="42", enclosure=Enclosure("https://example.org/a.mp3", "audio/mpeg", 123), duration_ms=17_600
    )

    feed = json.loads(to_json(make_feed(entry)))

    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert feed["items"][0]["id"] == "42"
    assert feed["items"][0]["content_html"] == "<p>How storage works.</p>"
    assert feed["items"][0]["attachments"] == [
        {"url": "https://example.org/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 123, "duration_in_seconds": 17}
    ]


def test_an_empty_feed_is_whole_in_every_format():
    empty = replace(make_feed(), changed=None, description="")

    assert [element.text for element in find(to_rss(empty), "channel/description")] == ["Signal Path"]
    assert not feedparser.parse(to_atom(empty)).bozo
    assert json.loads(to_json(empty))["items"] == []


def test_what_holds_nothing_but_forbidden_characters_is_left_out():
    place = Location("Berlin", geo="\x08")
    feed = make_feed(make_entry(authors=("\x08", "Ada"), categories=("\ufffe",), locations=(place,)))

    item, entry = find(to_rss(feed), "channel/item")[0], find(to_atom(feed), "atom:entry")[0]
    document = json.loads(to_json(feed))["items"][0]

    assert [creator.text for creator in item.findall("dc:creator", NAMESPACES)] == ["Ada"]
    assert [name.text for name in entry.findall("atom:author/atom:name", NAMESPACES)] == ["Ada"]
    assert (document["authors"], document.get("tags")) == ([{"name": "Ada"}], None)
    assert (item.find("category"), entry.find("atom:category", NAMESPACES)) == (None, None)
    assert dict(item.find("podcast:location", NAMESPACES).attrib) == {}
