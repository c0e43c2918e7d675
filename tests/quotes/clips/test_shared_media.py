"""Cuts of larger media that another script makes, with a 16-bit code in a strip at the top."""

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings

from episodes.ffmpeg import MediaRefused, probe, remux
from quotes.clips import ClipRequest, Kind, render_clip
from quotes.clips.grid import snap
from tests.media import MediaMaker, heard_from_ms, seen_frames

SCRIPT = settings.BASE_DIR.parent / "shared/tools/make_media.sh"
pytestmark = pytest.mark.skipif(not SCRIPT.exists(), reason="the script that makes shared media is not here")

EDIT_MS = 3300
FILMS = {  # start and end of the cut, and the width of the code by that of the picture
    "episode.mp4": (12_370, 14_010, "2/3"),
    "ntsc.mp4": (6370, 7710, "416/640"),
    "vfr.mp4": (5390, 6300, "416/640"),
    "editlist.mp4": (2370, 3710, "2/3"),
    "noaudio.mp4": (9370, 10_010, "2/3"),
    "portrait.mp4": (1370, 2310, "2/3"),
    "rotated.mp4": (4370, 5010, None),
    "uhd.mp4": (370, 1010, "2/3"),
    "surround_10bit.mkv": (1370, 2310, "416/640"),
    "video.webm": (1370, 2310, "416/640"),
    "offset.ts": (5370, 6310, "2/3"),
}
SOUNDS = {"cbr.mp3": 0, "vbr.mp3": 0, "vbr_noxing.mp3": -23, "audio.m4a": 0, "audio.flac": 0, "cover.mp3": 0}
OPUS_MS = 7  # see test_cuts.py
REFUSED = {
    "truncated.mp4": "truncated",
    "nomoov.mp4": "no_index",
    "empty.mp4": "empty",
    "noise.mp4": "unknown",
    "page.mp4": "web_page",
    "playlist.mp4": "playlist",
    "ffconcat.mp4": "playlist",
}


@pytest.fixture(scope="session")
def maker(programs, media):
    """The ffmpeg that makes the media, and then cuts them."""
    return MediaMaker(media.folder / f"by-{Path(programs.ffmpeg).name}", programs.ffmpeg)


@pytest.fixture(scope="session")
def shared(maker):
    """The folder of what the script makes with one ffmpeg, made once for all processes of this run."""
    folder = maker.folder / "shared"
    with maker.alone("shared"):
        if not folder.exists():
            new = maker.folder / "new-shared"
            command = ["bash", str(SCRIPT), str(new), "core", "odd", "audio", "hostile"]
            environment = os.environ | {"FFMPEG": maker.ffmpeg}
            subprocess.run(command, env=environment, capture_output=True, check=True)  # noqa: S603
            new.rename(folder)
    return folder


@pytest.mark.parametrize("name", FILMS)
def test_its_films_are_cut_to_the_frame_and_the_sample(programs, maker, shared, tmp_path, name):
    start_ms, end_ms, width = FILMS[name]
    source = shared / name
    probed = probe(source, programs)
    if probed.needs_remux:
        source = tmp_path / "remuxed.mp4"
        probed = remux(shared / name, source, probed, programs=programs)

    clip = render_clip(ClipRequest(source, probed, Kind.VIDEO, start_ms, end_ms), tmp_path, programs=programs)

    span = snap(start_ms, end_ms, probed.video)
    before = round(EDIT_MS * probed.video.fps / 1000) if name == "editlist.mp4" else 0
    wanted = [number + before for number in range(span.first, span.first + span.count)]
    if width:  # the rotated one has its code along an edge that is now at the side
        seen = seen_frames(programs.ffmpeg, clip.path, bits=16, bars=f"iw*{width}:ih/40:0:ih/80")
        assert seen == [_shown(number, name) for number in wanted]
    assert clip.duration_ms == pytest.approx(span.length_ms, abs=100)
    if probed.audio:
        late_ms = OPUS_MS if name == "video.webm" and maker.is_old else 0
        begins_ms = float(wanted[0] / probed.video.fps * 1000) + late_ms
        assert _heard(programs, clip, begins_ms, shared) == pytest.approx(begins_ms, abs=1)


@pytest.mark.parametrize("name", SOUNDS)
def test_its_sounds_are_cut_to_the_millisecond(programs, shared, tmp_path, name):
    source = shared / name

    request = ClipRequest(source, probe(source, programs), Kind.AUDIO, 12_370, 14_010)
    clip = render_clip(request, tmp_path, programs=programs)

    assert _heard(programs, clip, 12_370, shared) == pytest.approx(12_370 + SOUNDS[name], abs=1)


@pytest.mark.parametrize("name", REFUSED)
def test_its_hostile_files_are_refused(programs, shared, name):
    with pytest.raises(MediaRefused) as refused:
        probe(shared / name, programs)

    assert refused.value.code == REFUSED[name]


def test_its_odd_names_are_only_names(programs, shared):
    names = sorted((shared / "names").iterdir())
    probed = [replace(probe(path, programs), bytes=0) for path in names]

    assert len(names) == 5
    assert len(set(probed)) == 1


def _heard(programs, clip, about_ms, shared):
    return heard_from_ms(programs.ffmpeg, clip.path, about_ms, shared / "voice.wav", window_ms=250)


def _shown(number, name):
    """Return which frame stands still where the film of variable rate has none."""
    while name == "vfr.mp4" and (number % 7 == 3 or number % 11 == 5 or 150 <= number <= 165):
        number -= 1
    return number
