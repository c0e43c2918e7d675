"""What the programs print, in both versions, read without them."""

import json
from fractions import Fraction

import pytest

from episodes.ffmpeg.answers import Told
from episodes.ffmpeg.ffmpeg_text import read_text
from episodes.ffmpeg.ffprobe_json import read_json
from episodes.ffmpeg.streams import AudioStream, Probed, VideoStream, frame_rate

NAME = "/media/episode\n  Stream #0:9: Video: h264, yuv420p, 8x8, 25 fps, 25 tbr.mp4"
BANNER = f"""Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'file:{NAME}':
  Metadata:
    title           :   Stream #0:7: Video: h264, yuv420p, 8x8, 25 fps, 25 tbr
  Duration: 01:44:48.05, start: 1.400000, bitrate: 196 kb/s
  Chapters:
    Chapter #0:0: start 0.000000, end 5.000000
  Stream #0:0[0x1](und): Video: hevc (Main 10) (hvc1 / 0x31637668), yuv420p10le(tv, bt2020nc/bt2020/arib-std-b67), \
1920x1080 [SAR 4:3 DAR 64:27], 1900 kb/s, 29.97 fps, 29.97 tbr, 30k tbn, start 1.421333 (default)
    Metadata:
      handler_name    : VideoHandler
    Side data:
      displaymatrix: rotation of -90.00 degrees
  Stream #0:1[0x2](und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, 5.1(side), fltp, 96 kb/s (default)
  Stream #0:2: Video: png, rgb24(pc, gbr/unknown/unknown), 600x600 [SAR 1:1 DAR 1:1], 90k tbr, 90k tbn (attached pic)
At least one output file must be specified
"""


def test_the_banner_of_ffmpeg_is_read():
    answer = read_text(BANNER, NAME)

    assert (answer.container, answer.is_estimate) == ("mov,mp4,m4a,3gp,3g2,mj2", False)
    assert (answer.duration_us, answer.start_us) == (6_288_050_000, 1_400_000)
    ntsc = Fraction(30000, 1001)
    assert answer.streams == [
        Told(
            index=0,
            type="video",
            codec="hevc",
            is_default=True,
            width=1920,
            height=1080,
            lowest_rate=ntsc,
            average_rate=ntsc,
            pix_fmt="yuv420p10le",
            transfer="arib-std-b67",
            rotation=90,
            pixel_shape=Fraction(4, 3),
            start_us=1_421_333,
        ),
        Told(index=1, type="audio", codec="aac", is_default=True, sample_rate=48000, channels=6),
        Told(
            index=2,
            type="video",
            codec="png",
            is_cover=True,
            width=600,
            height=600,
            lowest_rate=Fraction(90_000),
            pix_fmt="rgb24",
            transfer="unknown",
        ),
    ]


@pytest.mark.parametrize(
    ("layout", "channels"),
    [("mono", 1), ("stereo", 2), ("5.1", 6), ("7.1.4", 12), ("255 channels", 255), ("quad(side)", 4), ("odd", 0)],
)
def test_a_layout_is_a_number_of_channels(layout, channels):
    text = f"Input #0, wav, from 'x':\n  Duration: N/A\n  Stream #0:0: Audio: pcm_s16le, 8000 Hz, {layout}, s16\n"

    (stream,) = read_text(text, "x").streams

    assert stream.channels == channels


@pytest.mark.parametrize(
    ("printed", "rate"),
    [
        ("25", Fraction(25)),
        ("23.98", Fraction(24000, 1001)),
        ("59.94", Fraction(60000, 1001)),
        ("12.50", Fraction(25, 2)),
        ("16.67", Fraction(50, 3)),
        ("1k", Fraction(1000)),
    ],
)
def test_a_printed_rate_is_the_fraction_it_was(printed, rate):
    line = f"  Stream #0:0: Video: h264, yuv420p, 64x64, 25 fps, {printed} tbr, 1k tbn\n"

    (stream,) = read_text(f"Input #0, matroska,webm, from 'x':\n{line}", "x").streams

    assert stream.lowest_rate == rate


@pytest.mark.parametrize("answer", [b"", b"{}", b"{", b"\xff", b'{"format": {}, "streams": []}'])
def test_no_answer_of_ffprobe_is_none(answer):
    assert read_json(answer) is None


@pytest.mark.parametrize(
    ("lowest", "average", "rate"), [(30, 22, 30), (1000, 25, 25), (90_000, None, 30), (None, None, 30), (2, 2, 2)]
)
def test_the_rate_is_the_lowest_that_loses_nothing(lowest, average, rate):
    assert frame_rate(lowest and Fraction(lowest), average and Fraction(average)) == rate


@pytest.mark.parametrize(
    ("video", "audio"),
    [
        (VideoStream(0, "h264", 1920, 1080, Fraction(30000, 1001), rotation=90), AudioStream(1, "aac", 48000, 2)),
        (None, AudioStream(0, "mp3", 44100, 1)),
    ],
)
def test_a_probe_survives_json(video, audio):
    probed = Probed("mov,mp4", 1000, 0, 77, video, audio, has_cover=True)

    assert Probed.from_json(json.loads(json.dumps(probed.as_json()))) == probed
