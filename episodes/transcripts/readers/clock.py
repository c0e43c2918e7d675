"""Read the times that transcript files write, strictly or as their makers really write them."""

import re

STRICT = r"(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}"
LOOSE = r"(?:\d{1,4}:)?(?:\d{1,5}:)?\d{1,6}(?:[.,:]\d{0,9})?"

_LOOSE = re.compile(r"(?:(?:(?P<h>\d{1,4}):)?(?P<m>\d{1,5}):)?(?P<s>\d{1,6})(?:[.,](?P<f>\d{0,9}))?", re.ASCII)


def read_clock(text: str) -> int | None:
    """Return ``1:02:03.5``, ``62:03,5``, ``03.5`` or ``3`` in milliseconds, or None.

    A minute or second of 60 or more is none, except for the leftmost number.
    """
    match = _LOOSE.fullmatch(text.strip())
    if match is None:
        return None
    hours, minutes, seconds = match["h"], match["m"], match["s"]
    if (minutes and (len(seconds) > 2 or int(seconds) > 59)) or (hours and (len(minutes) > 2 or int(minutes) > 59)):
        return None
    digits = (match["f"] or "").ljust(4, "0")
    ms = int(digits[:3]) + (digits[3] >= "5")
    return ((int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds)) * 1000 + ms
