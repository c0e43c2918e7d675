"""Pictures from outside: opened only as three formats, capped, and encoded anew."""

import io
import warnings
from dataclasses import dataclass
from typing import IO

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from PIL import Image as Pillow, ImageCms, ImageOps

FORMATS = ("JPEG", "PNG", "WEBP")
EXTENSIONS = {"JPEG": "jpg", "PNG": "png", "WEBP": "webp"}
MOST_BYTES = 15 * 1024 * 1024
MOST_PIXELS = 40_000_000
INDEXED = {"1", "P", "PA"}  # modes that cannot be scaled smoothly
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

    Raises ValidationError saying what is wrong: too large, another format, cut off, moving.
    """
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ValidationError(_("The picture is larger than 15 MB. Save it smaller."), code="image_bytes")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            with Pillow.open(io.BytesIO(data), formats=FORMATS) as image:
                _check_size(image)
                _check_still(image)
                return _encode(image)
    except ValidationError:
        raise
    except (Pillow.DecompressionBombWarning, Pillow.DecompressionBombError) as bomb:
        raise _too_large() from bomb
    except Exception as unread:  # a hostile file makes the decoder raise nearly anything, struct.error included
        message = _("This file is no JPEG, PNG or WebP picture that can be read. Save it as one of them.")
        raise ValidationError(message, code="image_format") from unread


def _check_size(image: Pillow.Image) -> None:
    width, height = image.size
    if width * height > MOST_PIXELS:
        raise _too_large()


def _too_large() -> ValidationError:
    return ValidationError(_("The picture has more than 40 million pixels. Save it smaller."), code="image_pixels")


def _check_still(image: Pillow.Image) -> None:
    """Refuse what moves. A phone's JPEG with more pictures behind it is none: only its first is meant."""
    if image.format in {"PNG", "WEBP"} and getattr(image, "is_animated", False):
        raise ValidationError(_("The picture moves. Save one frame of it as JPEG, PNG or WebP."), code="image_moves")


def _encode(image: Pillow.Image) -> ReadImage:
    kind = image.format if image.format in EXTENSIONS else "JPEG"  # MPO, of many phones, is JPEG with more behind
    mode = "RGBA" if kind != "JPEG" and _has_alpha(image) else "RGB"
    image.draft(None, (LONGEST_SIDE, LONGEST_SIDE))  # a large JPEG is decoded at a half, quarter or eighth
    upright = ImageOps.exif_transpose(image)
    if upright.mode in INDEXED:
        upright = upright.convert(mode)
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    flat = _in_srgb(upright).convert(mode)
    flat.info.clear()  # comments and colour profiles would be written again
    out = io.BytesIO()
    flat.save(out, format=kind, **({"quality": 88} if kind != "PNG" else {"optimize": True}))
    return ReadImage(out.getvalue(), EXTENSIONS[kind], *flat.size)


def _in_srgb(image: Pillow.Image) -> Pillow.Image:
    """Return the colours that browsers show without a profile; a profile that cannot be used is passed over."""
    profile = image.info.get("icc_profile")
    if not profile:
        return image
    kept = image.mode if image.mode in {"RGB", "RGBA"} else "RGB"
    try:
        given = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        return ImageCms.profileToProfile(image, given, ImageCms.createProfile("sRGB"), outputMode=kept) or image
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image


def _has_alpha(image: Pillow.Image) -> bool:
    return image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info
