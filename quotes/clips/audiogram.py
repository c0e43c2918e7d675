"""A video for sound without picture: a card, bars that light up as it plays, and captions.

Pillow draws the card once with dim bars and the strips once dim and once bright; ffmpeg wipes
from one strip to the other, which costs a quarter of drawing a wave for each frame.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, sqrt
from operator import mul
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from episodes.ffmpeg import BASE, AudioStream, cut_input

from .arguments import CLIP, CRF, FEW_THREADS, PRESET, THREADS, VIDEO_SOUND, Labels, fades, seconds
from .lettering import Line, blank
from .request import CardText
from .watermark import LINES

DESIGN = 1
SIZE = WIDTH, HEIGHT = 1280, 720
RATE = 15  # frames a second
SAMPLE_RATE = 8000  # of the sound that the bars are measured on
LONGEST_WIPE = 60  # seconds that xfade can last; a longer clip has several strips side by side
CARD, CAPTIONS, FONTS = "card.png", "captions.ass", "fonts"

PAPER, INK, SOFT, ACCENT, DIM = "#14140f", "#ece9df", "#a9a598", "#fb923c", "#4a463b"
EDGE = 80
TOP = 72
ARTWORK = 152
STRIP_TOP, STRIP_HEIGHT = 512, 96
BAR, PITCH = 6, 10  # width of a bar, and from one to the next
BARS = (WIDTH - 2 * EDGE) // PITCH
LOWEST_BAR = 6


@dataclass(frozen=True)
class Strip:
    """A part of the bars that is wiped by itself: its names, place and size in pixels."""

    dim: str
    bright: str
    left: int
    width: int


def strips_for(length: Fraction) -> list[Strip]:
    """Return the strips of a clip of so many seconds, from left to right."""
    count = ceil(length / LONGEST_WIPE)
    edges = [EDGE + PITCH * (BARS * number // count) for number in range(count + 1)]
    return [
        Strip(f"dim{number}.png", f"bright{number}.png", left, right - left)
        for number, (left, right) in enumerate(pairwise(edges))
    ]


def levels(sound: bytes, bars: int = BARS) -> list[float]:
    """Return how loud each part of 16-bit mono sound is, 0 to 1; the loudest is 1."""
    samples = array("h", sound[: len(sound) // 2 * 2])
    edges = [len(samples) * number // bars for number in range(bars + 1)]
    parts = [samples[start:end] for start, end in pairwise(edges)]
    loud = [sqrt(sum(map(mul, part, part)) / len(part)) if part else 0.0 for part in parts]
    most = max(loud, default=0.0)
    return [value / most for value in loud] if most else loud


def draw_pictures(folder: Path, card: CardText, heights: Sequence[float], strips: Sequence[Strip], mark: Path | None):
    """Draw the card and its strips into a folder."""
    image = _card(card, mark)
    dim, bright = image.copy(), image.copy()
    for picture, colour in ((dim, DIM), (bright, ACCENT)):
        _draw_bars(picture, heights, colour)
    dim.save(folder / CARD)
    for strip in strips:
        box = (strip.left, STRIP_TOP, strip.left + strip.width, STRIP_TOP + STRIP_HEIGHT)
        dim.crop(box).save(folder / strip.dim)
        bright.crop(box).save(folder / strip.bright)


def clip(source: Path, sound: AudioStream, start: Fraction, length: Fraction, *, captions: bool, labels: Labels):
    """Return the arguments for ``clip.mp4`` of sound from ``start``, in seconds."""
    strips = strips_for(length)
    pictures = [CARD, *(name for strip in strips for name in (strip.dim, strip.bright))]
    inputs = [part for name in pictures for part in ("-framerate", str(RATE), "-i", name)]
    graph = [*_graph(strips, length, captions), f"[0:{sound.index}]{fades(length)}[a]"]
    return [
        *BASE,
        *FEW_THREADS,
        *cut_input(source, start, length),
        *inputs,
        *("-filter_complex", ";".join(graph), "-map", "[v]", "-map", "[a]", *labels.arguments()),
        *("-r", str(RATE), "-t", seconds(length), "-c:v", "libx264", "-preset", PRESET, "-crf", str(CRF)),
        *("-tune", "stillimage", "-pix_fmt", "yuv420p", "-threads", THREADS, "-c:a", "aac", "-b:a", VIDEO_SOUND),
        *("-movflags", "+faststart", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"),
        *("-f", "mp4", CLIP),
    ]


def _graph(strips: Sequence[Strip], length: Fraction, captions: bool) -> list[str]:
    still = f"loop=-1:1:0,setpts=N/{RATE}/TB,fps={RATE},format=yuv420p"
    each = length / len(strips)
    graph, shown = [f"[1:v]{still}[c0]"], "c0"
    for number, _strip in enumerate(strips):
        first, until = 2 + 2 * number, seconds(length + 1)
        graph += [f"[{first}:v]{still},trim=0:{until}[d{number}]", f"[{first + 1}:v]{still},trim=0:{until}[b{number}]"]
        wipe = f"xfade=transition=wiperight:duration={seconds(each)}:offset={seconds(each * number)}"
        graph.append(f"[d{number}][b{number}]{wipe}[w{number}]")
    for number, strip in enumerate(strips):
        graph.append(f"[{shown}][w{number}]overlay={strip.left}:{STRIP_TOP}:format=yuv420:shortest=1[c{number + 1}]")
        shown = f"c{number + 1}"
    written = f"subtitles={CAPTIONS}:fontsdir={FONTS}," if captions else ""
    return [*graph, f"[{shown}]{written}trim=0:{seconds(length)}[v]"]


def _card(card: CardText, mark: Path | None) -> Image.Image:
    image = blank(SIZE, PAPER)
    left = EDGE
    if card.artwork:
        image.paste(_artwork(card.artwork), (EDGE, TOP))
        left = EDGE + ARTWORK + 32
    most = WIDTH - EDGE - left
    Line(card.show, 28, weight=600, most_width=most).draw(image, (left, TOP + 28), ACCENT)
    Line(card.speaker, 56, weight=600, most_width=most).draw(image, (left, TOP + 92), INK)
    Line(card.episode, 30, most_width=most).draw(image, (left, TOP + 142), SOFT)
    if mark:
        _paste_mark(image, mark)
    return image


def _artwork(path: Path) -> Image.Image:
    with Image.open(path, formats=("JPEG", "PNG", "WEBP")) as image:
        return ImageOps.fit(image.convert("RGB"), (ARTWORK, ARTWORK), Image.Resampling.LANCZOS)


def _paste_mark(image: Image.Image, path: Path) -> None:
    with Image.open(path, formats=("PNG",)) as opened:
        mark = opened.convert("RGBA")
    mark = mark.resize(
        (mark.width * HEIGHT // LINES or 1, mark.height * HEIGHT // LINES or 1), Image.Resampling.LANCZOS
    )
    image.alpha_composite(mark, (WIDTH - EDGE - mark.width, HEIGHT - 24 - mark.height))


def _draw_bars(image: Image.Image, heights: Sequence[float], colour: str) -> None:
    draw = ImageDraw.Draw(image)
    middle = STRIP_TOP + STRIP_HEIGHT // 2
    for number, level in enumerate(heights):
        half = max(LOWEST_BAR, round(level * STRIP_HEIGHT)) // 2
        left = EDGE + PITCH * number
        draw.rounded_rectangle((left, middle - half, left + BAR - 1, middle + half - 1), BAR // 2, fill=colour)
