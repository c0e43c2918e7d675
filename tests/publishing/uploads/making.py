"""Hostile files and request bodies, each made when asked for."""

import io
import struct
import wave
import zlib
from collections.abc import Iterable

from PIL import Image

BOUNDARY = "the-boundary"
CONTENT_TYPE = f"multipart/form-data; boundary={BOUNDARY}"
MEGABYTE = 1024 * 1024


def picture(
    colour=(200, 30, 30), size: tuple[int, int] = (64, 48), format: str = "JPEG", mode="RGB", **options
) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).convert(mode).save(file, format, **options)
    return file.getvalue()


def sound(seed: int = 0) -> bytes:
    """Return a fifth of a second of WAV; another seed is another file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setparams((1, 2, 8000, 0, "NONE", ""))
        writer.writeframes(b"".join(struct.pack("<h", (place * (seed + 7)) % 2000) for place in range(1600)))
    return file.getvalue()


# PNG and WebP, chunk by chunk


def png(*chunks: tuple[bytes, bytes]) -> bytes:
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def png_head(width: int, height: int, depth: int = 8, colour: int = 0) -> tuple[bytes, bytes]:
    return b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)


def deflated(size: int, data: bytes = b"\0") -> bytes:
    """Return so many bytes, deflated without ever being held."""
    packer, block = zlib.compressobj(9), data * (MEGABYTE // len(data))
    packed = [packer.compress(block) for _megabyte in range(size // MEGABYTE)]
    return b"".join([*packed, packer.compress(block[: size % MEGABYTE]), packer.flush()])


def grey_png(side: int, depth: int, *more: tuple[bytes, bytes]) -> bytes:
    """Return a whole black square."""
    lines = side * (1 + side * depth // 8)
    return png(png_head(side, side, depth), *more, (b"IDAT", deflated(lines)), (b"IEND", b""))


def webp_of(width: int, height: int, frames: int) -> bytes:
    """Return a WebP that says it is so large, of frames that are one point each."""
    single = picture(size=(1, 1), format="WEBP", lossless=True)
    point = single[single.index(b"VP8L") :]
    frame = bytes(6) + bytes(6) + bytes([10, 0, 0]) + b"\0" + point
    inside = _riff(b"VP8X", bytes([0x02, 0, 0, 0]) + _three(width - 1) + _three(height - 1))
    inside += _riff(b"ANIM", bytes(6)) + _riff(b"ANMF", frame) * frames
    return b"RIFF" + struct.pack("<I", 4 + len(inside)) + b"WEBP" + inside


def _riff(kind: bytes, data: bytes) -> bytes:
    return kind + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _three(number: int) -> bytes:
    return struct.pack("<I", number)[:3]


def jpeg_of(width: int, height: int) -> bytes:
    """Return a JPEG whose header says another size than its data."""
    whole = picture()
    start = whole.index(b"\xff\xc0") + 5
    return whole[:start] + struct.pack(">HH", height, width) + whole[start + 4 :]


# Requests


def part(name: str, data: bytes, filename: bytes | None = None, *, more: str = "") -> bytes:
    """Return one part of a form, its file name as raw bytes."""
    named = b'; filename="' + filename + b'"' if filename is not None else b""
    head = f'Content-Disposition: form-data; name="{name}"'.encode() + named + b"\r\n" + more.encode()
    return head + b"\r\n" + data


def body_of(parts: Iterable[bytes]) -> bytes:
    mark = f"--{BOUNDARY}".encode()
    return b"".join(mark + b"\r\n" + one + b"\r\n" for one in parts) + mark + b"--\r\n"


def form_parts(data: dict) -> list[bytes]:
    return [part(name, str(value).encode()) for name, value in data.items()]
