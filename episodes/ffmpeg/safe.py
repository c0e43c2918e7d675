"""Arguments that stand before a file which came from outside.

The list of protocols alone let a playlist and a script named ``.mp4`` read the files beside
them; with the list of formats neither is opened at all.
"""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mp3,aac,ogg,flac,wav"
SAFE = ("-protocol_whitelist", "file", "-format_whitelist", FORMATS)
BASE = ("-hide_banner", "-nostdin", "-v", "error", "-y", "-progress", "pipe:1", "-nostats")


def safe_input(source: Path) -> list[str]:
    """Return the arguments that open an untrusted file, whatever its name looks like."""
    return [*SAFE, "-i", f"file:{source.absolute()}"]


def cut_input(source: Path, start: Fraction, length: Fraction | None = None) -> list[str]:
    """Return the arguments that open a part of an untrusted file; seconds, as fractions.

    The seek stands before ``-i``: it costs the same at any depth, and is exact when re-encoded.
    """
    seek = ["-ss", seconds(start)] if start > 0 else []
    return [*SAFE, *seek, *(["-t", seconds(length)] if length else []), "-i", f"file:{source.absolute()}"]


def seconds(value: Fraction) -> str:
    """Return seconds with six decimals, as ffmpeg counts microseconds."""
    return f"{float(value):.6f}"


def only(*indexes: int | None) -> Iterable[str]:
    """Yield ``-map`` for the streams of the first input that there are."""
    for index in indexes:
        if index is not None:
            yield from ("-map", f"0:{index}")
