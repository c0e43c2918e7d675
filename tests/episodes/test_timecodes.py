import json
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from episodes.timecodes import (
    MAX_MS,
    format_seconds,
    format_timecode,
    format_timecode_exact,
    iso_duration,
    parse_feed_duration,
    parse_timecode,
)
from episodes.youtube import is_youtube_channel, youtube_id_of

CASES = json.loads((Path(__file__).parents[1] / "data/timecodes.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "ms"), CASES["parse"])
def test_reads_a_timecode(text, ms):
    assert parse_timecode(text) == ms


@pytest.mark.parametrize("text", CASES["refuse"])
def test_refuses_what_is_no_timecode_and_names_it(text):
    with pytest.raises(ValueError, match="“") as caught:
        parse_timecode(text)

    assert f"“{text}”" in str(caught.value)


@pytest.mark.parametrize(("text", "ms"), CASES["feed_duration"])
def test_reads_a_duration_from_a_feed(text, ms):
    assert parse_feed_duration(text) == ms


@pytest.mark.parametrize("case", CASES["format"], ids=lambda case: case["exact"])
def test_writes_a_time_in_every_form(case):
    ms = case["ms"]

    written = (
        format_timecode(ms),
        format_timecode_exact(ms),
        format_seconds(ms),
        iso_duration(ms),
    )

    assert written == (case["short"], case["exact"], case["seconds"], case["iso"])


@pytest.mark.parametrize("write", [format_timecode, format_timecode_exact, format_seconds, iso_duration])
def test_refuses_to_write_a_time_before_the_start(write):
    with pytest.raises(ValueError, match="-1"):
        write(-1)


@pytest.mark.parametrize("edge", [0, 3_599_000, 3_600_000, 35_999_000, 36_000_000])
def test_round_trip_holds_around_the_turns_of_the_clock(edge):
    for ms in range(max(0, edge - 1500), edge + 1500, 7):
        assert parse_timecode(format_timecode_exact(ms)) == ms


@given(st.integers(0, MAX_MS))
def test_any_time_can_be_read_back(ms):
    assert parse_timecode(format_timecode_exact(ms)) == ms
    assert parse_feed_duration(format_seconds(ms)) == ms


@given(st.text(alphabet="0123456789:. -+\n٣", max_size=20))
def test_reading_a_duration_never_fails(text):
    duration = parse_feed_duration(text)

    assert duration is None or 0 <= duration <= MAX_MS


@pytest.mark.parametrize(
    ("url", "video_id"),
    [
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQ", "dQw4w9WgXcQ"),
        ("https://www.youtube.com/watch?t=5&v=dQw4w9WgXcQ#top", "dQw4w9WgXcQ"),
        ("http://youtu.be/dQw4w9WgXcQ?si=x", "dQw4w9WgXcQ"),
        ("https://m.youtube.com/shorts/dQw4w9WgXcQ", "dQw4w9WgXcQ"),
        ("https://www.youtube.com/live/dQw4w9WgXcQ?feature=share", "dQw4w9WgXcQ"),
        (
            "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ?enablejsapi=1",
            "dQw4w9WgXcQ",
        ),
        ("https://www.youtube.com/watch?v=short", None),
        ("https://www.youtube.com/playlist?list=dQw4w9WgXcQ", None),
        ("https://www.youtube.com.example.org/watch?v=dQw4w9WgXcQ", None),
        ("https://example.org/watch?v=dQw4w9WgXcQ", None),
        ("javascript:youtu.be/dQw4w9WgXcQ", None),
        ("http://[", None),
        ("https://www.youtube.com/watch?" + "a=1&" * 60 + "v=dQw4w9WgXcQ", None),
        ("", None),
    ],
)
def test_finds_the_video_in_a_youtube_address(url, video_id):
    assert youtube_id_of(url) == video_id


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.youtube.com/@pilot", True),
        ("https://www.youtube.com/channel/UCabc/videos", True),
        ("https://youtube.com/c/pilot", True),
        ("https://www.youtube.com/", False),
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQ", False),
        ("https://example.org/@pilot", False),
    ],
)
def test_knows_a_youtube_channel(url, expected):
    assert is_youtube_channel(url) is expected
