import random
import struct
import wave
from dataclasses import replace
from fractions import Fraction

import pytest

from episodes.ffmpeg import MediaRefused, Programs, probe, remux
from episodes.ffmpeg.refusals import LONGEST_MS, MOST_CHANNELS
from tests.ffmpegs import on_path

FILMS = ["25.mp4", "29.97.mp4", "vfr.mp4", "rotated.mp4", "hdr.mkv", "25.webm", "25.ts", "wide-pixels.mp4"]
SOUNDS = ["cbr.mp3", "vbr-no-table.mp3", "covered.mp3", "plain.m4a", "plain.flac", "opus.webm", "raw.aac", "noise.wav"]


def refusal(source, programs):
    with pytest.raises(MediaRefused) as refused:
        probe(source, programs)
    assert str(refused.value).endswith(".")
    return refused.value.code


@pytest.mark.parametrize("name", FILMS + SOUNDS)
def test_ffmpeg_alone_tells_the_same_as_ffprobe(media, name):
    programs = on_path()
    if not programs or not programs.ffprobe:
        pytest.skip("There is no ffprobe to compare with.")
    source = media.get(name)

    with_ffprobe, without = probe(source, programs), probe(source, Programs(programs.ffmpeg, None, programs.version))

    assert without.duration_ms == pytest.approx(with_ffprobe.duration_ms, abs=5)  # it prints hundredths
    assert _without_times(without) == _without_times(with_ffprobe)


def _without_times(probed):
    """Old versions do not print when a stream starts."""
    video = probed.video and replace(probed.video, start_us=0)
    return replace(probed, duration_ms=0, video=video)


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("25.mp4", {"fps": Fraction(25), "codec": "h264", "rotation": 0, "upright_size": (320, 180)}),
        ("29.97.mp4", {"fps": Fraction(30000, 1001)}),
        ("vfr.mp4", {"fps": Fraction(30)}),
        ("portrait.mp4", {"upright_size": (180, 320)}),
        ("rotated.mp4", {"width": 320, "rotation": 90, "upright_size": (180, 320)}),
        ("wide-pixels.mp4", {"width": 240, "pixel_shape": Fraction(4, 3), "upright_size": (320, 180)}),
        ("hdr.mkv", {"is_hdr": True, "pix_fmt": "yuv420p10le"}),
    ],
)
def test_the_picture_is_told(programs, media, name, looks):
    video = probe(media.get(name), programs).video

    assert {key: getattr(video, key) for key in looks} == looks


@pytest.mark.parametrize(
    ("name", "seconds", "codec"),
    [("cbr.mp3", 6, "mp3"), ("vbr-no-table.mp3", 6, "mp3"), ("plain.m4a", 6, "aac"), ("noise.wav", 6, "pcm_s16le")],
)
def test_the_length_of_a_sound_is_exact(programs, media, name, seconds, codec):
    probed = probe(media.get(name), programs)

    assert probed.duration_ms == pytest.approx(seconds * 1000, abs=60)  # an mp3 has its lead-in and whole frames
    assert (probed.video, probed.audio.codec) == (None, codec)


def test_a_cover_is_no_picture(programs, media):
    probed = probe(media.get("covered.mp3"), programs)

    assert (probed.video, probed.has_cover, probed.audio.codec) == (None, True, "mp3")


def test_a_recording_that_tells_no_length_is_measured(programs, media, tmp_path):
    source = tmp_path / "recorded.webm"
    media.run("-i", media.get("25.webm"), "-c", "copy", "-live", "1", source)

    assert probe(source, programs).duration_ms == pytest.approx(6000, abs=60)


@pytest.mark.parametrize("name", ["25.ts", "raw.aac"])
def test_what_cannot_be_cut_well_is_put_into_an_mp4(programs, media, tmp_path, name):
    probed = probe(media.get(name), programs)
    assert probed.needs_remux

    told = []
    remuxed = remux(media.get(name), tmp_path / "new.mp4", probed, progress=told.append, programs=programs)

    assert not remuxed.needs_remux
    assert remuxed.is_iso
    assert remuxed.duration_ms == pytest.approx(6000, abs=60)
    assert (remuxed.video is None) == (probed.video is None)
    assert told


