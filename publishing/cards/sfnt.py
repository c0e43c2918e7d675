"""What a font file can draw, read from its tables: OpenType 1.9, ``cmap`` formats 4 and 12, and ``fvar``."""

import struct
from pathlib import Path
from typing import IO

UNICODE = {(3, 10): 0, (0, 6): 1, (0, 4): 2, (3, 1): 3, (0, 3): 4}  # platform and encoding, best first


class NoFont(ValueError):
    """The file is no font that we can read."""


def read_font(path: Path, index: int = 0) -> tuple[frozenset[int], tuple[str, ...]]:
    """Return the characters that a font has glyphs for, and the tags of its axes in their order.

    ``index`` counts the fonts of a collection. Raises NoFont, also for a file that cannot be opened.
    """
    try:
        with path.open("rb") as file:
            tables = _tables(file, index)
            axes = _axes(_table(file, tables, b"fvar")) if b"fvar" in tables else ()
            return _characters(_table(file, tables, b"cmap")), axes
    except (OSError, struct.error, KeyError, IndexError) as unread:
        raise NoFont(f"{path} is no font that can be read") from unread


def _tables(file: IO[bytes], index: int) -> dict[bytes, tuple[int, int]]:
    start = 0
    if file.read(4) == b"ttcf":
        _version, count = struct.unpack(">II", file.read(8))
        start = struct.unpack(f">{count}I", file.read(4 * count))[index]
    file.seek(start + 4)
    (count,) = struct.unpack(">H6x", file.read(8))
    records = struct.iter_unpack(">4sIII", file.read(16 * count))
    return {tag: (offset, length) for tag, _checksum, offset, length in records}


def _table(file: IO[bytes], tables: dict[bytes, tuple[int, int]], tag: bytes) -> bytes:
    offset, length = tables[tag]
    file.seek(offset)
    return file.read(length)


def _axes(fvar: bytes) -> tuple[str, ...]:
    first, _reserved, count, size = struct.unpack(">4H", fvar[4:12])
    return tuple(fvar[first + n * size :][:4].decode("ascii", "replace") for n in range(count))


def _characters(cmap: bytes) -> frozenset[int]:
    (count,) = struct.unpack(">2xH", cmap[:4])
    records = struct.iter_unpack(">HHI", cmap[4 : 4 + 8 * count])
    offsets = {UNICODE[key]: offset for *encoding, offset in records if (key := tuple(encoding)) in UNICODE}
    if not offsets:
        return frozenset()
    table = cmap[offsets[min(offsets)] :]
    (kind,) = struct.unpack(">H", table[:2])
    return frozenset(_format_12(table) if kind == 12 else _format_4(table) if kind == 4 else ())


def _format_12(table: bytes) -> set[int]:
    (count,) = struct.unpack(">12xI", table[:16])
    found: set[int] = set()
    for first, last, glyph in struct.iter_unpack(">III", table[16 : 16 + 12 * count]):
        found.update(range(first + (glyph == 0), min(last, 0x10FFFF) + 1))
    return found


def _format_4(table: bytes) -> set[int]:
    count = struct.unpack(">6xH", table[:8])[0] // 2
    ends, starts, deltas, offsets = (
        struct.unpack(f">{count}H", table[place : place + 2 * count])
        for place in (14, 16 + 2 * count, 16 + 4 * count, 16 + 6 * count)
    )
    found = set()
    for n in range(count):
        for character in range(starts[n], ends[n] + 1):
            if offsets[n]:
                place = 16 + 6 * count + 2 * n + offsets[n] + 2 * (character - starts[n])
                (glyph,) = struct.unpack(">H", table[place : place + 2])
            else:
                glyph = (character + deltas[n]) & 0xFFFF
            if glyph:
                found.add(character)
    return found - {0xFFFF}
