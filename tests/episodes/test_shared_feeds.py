"""Compare the reader with the 27 real feeds that lie beside the repository.

They belong to their publishers and are not part of it; ``README.md`` in their folder
explains each key of ``expected.json``.
"""

import json
from datetime import datetime
from uuid import UUID

import pytest
from django.conf import settings

from episodes.importing.parsed import FeedUnreadable
from episodes.importing.reader import read_feed

FOLDER = settings.BASE_DIR.parent / "shared/data/feeds"
EXPECTED_FILE = FOLDER / "expected.json"
pytestmark = pytest.mark.skipif(not EXPECTED_FILE.exists(), reason="the shared feeds are not here")

CASES = json.loads(EXPECTED_FILE.read_text(encoding="utf-8"))["feeds"] if EXPECTED_FILE.exists() else []
ACCENTS_NOT_ASSERTED = {"bare-ampersands.xml"}


def is_uuid(text):
    try:
        return bool(UUID(text))
    except ValueError:
        return False


def moment(text):
    return datetime.fromisoformat(text) if text else None


def read(case):
    return read_feed((FOLDER / case["file"]).read_bytes(), feed_url=case["feed_url"])


@pytest.fixture(params=CASES, ids=lambda case: case["file"])
def case(request):
    return request.param


@pytest.fixture
def feed(case):
    try:
        return read(case)
    except FeedUnreadable:
        if "reject" in case.get("outcome_accept", [case["outcome"]]):
            pytest.skip("refusing this file is right too")
        raise


def episodes_of(feed):
    return [item for item in feed.items if item.is_episode]


def test_there_are_27_feeds():
    assert len(CASES) == 27


def test_channel_is_as_expected(case, feed):
    expected = dict(case["feed"])
    if expected["podcast_guid"] and not is_uuid(expected["podcast_guid"]):
        expected["podcast_guid"] = None  # kept in a warning, see must_warn

    found = {
        "title": feed.title,
        "link": feed.link,
        "language": feed.language,
        "author": feed.author,
        "explicit": feed.explicit,
        "type": feed.kind,
        "image_url": feed.image_url,
        "categories": feed.categories,
        "podcast_guid": feed.podcast_guid,
        "locked": feed.locked,
        "new_feed_url": feed.new_feed_url,
        "owner_email": feed.owner_email,
    }

    assert found == expected


def test_counts_are_as_expected(case, feed):
    assert len(feed.items) == case["item_count"]
    assert len(episodes_of(feed)) == case["episode_count"]
    assert not {item.title for item in feed.items} & set(case.get("must_not_import_titles", []))


def test_warnings_hold_what_must_be_said(case, feed):
    codes = {warning.code for warning in feed.warnings}

    assert codes >= set(case.get("must_warn", []))
    assert all(warning.message for warning in feed.warnings)


def test_totals_are_as_expected(case, feed):
    episodes = episodes_of(feed)
    dates = [item.published_at for item in episodes if item.published_at]
    durations = [item.duration_ms for item in episodes if item.duration_ms is not None]
    expected = dict(case["totals"])

    seconds = expected.pop("duration_seconds_sum")
    assert sum(durations) / 1000 == pytest.approx(seconds, abs=len(episodes) or 1)
    assert expected == {
        "without_guid": sum(item.guid_source != "guid" for item in episodes),
        "distinct_guids": len({item.guid for item in episodes}),
        "without_date": len(episodes) - len(dates),
        "without_duration": len(episodes) - len(durations),
        "earliest_utc": min(dates).strftime("%Y-%m-%dT%H:%M:%SZ") if dates else None,
        "latest_utc": max(dates).strftime("%Y-%m-%dT%H:%M:%SZ") if dates else None,
        "with_transcript": sum(bool(item.transcripts) for item in episodes),
        "with_chapters": sum(bool(item.chapters_url) for item in episodes),
        "with_person": sum(bool(item.persons) for item in episodes),
        "with_soundbite": sum(bool(item.soundbites) for item in episodes),
    }


def accepted(expected, name):
    values = expected.get(f"{name}_accept", [expected.get(name)])
    return [*values, None] if expected.get(f"{name.split('_')[0]}_null_ok") else values


def found_values(item):
    return {
        "index": item.index,
        "title": item.title,
        "link": item.link,
        "episode": item.is_episode,
        "skip_reason": item.skip_reason,
        "enclosure_url": item.enclosure_url if item.is_episode else None,
        "enclosure_type": item.enclosure_type if item.is_episode else None,
        "enclosure_length": item.enclosure_length if item.is_episode else None,
        "guid": item.guid if item.is_episode or item.guid_source == "guid" else None,
        "guid_source": item.guid_source if item.is_episode else None,
    }


def found_details(item):
    return {
        "season": item.season,
        "episode_number": item.episode_number,
        "episode_type": item.episode_type,
        "explicit": item.explicit,
        "image_url": item.image_url,
        "transcripts": [[link.url, link.type] for link in item.transcripts] or None,
        "chapters_url": item.chapters_url,
        "persons": [[person.name, person.role] for person in item.persons] or None,
        "soundbites": [list(bite) for bite in item.soundbites] or None,
    }


def test_items_are_as_expected(case, feed):
    for expected in case["items"]:
        item = feed.items[expected["index"]]
        found = found_values(item)
        if item.is_episode:
            found |= found_details(item)
        if case["file"] in ACCENTS_NOT_ASSERTED:
            found["title"] = expected["title"]

        assert found == {name: expected.get(name) for name in found}
        dates = [moment(text) for text in accepted(expected, "published_utc")]
        assert item.published_at in dates
        if item.is_episode:
            seconds = None if item.duration_ms is None else item.duration_ms / 1000
            durations = accepted(expected, "duration_seconds")
            assert any(
                seconds == value or (None not in {seconds, value} and abs(seconds - value) <= 1) for value in durations
            )


def test_no_forbidden_character_comes_through(feed):
    written = repr(feed)

    assert "\\x08" not in written
    assert "\\x0b" not in written


def test_the_second_day_brings_one_new_guid():
    by_file = {case["file"]: case for case in CASES}
    first, second = ({item.guid for item in read(by_file[name]).items} for name in ("news-day1.xml", "news-day2.xml"))

    assert len(second - first) == 1
    assert len(first | second) == by_file["news-day2.xml"]["expect_after"]["episodes_total"]


def test_the_feed_without_guids_names_the_same_audio():
    by_file = {case["file"]: case for case in CASES}
    with_guids, without = (
        {item.enclosure_url for item in read(by_file[name]).items}
        for name in ("undeclared-prefix.xml", "undeclared-prefix-no-guid.xml")
    )

    assert with_guids == without
