"""Read the dates that feeds carry."""

import re
from datetime import UTC, datetime, timedelta, timezone

from episodes.fields import EARLIEST_YEAR, LATEST_YEAR

_RFC_DATE = re.compile(
    r"(?:[^\W\d]{1,20}\.?\s*,?\s*)?"
    r"(?P<day>\d{1,2})[\s-]{1,5}(?P<month>[^\W\d]{3,12})\.?[\s,-]{1,5}(?P<year>\d{2,4})"
    r"(?:,?\s{1,5}|T)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:\.\d{1,9})?)?"
    r"\s{0,5}(?P<zone>[a-z]{1,5}|(?:GMT|UTC)?[+-]\d{1,2}:?\d{2})?\s{0,5}(?:\([^()]{0,60}\))?",
    re.IGNORECASE,
)
_JAVASCRIPT_DATE = re.compile(
    r"[a-z]{3,9},?\s(?P<month>[a-z]{3,9})\s{1,2}(?P<day>\d{1,2}),?\s(?P<year>\d{4})\s"
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2}):(?P<second>\d{2})"
    r"\s?(?P<zone>[a-z]{1,5}|(?:GMT|UTC)?[+-]\d{2}:?\d{2})?(?:\s\([^()]{0,60}\))?",
    re.IGNORECASE,
)
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.{0,30}", re.ASCII)
_OFFSET = re.compile(r"(?:GMT|UTC)?([+-])(\d{1,2}):?(\d{2})", re.IGNORECASE)

_MONTHS = [  # English first, then what publishers in Europe write, by its beginning
    ("jan", "gen", "ene", "janv"),
    ("feb", "fév", "fev"),
    ("mar", "mär", "mrz", "maa"),
    ("apr", "avr", "abr"),
    ("may", "mai", "mag", "mei", "maj"),
    ("jun", "giu", "juin"),
    ("jul", "lug", "juil"),
    ("aug", "ago", "aoû", "aou"),
    ("sep", "set"),
    ("oct", "okt", "ott", "out"),
    ("nov",),
    ("dec", "dez", "dic", "déc"),
]
_ZONE_HOURS = {
    "gmt": 0,
    "ut": 0,
    "utc": 0,
    "z": 0,
    "wet": 0,
    "bst": 1,
    "cet": 1,
    "cest": 2,
    "est": -5,
    "edt": -4,
    "cst": -6,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
}


def parse_feed_date(text: str) -> datetime | None:
    """Return a date from a feed as an aware moment in UTC, or None if unreadable.

    Reads RFC 822 and 2822 with the mistakes that feeds make, ISO 8601, and what
    JavaScript prints. The weekday is ignored; a zone name that nobody knows means
    UTC, as RFC 2822 says, and two-digit years follow its section 4.3. A year that the
    form would refuse is as good as unreadable.
    """
    text = " ".join(text.split())[:120]
    match = _RFC_DATE.fullmatch(text) or _JAVASCRIPT_DATE.fullmatch(text)
    try:
        moment = _from_parts(match) if match else _from_iso(text)
    except (ValueError, OverflowError):
        return None
    return moment if moment and EARLIEST_YEAR <= moment.year <= LATEST_YEAR else None


def _from_parts(match: re.Match[str]) -> datetime:
    second = int(match["second"] or 0)
    moment = datetime(
        _full_year(match["year"]),
        _month_number(match["month"]),
        int(match["day"]),
        int(match["hour"]),
        int(match["minute"]),
        min(second, 59),
        tzinfo=_zone(match["zone"] or ""),
    )
    if second > 60:
        raise ValueError(f"“{match['second']}” is no second.")
    return (moment + timedelta(seconds=second - min(second, 59))).astimezone(UTC)


def _from_iso(text: str) -> datetime | None:
    if not _ISO_DATE.fullmatch(text):
        return None
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _full_year(written: str) -> int:
    year = int(written)
    if len(written) == 2 and year < 50:
        return 2000 + year
    return 1900 + year if len(written) < 4 else year


def _month_number(name: str) -> int:
    name = name.casefold()
    known = [
        (len(start), number) for number, starts in enumerate(_MONTHS, 1) for start in starts if name.startswith(start)
    ]
    if not known:
        raise ValueError(f"“{name}” is no month.")
    return max(known)[1]


def _zone(written: str) -> timezone:
    offset = _OFFSET.fullmatch(written)
    if offset is None:
        return timezone(timedelta(hours=_ZONE_HOURS.get(written.casefold(), 0)))
    minutes = int(offset[2]) * 60 + int(offset[3])
    return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
