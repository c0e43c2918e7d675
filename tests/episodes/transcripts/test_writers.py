"""Other programs and our own reader must find in our files what we wrote."""

import io
import json
import re

import pysubs2
import pytest
import webvtt
from hypothesis import given, settings, strategies as st

from episodes.transcripts.parsed import Cue
from episodes.transcripts.readers import read_transcript
from episodes.transcripts.readers.labels import is_plausible
from episodes.transcripts.writers import write_json, write_srt, write_text, write_vtt

CUES = [
    Cue(0, 1_500, "Ada Lovelace", "Good morning & welcome."),
    Cue(1_500, 3_000, "Ada Lovelace", "Two lines\nin one cue."),
    Cue(3_000, 4_250, "Bob", "Hello."),
    Cue(35_999_000, 36_000_001, "Bob", "Ten hours later."),
]


def joined(pieces, size):
    return st.lists(pieces, max_size=size).map("".join)


MARKS = ["-->", "<v ", "</v>", "&amp;", "WEBVTT", "NOTE ", "{\\an8}", "<i>", ": ", "00:01", "\r\n"]
HOSTILE = joined(
    st.sampled_from([*MARKS, *"abAB 1:\n\t<>&;/-{}\\[]()\"'*.#_éя字🎙\0\x85\u2028\u202e\ufeff\r"])
    | st.characters(codec="utf-8"),
    15,
)
NAMES = st.sampled_from(["Ada", "Ada Lovelace", "Bob", "Speaker 1", "张三", "Ludwig van Beethoven"])
TIMES = st.integers(0, 100_000_000)
SPEECH = joined(st.sampled_from([*"abAB 1:\n.,?>", "Note: ", "Ada: ", ">> "]), 15)


def cues_of(speakers, texts):
    parts = st.lists(st.tuples(TIMES, st.integers(1, 9_000), speakers, texts), max_size=10)
    return parts.map(lambda items: [Cue(start, start + ms, name, text) for start, ms, name, text in sorted(items)])


