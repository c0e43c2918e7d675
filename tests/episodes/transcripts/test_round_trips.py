"""What other programs read back from our files is what we hold: cues, times, texts and speakers."""

import io
import json
from dataclasses import replace
from html import unescape

import pysubs2
import pytest
import srt
import webvtt
from django.conf import settings

from episodes.transcripts.parsed import Cue
from episodes.transcripts.readers import read_transcript
from episodes.transcripts.writers import write_srt, write_vtt

FOLDER = settings.BASE_DIR.parent / "shared/data/transcripts"
EXPECTED_FILE = FOLDER / "expected.json"
NAMES = list(json.loads(EXPECTED_FILE.read_text(encoding="utf-8"))) if EXPECTED_FILE.exists() else []

OURS = [
    Cue(0, 1_500, "Ada Lovelace", "Good morning & welcome to the Q&A, R&D included."),
    Cue(1_500, 3_000, "Ada Lovelace", "Two lines\nin one cue, “quoted”; 40% of it - done."),
    Cue(3_000, 4_250, "Łucja Ørsted", "Grüße, 東京, здравствуйте 🎙"),
    Cue(35_999_000, 36_000_001, "Bob", "Ten hours later: a <b>bold</b> claim?"),
]


def clock_ms(clock: str) -> int:
    hours, minutes, seconds = clock.split(":")
    return round((int(hours) * 3600 + int(minutes) * 60 + float(seconds)) * 1000)


def by_webvtt_py(cues):
    """Read our VTT with webvtt-py, which leaves entities as they are."""
    found = webvtt.from_buffer(io.StringIO(write_vtt(cues).decode()))
    return [(clock_ms(one.start), clock_ms(one.end), unescape(one.voice or ""), unescape(one.text)) for one in found]


def by_pysubs2(data: bytes, kind: str):
    found = pysubs2.SSAFile.from_string(data.decode() or "\n", format_=kind)
    return [(one.start, one.end, one.plaintext) for one in found]


def by_srt(data: bytes):
    return [(ms(one.start), ms(one.end), one.content) for one in srt.parse(data.decode())]


def ms(delta) -> int:
    return round(delta.total_seconds() * 1000)


def with_labels(cues):
    """Return what an SRT shows: the name where the speaker changes, then the words."""
    before = ""
    for cue in cues:
        label = f"{cue.speaker}: " if cue.speaker and cue.speaker != before else ""
        yield cue.start_ms, cue.end_ms, f"{label}{cue.text}"
        before = cue.speaker


def check(cues) -> None:
    plain = [(cue.start_ms, cue.end_ms, cue.text) for cue in cues]
    vtt, subrip = write_vtt(cues), write_srt(cues)

    assert by_webvtt_py(cues) == [(cue.start_ms, cue.end_ms, cue.speaker, cue.text) for cue in cues]
    assert [(*times, unescape(text)) for *times, text in by_pysubs2(vtt, "vtt")] == plain
    assert by_srt(subrip) == list(with_labels(cues))
    assert by_pysubs2(subrip, "srt") == list(with_labels(cues))


def test_other_programs_read_our_files_as_we_hold_them():
    check(OURS[:3])


def test_in_srt_a_space_keeps_speech_from_being_a_tag():
    written = write_srt(OURS)

    assert by_srt(written)[-1] == (35_999_000, 36_000_001, "Bob: Ten hours later: a < b>bold< /b> claim?")
    assert by_webvtt_py(OURS)[-1][-1] == OURS[-1].text


@pytest.mark.skipif(not NAMES, reason="the shared transcripts are not here")
@pytest.mark.parametrize("name", NAMES)
def test_real_transcripts_come_back_as_we_hold_them(name):
    parsed = read_transcript((FOLDER / name).read_bytes(), filename=name).without_empty_cues()
    timed = [cue for cue in parsed.cues if cue.start_ms is not None and cue.end_ms is not None]
    check([replace(cue, end_ms=max(cue.end_ms, cue.start_ms + 1)) for cue in timed])  # no file holds a cue of no length
