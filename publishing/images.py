"""Pictures from outside: opened only as three formats, capped, and encoded anew."""

import io
import warnings
from dataclasses import dataclass
from typing import IO

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from PIL import Image as Pillow, ImageOps

FORMATS = ("JPEG", "PNG", "WEBP")
EXTENSIONS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}
MOST_BYTES = 15 * 1024 * 1024
MOST_PIXELS = 40_000_000
LONGEST_SIDE = 3000  # pixels kept; Apple's upper bound for artwork


@dataclass(frozen=True)
class ReadImage:
    """A picture as we encoded it: bytes, file extension, width and height in pixels."""

    data: bytes
    extension: str
    width: int
    height: int


def read_image(file: IO[bytes]) -> ReadImage:
    """Return a picture decoded and encoded anew, without metadata or trailing bytes.

    Raises ValidationError saying what is wrong: too large, another format, cut off.
    """
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValidationError(_("The picture is larger than 15 MB. Save it smaller."), code="image_bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(io.BytesIO(data), formats=FORMATS) as image:
                _check_size(image)
                return _encode(image)
    except ValidationError:
        raise
    except Exception as unread:  # a hostile file makes the decoder raise nearly anything, struct.error included
        message = _("This file is no JPEG, PNG or WebP picture that can be read. Save it as one of them.")
        raise ValidationError(message, code="image_format") from unread


def _check_size(image: Pillow.Image) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        message = _("The picture has %(width)s × %(height)s pixels; 40 million are the most. Save it smaller.")
        raise ValidationError(message, "image_pixels", {"width": width, "height": height})


def _encode(image: Pillow.Image) -> ReadImage:
    kind = image.format if image.format in EXTENSIONS else "JPEG"  # MPO, of many phones, is JPEG with more behind
    upright = ImageOps.exif_transpose(image)
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    flat = upright.convert(
        "RGB" if kind == "JPEG" or upright.mode in {"CMYK", "YCbCr"} else "RGBA" if _has_alpha(upright) else "RGB"
    )
    flat.info.clear()  # comments and colour profiles would be written again
    out = io.BytesIO()
    flat.save(out, format=kind, **({"quality": 88} if kind != "PNG" else {"optimize": True}))
    return ReadImage(out.getvalue(), EXTENSIONS[kind], *flat.size)


def _has_alpha(image: Pillow.Image) -> bool:
    return image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
