"""How readers hear and see an episode, or a span of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from publishing.content import Content

from .models import EpisodeMedia, MediaFile
from .timecodes import format_seconds

WATCH_URL = "https://www.youtube.com/watch?v="


@dataclass(frozen=True)
class ClipFile:
    """A file that holds just the span, after ``padding_ms`` of its own, and the address of its first frame."""

    url: str
    is_video: bool
    padding_ms: int
    poster_url: str = ""


@dataclass(frozen=True)
class Player:
    """What there is to play: a video to watch elsewhere, sound or video for the browser, both or neither.

    ``src`` is loaded only when the reader presses play. ``start_ms`` and ``end_ms`` are
    on the episode's timeline.
    """

    youtube: MediaFile | None = None
    playable: MediaFile | None = None
    start_ms: int | None = None
    end_ms: int | None = None
    clip: "ClipFile | None" = None

    @property
    def watch_url(self) -> str:
        """Return where to watch the episode, from the start of the span; empty without a video elsewhere."""
        return _watch_url(self.youtube, self.start_ms) if self.youtube else ""

    @property
    def src(self) -> str:
        """Return the file's address, with the span as a media fragment."""
        if self.clip:
            return self.clip.url
        return f"{self.playable.url}{self._fragment}" if self.playable else ""

    @property
    def is_video(self) -> bool:
        if self.clip:
            return self.clip.is_video
        return self.playable is not None and self.playable.kind == MediaFile.Kind.VIDEO

    @property
    def is_exact(self) -> bool:
        """Tell whether a moment of the episode is known to the millisecond in the file."""
        return self.playable is not None and self.playable.offset_ms is not None

    @property
    def is_clip(self) -> bool:
        """Tell whether just the span can be played: it has two ends, and the file is exact."""
        return self.is_exact and bool(self.length_ms) and self.start != self.end

    @property
    def length_ms(self) -> int | None:
        return None if self.start_ms is None or self.end_ms is None else self.end_ms - self.start_ms

    @property
    def length(self) -> str:
        """Return ``17.6``: the length of the span in seconds, as exact as it is stored."""
        return "" if self.length_ms is None else format_seconds(self.length_ms)

    @property
    def start(self) -> str:
        """Return the start of the span in the file, in seconds."""
        return self._in_file(self.start_ms)

    @property
    def end(self) -> str:
        return self._in_file(self.end_ms)

    @property
    def offset(self) -> str:
        """Return what to add to a moment of the episode to find it in the file, in seconds."""
        offset_ms = (self.playable.offset_ms or 0) if self.playable else 0
        return f"{'-' if offset_ms < 0 else ''}{format_seconds(abs(offset_ms))}"

    def moment_url(self, ms: int, page: str = "") -> str:
        """Return where a moment plays: on the episode's page, or at a video elsewhere; empty where nowhere.

        ``page`` is the path of the episode's page, and empty on that page itself.
        """
        if self.playable:
            return f"{page}#t={ms // 1000}"
        return _watch_url(self.youtube, ms) if self.youtube else ""

    @property
    def _fragment(self) -> str:
        if self.start_ms is None:
            return ""
        return f"#t={self.start},{self.end}" if self.is_clip else f"#t={self.start}"

    def _in_file(self, ms: int | None) -> str:
        if ms is None or self.playable is None:
            return ""
        if self.clip and self.start_ms is not None:
            return format_seconds(ms - self.start_ms + self.clip.padding_ms)
        return format_seconds(self.playable.at(ms))


def player_of(links: Iterable[EpisodeMedia], start_ms: int | None = None, end_ms: int | None = None) -> Player:
    """Return the player of an episode's media, set to a span where there is one."""
    return _player_of_files([link.media for link in links], start_ms, end_ms)


def player_of_draft(content: Content, start_ms: int | None = None, end_ms: int | None = None) -> Player:
    """Return the player of an episode as its content says, live or not. One query."""
    pks = [row["media"] for row in content.get("media") or []]
    held = MediaFile.objects.in_bulk(pks)
    return _player_of_files([held[pk] for pk in pks if pk in held], start_ms, end_ms)


def _player_of_files(files: Sequence[MediaFile], start_ms: int | None, end_ms: int | None) -> Player:
    youtube = next((media for media in files if media.is_youtube), None)
    return Player(youtube, first_playable(files), start_ms, end_ms)


def first_playable(files: Iterable[MediaFile]) -> MediaFile | None:
    """Return the first file that is ours or lies on the web, which a browser or a podcast app can play."""
    return next(iter(playable_of(files)), None)


def playable_of(files: Iterable[MediaFile]) -> list[MediaFile]:
    """Return all files that a browser or a podcast app can play, in order."""
    return [media for media in files if not media.is_youtube and _is_web(media.url)]


def _is_web(url: str) -> bool:
    return url.lower().startswith(("/", "https://", "http://"))


def _watch_url(media: MediaFile, start_ms: int | None) -> str:
    return f"{WATCH_URL}{media.address}" + (f"&t={media.at(start_ms) // 1000}s" if start_ms else "")
