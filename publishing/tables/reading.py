"""A CSV or JSON Lines file as numbered lines of named cells."""

import csv
import io
import json
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ..text import clean_text
from .columns import CellFault, join
from .formulas import unguard

MOST_BYTES = 20 * 1024 * 1024
MOST_LINES = 200_000
LONGEST_CELL = 200_000  # characters; a list of 300 guests with their credits may have 130,000


class TableUnreadable(Exception):
    """Why nothing of a file can be imported, as a sentence."""


@dataclass(frozen=True)
class Line:
    """One record: the number of the line it begins on, and its cells by column, trimmed and without control characters."""

    number: int
    cells: dict[str, str]


def read_lines(
    data: bytes, columns: Set[str], needed: Set[str], lists: Set[str] = frozenset()
) -> tuple[list[Line], list[str]]:
    """Return the records of a file, and sentences on records that do not fit.

    A file that begins with a brace is JSON Lines, where the columns that are ``lists`` may
    be lists; any other is CSV with a header. Raises TableUnreadable where it is not UTF-8,
    or CSV whose header is not ours.
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
    if text.lstrip().startswith("{"):
        return _read_objects(text, columns, lists)
    return _read_records(text, columns, needed)


def _read_records(text: str, columns: Set[str], needed: Set[str]) -> tuple[list[Line], list[str]]:
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
            elif any(cleaned := [clean_text(unguard(cell)) for cell in cells]):
                lines.append(Line(begins, dict(zip(header, cleaned, strict=False))))
            begins = records.line_num + 1
            if len(lines) > MOST_LINES:
                raise TableUnreadable(_too_many_lines())
    except csv.Error as wrong:
        message = _(
            "Line %(number)s cannot be read as CSV: a quotation mark is not closed, or a cell is longer than 200,000 characters."
        )
        raise TableUnreadable(message % {"number": begins}) from wrong
    return lines, faults


def _too_many_lines() -> str:
    return _("The file has more than 200,000 lines. Split it.")


def _check_header(cells: list[str], columns: Set[str], needed: Set[str]) -> list[str]:
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


def _read_objects(text: str, columns: Set[str], lists: Set[str]) -> tuple[list[Line], list[str]]:
    lines: list[Line] = []
    faults: list[str] = []
    for number, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            cells = _read_object(written, columns, lists)
        except CellFault as fault:
            faults.append(_("Line %(number)s: %(sentence)s") % {"number": number, "sentence": fault})
            continue
        if any(cells.values()):
            lines.append(Line(number, cells))
        if len(lines) > MOST_LINES:
            raise TableUnreadable(_too_many_lines())
    return lines, faults


def _read_object(written: str, columns: Set[str], lists: Set[str]) -> dict[str, str]:
    """Return a JSON object as the cells that it would have in a CSV file. Raises CellFault."""
    try:
        record = json.loads(written, parse_int=str, parse_float=str, parse_constant=str, object_pairs_hook=_as_dict)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise CellFault(_("this is no JSON object. Put each on a line of its own."))
    unknown = sorted(set(record) - columns)
    if unknown:
        message = _("the table does not have %(unknown)s. It can have: %(columns)s.")
        raise CellFault(message % {"unknown": ", ".join(unknown), "columns": ", ".join(sorted(columns))})
    return {name: _read_value(name, value, is_list=name in lists) for name, value in record.items()}


def _as_dict(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    named = dict(pairs)
    if len(named) < len(pairs):
        raise CellFault(_("one of its names stands there twice."))
    return named


def _read_value(name: str, value: Any, *, is_list: bool) -> str:
    if is_list and isinstance(value, list) and all(isinstance(part, str) for part in value):
        value = join(value)
    if value is not None and not isinstance(value, str):
        wanted = _("%(column)s: give a list of texts.") if is_list else _("%(column)s: give a text or a number.")
        raise CellFault(wanted % {"column": name})
    if len(value or "") > LONGEST_CELL:
        raise CellFault(_("%(column)s: this is longer than 200,000 characters.") % {"column": name})
    return clean_text(value or "")
