"""Compare the readers with the transcripts that lie beside the repository.

They keep their own licences and are not part of it; ``README.md`` in their folder
explains each key of ``expected.json``.
"""

import json

import pytest
from django.conf import settings

from episodes.transcripts.readers import read_transcript

FOLDER = settings.BASE_DIR.parent / "shared/data/transcripts"
EXPECTED_FILE = FOLDER / "expected.json"
pytestmark = pytest.mark.skipif(not EXPECTED_FILE.exists(), reason="the shared transcripts are not here")

CASES = json.loads(EXPECTED_FILE.read_text(encoding="utf-8")) if EXPECTED_FILE.exists() else {}


@pytest.fixture(scope="module", params=CASES, ids=str)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def expected(name):
    return CASES[name]


@pytest.fixture(scope="module")
def parsed(name):
    return read_transcript((FOLDER / name).read_bytes(), filename=name)


def within(count, expected, key):
    """Tell whether a count is the one expected, or lies between the least and the most."""
    exact = expected.get(key)
    least, most = expected.get(f"{key}_min", exact), expected.get(f"{key}_max", exact)
    return least is None or least <= count <= most


def times(unit):
    return {"start_ms": unit.start_ms, "end_ms": unit.end_ms}


def assert_times(unit, expected):
    """Compare both times; an end that the file lacks may be the next start."""
    assert unit.start_ms == expected["start_ms"]
    if expected["end_ms"] is not None:
        assert unit.end_ms == expected["end_ms"]


def test_every_file_is_listed():
    files = {str(path.relative_to(FOLDER)) for path in FOLDER.glob("*/*") if path.is_file()}

    assert files == set(CASES)


def test_format(parsed, expected):
    assert parsed.format == expected["format"]


def test_cues(parsed, expected):
    assert within(len(parsed.cues), expected, "cues")
    assert within(len(parsed.without_empty_cues().cues), expected, "cues_with_text")


def test_no_cue_is_read_from_invalid_lines(parsed, name):
    if name == "vtt/wpt_nulls.vtt":
        assert [cue.text.split("\n")[-1] for cue in parsed.cues] == [
            "text0",
            "text1",
            "\ufffdtext2",
            *(f"text{number}" for number in range(3, 7)),
        ]
    assert "\0" not in "".join(cue.text for cue in parsed.cues)


def test_words(parsed, expected):
    assert within(len(parsed.words), expected, "words")
    assert [word.text for word in parsed.words[: len(expected["first_words"])]] == expected["first_words"]


def test_words_are_timed(parsed, expected):
    assert parsed.word_timed == expected["word_timed"]
    if parsed.word_timed and parsed.words:
        assert any(not word.estimated for word in parsed.words)


def test_speakers(parsed, expected):
    assert list(parsed.speakers) == expected["speakers"]


def test_first_and_last_cue(parsed, expected):
    for cue, key in [(parsed.cues[:1], "first_cue"), (parsed.cues[-1:], "last_cue")]:
        if expected[key]:
            assert_times(cue[0], expected[key])


def test_first_and_last_word(parsed, expected):
    for place, key in [(0, "first_word"), (-1, "last_word")]:
        if key in expected:
            assert times(parsed.words[place]) == expected[key]


def test_language(parsed, expected):
    if "language" in expected:
        assert parsed.language == expected["language"]


def test_warnings(parsed, expected):
    if expected.get("warnings_expected"):
        assert parsed.messages
    for text in expected.get("suspicious_words", []):
        assert any(f"“{text}”" in message.text for message in parsed.messages)
    for text in expected.get("untimed_words", []):
        assert any(word.text == text and word.estimated for word in parsed.words)


def test_time_marks_within_turns(parsed, expected):
    if expected["format"] == "changelog_md":
        starts = [word.start_ms for word in parsed.words if word.start_ms is not None]
        assert (min(starts), max(starts)) == (expected["first_time_ms"], expected["last_time_ms"])


def test_words_stand_in_their_cue_in_order(parsed):
    places = [0] * len(parsed.cues)
    for word in parsed.words:
        text = "".join(parsed.cues[word.cue].text.split())
        found = text.find("".join(word.text.split()), places[word.cue])
        assert found >= 0, word
        places[word.cue] = found + 1


def test_no_time_runs_backwards(parsed):
    starts = [cue.start_ms for cue in parsed.cues if cue.start_ms is not None]

    assert starts == sorted(starts)
    assert all(unit.end_ms >= unit.start_ms for unit in (*parsed.cues, *parsed.words) if unit.end_ms is not None)
