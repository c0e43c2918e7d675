"""What libass goes by in a font: the family that it asks for, and the height that it makes of a size.

Read from the tables ``name``, ``OS/2`` and ``head`` of OpenType 1.9. Pillow tells the
typographic family and the metrics of ``hhea`` instead, and libass finds nothing under the one
and sets letters in another size by the other.
"""

import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

FAMILY = 1
MICROSOFT = 3  # the platform whose names are UTF-16; every font of today has them


@dataclass(frozen=True)
class AssFont:
    """A font to libass: its family, and the height of its line by the size of its letters."""

    family: str
    line_height: float


@lru_cache(maxsize=64)
def read_ass_font(path: Path, index: int = 0) -> AssFont:
    """Return what libass goes by in a font file, or in one font of a collection.

    Raises KeyError or struct.error for what is no font; those of cards were read before.
    """
    with path.open("rb") as file:
        tables = _tables(file, index)
        names, metrics, head = (_read(file, *tables[tag]) for tag in (b"name", b"OS/2", b"head"))
    ascent, descent = struct.unpack(">2H", metrics[74:78])
    (units,) = struct.unpack(">H", head[18:20])
    return AssFont(_family(names), (ascent + descent) / units)


def _tables(file: IO[bytes], index: int) -> dict[bytes, tuple[int, int]]:
    """Return where each table lies, and its length."""
    start = 0
    if file.read(4) == b"ttcf":
        (start,) = struct.unpack(">I", _read(file, 12 + 4 * index, 4))
    (count,) = struct.unpack(">H", _read(file, start + 4, 2))
    records = struct.iter_unpack(">4sIII", _read(file, start + 12, 16 * count))
    return {tag: (offset, length) for tag, _checksum, offset, length in records}


def _read(file: IO[bytes], offset: int, length: int) -> bytes:
    file.seek(offset)
    return file.read(length)


def _family(names: bytes) -> str:
    count, storage = struct.unpack(">2x2H", names[:6])
    for platform, _encoding, _language, kind, length, offset in struct.iter_unpack(">6H", names[6 : 6 + 12 * count]):
        if (platform, kind) == (MICROSOFT, FAMILY):
            return names[storage + offset :][:length].decode("utf-16-be")
    return ""
