class UnicodeSlugConverter:
    """A slug in any script: letters, digits, ``_`` and ``-``."""

    regex = r"[-\w]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class PartNumberConverter:
    """The number of a part, from 1 on."""

    regex = "[1-9][0-9]{0,6}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


class FeedFormatConverter:
    """The three formats that every list is fed in."""

    regex = "rss|atom|json"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