# What is refused


HOSTILE = {
    b"": "empty",
    b"<!doctype html><title>404</title>": "web_page",
    b"\xef\xbb\xbf \n<html>": "web_page",
    b"<svg xmlns='http://www.w3.org/2000/svg'/>": "web_page",
    b"#EXTM3U\n#EXTINF:10,\nfilm.ts\n#EXT-X-ENDLIST\n": "playlist",
    b"ffconcat version 1.0\nfile film.mp4\n": "playlist",
    b"file 'film.mp4'\n": "playlist",
    b"<?xml version='1.0'?>\n<MPD xmlns='urn:mpeg:dash:schema:mpd:2011'></MPD>": "playlist",
    b"v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nm=audio 9 RTP/AVP 0\r\n": "playlist",
    b"1\n00:00:01,000 --> 00:00:02,000\nHello\n": "text",
    b"\x7fELF" + bytes(500): "unknown",
    b"%!PS-Adobe-3.0 EPSF-3.0\n": "text",
}


@pytest.mark.parametrize("content", HOSTILE)
def test_what_is_no_media_is_refused_in_words(any_programs, tmp_path, content):
    source = tmp_path / "film.mp4"
    source.write_bytes(content)

    assert refusal(source, any_programs) == HOSTILE[content]


@pytest.mark.parametrize(
    ("name", "code"), [("cut-off.mp4", "truncated"), ("no-index.mp4", "no_index"), ("cover-only.m4a", "cover_only")]
)
def test_what_was_cut_off_or_holds_nothing_is_refused_in_words(programs, media, name, code):
    assert refusal(media.get(name), programs) == code


def test_it_is_said_where_a_file_ends(any_programs, media):
    with pytest.raises(MediaRefused) as refused:
        probe(media.get("cut-off.mp4"), any_programs)

    assert "lasts 0:06" in str(refused.value)


@pytest.mark.parametrize("seed", range(8))
def test_noise_is_refused(any_programs, tmp_path, seed):
    source = tmp_path / "film.mp4"
    source.write_bytes(random.Random(seed).randbytes(40_000))  # noqa: S311 - noise

    assert refusal(source, any_programs) in {"unknown", "no_index", "truncated", "no_length", "nothing"}


def test_a_folder_and_a_missing_file_are_refused(any_programs, tmp_path):
    assert refusal(tmp_path, any_programs) == "missing"
    assert refusal(tmp_path / "gone.mp4", any_programs) == "missing"


@pytest.mark.parametrize(
    ("channels", "rate", "code"),
    [
        (MOST_CHANNELS, 8000, None),
        (MOST_CHANNELS + 1, 8000, "channels"),
        (255, 8000, "channels"),
        (1, 1, "sample_rate"),
    ],
)
def test_claims_that_nobody_plays_are_refused(programs, tmp_path, channels, rate, code):
    source = tmp_path / "sound.wav"
    with wave.open(str(source), "wb") as file:
        file.setparams((channels, 2, rate, 0, "NONE", ""))
        file.writeframes(bytes(2 * channels * max(rate, 200)))

    assert (refusal(source, programs) if code else probe(source, programs).audio.channels) == (code or channels)


def test_a_length_beyond_belief_is_refused(programs, tmp_path):
    """24 hours of silence, as the header of a small file has it."""
    source = tmp_path / "silence.flac"
    samples = 2 * LONGEST_MS // 1000 * 8000
    packed = (8000 << 44) | (0 << 41) | (15 << 36) | samples
    header = struct.pack(">HH3s3sQ16s", 4096, 4096, b"", b"", packed, b"")
    source.write_bytes(b"fLaC\x80\x00\x00\x22" + header + bytes(5000))

    assert refusal(source, programs) == "too_long"


def test_a_file_of_many_streams_is_refused(any_programs, media, tmp_path):
    source = tmp_path / "many.mkv"
    media.run("-i", media.get("plain.m4a"), *(["-map", "0:a"] * 33), "-c", "copy", source)

    assert refusal(source, any_programs) == "streams"
