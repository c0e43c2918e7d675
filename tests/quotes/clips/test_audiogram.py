import math
from array import array
from fractions import Fraction

import pytest
from PIL import Image

from episodes.ffmpeg import probe
from quotes.clips import CardText, ClipRequest, Kind, Word, audiogram, make_watermark, render_clip
from quotes.clips.audiogram import (
    ACCENT,
    BARS,
    CARD,
    DIM,
    EDGE,
    STRIP_HEIGHT,
    STRIP_TOP,
    draw_pictures,
    levels,
    strips_for,
)
from tests.media import corner, heard_from_ms

MIDDLE = STRIP_TOP + STRIP_HEIGHT // 2
TRAPS = ["it's 100% [done]; a:b,c=d", r"{\b1}loud\N C:\new", "日本語 العربية हिन्दी 🎧", "%{pts} $HOME `x`", "'" * 9]


def words(text):
    return [Word(word, 1000 + 300 * place, 1200 + 300 * place) for place, word in enumerate(text.split())]


def request_of(programs, source, end_ms=3400, **fields):
    return ClipRequest(source, probe(source, programs), Kind.AUDIOGRAM, 1000, end_ms, **fields)


def test_bars_are_measured_against_the_loudest():
    quiet, loud = ([round(power * math.sin(place / 3)) for place in range(4000)] for power in (100, 1000))

    heights = levels(array("h", quiet + loud).tobytes(), bars=8)

    assert heights[-1] == pytest.approx(1, abs=0.01)
    assert heights[0] == pytest.approx(0.1, abs=0.01)


@pytest.mark.parametrize("sound", [b"", b"\x00", bytes(4000), array("h", [-32768] * 300).tobytes()])
def test_any_sound_has_bars(sound):
    heights = levels(sound)

    assert len(heights) == BARS
    assert all(0 <= height <= 1 for height in heights)


def test_the_card_holds_the_dim_bars_and_the_strips_both(tmp_path):
    (strip,) = strips_for(Fraction(9))

    draw_pictures(tmp_path, CardText("Ada Okafor", "The grid", "Signal Path"), [1.0] * BARS, [strip], None)

    card, bright = Image.open(tmp_path / CARD).convert("RGB"), Image.open(tmp_path / strip.bright).convert("RGB")
    assert card.getpixel((EDGE + 2, MIDDLE)) == tuple(bytes.fromhex(DIM[1:]))
    assert bright.getpixel((2, STRIP_HEIGHT // 2)) == tuple(bytes.fromhex(ACCENT[1:]))


def test_an_audiogram_plays_the_sound_and_shows_how_far_it_is(programs, media, tmp_path):
    mark = tmp_path / "whole.png"
    mark.write_bytes(make_watermark(text="Pullquote").png)
    request = request_of(
        programs, media.get("cbr.mp3"), watermark=mark, words=words("We put it there."), card=CardText("Ada Okafor")
    )
    told = []

    clip = render_clip(request, tmp_path, progress=told.append, programs=programs)

    assert (clip.width, clip.height, clip.kind) == (1280, 720, Kind.AUDIOGRAM)
    assert clip.duration_ms == pytest.approx(2400, abs=100)
    assert heard_from_ms(programs.ffmpeg, clip.path, 1000, media.get("noise.wav")) == pytest.approx(1000, abs=1)
    assert told == sorted(set(told))
    bars = bytes(corner(programs.ffmpeg, clip.path, (1120, 2, EDGE, MIDDLE)))
    assert max(bars[-3 * 400 :]) < 0xA0, "the right end is lit from the start"


@pytest.mark.parametrize("text", TRAPS)
def test_no_text_breaks_it(any_programs, media, tmp_path, text):
    card = CardText(text, text, text)
    request = request_of(
        any_programs, media.get("plain.m4a"), 1600, words=words(text), card=card, title=text, page_url=text
    )

    assert render_clip(request, tmp_path, programs=any_programs).bytes > 1000


def test_captions_are_in_the_picture(programs, media, tmp_path):
    box = (1100, 200, 80, 260)
    shown = {}
    for name, text in {"with": "Words", "without": ""}.items():
        (tmp_path / name).mkdir()
        request = request_of(programs, media.get("plain.m4a"), 1400, words=words(text))
        clip = render_clip(request, tmp_path / name, programs=programs)
        shown[name] = max(corner(programs.ffmpeg, clip.path, box))

    assert shown["with"] > 0xC0
    assert shown["without"] < 0x30


def test_a_long_clip_is_wiped_in_parts(any_programs, media, tmp_path, monkeypatch):
    monkeypatch.setattr(audiogram, "LONGEST_WIPE", 1)

    clip = render_clip(request_of(any_programs, media.get("plain.m4a")), tmp_path, programs=any_programs)

    assert clip.duration_ms == pytest.approx(2400, abs=100)
    assert (tmp_path / "bright2.png").exists()
