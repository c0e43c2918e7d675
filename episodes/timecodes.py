"""Read and write times: the one module that does.

Every time is an integer number of milliseconds from the start of the episode.
Server and browser share one table of cases, ``tests/data/timecodes.json``.
"""

import re

MAX_MS = 2_147_483_647  # what a 32-bit column holds: nearly 25 days

_CLOCK = re.compile(
    r"(?:(?:(?P<hours>\d{1,4}):(?=\d\d:))?(?P<minutes>\d{1,6}):(?=\d\d(?!\d)))?"
    r"(?P<seconds>\d{1,9})(?:\.(?P<fraction>\d{1,12}))?",
    re.ASCII,
)


def parse_timecode(text: str) -> int:
    """Return a timecode as milliseconds from the start of the episode.

    Accepts ``SS``, ``MM:SS`` or ``H:MM:SS``, each with a decimal fraction, of
    which milliseconds count. Minutes may exceed 59 where no hours are given.

    Raises ValueError, naming the text, when a part is not a number or a
    minute or second is 60 or more.
    """
    clock = _read_clock(text)
    if clock is None:
        raise ValueError(f"“{text}” is not a timecode.")
    hours, minutes, seconds, ms = clock
    if seconds > 59 or (hours is not None and minutes > 59):
        raise ValueError(f"“{text}” has a minute or second of 60 or more.")
    return _in_range(hours or 0, minutes, seconds, ms, text)


def parse_feed_duration(text: str) -> int | None:
    """Return a duration from a feed in milliseconds, or None if it is none.

    Follows what feeds write: seconds alone may be any number, and a clock may
    carry 60 seconds (``00:04:60`` is five minutes).
    """
    clock = _read_clock(text)
    if clock is None:
        return None
    hours, minutes, seconds, ms = clock
    is_clock = ":" in text
    if (is_clock and seconds > 60) or (hours is not None and minutes > 60):
        return None
    try:
        return _in_range(hours or 0, minutes, seconds, ms, text)
    except ValueError:
        return None


def format_timecode(ms: int) -> str:
    """Return ``1:41:50``, ``12:04`` or ``0:17``: whole seconds, rounded down."""
    hours, minutes, seconds = _clock_parts(ms)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    return f"{minutes}:{seconds:02}"


def format_timecode_exact(ms: int) -> str:
    """Return ``1:41:50.2``: as ``format_timecode``, with what is left of a second."""
    return format_timecode(ms) + _fraction(ms)


def format_seconds(ms: int) -> str:
    """Return plain decimal seconds such as ``6110.2``, never grouped.

    Feeds and chapter files want this form whatever the active locale.
    """
    return f"{_checked(ms) // 1000}{_fraction(ms)}"


def iso_duration(ms: int) -> str:
    """Return an ISO 8601 duration in whole seconds, such as ``PT1H41M50S``."""
    units = zip(_clock_parts(ms), "HMS", strict=True)
    return "PT" + ("".join(f"{value}{unit}" for value, unit in units if value) or "0S")


def _read_clock(text: str) -> tuple[int | None, int, int, int] | None:
    """Return hours (None where not written), minutes, seconds and milliseconds."""
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        return None
    hours = match["hours"]
    ms = int((match["fraction"] or "").ljust(3, "0")[:3])
    return (
        (int(hours) if hours else None),
        int(match["minutes"] or 0),
        int(match["seconds"]),
        ms,
    )


def _in_range(hours: int, minutes: int, seconds: int, ms: int, text: str) -> int:
    total = ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms
    if total > MAX_MS:
        raise ValueError(f"“{text}” is longer than 24 days.")
    return total


def _clock_parts(ms: int) -> tuple[int, int, int]:
    minutes, seconds = divmod(_checked(ms) // 1000, 60)
    return *divmod(minutes, 60), seconds


def _fraction(ms: int) -> str:
    return f".{ms % 1000:03}".rstrip("0").rstrip(".")


def _checked(ms: int) -> int:
    if ms < 0:
        raise ValueError(f"{ms} ms lies before the start.")
    return ms
