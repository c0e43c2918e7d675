"""Why an archive is not written or not taken, in sentences."""

MOST_SHOWN = 120  # characters of what an archive says of itself


class ArchiveRefused(Exception):
    """What stands in the way, where it stands, and the way out."""


class RowRefused(ValueError):
    """What is not right about one row; whoever reads the row knows its member and line."""


def shown(value: object) -> str:
    """Return what somebody else wrote so that it can stand in a sentence on a terminal."""
    text = str(value)
    cut = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in cut)
