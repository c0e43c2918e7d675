"""Read what ``ffmpeg -i`` prints of a file, where there is no ffprobe.

The lines are made for people, and differ a little between versions; streams stand at an
indent of two, and all that a file says of itself further in.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from .answers import Answer, Told

_INPUT = re.compile(r"^Input #0, (?P<container>[\w,]+), from ", re.MULTILINE)
_DURATION = re.compile(r"^  Duration: (?:(\d+):(\d\d):(\d\d\.\d+)|N/A)(?:, start: (-?[\d.]+))?", re.MULTILINE)
_STREAM = re.compile(r"^  Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\([^)]*\))?: (Video|Audio|\w+): (.*)$")
_ROTATION = re.compile(r"^ {6,}(?:displaymatrix|Display Matrix): rotation of (-?[\d.]+) degrees", re.IGNORECASE)
_ESTIMATE = "Estimating duration from bitrate"
_PART = re.compile(r"(?:[^,()\[\]]|\([^)]*\)|\[[^\]]*\])+")
_SIZE = re.compile(r"^(\d+)x(\d+)\b")
_SHAPE = re.compile(r"\bSAR (\d+):(\d+)")
_RATE = re.compile(r"^([\d.]+)(k?) (fps|tbr)\b")
_LAYOUTS = {"mono": 1, "stereo": 2, "downmix": 2, "quad": 4, "hexagonal": 6, "octagonal": 8, "hexadecagonal": 16}
_NTSC = [Fraction(whole * 1000, 1001) for whole in (12, 15, 24, 30, 48, 60, 120)]


def read_text(text: str, source: str) -> Answer | None:
    """Return what ffmpeg told of a file by this name, or None where it could not read it."""
    text = text.replace(source, "source")  # a name may hold line ends
    found = _INPUT.search(text)
    if not found:
        return None
    duration = _DURATION.search(text, found.end())
    return Answer(
        found["container"],
        _duration_us(duration) if duration else None,
        _us(duration[4] or "0") if duration else 0,
        list(_streams(text[found.end() :])),
        _ESTIMATE in text,
    )


def _streams(text: str) -> Iterator[Told]:
    """Yield the streams, each from its line and the rotation that stands below it."""
    lines = text.splitlines()
    places = [place for place, line in enumerate(lines) if _STREAM.match(line)]
    for place, following in pairwise([*places, len(lines)]):
        below = [match for line in lines[place + 1 : following] if (match := _ROTATION.match(line))]
        yield _stream(lines[place], -round(float(below[0][1])) % 360 if below else 0)


def _stream(line: str, rotation: int) -> Told:
    match = _STREAM.match(line)
    assert match is not None  # noqa: S101 - it was chosen by this
    parts = [part.strip() for part in _PART.findall(match[3])]
    rates = {rate[3]: _rate(rate[1], rate[2]) for part in parts if (rate := _RATE.match(part))}
    size = next((found for part in parts if (found := _SIZE.match(part))), None)
    shape = _SHAPE.search(match[3])
    is_sound = match[2] == "Audio"
    return Told(
        index=int(match[1]),
        type=match[2].lower(),
        codec=parts[0].split()[0] if parts else "",
        is_default="(default)" in parts[-1] if parts else False,
        is_cover="(attached pic)" in parts[-1] if parts else False,
        width=int(size[1]) if size else 0,
        height=int(size[2]) if size else 0,
        lowest_rate=rates.get("tbr"),
        average_rate=rates.get("fps"),
        pix_fmt="" if is_sound or len(parts) < 2 else parts[1].partition("(")[0],
        transfer=_transfer(parts),
        rotation=rotation,
        pixel_shape=Fraction(int(shape[1]), int(shape[2])) if shape and int(shape[1]) * int(shape[2]) else Fraction(1),
        start_us=next((_us(part.split()[1]) for part in parts if re.match(r"start -?\d", part)), None),
        sample_rate=next((int(part.split()[0]) for part in parts if re.match(r"\d+ Hz", part)), 0),
        channels=_channels(parts) if is_sound else 0,
    )


def _transfer(parts: list[str]) -> str:
    """Return the transfer curve from ``yuv420p10le(tv, bt2020nc/bt2020/smpte2084)``."""
    told = re.search(r"\w+/\w+/([\w-]+)", parts[1]) if len(parts) > 1 else None
    return told[1] if told else ""


def _channels(parts: list[str]) -> int:
    """Return the number of channels from the layout, which stands behind the sample rate."""
    place = next((place for place, part in enumerate(parts) if re.match(r"\d+ Hz", part)), None)
    layout = parts[place + 1].partition("(")[0].strip() if place is not None and place + 1 < len(parts) else ""
    if counted := re.match(r"(\d+) channels", layout):
        return int(counted[1])
    if re.fullmatch(r"\d+\.\d(\.\d)?", layout):
        return sum(map(int, layout.split(".")))
    return _LAYOUTS.get(layout, 0)


def _rate(text: str, thousands: str) -> Fraction | None:
    """Return a rate that was printed with two decimals as the fraction that it most likely is."""
    value = Fraction(text) * (1000 if thousands else 1)
    for likely in _NTSC:
        if value.denominator > 1 and abs(likely - value) <= Fraction(1, 200):
            return likely
    return value.limit_denominator(12) if value else None


def _duration_us(match: re.Match[str]) -> int | None:
    if match[1] is None:
        return None
    return (int(match[1]) * 3600 + int(match[2]) * 60) * 1_000_000 + _us(match[3])


def _us(text: str) -> int:
    return round(Fraction(text) * 1_000_000)
