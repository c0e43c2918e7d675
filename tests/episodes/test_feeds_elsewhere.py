"""A feed that uses every element, read back by what others wrote: all agree with the database, and none complains."""

import io
import json
import shutil
import subprocess
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import atoma
import fastfeedparser
import feedparser
import podcastparser
import pytest

from tests.whole_show import PLACE, POST, TITLE, WholeShow, make_whole_show

pytestmark = pytest.mark.django_db

PAGE = "https://example.org/shows/signal-path/"
NPM = Path(__file__).parent.parent / "npm"


@pytest.fixture
def whole(settings, tmp_path) -> WholeShow:
    settings.MEDIA_ROOT = tmp_path
    return make_whole_show()


def feed_of(client, format: str = "rss") -> bytes:
    return client.get(f"/shows/signal-path/feed.{format}").content


def titles(whole: WholeShow) -> list[str]:
    return [episode.title for episode in whole.episodes]


def guids(whole: WholeShow) -> list[str]:
    return [episode.guid for episode in whole.episodes]


def dates(whole: WholeShow) -> list[datetime]:
    return [episode.aired_at for episode in whole.episodes]


def seconds(whole: WholeShow) -> list[int]:
    return [episode.duration_ms // 1000 for episode in whole.episodes]


def links(whole: WholeShow) -> list[str]:
    return [f"https://example.org{episode.get_absolute_url()}" for episode in whole.episodes]


def enclosures(whole: WholeShow) -> list[tuple[str, int, str]]:
    firsts = [episode.episode_media.first().media for episode in whole.episodes]
    return [(media.address, media.bytes, media.mime) for media in firsts]


def soundbites(whole: WholeShow) -> list[tuple[float, float, str]]:
    found = [(quote.start_ms / 1000, (quote.end_ms - quote.start_ms) / 1000, quote.claim) for quote in whole.quotes]
    return sorted(found)


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def test_feedparser(client, whole):
    parsed = feedparser.parse(feed_of(client), sanitize_html=False)

    assert not parsed.bozo
    assert (parsed.feed.title, parsed.feed.link, parsed.feed.language) == (TITLE, PAGE, "en-gb")
    assert [entry.title for entry in parsed.entries] == titles(whole)
    assert [entry.id for entry in parsed.entries] == guids(whole)
    assert [entry.link for entry in parsed.entries] == links(whole)
    # It reads 1969 rightly from RSS with four digits.
    assert [datetime(*entry.published_parsed[:6], tzinfo=UTC) for entry in parsed.entries] == dates(whole)
    assert [int(entry.itunes_duration) for entry in parsed.entries] == seconds(whole)
    found = [(link.href, int(link.length), link.type) for entry in parsed.entries for link in entry.enclosures[:1]]
    assert found == enclosures(whole)
    assert "<em>notes</em>" in parsed.entries[0].content[0].value


def test_podcastparser(client, whole):
    parsed = podcastparser.parse(f"{PAGE}feed.rss", io.BytesIO(feed_of(client)))

    assert (parsed["title"], parsed["link"], parsed["explicit"]) == (TITLE, PAGE, False)
    assert (parsed["itunes_owner"]["email"], parsed["type"]) == ("owner@example.org", "serial")
    episodes = sorted(parsed["episodes"], key=lambda episode: -episode["published"])
    assert [episode["title"] for episode in episodes] == titles(whole)
    assert [episode["guid"].removeprefix(PAGE) for episode in episodes] == guids(whole)
    assert [datetime.fromtimestamp(episode["published"], UTC) for episode in episodes] == dates(whole)
    assert [episode["total_time"] for episode in episodes] == seconds(whole)
    found = [
        (each["url"], each["file_size"], each["mime_type"]) for episode in episodes for each in episode["enclosures"]
    ]
    assert found == enclosures(whole)
    assert (episodes[0]["season"], episodes[0]["number"], episodes[0]["type"]) == (2, 7, "full")


@pytest.mark.parametrize("format", ["rss", "atom", "json"])
def test_fastfeedparser(client, whole, format):
    parsed = fastfeedparser.parse(feed_of(client, format))

    assert parsed.feed.title == TITLE
    assert [entry.title for entry in parsed.entries] == titles(whole)
    assert [entry.link for entry in parsed.entries] == links(whole)
    assert [moment(entry.published) for entry in parsed.entries] == dates(whole)


def test_atoma(client, whole):
    rss = atoma.parse_rss_bytes(feed_of(client))
    atom = atoma.parse_atom_bytes(feed_of(client, "atom"))
    data = atoma.parse_json_feed_bytes(feed_of(client, "json"))

    assert (rss.title, atom.title.value, data.title) == (TITLE, TITLE, TITLE)
    assert [item.guid for item in rss.items] == guids(whole)
    assert [item.id_ for item in data.items] == guids(whole)
    assert [entry.id_ for entry in atom.entries] == [
        guid if ":" in guid else episode.item.uid.urn
        for guid, episode in zip(guids(whole), whole.episodes, strict=True)
    ]
    assert [item.pub_date for item in rss.items] == dates(whole)
    assert [entry.published for entry in atom.entries] == dates(whole)
    assert [item.date_published for item in data.items] == dates(whole)
    assert [(each.url, each.length, each.type) for item in rss.items for each in item.enclosures] == enclosures(whole)
    attached = [item.attachments[0] for item in data.items]
    assert [(each.url, each.size_in_bytes, each.mime_type) for each in attached] == enclosures(whole)
    assert [each.duration.total_seconds() for each in attached] == seconds(whole)


@pytest.fixture
def elsewhere(client, whole) -> dict:
    """What three readers of npm found in the feed."""
    if not (NPM / "node_modules").is_dir() or not shutil.which("node"):
        pytest.skip("The readers of npm are not installed: npm ci --prefix tests/npm")
    run = subprocess.run(  # noqa: S603 - a script of ours
        [shutil.which("node"), str(NPM / "read.mjs")], input=feed_of(client), capture_output=True, check=True
    )
    assert run.stderr == b""
    found = json.loads(run.stdout)
    assert found["warnings"] == []
    return found


def test_partytime(whole, elsewhere):
    parsed = elsewhere["partytime"]
    items, first = parsed["items"], parsed["items"][0]

    assert (parsed["title"], parsed["link"], parsed["language"], parsed["itunesType"]) == (
        TITLE,
        PAGE,
        "en-gb",
        "serial",
    )
    assert (parsed["guid"], parsed["locked"], parsed["medium"]) == (str(whole.show.podcast_guid), True, "podcast")
    assert parsed["itunesCategory"] == whole.show.categories
    assert parsed["podcastFunding"] == [{"message": "Give & take", "url": "https://example.org/give?a=1&b=2"}]
    assert parsed["license"]["identifier"] == "cc-by-4.0"
    assert parsed["podcastTxt"] == [{"value": "proof-1234", "purpose": "verify"}]
    assert [(trailer["title"], trailer["url"], trailer["season"]) for trailer in parsed["trailers"]] == [
        ("Trailer", "https://media.example.org/trailer.mp3", 2)
    ]
    assert [(item["title"], item["guid"], item["duration"]) for item in items] == list(
        zip(titles(whole), guids(whole), seconds(whole), strict=True)
    )
    assert [moment(item["pubDate"]) for item in items] == dates(whole)
    assert [tuple(item["enclosure"][key] for key in ("url", "length", "type")) for item in items] == enclosures(whole)
    bites = [(bite["startTime"], bite["duration"], bite["title"]) for bite in first["podcastSoundbites"]]
    assert bites == soundbites(whole)
    assert [(person["name"], person["role"]) for person in first["podcastPeople"]] == [
        ("Tomas Lund", "Host"),
        ("Ada Okafor", "Guest"),
    ]
    assert [file["url"].rpartition(".")[2] for file in first["podcastTranscripts"]] == ["vtt", "srt", "json", "txt"]
    assert first["podcastChapters"]["url"] == f"{PAGE}grid/chapters.json"
    assert (first["podcastSeason"], first["podcastEpisode"]) == (
        {"number": 2, "name": "Wires"},
        {"number": 7, "display": "VII"},
    )
    assert [place["url"] for place in first["podcastSocialInteraction"]] == [POST["uri"]]
    assert first["podcastLocation"]["name"] == PLACE["name"]
    assert first["alternativeEnclosures"][0]["source"][0]["uri"] == "https://media.example.org/one.mp4"
    used = {tag for tags in parsed["pc20support"].values() for tag in tags}
    assert used >= {
        *("locked", "funding", "transcript", "chapters", "soundbite", "person", "location", "season", "episode"),
        *("trailer", "license", "guid", "alternateEnclosure", "medium", "socialInteract", "txt"),
    }


def test_feedsmith(whole, elsewhere):
    parsed = elsewhere["feedsmith"]
    first = parsed["items"][0]

    assert parsed["title"] == TITLE
    assert [item["title"] for item in parsed["items"]] == titles(whole)
    assert [item["guid"]["value"] for item in parsed["items"]] == guids(whole)
    assert [parsedate_to_datetime(item["pubDate"]) for item in parsed["items"]] == dates(whole)
    assert [item["itunes"]["duration"] for item in parsed["items"]] == seconds(whole)
    found = [(each["url"], each["length"], each["type"]) for item in parsed["items"] for each in item["enclosures"]]
    assert found == enclosures(whole)
    bites = [(bite["startTime"], bite["duration"], bite["display"]) for bite in first["podcast"]["soundbites"]]
    assert bites == soundbites(whole)
    assert [person["display"] for person in first["podcast"]["persons"]] == ["Tomas Lund", "Ada Okafor"]
    assert len(first["podcast"]["transcripts"]) == 4
    assert first["podcast"]["chapters"]["type"] == "application/json+chapters"


def test_rss_parser(whole, elsewhere):
    parsed = elsewhere["rssParser"]

    assert parsed["title"] == TITLE
    assert [(item["title"], item["guid"]) for item in parsed["items"]] == list(
        zip(titles(whole), guids(whole), strict=True)
    )
    assert [moment(item["isoDate"]) for item in parsed["items"]] == dates(whole)
    assert [item["itunes"]["duration"] for item in parsed["items"]] == [str(length) for length in seconds(whole)]
    found = [
        (each["url"], int(each["length"]), each["type"]) for each in (item["enclosure"] for item in parsed["items"])
    ]
    assert found == enclosures(whole)


def test_what_the_feed_names_is_there(client, whole):
    item = feedparser.parse(feed_of(client)).entries[0]
    chapters = client.get(f"{item.link.removeprefix('https://example.org')}chapters.json")

    assert chapters["Content-Type"] == "application/json+chapters"
    assert [(each["startTime"], each["title"]) for each in chapters.json()["chapters"]] == [
        (0, "Welcome"),
        (61.5, "Wires & more"),
    ]
    for file in ("transcript.vtt", "transcript.srt", "transcript.json", "transcript.txt"):
        assert client.get(f"/shows/signal-path/grid/{file}").status_code == 200
