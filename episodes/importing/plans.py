"""What an import means to do with each item of a feed, and what we hold of it."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _, gettext_lazy

from publishing.content import Content
from publishing.models import Item

from ..models import FeedEntry
from .parsed import ParsedFeed, ParsedItem
from .people import Named

LONGEST_RAW = 100_000  # characters of raw notes kept beside the cleaned ones
SKIPPED = {
    "no-enclosure": gettext_lazy("it has no sound or video"),
    "enclosure-not-audio-video": gettext_lazy("what it carries is neither sound nor video"),
    "duplicate-guid": gettext_lazy("an earlier item in the file has the same guid"),
    "too-long": gettext_lazy("its guid or its enclosure's address is longer than any that works"),
}
LONGEST_GUID = 1_000  # characters
LONGEST_ADDRESS = 2_000
MOST_INDEXED = 2_600  # bytes of UTF-8; a longer text is refused by PostgreSQL's indexes


@dataclass
class Plan:
    """One item of the feed with what we hold of it."""

    item: ParsedItem
    named: list[Named]
    entry: FeedEntry | None = None
    held: Item | None = None  # the episode, once it is found or made
    values: Content = field(default_factory=dict)
    is_new: bool = False  # made in this run

    @property
    def guid(self) -> str:
        """Return the item's guid; ``importable`` takes none without one."""
        return self.item.guid or ""

    @property
    def episode(self) -> Item:
        if self.held is None:
            raise LookupError(f"“{self.title}” is neither found nor made yet.")
        return self.held

    @property
    def title(self) -> str:
        return self.values.get("title") or self.item.title


def importable(feed: ParsedFeed) -> tuple[list[ParsedItem], list[str]]:
    """Return the items that become episodes, and for each other one its title and why not."""
    taken, skipped = [], []
    for item in feed.items:
        why = item.skip_reason or ("too-long" if is_too_long(item) else None)
        if why is None and item.guid:
            taken.append(item)
        else:
            title = item.title or item.guid or _("item %(number)s") % {"number": item.index + 1}
            skipped.append(f"{title}: {SKIPPED.get(why or '', why)}")
    return taken, skipped


def is_too_long(item: ParsedItem) -> bool:
    return not fits(item.guid or "", LONGEST_GUID) or not fits(item.enclosure_url or "", LONGEST_ADDRESS)


def fits(text: str, longest: int) -> bool:
    """Tell whether an indexed column of so many characters takes the text."""
    return len(text) <= longest and len(text.encode()) <= MOST_INDEXED


def extras_of(item: ParsedItem) -> dict:
    """Return what the feed says that is no content of ours yet."""
    return {
        "image_url": item.image_url,
        "chapters_url": item.chapters_url,
        "transcripts": [
            {"url": link.url, "type": link.type, "language": link.language, "rel": link.rel}
            for link in item.transcripts
        ],
        "soundbites": [list(soundbite) for soundbite in item.soundbites],
        "keywords": [*item.categories, *item.keywords][:50],
        "guid_source": item.guid_source,
        "raw_notes": item.description_html[:LONGEST_RAW],
    }
