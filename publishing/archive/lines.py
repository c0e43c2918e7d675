"""Rows as lines of JSON: one way to write each, so that the same rows are the same bytes."""

import json
from typing import Any, NoReturn

from django.utils.translation import gettext as _

from .refusals import RowRefused

HIGHEST_NUMBER = 2**53  # of keys and counts: every program reads it alike, and there is room above
MOST_LINE_BYTES = 32 * 1024 * 1024  # a transcript's words are the longest, some 10 MB at the very most

Row = dict[str, Any]


def dump_line(row: Row) -> bytes:
    """Return a row as one line: keys sorted, no spaces, UTF-8; half a surrogate pair stays escaped.

    Raises RowRefused where it would be longer than a line may be.
    """
    text = json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    line = text.encode("utf-8", "backslashreplace") + b"\n"
    if len(line) > MOST_LINE_BYTES:
        raise RowRefused(_("The row takes more than %(most)s MB.") % {"most": MOST_LINE_BYTES // 1024**2})
    return line


def load_line(line: bytes) -> Row:
    """Return the row that a line holds. Raises RowRefused with a sentence."""
    try:
        row = json.loads(line.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise RowRefused(_("This is no JSON in UTF-8.")) from None
    if not isinstance(row, dict):
        raise RowRefused(_("This is no JSON object."))
    return row


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
