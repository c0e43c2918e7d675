"""The argument lists, word by word."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from episodes.ffmpeg import AudioStream, Probed, VideoStream
from quotes.clips import arguments
from quotes.clips.arguments import Labels
from quotes.clips.audiogram import clip as audiogram_clip, strips_for
from quotes.clips.grid import snap

SOURCE = Path("/media/-i.mp4")
SAFE = [
    "-protocol_whitelist",
    "file",
    "-format_whitelist",
    "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mp3,aac,ogg,flac,wav",
]
BASE = ["-hide_banner", "-nostdin", "-v", "error", "-y", "-progress", "pipe:1", "-nostats"]
FEW_THREADS = ["-filter_complex_threads", "2", "-threads", "2"]
BITEXACT = ["-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact", "-f", "mp4"]
VIDEO = VideoStream(2, "h264", 1920, 1080, Fraction(30))
SOUND = AudioStream(1, "aac", 48000, 2)
FILM = Probed("mov,mp4,m4a,3gp,3g2,mj2", 60_000, 0, 1, VIDEO, SOUND)
LABELS = Labels(title="Ada: -i [x]", page_url="https://example.org/q/1/")


def test_a_video_clip():
    made = arguments.video_clip(SOURCE, FILM, snap(2370, 4000, VIDEO), mark=True, labels=LABELS)

    graph = (
        "[0:2]fps=30:start_time=0,scale=w='if(gte(iw,ih),-2,2*trunc(min(720,iw)/2))'"
        ":h='if(gte(iw,ih),2*trunc(min(720,ih)/2),-2)':flags=bicubic,setsar=1,format=yuv420p[b];"
        "[1:v]format=yuva420p[w];[b][w]overlay=x=W-w-24:y=H-h-24:format=yuv420:eof_action=repeat[v];"
        "[0:1]aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo,"
        "afade=t=in:d=0.01,afade=t=out:st=1.613333:d=0.02[a]"
    )
    assert made == [
        *BASE,
        *FEW_THREADS,
        *SAFE,
        *["-ss", "2.366167", "-t", "1.633333", "-i", "file:/media/-i.mp4", "-i", "mark.png", "-filter_complex"],
        graph,
        *["-map", "[v]", "-map", "[a]", "-map_metadata", "-1", "-map_chapters", "-1"],
        *("-metadata", "title=Ada: -i [x]", "-metadata", "comment=https://example.org/q/1/"),
        *["-c:v", "libx264", "-preset", "veryfast", "-crf", "21", "-profile:v", "high", "-pix_fmt", "yuv420p"],
        *[
            "-g",
            "60",
            "-maxrate",
            "5M",
            "-bufsize",
            "10M",
            "-threads",
            "2",
            "-c:a",
            "aac",
            "-b:a",
            "128k",
            "-t",
            "1.633333",
            "-movflags",
            "+faststart",
        ],
        *BITEXACT,
        "clip.mp4",
    ]


def test_a_video_clip_without_sound_and_mark():
    silent = Probed(FILM.container, 60_000, 0, 1, VIDEO, None)

    made = arguments.video_clip(SOURCE, silent, snap(0, 1000, VIDEO), mark=False, labels=Labels())

    assert "-ss" not in made
    assert not {"[a]", "-c:a", "mark.png", "-metadata"} & set(made)
    assert made[made.index("-filter_complex") + 1].endswith("format=yuv420p[v]")


def test_the_sound_of_an_mp4_is_copied():
    made = arguments.player_clip(SOURCE, FILM, Fraction(2), Fraction(3, 2), Labels())

    cut = [
        "-ss",
        "2.000000",
        "-t",
        "1.500000",
        "-i",
        "file:/media/-i.mp4",
        "-map",
        "0:1",
        "-c:a",
        "copy",
        "-map_metadata",
        "-1",
        "-map_chapters",
        "-1",
    ]
    assert made == [*BASE, *SAFE, *cut, "-movflags", "+faststart", *BITEXACT, "clip.m4a"]


@pytest.mark.parametrize(
    ("container", "codec", "channels"), [("mp3", "mp3", 2), ("matroska,webm", "aac", 2), ("mov,mp4,m4a", "aac", 6)]
)
def test_any_other_sound_is_encoded_anew(container, codec, channels):
    probed = Probed(container, 60_000, 0, 1, None, AudioStream(0, codec, 44100, channels))

    made = arguments.player_clip(SOURCE, probed, Fraction(2), Fraction(3, 2), Labels())

    filters = "aresample=48000:async=1:first_pts=0,afade=t=in:d=0.01,afade=t=out:st=1.480000:d=0.02"
    encoded = ["-map", "0:0", "-af", filters, *["-c:a", "aac", "-b:a", "96k", "-ac", "2"]]
    place = made.index("-map")
    assert made[place : place + len(encoded)] == encoded


def test_long_packets_are_not_copied():
    """At 8,000 samples a second a packet lasts 128 ms: a copy would be longer than was asked for."""
    slow = Probed("mov,mp4,m4a,3gp,3g2,mj2", 60_000, 0, 1, None, AudioStream(0, "aac", 8_000, 1))

    assert not arguments.may_copy(slow, slow.audio)


def test_the_sound_for_the_bars():
    made = arguments.peaks(SOURCE, SOUND, Fraction(2), Fraction(3, 2), 8000)

    assert made[4:] == [
        *SAFE,
        *[
            "-ss",
            "2.000000",
            "-t",
            "1.500000",
            "-i",
            "file:/media/-i.mp4",
            "-map",
            "0:1",
            "-ac",
            "1",
            "-ar",
            "8000",
            "-f",
            "s16le",
            "pipe:1",
        ],
    ]


def test_a_film_without_a_steady_rate_is_read_from_two_seconds_before():
    video = replace(VIDEO, is_steady=False)
    span = snap(2370, 4000, video)

    made = arguments.video_clip(SOURCE, replace(FILM, video=video), span, mark=False, labels=Labels())

    assert made[made.index("-ss") : made.index("-i")] == ["-ss", "0.366167", "-t", "3.633333"]
    picture, sound = made[made.index("-filter_complex") + 1].split(";")
    assert picture.startswith("[0:2]fps=30:start_time=2.000000,setpts=PTS-60,scale=")
    assert sound.startswith("[0:1]atrim=start=2.000000,asetpts=PTS-2.000000/TB,aresample=48000:async=1:first_pts=0,")


def test_an_audiogram():
    made = audiogram_clip(SOURCE, SOUND, Fraction(2), Fraction(4), captions=True, labels=Labels())

    still = "loop=-1:1:0,setpts=N/15/TB,fps=15,format=yuv420p"
    assert made[made.index("-filter_complex") + 1].split(";") == [
        f"[1:v]{still}[c0]",
        f"[2:v]{still},trim=0:5.000000[d0]",
        f"[3:v]{still},trim=0:5.000000[b0]",
        "[d0][b0]xfade=transition=wiperight:duration=4.000000:offset=0.000000[w0]",
        "[c0][w0]overlay=80:512:format=yuv420:shortest=1[c1]",
        "[c1]subtitles=captions.ass:fontsdir=fonts,trim=0:4.000000[v]",
        "[0:1]aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo,"
        "afade=t=in:d=0.01,afade=t=out:st=3.980000:d=0.02[a]",
    ]
    assert "-framerate 15 -i card.png -framerate 15 -i dim0.png -framerate 15 -i bright0.png" in " ".join(made)
    assert "-r 15 -t 4.000000 -c:v libx264 -preset veryfast -crf 21 -tune stillimage" in " ".join(made)


@pytest.mark.parametrize(("length", "count"), [(1, 1), (60, 1), (61, 2), (180, 3)])
def test_a_wipe_lasts_a_minute_at_most(length, count):
    strips = strips_for(Fraction(length))

    assert len(strips) == count
    assert (strips[0].left, strips[-1].left + strips[-1].width) == (80, 1200)
    assert all(strip.left % 2 == strip.width % 2 == 0 for strip in strips)  # chroma is halved


@pytest.mark.parametrize(
    ("width", "height", "rotation", "shape", "size"),
    [
        (1920, 1080, 0, 1, (1280, 720)),
        (1920, 1080, 90, 1, (720, 1280)),
        (1080, 1920, 0, 1, (720, 1280)),
        (640, 360, 0, 1, (640, 360)),
        (3840, 1600, 0, 1, (1728, 720)),
        (321, 181, 0, 1, (320, 180)),
        (720, 576, 0, "64/45", (1024, 576)),
        (1000, 1000, 0, 1, (720, 720)),
    ],
)
def test_the_size_of_a_clip(width, height, rotation, shape, size):
    video = VideoStream(0, "h264", width, height, Fraction(25), rotation=rotation, pixel_shape=Fraction(shape))

    assert arguments.clip_size(video) == size
