"""The transcripts that a show's feed names for an episode."""

import hashlib
from dataclasses import dataclass

from ..models import Episode

MOST_LINKS = 20


@dataclass(frozen=True)
class FeedLink:
    url: str
    type: str
    language: str

    @property
    def key(self) -> str:
        """Return what a button sends: nobody has us fetch an address of their own choice."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:16]


def feed_links(episode: Episode) -> list[FeedLink]:
    """Return the links of all feeds that carry the episode, each address once. One query."""
    extras = episode.feed_entries.order_by("pk").values_list("extras", flat=True)[:MOST_LINKS]
    found: dict[str, FeedLink] = {}
    for row in (row for extra in extras for row in extra.get("transcripts") or ()):
        url = str(row.get("url") or "")
        if url.lower().startswith(("http://", "https://")):
            found.setdefault(url, FeedLink(url, str(row.get("type") or ""), str(row.get("language") or "")))
    return list(found.values())[:MOST_LINKS]
