"""Which episode of ours an item of a feed is, and which media row its sound."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from ..media import address_columns
from ..models import Episode, FeedEntry, FeedSource, MediaFile, Show
from .items import type_by_extension
from .parsed import ParsedFeed, ParsedItem
from .plans import Plan

LONGEST_MIME = 100  # characters that a media row holds


@dataclass(frozen=True)
class FileNames:
    """All guids in the file, and how often each enclosure without its query occurs."""

    guids: frozenset[str]
    keys: Counter[str]

    @classmethod
    def of(cls, items: list[ParsedItem]) -> "FileNames":
        return cls(
            frozenset(item.guid or "" for item in items), Counter(enclosure_key(item.enclosure_url) for item in items)
        )


@dataclass(frozen=True)
class Home:
    """Where a feed goes: the source that we read it as, if any, and the show, if it is no new one."""

    source: FeedSource | None
    show: Show | None


def home_of(feed: ParsedFeed, address: str, chosen: Show | None) -> Home:
    """Decide which show of ours a feed is: as it was read before, as chosen, or by the guid that feeds keep for life.

    Never by title. A chosen show counts only for a feed that was not read before.
    """
    source = FeedSource.objects.filter(address=address).select_related("show__item").first()
    if source:
        return Home(source, source.show)
    if chosen is None and feed.podcast_guid:
        chosen = Show.objects.filter(podcast_guid=feed.podcast_guid).select_related("item").first()
    return Home(None, chosen)


def find_known(home: Home, plans: list[Plan], names: FileNames) -> None:
    """Find the entry and episode of each plan: by guid, else by enclosure, never by title.

    Three queries. An enclosure counts only for an entry whose own guid has left the
    file, and without its query only where it is one item's and one episode's.
    """
    if home.show is None:
        return
    guids = {plan.guid for plan in plans}
    keys = {enclosure_key(plan.item.enclosure_url) for plan in plans} - {""}
    own = {
        entry.guid: entry
        for entry in FeedEntry.objects.filter(source=home.source, guid__in=guids).select_related("episode__item")
    }
    held = {
        episode.guid: episode
        for episode in Episode.objects.filter(show=home.show, guid__in=guids).select_related("item")
    }
    of_show = FeedEntry.objects.filter(source__show=home.show, enclosure_key__in=keys).select_related("episode__item")
    by_address: dict[str, list[FeedEntry]] = {}
    for entry in of_show.order_by("pk"):
        if entry.guid not in names.guids:
            by_address.setdefault(entry.enclosure_url, []).append(entry)
            by_address.setdefault(f"key:{entry.enclosure_key}", []).append(entry)
    for plan in plans:
        plan.entry = own.get(plan.guid)
        if plan.entry is None and plan.guid in held:
            plan.held = held[plan.guid].item
        elif plan.entry is None:
            plan.entry = _by_enclosure(plan.item, by_address, names)
        if plan.entry is not None:
            plan.held = plan.entry.episode.item


def _by_enclosure(item: ParsedItem, by_address: dict[str, list[FeedEntry]], names: FileNames) -> FeedEntry | None:
    exact = by_address.get(item.enclosure_url or "", [])
    if exact:
        return exact[0]
    key = enclosure_key(item.enclosure_url)
    alike = by_address.get(f"key:{key}", []) if key else []
    episodes = {entry.episode_id for entry in alike}
    return alike[0] if len(episodes) == 1 and names.keys[key] == 1 else None


def enclosure_key(address: str | None) -> str:
    return (address or "").partition("?")[0][:2000]


def media_for(plans: list[Plan], tell: Callable[[str], None]) -> dict[int, list[int]]:
    """Return, by item index, the media rows of each item, those we hold and new ones; two queries."""
    wanted = {plan.item.index: list(_media_columns(plan.item, tell)) for plan in plans}
    addresses = {columns["address"] for row in wanted.values() for columns in row}
    held = {
        _media_key(media.__dict__): media.pk
        for media in MediaFile.objects.filter(address__in=addresses).order_by("-pk")
    }
    new = {
        _media_key(columns): columns for row in wanted.values() for columns in row if _media_key(columns) not in held
    }
    made = MediaFile.objects.bulk_create([MediaFile(**columns) for columns in new.values()])
    held |= {key: media.pk for key, media in zip(new, made, strict=True)}
    return {index: list(dict.fromkeys(held[_media_key(columns)] for columns in row)) for index, row in wanted.items()}


def _media_columns(item: ParsedItem, tell: Callable[[str], None]) -> Iterator[dict]:
    if item.enclosure_url:
        mime = item.enclosure_type or ""
        if len(mime) > LONGEST_MIME:
            tell(_("“%(title)s”: the type of its file is no media type and is left out.") % {"title": item.title})
            mime = type_by_extension(item.enclosure_url) or "audio/mpeg"
        yield address_columns(item.enclosure_url, mime, item.enclosure_length, item.duration_ms)
    if item.youtube_id:
        yield {
            "kind": MediaFile.Kind.YOUTUBE.value,
            "address": item.youtube_id,
            "mime": "",
            "bytes": None,
            "duration_ms": None,
            "offset_ms": None,
        }


def _media_key(columns: dict) -> tuple:
    return tuple(columns[name] for name in ("kind", "address", "mime", "bytes", "duration_ms"))
