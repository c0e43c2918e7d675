"""Load the demo through the same services as everything else: drafts, publishing, retiring."""

import logging
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.core.files.base import ContentFile
from django.db import transaction

from episodes.images import store_image
from episodes.media import media_from_address, media_from_upload
from episodes.models import Episode
from episodes.timecodes import parse_timecode
from episodes.transcripts.current import original_of
from episodes.transcripts.script import script_of
from episodes.transcripts.service import About, add_transcript, correct
from publishing.acts import publish_many, retire
from publishing.content import Content
from publishing.kinds import get_kind
from publishing.models import Item, SiteSettings
from publishing.revisions import NewItem, create_items, save_revisions

from ..marks import words_key
from . import content, pictures, speech, transcripts, video
from .content import Entry

logger = logging.getLogger(__name__)

TIMES = {"start_ms", "end_ms", "duration_ms", "longest_clip_ms"}
NOT_CONTENT = {"key", "state", "reason", "newer", "show", "episode", "quotes", "related", "said"}
WATCH = "https://www.youtube.com/watch?v="


@dataclass(frozen=True)
class Report:
    """How many items were made, and which episodes went without their video."""

    count: int = 0
    without_video: tuple[str, ...] = ()


@dataclass
class _Loaded:
    """The items made so far, by kind and key, and the videos by episode."""

    videos: dict[str, bytes]
    items: dict[str, dict[str, Item]] = field(default_factory=dict)

    def item(self, kind: str, entry: Entry) -> Item:
        return self.items[kind][entry["key"]]

    def pk(self, kind: str, key: str) -> int:
        return self.items[kind][key].pk

    def rows(self, kind: str, name: str, keys: Iterable[str]) -> list[dict]:
        return [{name: self.pk(kind, key)} for key in keys]


def load_demo() -> Report:
    """Load the demo where there is no item yet."""
    if Item.objects.exists():
        return Report()
    wanted = [entry for entry in content.EPISODES if any("video" in row for row in entry["media"])]
    videos = {entry["key"]: data for entry in wanted if (data := _video(parse_timecode(entry["duration_ms"])))}
    missing = tuple(entry["title"] for entry in wanted if entry["key"] not in videos)
    return Report(_load(_Loaded(videos)), missing)


def _video(duration_ms: int) -> bytes | None:
    """Return the drawn video, or None where this machine cannot make it: the demo goes on without."""
    if not video.has_ffmpeg():
        return None
    try:
        return video.make_video(duration_ms / 1000)
    except subprocess.CalledProcessError as failed:
        logger.warning("ffmpeg did not make the demo's video: %s", failed.stderr.decode(errors="replace").strip())
        return None


@transaction.atomic
def _load(loaded: _Loaded) -> int:
    SiteSettings.objects.update_or_create(pk=1, defaults=content.SITE)
    _make_topics(loaded)
    _make(loaded, "guest", content.GUESTS, _guest_values)
    _make(loaded, "show", content.SHOWS, _show_values)
    _make(loaded, "episode", content.EPISODES, _episode_values, parent="show")
    _add_transcripts(loaded)
    _make(loaded, "quote", content.QUOTES, _quote_values, parent="episode")
    _link_quotes(loaded)
    _publish(loaded)
    _correct(loaded)
    return sum(len(items) for items in loaded.items.values())


def _make(loaded: _Loaded, kind: str, entries: list[Entry], values_of, parent: str = "") -> None:
    form = get_kind(kind).form
    new = []
    for entry in entries:
        written = form.check_content(form.blank() | _plain_values(entry) | values_of(loaded, entry))
        parents = {parent: loaded.pk(parent, entry[parent])} if parent else {}
        new.append(NewItem(kind, _as_heard(written) if kind == "quote" else written, parents))
    items = create_items(new, actor=None)
    loaded.items.setdefault(kind, {}).update(zip((entry["key"] for entry in entries), items, strict=True))


def _as_heard(written: Content) -> Content:
    """Return a quote's content with the mark of the editor who heard it."""
    return written | {"heard": content.HEARD | {"of": words_key(written)}}


def _plain_values(entry: Entry) -> Content:
    values = {name: value for name, value in entry.items() if name not in NOT_CONTENT}
    return values | {name: parse_timecode(values[name]) for name in TIMES & values.keys()}


def _make_topics(loaded: _Loaded) -> None:
    """Make the wide topics first: the narrow ones are part of them."""
    wide = [entry for entry in content.TOPICS if "parent" not in entry]
    narrow = [entry for entry in content.TOPICS if "parent" in entry]
    _make(loaded, "topic", wide, lambda _loaded, _entry: {})
    _make(loaded, "topic", narrow, lambda loaded, entry: {"parent": loaded.pk("topic", entry["parent"])})


