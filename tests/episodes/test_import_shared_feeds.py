"""Every feed of the shared collection, imported for real and compared with what was found in it by hand."""

import json
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.utils.dateparse import parse_datetime

from episodes.importing.reader import read_feed
from episodes.importing.service import Options, import_feed
from episodes.models import Episode, FeedSource, MediaFile, Show
from publishing.models import Item
from tests.tables import dump_tables

FOLDER = settings.BASE_DIR.parent / "shared" / "data" / "feeds"
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not FOLDER.exists(), reason="the shared collection of feeds is not beside this checkout"),
]
FEEDS = json.loads((FOLDER / "expected.json").read_text())["feeds"] if FOLDER.exists() else []
BY_NAME = {feed["file"]: feed for feed in FEEDS}


def run(expected: dict, **options):
    data = (FOLDER / expected["file"]).read_bytes()
    feed = read_feed(data, feed_url=expected["feed_url"])
    return import_feed(feed, expected["feed_url"], Options(owner_agrees=True, **options))


@pytest.mark.parametrize("name", list(BY_NAME))
def test_an_import_gives_the_expected_show_and_episodes(name):
    expected = BY_NAME[name]

    report = run(expected)

    show = FeedSource.objects.get(address=expected["feed_url"]).show
    check_show(show.item.head.content, show, expected["feed"], report.warnings)
    episodes = {episode.guid: episode for episode in Episode.objects.filter(show=show).select_related("item__head")}
    assert len(episodes) == expected["episode_count"] == len(report.made)
    assert len(report.skipped) == expected["item_count"] - expected["episode_count"]
    for item in expected["items"]:
        if item["episode"]:
            check_episode(episodes[item["guid"]], item)
        else:
            assert any(item["title"] in line for line in report.skipped)
    for title in expected.get("must_not_import_titles", []):
        assert title not in [str(episode) for episode in episodes.values()]


@pytest.mark.parametrize("name", list(BY_NAME))
def test_importing_again_changes_nothing(name):
    run(BY_NAME[name], publish=True)
    before = dump_tables()

    report = run(BY_NAME[name], publish=True)

    assert dump_tables() == before
    assert (report.made, report.updated, report.published) == ([], [], [])


def test_the_second_day_updates_and_loses_nothing():
    run(BY_NAME["news-day1.xml"])
    show = Show.objects.get()

    report = run(BY_NAME["news-day2.xml"], show=show)

    wanted = BY_NAME["news-day2.xml"]["expect_after"]
    assert Episode.objects.filter(show=show).count() == wanted["episodes_total"]
    assert len(report.made) == wanted["created"]
    assert len(report.updated) + report.unchanged == wanted["updated_or_unchanged"]


def test_the_same_show_without_guids_is_not_doubled():
    run(BY_NAME["undeclared-prefix.xml"])
    show = Show.objects.get()

    report = run(BY_NAME["undeclared-prefix-no-guid.xml"], show=show)

    assert Episode.objects.filter(show=show).count() == 12
    assert report.made == []


def check_show(content: dict, show: Show, wanted: dict, warnings: list[str]) -> None:
    if wanted["title"]:
        assert content["title"] == " ".join(wanted["title"].split())
    assert content["website"] == (wanted["link"] or "")
    assert content["owner_email"] == (wanted["owner_email"] or "")
    assert content["explicit"] is bool(wanted["explicit"])
    assert content["categories"] == wanted["categories"]
    assert content["author"] == (wanted["author"] or "")
    if wanted["language"]:
        assert content["language"].lower() == wanted["language"].lower()
    if wanted["podcast_guid"]:  # what is no UUID is told instead of stored
        assert str(show.podcast_guid) == wanted["podcast_guid"] or wanted["podcast_guid"] in " ".join(warnings)


def check_episode(episode: Episode, wanted: dict) -> None:
    content = episode.item.head.content
    assert content["title"] == " ".join(wanted["title"].split())
    check_moment(content["aired_at"], wanted)
    check_duration(content["duration_ms"], wanted)
    media = MediaFile.objects.get(pk=content["media"][0]["media"])
    assert media.address == wanted["enclosure_url"]
    assert media.bytes in accepted(wanted, "enclosure_length")
    if wanted["enclosure_type"]:
        assert media.mime == wanted["enclosure_type"]
    for ours, theirs in (("season", "season"), ("number", "episode_number"), ("episode_kind", "episode_type")):
        if wanted.get(theirs) is not None:
            assert content[ours] in accepted(wanted, theirs)
    extras = episode.feed_entries.get().extras
    for key in ("image_url", "chapters_url", "guid_source"):
        if wanted.get(key):
            assert extras[key] == wanted[key]
    if "transcripts" in wanted:
        assert [[link["url"], link["type"]] for link in extras["transcripts"]] == wanted["transcripts"]
    if "persons" in wanted:
        names = Item.objects.in_bulk([row["guest"] for row in content["guests"]])
        assert {str(item) for item in names.values()} == {name for name, _role in wanted["persons"]}


def accepted(wanted: dict, name: str) -> list:
    return wanted.get(f"{name}_accept", [wanted.get(name)])


def check_moment(stored: str | None, wanted: dict) -> None:
    moments = [parse_datetime(text).astimezone(UTC) if text else None for text in accepted(wanted, "published_utc")]
    if wanted.get("published_null_ok"):
        moments.append(None)
    held: datetime | None = parse_datetime(stored) if stored else None
    assert held in moments


def check_duration(stored: int | None, wanted: dict) -> None:
    durations = accepted(wanted, "duration_seconds")
    if stored is None:
        assert None in durations
    else:
        assert any(seconds is not None and abs(stored / 1000 - seconds) <= 1 for seconds in durations)
