"""Cuts of films and sounds, measured to the frame and to the sample."""

import pytest

from episodes.ffmpeg import probe
from quotes.clips import ClipRequest, Kind, render_clip
from quotes.clips.grid import snap
from tests.media import EDIT_MS, KEPT, heard_from_ms, seen_frames

START_MS, END_MS = 2370, 3810  # neither on a frame
OPUS_MS = 7  # that old ffmpeg writes the picture of a WebM late, for the lead-in of Opus
FILMS = {  # size of the clip, and how many ms of the film are missing at the front
    "25.mp4": ((320, 180), 0),
    "29.97.mp4": ((320, 180), 0),
    "30.mp4": ((320, 180), 0),
    "vfr.mp4": ((320, 180), 0),
    "edited.mp4": ((320, 180), EDIT_MS),
    "portrait.mp4": ((180, 320), 0),
    "rotated.mp4": ((180, 320), 0),
    "25.webm": ((320, 180), 0),
    "25.mkv": ((320, 180), 0),
    "odd.mkv": ((320, 180), 0),
    "wide-pixels.mp4": ((320, 180), 0),
    "hdr.mkv": ((320, 180), 0),
    "silent.mp4": ((320, 180), 0),
}
SOUNDS = ["plain.m4a", "surround.m4a", "cbr.mp3", "covered.mp3", "plain.flac", "25.mp4", "noise.wav"]


def cut(programs, source, folder, kind=Kind.VIDEO, start_ms=START_MS, end_ms=END_MS):
    request = ClipRequest(source, probe(source, programs), kind, start_ms, end_ms)
    return request, render_clip(request, folder, programs=programs)


@pytest.mark.parametrize("name", FILMS)
def test_a_film_is_cut_to_the_frame_and_the_sample(programs, media, tmp_path, name):
    size, missing_ms = FILMS[name]

    request, clip = cut(programs, media.get(name), tmp_path)

    video = request.probed.video
    span = snap(START_MS, END_MS, video)
    before = round(missing_ms * video.fps / 1000)
    wanted = range(span.first + before, span.first + before + span.count)
    assert seen_frames(programs.ffmpeg, clip.path) == [_shown(number, name) for number in wanted]
    assert (clip.width, clip.height) == size
    assert clip.duration_ms == pytest.approx(span.length_ms, abs=100)
    if name != "silent.mp4":
        begins_ms = float(wanted[0] / video.fps * 1000) + (OPUS_MS if name == "25.webm" and media.is_old else 0)
        assert _heard(programs, clip, begins_ms, media) == pytest.approx(begins_ms, abs=1)


@pytest.mark.parametrize("name", SOUNDS)
def test_a_sound_is_cut_to_the_millisecond(programs, media, tmp_path, name):
    _request, clip = cut(programs, media.get(name), tmp_path, Kind.AUDIO)

    assert _heard(programs, clip, START_MS, media) == pytest.approx(START_MS, abs=1)
    assert clip.duration_ms == pytest.approx(END_MS - START_MS, abs=100)


@pytest.mark.parametrize(
    ("name", "start_ms", "frames"),
    [
        ("vfr.mp4", 2490, [73, 75, 76, 76, 76]),  # there is no frame 74
        ("slow.mp4", 2330, [4, 4, 5, 5, 5]),
        ("slow.mp4", 330, [0, 0, 1, 1, 1]),
    ],
)
def test_a_picture_that_stands_still_at_the_start_is_seen(programs, media, tmp_path, name, start_ms, frames):
    request, clip = cut(programs, media.get(name), tmp_path, start_ms=start_ms, end_ms=start_ms + 500)

    span = snap(start_ms, start_ms + 500, request.probed.video)
    assert seen_frames(programs.ffmpeg, clip.path)[: len(frames)] == frames
    begins_ms = float(span.start * 1000)
    assert _heard(programs, clip, begins_ms, media) == pytest.approx(begins_ms, abs=1)
    assert abs(clip.duration_ms - 500) <= 200


def _heard(programs, clip, about_ms, media):
    return heard_from_ms(programs.ffmpeg, clip.path, about_ms, media.get("noise.wav"))


def _shown(number, name):
    """Return which frame stands still where the film of variable rate has none."""
    while name == "vfr.mp4" and number % 10 not in KEPT:
        number -= 1
    return number