def _guest_values(_loaded: _Loaded, entry: Entry) -> Content:
    has_portrait = entry["key"] in pictures.PORTRAITS
    return {"portrait": store_image(pictures.portrait(entry["key"]), by=None).pk} if has_portrait else {}


def _show_values(loaded: _Loaded, entry: Entry) -> Content:
    people = [row | {"guest": loaded.pk("guest", row["guest"])} for row in entry["people"]]
    return {"artwork": store_image(pictures.artwork(entry["key"]), by=None).pk, "people": people}


def _episode_values(loaded: _Loaded, entry: Entry) -> Content:
    values: Content = {
        "guests": [row | {"guest": loaded.pk("guest", row["guest"])} for row in entry["guests"]],
        "topics": loaded.rows("topic", "topic", entry["topics"]),
        "media": [{"media": _media(row, entry, loaded)} for row in entry["media"]],
        "chapters": [row | {"start_ms": parse_timecode(row["start_ms"])} for row in entry.get("chapters", [])],
    }
    if "artwork_alt" in entry:
        values["artwork"] = store_image(pictures.artwork(entry["key"]), by=None).pk
    return values


def _media(row: dict, entry: Entry, loaded: _Loaded) -> int:
    if "speech" in row:
        return media_from_upload(ContentFile(speech.sound_of(row["speech"]), name="speech.mp3"), by=None).pk
    if "video" in row and entry["key"] in loaded.videos:
        return media_from_upload(ContentFile(loaded.videos[entry["key"]], name="video.mp4"), by=None).pk
    if "youtube" in row:
        return media_from_address(WATCH + row["youtube"]).pk
    duration_ms = parse_timecode(entry["duration_ms"])
    return media_from_address(row["address"], length=row["length"], duration_ms=duration_ms).pk


def _add_transcripts(loaded: _Loaded) -> None:
    for entry in content.EPISODES:
        if data := transcripts.transcript_of(entry["key"]):
            episode = Episode.objects.select_related("show__item__head").get(pk=loaded.pk("episode", entry["key"]))
            add_transcript(episode, data, About(filename="words.json", **content.TRANSCRIPTS), actor=None)


def _correct(loaded: _Loaded) -> None:
    """Correct a word of a transcript after all is published: the quote that rests on it loses its badge."""
    for entry in content.CORRECTIONS:
        transcript = original_of(loaded.pk("episode", entry["episode"]))
        if transcript is not None:
            after = parse_timecode(entry["after"])
            words = [word for word in script_of(transcript).words if (word.start_ms or 0) >= after]
            place = next(word.place for word in words if word.w == entry["heard"])
            correct(transcript, words={place: entry["said"]}, actor=None, note=entry["note"])


def _quote_values(loaded: _Loaded, entry: Entry) -> Content:
    return {
        "speaker": loaded.pk("guest", entry["speaker"]),
        "topics": loaded.rows("topic", "topic", entry["topics"]) if "topics" in entry else [],
    }


def _link_quotes(loaded: _Loaded) -> None:
    """Name quotes where they follow a quote or stand first with a guest, now that all of them exist."""
    following = [
        (loaded.item("quote", entry), {"related": loaded.rows("quote", "related", entry["related"])})
        for entry in content.QUOTES
        if "related" in entry
    ]
    standing_first = [
        (loaded.item("guest", entry), {"quotes": loaded.rows("quote", "quote", entry["quotes"])})
        for entry in content.GUESTS
        if "quotes" in entry
    ]
    _save(following + standing_first)


def _publish(loaded: _Loaded) -> None:
    """Publish all but the drafts in one act, retire what is said to be, and save the newer drafts."""
    drafts = {loaded.item("quote", entry).pk for entry in content.QUOTES if entry.get("state") == "draft"}
    items = [item for kind_items in loaded.items.values() for item in kind_items.values()]
    live = publish_many([item for item in items if item.pk not in drafts], actor=None, reason=content.REASON)
    published = {item.pk: item for item in live}
    for entry in content.QUOTES:
        if entry.get("state") == "retired":
            retire(loaded.item("quote", entry), actor=None, reason=entry["reason"])
    edited = [("episode", entry) for entry in content.EPISODES] + [("quote", entry) for entry in content.QUOTES]
    newer = [(loaded.item(kind, entry), entry["newer"]) for kind, entry in edited if "newer" in entry]
    _save([(published[item.pk], changes) for item, changes in newer])


def _save(edits: list[tuple[Item, Content]]) -> None:
    """Save new drafts: each item's head with what changes in it."""
    drafts = [(item, get_kind(item.kind).form.check_content(item.newest.content | changes)) for item, changes in edits]
    save_revisions(drafts, actor=None)
