class UnicodeSlugConverter:
    """A slug in any script: letters, digits, ``_`` and ``-``."""

    regex = r"[-\w]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class FeedFormatConverter:
    """The three formats that every list is fed in."""

    regex = "rss|atom|json"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value
