"""Cells that a spreadsheet would take for formulas, made harmless and read back as they were."""

import re

# Where a cell begins; also after semicolons and line ends, where a spreadsheet that separates by semicolons begins one.
BEGINS = r"(?:\A|(?<=[;\n]))"
FORMULA = r"[ ']*[=+\-@\t\r]"
TO_GUARD = re.compile(f"{BEGINS}(?={FORMULA})")
GUARDED = re.compile(f"{BEGINS}'(?={FORMULA})")


def guard(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run; it then shows it as text."""
    return TO_GUARD.sub("'", cell)


def unguard(cell: str) -> str:
    """Return a cell as it was before ``guard``, which may not have been called."""
    return GUARDED.sub("", cell)
