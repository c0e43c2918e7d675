"""Squares of our own pictures, of one size, around the place to look at."""

from typing import IO

from PIL import Image, ImageOps

FORMATS = ("JPEG", "PNG", "WEBP")


def crop_square(file: IO[bytes], side: int, focal_x: int = 50, focal_y: int = 50) -> Image.Image:
    """Return a picture as a square of so many pixels, in RGB or RGBA; the focal point is in percent.

    A large JPEG is decoded at a half, a quarter or an eighth of its size where that is enough.
    Raises OSError where the file is none of our formats.
    """
    with Image.open(file, formats=FORMATS) as image:
        image.draft("RGB", (side, side))
        has_alpha = image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
        whole = image.convert("RGBA" if has_alpha else "RGB")
    whole.info.clear()
    return ImageOps.fit(whole, (side, side), Image.Resampling.LANCZOS, centering=(focal_x / 100, focal_y / 100))
