"""The bytes of a card."""

import io

from PIL import Image

MOST_BYTES = 300_000  # messengers drop larger pictures


def png_bytes(image: Image.Image) -> bytes:
    """Return a PNG; one of 256 colours where all of them would take too many bytes."""
    whole = _saved(image)
    if len(whole) <= MOST_BYTES:
        return whole
    return _saved(image.quantize(256, Image.Quantize.FASTOCTREE))


def _saved(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=6)
    return file.getvalue()
