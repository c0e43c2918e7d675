"""The mark in the corner of a clip: the site's picture, or its text in our typeface."""

import io
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO

from PIL import Image, ImageFilter

from publishing.images import read_image

from .lettering import Line, blank

DESIGN = 1
WIDTH, HEIGHT = 480, 160  # the most, drawn for a clip of 1440 lines and made smaller for others
LINES = 1440
TEXT_SIZES = range(52, 31, -4)  # the largest in which the text fits; in the last it is cut
SHADOW = 6  # pixels of blur, so that white letters can be read on snow
OPACITY = 0.85


@dataclass(frozen=True)
class Watermark:
    """A mark as PNG, and the key of what it was made from."""

    png: bytes
    key: str


def watermark_key(text: str, image: bytes | None = None) -> str:
    """Return the key of a mark without drawing it; another text, picture or design has another."""
    about = b"image\0" + image if image else b"text\0" + text.encode()
    return sha256(f"{DESIGN}\0".encode() + about).hexdigest()


def make_watermark(*, text: str, image: IO[bytes] | None = None) -> Watermark:
    """Return the mark of a picture, else of a text. Raises ValidationError for what is no picture."""
    data = image.read() if image else None
    drawn = _from_image(data) if data else _from_text(text)
    out = io.BytesIO()
    drawn.save(out, format="PNG")
    return Watermark(out.getvalue(), watermark_key(text, data))


def fit_mark(watermark: Path, lines: int, target: Path) -> None:
    """Write a mark at the size for a clip whose shorter side has so many pixels."""
    with Image.open(watermark, formats=("PNG",)) as image:
        mark = image.convert("RGBA")
    size = [max(2, round(side * lines / LINES)) for side in mark.size]
    mark.resize((size[0], size[1]), Image.Resampling.LANCZOS).save(target, format="PNG")


def _from_image(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(read_image(io.BytesIO(data)).data)) as image:
        mark = image.convert("RGBA")
    factor = min(WIDTH / mark.width, HEIGHT / mark.height)
    size = max(1, round(mark.width * factor)), max(1, round(mark.height * factor))
    return mark.resize(size, Image.Resampling.LANCZOS)


def _from_text(text: str) -> Image.Image:
    line = _fitting(text)
    size = line.width + 4 * SHADOW, line.size + 4 * SHADOW
    place = 2 * SHADOW, 2 * SHADOW + round(line.size * 0.75)
    mark = blank(size)
    line.draw(mark, place, (0, 0, 0, 200))
    mark = mark.filter(ImageFilter.GaussianBlur(SHADOW / 2))
    letters = blank(size)
    line.draw(letters, place, (255, 255, 255, 255))
    letters.putalpha(letters.getchannel("A").point(lambda alpha: round(alpha * OPACITY)))
    return Image.alpha_composite(mark, letters)


def _fitting(text: str) -> Line:
    most = WIDTH - 4 * SHADOW
    lines = (Line(text, size, weight=600) for size in TEXT_SIZES)
    return next((line for line in lines if line.width <= most), Line(text, TEXT_SIZES[-1], weight=600, most_width=most))
