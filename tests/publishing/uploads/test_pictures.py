"""Pictures that are something else, larger than they look, or carry more than a picture."""

import io
import os
import zipfile

import pytest
from django.core.exceptions import ValidationError
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import EpsImagePlugin, Image, PngImagePlugin

from episodes.fields import ImageField
from episodes.models import Image as StoredImage
from publishing.images import read_image

from .making import deflated, grey_png, jpeg_of, picture, png, png_head, sound, webp_of
from .memory import needs_proc, run_alone

MEGABYTE = 1024 * 1024
PAYLOAD = b"<script>canary()</script>"
SVG = b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
PS = b"%!PS-Adobe-3.0\n(/etc/passwd) (r) file\nshowpage\n"
PSD = b"8BPS\0\1" + bytes(6) + b"\0\3\0\0\0\1\0\0\0\1\0\10\0\3" + bytes(12) + b"\0\0" + b"\xff" * 3
HEIC = b"\0\0\0\x18ftypheic\0\0\0\0heicmif1" + bytes(64)


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("page.html", PAYLOAD)
    return file.getvalue()


SAVED = (
    *("AVIF", "BLP", "BMP", "DDS", "DIB", "EPS", "GIF", "ICNS", "ICO", "JPEG2000", "PALM", "PCX", "PDF", "PPM"),
    *("QOI", "SGI", "SPIDER", "TGA", "TIFF"),
)
MODES = {"BLP": "P", "PALM": "P", "SPIDER": "F"}
OTHERS = {
    **{name: lambda name=name: picture(format=name, mode=MODES.get(name, "RGB")) for name in SAVED},
    "MSP": lambda: picture(format="MSP", mode="1"),
    "XBM": lambda: picture(format="XBM", mode="1"),
    "SVG": lambda: SVG,
    "PS": lambda: PS,
    "PSD": lambda: PSD,
    "HEIC": lambda: HEIC,
    "FITS": lambda: b"SIMPLE  =                    T".ljust(2880),
    "WMF": lambda: b"\xd7\xcd\xc6\x9a" + bytes(80),
    "XPM": lambda: b'/* XPM */\nstatic char *x[] = {"1 1 1 1", "a c #000000", "a"};\n',
    "JXL": lambda: b"\xff\x0a" + bytes(60),
    "HTML": lambda: b"<!doctype html>" + PAYLOAD,
    "ZIP": zipped,
    "WAV": sound,
}


@pytest.fixture
def ghostscript(tmp_path, monkeypatch):
    """A program of that name, first on the PATH, that leaves a mark; returns whether it was started."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "gs"
    program.write_text(f"#!/bin/sh\necho started >> {tmp_path}/mark\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(EpsImagePlugin, "gs_binary", None)
    return (tmp_path / "mark").exists


def upload(name: str, data: bytes) -> None:
    ImageField().clean([SimpleUploadedFile(name, data), None, False, None, None])


def test_a_stock_reader_would_start_ghostscript(ghostscript):
    with pytest.raises(OSError, match="cannot identify|No such file"), Image.open(io.BytesIO(OTHERS["EPS"]())) as image:
        image.load()

    assert ghostscript()


@pytest.mark.parametrize("name", ["cover.jpg", "cover.png"])
@pytest.mark.parametrize("format", OTHERS)
def test_another_format_is_refused_whatever_it_is_called(ghostscript, format, name):
    data = OTHERS[format]()

    with pytest.raises(ValidationError) as refused:
        upload(name, data)

    assert refused.value.code == "image_format"
    assert not ghostscript()


def test_there_are_thirty_of_them():
    assert len(OTHERS) >= 30


# Larger than they look


def moving(format: str, frames: int) -> bytes:
    file = io.BytesIO()
    images = [Image.new("RGB", (64, 64), (number % 256, number // 256, 0)) for number in range(frames)]
    images[0].save(file, format, save_all=True, append_images=images[1:], duration=10)
    return file.getvalue()


BOMBS = {
    "png-50000": (lambda: grey_png(50_000, 1), "image_pixels"),
    "png-12000": (lambda: grey_png(12_000, 8), "image_pixels"),
    "png-2000000000": (lambda: png(png_head(2_000_000_000, 2_000_000_000), (b"IEND", b"")), "image_pixels"),
    "png-text": (lambda: grey_png(16, 8, (b"zTXt", b"a\0\0" + deflated(50 * MEGABYTE, b"A"))), "image_format"),
    "png-international-text": (
        lambda: grey_png(16, 8, (b"iTXt", b"a\0\1\0\0\0" + deflated(50 * MEGABYTE, b"A"))),
        "image_format",
    ),
    "png-profile": (lambda: grey_png(16, 8, (b"iCCP", b"a\0\0" + deflated(50 * MEGABYTE, b"A"))), "image_format"),
    "png-more-data": (lambda: png(png_head(16, 16), (b"IDAT", deflated(300 * MEGABYTE)), (b"IEND", b"")), ""),
    "jpeg-65535": (lambda: jpeg_of(65_535, 65_535), "image_pixels"),
    "webp-16383": (lambda: webp_of(16_383, 16_383, 2), "image_pixels"),
    "webp-16383-one": (lambda: webp_of(16_383, 16_383, 1), "image_pixels"),
    "gif-500": (lambda: moving("GIF", 500), "image_format"),
    "png-500": (lambda: moving("PNG", 500), "image_moves"),
    "webp-500": (lambda: moving("WEBP", 500), "image_moves"),
    "jpeg-cut-off": (lambda: picture(size=(4000, 3000))[:2000], "image_format"),
}
READ_ALL = """
from pathlib import Path
from django.core.exceptions import ValidationError
from publishing.images import read_image

