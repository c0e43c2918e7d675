from collections.abc import Callable
from dataclasses import dataclass

from .atom import to_atom
from .description import Feed
from .json_feed import to_json
from .rss import to_rss


@dataclass(frozen=True)
class Format:
    """A format that every feed comes in."""

    label: str
    mime: str
    write: Callable[[Feed], bytes]

    @property
    def content_type(self) -> str:
        """Return the header's value; JSON is UTF-8 by definition and takes no charset."""
        return self.mime if self.mime.endswith("json") else f"{self.mime}; charset=utf-8"


FORMATS = {
    "rss": Format("RSS", "application/rss+xml", to_rss),
    "atom": Format("Atom", "application/atom+xml", to_atom),
    "json": Format("JSON", "application/feed+json", to_json),
}
