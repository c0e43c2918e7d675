"""The mark as it would stand in the corner of a clip, for who sets it."""

import io

from PIL import Image

from . import make_watermark

SIZE = (640, 160)  # the lower right corner of 720 lines
EDGE = 24  # pixels between the mark and the corner


def corner(text: str, image: bytes | None) -> bytes:
    """Return a PNG of the mark over a ground from dark to light. Raises ValidationError for what is no picture."""
    mark_png = make_watermark(text=text, image=io.BytesIO(image) if image else None).png
    with Image.open(io.BytesIO(mark_png), formats=("PNG",)) as mark:
        small = mark.convert("RGBA").resize((max(1, mark.width // 2), max(1, mark.height // 2)))
    ground = Image.linear_gradient("L").rotate(90).resize(SIZE).convert("RGBA")
    ground.alpha_composite(small, (SIZE[0] - small.width - EDGE, SIZE[1] - small.height - EDGE))
    out = io.BytesIO()
    ground.convert("RGB").save(out, format="PNG")
    return out.getvalue()
