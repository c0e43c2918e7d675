"""Any text in any field: every format stays whole, and the text comes back, less only what XML cannot hold."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from uuid import UUID

from hypothesis import given, settings, strategies as st
from lxml import etree

from publishing.feeds import (
    Enclosure,
    Entry,
    Feed,
    Funding,
    Licence,
    Location,
    Person,
    Podcast,
    Social,
    Soundbite,
    Trailer,
    TranscriptFile,
    Txt,
)
from publishing.feeds.atom import to_atom
from publishing.feeds.json_feed import to_json
from publishing.feeds.podcast import MOST_LABEL, MOST_NAME, line
from publishing.feeds.rss import MOST_DESCRIPTION_BYTES, NAMESPACES, to_rss
from publishing.text import clean_line, clean_text, shorten

NASTY = st.sampled_from(
    ["]]>", "<![CDATA[", "&amp;amp;", "&#8;", "<!--", "-->", "</title>", "<?xml", "\x08", "\x0b", "\ufffe", "\uffff"]
    + [
        "\ud800",
        "\udfff",
        "\u202e",
        "\u2028",
        "\u05d0\u05d1",
        "🔋",
        "👩‍👩‍👧",
        "e\u0301",
        "\x85",
        "\xa0",
        "\r\n",
        "\t",
        "\"'",
    ]
)
PLAIN = st.text(max_size=40) | st.text(alphabet=st.characters(codec=None), max_size=40)
TEXTS = st.lists(NASTY | PLAIN, max_size=8).map("".join)
LONG = st.lists(TEXTS, min_size=1, max_size=3).flatmap(
    lambda parts: st.integers(1, 200).map(lambda times: "".join(parts) * times)
)
NAIVE = datetime(1900, 1, 1), datetime(2200, 1, 1)  # noqa: DTZ001 - hypothesis adds the zone
MOMENTS = st.datetimes(*NAIVE, timezones=st.just(UTC)).map(lambda moment: moment.replace(microsecond=0))
PAGE = "https://example.org/shows/signal-path/"
AUDIO = Enclosure("https://example.org/a.mp3?a=1&b=2", "audio/mpeg", 1_000)


@st.composite
def feeds(draw) -> Feed:
    text = lambda: draw(TEXTS)  # noqa: E731 - another each time
    entry = Entry(
        guid=f"guid {text()}",
        uid=UUID(int=draw(st.integers(0, 2**128 - 1))),
        title=draw(LONG),
        link=PAGE,
        summary=draw(LONG),
        published=draw(MOMENTS),
        updated=draw(MOMENTS),
        authors=(text(),),
        categories=(text(),),
        enclosure=AUDIO,
        alternates=(replace(AUDIO, title=text()),),
        duration_ms=draw(st.integers(0, 10**9)),
        season=2,
        season_name=text(),
        number=7,
        number_label=text(),
        persons=(Person(text(), "host", "cast", PAGE),),
        soundbites=(Soundbite("1", "2.5", text()),),
        transcripts=(TranscriptFile(f"{PAGE}a.vtt", "text/vtt", "en", is_captions=True),),
        locations=(Location(text()),),
        social=(Social("activitypub", PAGE, text(), PAGE),),
    )
    podcast = Podcast(
        explicit=False,
        author=text(),
        licence=Licence(text(), PAGE),
        persons=(Person(text(), "host", "cast", PAGE),),
        funding=(Funding(PAGE, text()),),
        txts=(Txt(draw(LONG), text()),),
        trailers=(Trailer(text(), draw(MOMENTS), AUDIO),),
        locations=(Location(text()),),
        social=(Social("activitypub", PAGE, text()),),
    )
    return Feed(
        id="urn:uuid:1",
        title=draw(LONG),
        link=PAGE,
        description=draw(LONG),
        language="en",
        author=text(),
        addresses={name: f"{PAGE}feed.{name}" for name in ("rss", "atom", "json")},
        changed=draw(MOMENTS),
        copyright=text(),
        podcast=podcast,
        entries=[entry],
    )


def parse(data: bytes) -> etree._Element:
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, recover=False))


def text_at(element: etree._Element, path: str) -> str:
    found = element.find(path, NAMESPACES)
    return "" if found is None else found.text or ""


@settings(deadline=timedelta(seconds=5))
@given(feeds())
def test_rss_gives_every_text_back(feed):
    channel = parse(to_rss(feed)).find("channel")
    entry, podcast = feed.entries[0], feed.podcast
    item = channel.find("item")

    assert text_at(channel, "title") == line(feed.title)
    assert text_at(channel, "itunes:author") == line(podcast.author)
    assert text_at(channel, "copyright") == line(feed.copyright)
    assert text_at(channel, "podcast:funding") == shorten(clean_line(podcast.funding[0].label), MOST_NAME)
    assert text_at(channel, "podcast:txt") == clean_text(clean_text(podcast.txts[0].text)[:4000])
    assert text_at(channel, "podcast:trailer") == shorten(clean_line(podcast.trailers[0].title), MOST_NAME)
    assert text_at(item, "title") == line(entry.title)
    assert text_at(item, "guid") == clean_text(entry.guid)
    assert text_at(item, "dc:creator") == clean_line(entry.authors[0])
    assert text_at(item, "category") == clean_line(entry.categories[0])
    assert text_at(item, "podcast:person") == shorten(clean_line(entry.persons[0].name), MOST_NAME)
    assert text_at(item, "podcast:soundbite") == shorten(clean_line(entry.soundbites[0].title), MOST_NAME)
    season, episode = (item.find(name, NAMESPACES) for name in ("podcast:season", "podcast:episode"))
    assert season.get("name", "") == shorten(clean_line(entry.season_name), MOST_NAME)
    assert episode.get("display", "") == shorten(clean_line(entry.number_label), MOST_LABEL)
    description = text_at(item, "description")
    whole = clean_text(entry.summary)
    assert unescape_once(description) == whole or unescape_once(description).endswith("…")
    assert len(description.encode()) <= MOST_DESCRIPTION_BYTES


def unescape_once(html: str) -> str:
    """Return HTML that holds nothing but text as that text."""
    return html.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


@settings(deadline=timedelta(seconds=5))
@given(feeds())
def test_atom_gives_every_text_back(feed):
    root = parse(to_atom(feed))
    entry = root.find("atom:entry", NAMESPACES)

    assert text_at(root, "atom:title") == clean_line(feed.title)
    assert text_at(entry, "atom:title") == clean_line(feed.entries[0].title)
    assert text_at(entry, "atom:summary") == clean_text(feed.entries[0].summary)
    content = etree.HTML(text_at(entry, "atom:content") or "<p></p>")
    assert unescape(text_at(entry, "atom:content")).strip("\n").startswith("<p>")
    assert content is not None
    dates = [datetime.fromisoformat(text_at(entry, f"atom:{name}")) for name in ("published", "updated")]
    assert dates == [feed.entries[0].published, feed.entries[0].updated]


@settings(deadline=timedelta(seconds=5))
@given(feeds())
def test_json_gives_every_text_back(feed):
    data = to_json(feed)
    document = json.loads(data.decode("utf-8", "strict"))
    item, entry = document["items"][0], feed.entries[0]

    assert document.get("title", "") == clean_line(feed.title)
    assert (item["id"], item.get("title", "")) == (clean_text(entry.guid), clean_line(entry.title))
    assert item.get("summary", "") == clean_text(entry.summary)
    assert item["content_html"] == clean_text(entry.content_html)
    assert [author["name"] for author in item.get("authors", [])] == [
        name for name in [clean_line(entry.authors[0])] if name
    ]


@given(feeds())
def test_the_same_feed_gives_the_same_bytes(feed):
    for write in (to_rss, to_atom, to_json):
        assert write(feed) == write(feed)
