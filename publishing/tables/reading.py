"""A CSV file as numbered lines of named cells."""

import csv
import io
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..text import clean_text

MOST_BYTES = 20 * 1024 * 1024
MOST_LINES = 200_000
LONGEST_CELL = 100_000  # characters


class TableUnreadable(Exception):
    """Why nothing of a file can be imported, as a sentence."""


@dataclass(frozen=True)
class Line:
    """One record: the number of the line it begins on, and its cells by column, trimmed and without control characters."""

    number: int
    cells: dict[str, str]


def read_lines(data: bytes, columns: set[str], needed: set[str]) -> tuple[list[Line], list[str]]:
    """Return the records of a CSV file with a header, and sentences on records that do not fit it.

    Raises TableUnreadable where the file is no UTF-8 CSV or its header is not ours.
    """
    if len(data) > MOST_BYTES:
        raise TableUnreadable(_("The file is larger than 20 MB. Split it."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        number = data.count(b"\n", 0, wrong.start) + 1
        message = _("Line %(number)s is not UTF-8. Save the table as “CSV UTF-8”.")
        raise TableUnreadable(message % {"number": number}) from wrong
    if "\0" in text:
        raise TableUnreadable(_("This is no CSV file: it holds NUL bytes. Save the table as “CSV UTF-8”."))
    return _read_records(text, columns, needed)


def _read_records(text: str, columns: set[str], needed: set[str]) -> tuple[list[Line], list[str]]:
    csv.field_size_limit(LONGEST_CELL)
    records = csv.reader(io.StringIO(text, newline=""), strict=True)
    lines: list[Line] = []
    faults: list[str] = []
    begins = 1
    try:
        header = _check_header(next(records, []), columns, needed)
        begins = records.line_num + 1
        for cells in records:
            if len(cells) > len(header):
                faults.append(
                    _(
                        "Line %(number)s has %(cells)s cells; the header has %(columns)s. Put quotes around cells with commas."
                    )
                    % {"number": begins, "cells": len(cells), "columns": len(header)}
                )
            elif any(cleaned := [clean_text(cell) for cell in cells]):
                lines.append(Line(begins, dict(zip(header, cleaned, strict=False))))
            begins = records.line_num + 1
            if len(lines) > MOST_LINES:
                raise TableUnreadable(_("The file has more than 200,000 lines. Split it."))
    except csv.Error as wrong:
        message = _(
            "Line %(number)s cannot be read as CSV: a quotation mark is not closed, or a cell is longer than 100,000 characters."
        )
        raise TableUnreadable(message % {"number": begins}) from wrong
    return lines, faults


def _check_header(cells: list[str], columns: set[str], needed: set[str]) -> list[str]:
    header = [cell.strip().lower() for cell in cells]
    if not any(header):
        raise TableUnreadable(
            _("The file is empty. The first line names the columns: %(columns)s.")
            % {"columns": ", ".join(sorted(columns))}
        )
    if len(header) == 1 and ";" in header[0]:
        raise TableUnreadable(_("The columns are separated by semicolons. Save the table with commas between them."))
    unknown = [name or _("(empty)") for name in header if name not in columns]
    if unknown:
        message = _("The header names columns that this table does not have: %(unknown)s. It can have: %(columns)s.")
        raise TableUnreadable(message % {"unknown": ", ".join(unknown), "columns": ", ".join(sorted(columns))})
    missing = sorted(needed - set(header))
    if missing:
        raise TableUnreadable(_("The header lacks: %(missing)s.") % {"missing": ", ".join(missing)})
    if len(set(header)) < len(header):
        raise TableUnreadable(_("The header names a column twice."))
    return header