def squashed(text):
    """Return text without the characters that no file can carry and without space."""
    return "".join(re.sub("[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text).split())


def clean(text):
    lines = re.split("\r\n?|[\n\x0b\x0c\x85\u2028\u2029]", text)
    kept = (re.sub("[^\t\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", line) for line in lines)
    return "\n".join(line for line in (" ".join(line.split()) for line in kept) if line)


def name_of(speaker):
    return " ".join(re.sub("[\u202d\u202e]", "", clean(speaker)).split())


def spoken(cues):
    """Return what a file that loses nothing holds of the cues."""
    return [(cue.start_ms, cue.end_ms, name_of(cue.speaker), clean(cue.text)) for cue in cues if clean(cue.text)]


def read(data):
    return [(cue.start_ms, cue.end_ms, cue.speaker, cue.text) for cue in read_transcript(data).cues]


def test_vtt():
    assert write_vtt(CUES[:2], note="Show & tell --> 1").decode() == (
        "WEBVTT\n\nNOTE\nShow & tell -- > 1\n\n"
        "00:00:00.000 --> 00:00:01.500\n<v Ada Lovelace>Good morning &amp; welcome.\n\n"
        "00:00:01.500 --> 00:00:03.000\n<v Ada Lovelace>Two lines\nin one cue.\n"
    )


def test_srt_names_a_speaker_where_it_changes():
    assert write_srt(CUES[:3]).decode() == (
        "1\n00:00:00,000 --> 00:00:01,500\nAda Lovelace: Good morning & welcome.\n\n"
        "2\n00:00:01,500 --> 00:00:03,000\nTwo lines\nin one cue.\n\n"
        "3\n00:00:03,000 --> 00:00:04,250\nBob: Hello.\n"
    )


def test_json():
    assert json.loads(write_json(CUES[3:])) == {
        "version": "1.0.0",
        "segments": [{"speaker": "Bob", "startTime": 35999, "endTime": 36000.001, "body": "Ten hours later."}],
    }


def test_text():
    cues = [CUES[1], Cue(None, None, "", "Untimed.")]

    assert write_text(cues).decode() == "[00:00:01] Ada Lovelace: Two lines in one cue.\n\nUntimed.\n"


@pytest.mark.parametrize("write", [write_vtt, write_srt, write_json])
def test_cues_without_a_start_are_left_out(write):
    assert write([Cue(None, None, "Ada", "Hello."), *CUES]) == write(CUES)


@pytest.mark.parametrize("write", [write_vtt, write_srt, write_json])
def test_a_cue_lasts_at_least_a_millisecond(write):
    assert read(write([Cue(5_000, 4_000, "Ada", "Hello.")])) == [(5_000, 5_001, "Ada", "Hello.")]


@pytest.mark.parametrize("write", [write_vtt, write_srt, write_json])
def test_a_cue_without_an_end_lasts_until_the_next(write):
    cues = [Cue(1_000, None, "Ada", "Hello."), Cue(1_500, None, "Ada", "And goodbye.")]

    assert [cue[:2] for cue in read(write(cues))] == [(1_000, 1_500), (1_500, 2_500)]


@pytest.mark.parametrize("write", [write_vtt, write_srt, write_json])
def test_no_cues(write):
    assert write([]).decode() in {
        "WEBVTT\n",
        "",
        '{"version": "1.0.0", "segments": []}\n',
        '{\n "version": "1.0.0",\n "segments": []\n}\n',
    }


@pytest.mark.parametrize("write", [write_vtt, write_srt, write_json, write_text])
def test_files_have_plain_line_ends_and_a_last_one(write):
    data = write([Cue(0, 1, "Ada\r\nB", "a\r\nb\rc\u2028d")])

    assert data.endswith(b"\n")
    assert b"\r" not in data
    assert "\u2028" not in data.decode()


def test_webvtt_py_reads_our_vtt():
    captions = webvtt.from_buffer(io.StringIO(write_vtt(CUES, note="From the archive").decode()))

    found = [(caption.start, caption.end, caption.voice, caption.text) for caption in captions]
    assert found[0] == ("00:00:00.000", "00:00:01.500", "Ada Lovelace", "Good morning &amp; welcome.")
    assert found[1][2:] == ("Ada Lovelace", "Two lines\nin one cue.")
    assert found[3][:2] == ("09:59:59.000", "10:00:00.001")


@pytest.mark.parametrize(("write", "kind"), [(write_vtt, "vtt"), (write_srt, "srt")])
def test_pysubs2_reads_our_files(write, kind):
    found = pysubs2.SSAFile.from_string(write(CUES).decode(), format_=kind)

    assert [(event.start, event.end) for event in found] == [(cue.start_ms, cue.end_ms) for cue in CUES]
    assert [event.plaintext.splitlines()[-1].split(": ")[-1] for event in found][1:] == [
        cue.text.splitlines()[-1] for cue in CUES[1:]
    ]


@given(cues_of(HOSTILE, HOSTILE))
@settings(max_examples=200, deadline=None)
def test_webvtt_py_finds_every_cue(cues):
    captions = webvtt.from_buffer(io.StringIO(write_vtt(cues).decode()))

    assert [caption.start_in_seconds for caption in captions] == [start // 1000 for start, _, _, _ in spoken(cues)]


@given(cues_of(HOSTILE, HOSTILE))
@settings(max_examples=200, deadline=None)
def test_pysubs2_finds_every_cue(cues):
    found = pysubs2.SSAFile.from_string(write_srt(cues).decode() or "\n", format_="srt")

    assert [(event.start, event.end) for event in found] == [(start, end) for start, end, _, _ in spoken(cues)]


@pytest.mark.parametrize("write", [write_vtt, write_json])
@given(cues=cues_of(HOSTILE, HOSTILE))
@settings(max_examples=300, deadline=None)
def test_our_reader_finds_the_same(write, cues):
    assert read(write(cues)) == spoken(cues)


@given(cues_of(HOSTILE, HOSTILE))
@settings(max_examples=300, deadline=None)
def test_srt_keeps_times_and_order_of_any_cues(cues):
    if spoken(cues):
        assert [cue[:2] for cue in read(write_srt(cues))] == [cue[:2] for cue in spoken(cues)]


@given(cues_of(st.just("") | NAMES, SPEECH))
@settings(max_examples=400, deadline=None)
def test_srt_keeps_names_and_speech(cues):
    if not spoken(cues):
        return
    found, written = read(write_srt(cues)), spoken(cues)

    assert [cue[:3] for cue in found] == [cue[:3] for cue in written]
    assert [squashed(cue[3]) for cue in found] == [squashed(cue[3]) for cue in written]


@given(cues_of(NAMES, st.sampled_from(["Hello.", "So it goes.", "Note: this."])))
@settings(max_examples=100, deadline=None)
def test_text_keeps_names_and_seconds(cues):
    if not cues:
        return
    found = read(write_text(cues))

    assert [cue[0] for cue in found] == [cue.start_ms // 1000 * 1000 for cue in cues]
    assert [cue[2:] for cue in found] == [(cue.speaker, cue.text) for cue in cues]


def test_a_speaker_that_ends_in_dashes_makes_no_arrow():
    assert read(write_vtt([Cue(0, 1, "--", "-->")])) == [(0, 1, "--", "-->")]


def test_names_of_the_tests_are_plausible():
    assert all(map(is_plausible, ["Ada", "Speaker 1", "张三", "Ludwig van Beethoven"]))
