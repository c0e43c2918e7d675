"""Tables as files: CSV as RFC 4180 has it, for spreadsheets, and JSON Lines."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .formulas import guard

BOM = "\ufeff"  # without it, Excel takes UTF-8 for something else
MIMES = {"csv": "text/csv; charset=utf-8; header=present", "jsonl": "application/jsonl; charset=utf-8"}


def csv_lines(records: Iterable[Sequence[str]]) -> str:
    """Return records as CSV. What a spreadsheet would take for a formula has an apostrophe before it."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([guard(cell) for cell in record] for record in records)
    return text.getvalue()


def json_lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Return records as JSON Lines, their keys in the order that they have."""
    return "".join(f"{json.dumps(record, ensure_ascii=False, separators=(',', ':'))}\n" for record in records)
