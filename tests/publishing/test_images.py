"""Pictures from outside: what is taken, what is refused, and what is left of them."""

import io
import struct
import zlib

import pytest
from django.core.exceptions import ValidationError
from PIL import Image, ImageCms, ImageDraw

from publishing.images import read_image

RED, BLUE = (200, 30, 30), (30, 30, 200)
SECRET = b"canary-of-the-picture"


def halves(mode: str = "RGB", size: tuple[int, int] = (64, 32)) -> Image.Image:
    """Return a picture that is red on the left and blue on the right."""
    image = Image.new("RGB", size, RED)
    ImageDraw.Draw(image).rectangle((size[0] // 2, 0, *size), fill=BLUE)
    return image.convert(mode)


def saved(image: Image.Image, format: str, **options) -> bytes:
    file = io.BytesIO()
    image.save(file, format, **options)
    return file.getvalue()


def read(data: bytes) -> tuple[Image.Image, bytes, str]:
    done = read_image(io.BytesIO(data))
    image = Image.open(io.BytesIO(done.data))
    assert image.size == (done.width, done.height)
    return image, done.data, done.extension


def near(image: Image.Image, place: tuple[int, int], colour: tuple[int, int, int], within: int = 30) -> bool:
    return all(abs(a - b) <= within for a, b in zip(image.convert("RGB").getpixel(place), colour, strict=True))


def png_header(width: int, height: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"\0" * 1000)
    chunks = [(b"IHDR", head), (b"IDAT", body), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


@pytest.mark.parametrize(("format", "extension"), [("JPEG", "jpg"), ("PNG", "png"), ("WEBP", "webp")])
def test_three_formats_keep_theirs(format, extension):
    image, _data, found = read(saved(halves(), format))

    assert (image.format, found) == (format, extension)
    assert near(image, (10, 10), RED)
    assert near(image, (54, 10), BLUE)


@pytest.mark.parametrize(
    ("orientation", "red_at"),
    [
        (1, (2, 16)),
        (2, (60, 16)),
        (3, (60, 16)),
        (4, (2, 16)),
        (5, (16, 2)),
        (6, (16, 2)),
        (7, (16, 60)),
        (8, (16, 60)),
    ],
)
def test_a_turned_photograph_stands_upright(orientation, red_at):
    exif = Image.Exif()
    exif[0x0112] = orientation

    image, _data, _extension = read(saved(halves(), "JPEG", exif=exif))

    assert near(image, red_at, RED)
    assert not image.getexif()


def test_what_a_camera_and_others_wrote_into_it_is_gone():
    exif = Image.Exif()
    exif[0x010E] = SECRET.decode()
    exif.get_ifd(0x8825)[1] = "N"
    with_exif = saved(halves(), "JPEG", exif=exif, comment=SECRET) + b"PK\x03\x04" + SECRET

    _image, data, _extension = read(with_exif)

    assert SECRET not in data
    assert b"Exif" not in data


def test_clear_parts_stay_clear():
    image = halves("RGBA")
    image.putpixel((0, 0), (0, 0, 0, 0))

    for format in ("PNG", "WEBP"):
        assert read(saved(image, format))[0].convert("RGBA").getpixel((0, 0))[3] == 0
    indexed = Image.new("P", (8, 8), 0)
    indexed.putpalette([*RED, *BLUE])
    assert read(saved(indexed, "PNG", transparency=0))[0].mode == "RGBA"


def test_colours_of_print_become_those_of_screens():
    image, _data, _extension = read(saved(halves("CMYK"), "JPEG"))

    assert image.mode == "RGB"
    assert near(image, (10, 10), RED, within=45)


def swapped_profile() -> bytes:
    """Return a profile in which red is called blue, and blue red."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    return profile.replace(b"rXYZ", b"----", 1).replace(b"bXYZ", b"rXYZ", 1).replace(b"----", b"bXYZ", 1)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_colours_are_those_that_the_profile_means(mode):
    image, data, _extension = read(saved(halves(mode), "PNG", icc_profile=swapped_profile()))

    assert image.mode == "RGB" or image.getchannel("A").getextrema() == (255, 255)
    assert near(image, (10, 10), BLUE, within=60)
    assert near(image, (54, 10), RED, within=60)
    assert b"iCCP" not in data


def test_a_profile_that_is_none_is_passed_over():
    image, _data, _extension = read(saved(halves(), "PNG", icc_profile=b"no profile"))

    assert near(image, (10, 10), RED)


def test_what_is_larger_than_anybody_shows_is_made_smaller():
    image, _data, _extension = read(saved(halves(size=(4000, 1000)), "JPEG", quality=30))

    assert image.size == (3000, 750)


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
EPS = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n(x) run\nshowpage\n%%EOF\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GIF89a",
        SVG,
        EPS,
        b"<html>no picture</html>",
        b"%PDF-1.4",
        b"8BPS\0\1" + b"\0" * 40,
        saved(halves(), "GIF"),
        saved(halves(), "TIFF"),
        saved(halves(), "BMP"),
        saved(halves(), "ICO"),
        saved(halves(), "PCX"),
        saved(halves(), "TGA"),
        saved(halves(size=(400, 400)), "JPEG")[:-900],
        saved(halves(size=(400, 400)).effect_spread(9), "PNG")[:-900],
        saved(halves(size=(400, 400)).effect_spread(9), "WEBP")[:-900],
        saved(halves(), "JPEG")[:20],
    ],
)
def test_what_is_no_whole_picture_of_the_three_is_refused(data):
    with pytest.raises(ValidationError) as refused:
        read_image(io.BytesIO(data))

    assert refused.value.code == "image_format"


@pytest.mark.parametrize("size", [(50_000, 50_000), (12_000, 12_000), (65_535, 1_000)])
def test_a_bomb_is_refused_by_its_header(size):
    with pytest.raises(ValidationError) as refused:
        read_image(io.BytesIO(png_header(*size)))

    assert refused.value.code in {"image_pixels", "image_format"}


def test_what_is_too_many_bytes_is_refused():
    with pytest.raises(ValidationError) as refused:
        read_image(io.BytesIO(b"\xff\xd8" + b"\0" * (15 * 1024 * 1024)))

    assert refused.value.code == "image_bytes"