told = {}
read_image(open(sys.argv[2], "rb"))  # whatever is loaded at the first picture is loaded
for path in sorted(Path(sys.argv[1]).iterdir()):
    before = peak()
    with path.open("rb") as file:
        try:
            read_image(file)
            code = ""
        except ValidationError as refused:
            code = refused.code
    told[path.name] = [code, peak() - before]
print(json.dumps(told))
"""


@needs_proc
def test_bombs_are_refused_by_their_header_in_little_memory(tmp_path):
    folder, plain = tmp_path / "bombs", tmp_path / "plain.png"
    folder.mkdir()
    plain.write_bytes(picture(format="PNG"))
    for name, (make, _code) in BOMBS.items():
        (folder / name).write_bytes(make())

    (folder / "zz-whole").write_bytes(picture(size=(6000, 6000), format="PNG"))  # last: the measure of the measure

    told = run_alone(READ_ALL, folder, plain)

    code, growth = told.pop("zz-whole")
    assert (code, growth > 100 * MEGABYTE) == ("", True)
    assert max(growth for _code, growth in told.values()) < 100 * MEGABYTE, told
    assert {name: code for name, (code, _growth) in told.items()} == {name: code for name, (_m, code) in BOMBS.items()}


@pytest.mark.parametrize(("height", "code"), [(4999, ""), (5000, ""), (5001, "image_pixels")])
def test_forty_million_points_are_the_most(height, code):
    lines = height * (1 + 8000 // 8)
    whole = png(png_head(8000, height, 1), (b"IDAT", deflated(lines)), (b"IEND", b""))

    try:
        refused = "" if read_image(io.BytesIO(whole)) else None
    except ValidationError as said:
        refused = said.code

    assert refused == code


# More than a picture


def with_text() -> bytes:
    text = PngImagePlugin.PngInfo()
    text.add_text("Comment", PAYLOAD.decode())
    text.add_itxt("XML:com.adobe.xmp", PAYLOAD.decode())
    return picture(format="PNG", pnginfo=text)


def with_exif(format: str) -> bytes:
    exif = Image.Exif()
    exif[0x010E] = PAYLOAD.decode()
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 36.0)})
    return picture(format=format, exif=exif)


def with_xmp(format: str) -> bytes:
    return picture(format=format, xmp=b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>" + PAYLOAD + b"</x:xmpmeta>")


CARRIERS = {
    "png-and-page": lambda: picture(format="PNG") + b"<html>" + PAYLOAD,
    "png-text": with_text,
    "png-exif": lambda: with_exif("PNG"),
    "png-own-chunk": lambda: grey_png(16, 8, (b"puNk", PAYLOAD)),
    "png-profile": lambda: picture(format="PNG", icc_profile=PAYLOAD * 30_000),
    "jpeg-and-archive": lambda: picture() + zipped(),
    "jpeg-comment": lambda: picture(comment=PAYLOAD),
    "jpeg-exif": lambda: with_exif("JPEG"),
    "jpeg-xmp": lambda: with_xmp("JPEG"),
    "jpeg-profile": lambda: picture(icc_profile=PAYLOAD * 400_000),
    "webp-exif": lambda: with_exif("WEBP"),
    "webp-xmp": lambda: with_xmp("WEBP"),
    "webp-and-page": lambda: picture(format="WEBP") + PAYLOAD,
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", CARRIERS)
def test_only_the_picture_is_kept(settings, tmp_path, name):
    settings.MEDIA_ROOT = tmp_path
    data = CARRIERS[name]()

    upload("cover.jpg", data)

    with default_storage.open(StoredImage.objects.get().file.name) as file:
        kept = file.read()
    assert PAYLOAD in data or name in {"png-profile", "jpeg-and-archive"}  # these two are deflated
    assert len(kept) < 10_000
    assert not [mark for mark in (b"canary", b"script", b"Exif", b"GPS", b"PK\x03", b"<html", b"adobe") if mark in kept]
    with Image.open(io.BytesIO(kept)) as image:
        assert not image.getexif()
        assert not {"icc_profile", "comment", "xmp", "Comment", "XML:com.adobe.xmp"} & image.info.keys()


@pytest.mark.parametrize("data", [b"GIF89a/*" + picture(format="GIF")[8:] + b"*/=1;alert(1)", b"BM=1;alert(1)//" * 9])
def test_a_script_that_looks_like_a_picture_is_none(data):
    with pytest.raises(ValidationError) as refused:
        read_image(io.BytesIO(data))

    assert refused.value.code == "image_format"
