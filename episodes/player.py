"""How readers hear and see an episode, or a span of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from .models import EpisodeMedia, MediaFile
from .timecodes import format_seconds

WATCH_URL = "https://www.youtube.com/watch?v="


@dataclass(frozen=True)
class Player:
    """What there is to play: a video to watch elsewhere, sound or video for the browser, or neither.

    ``src`` is loaded only when the reader presses play.
    """

    watch_url: str = ""
    src: str = ""
    mime: str = ""
    is_video: bool = False


def player_of(links: Iterable[EpisodeMedia], start_ms: int | None = None, end_ms: int | None = None) -> Player:
    """Return the player of an episode's media, set to a span where there is one."""
    files = [link.media for link in links]
    youtube = next((media for media in files if media.is_youtube), None)
    playable = first_playable(files)
    return Player(
        watch_url=_watch_url(youtube, start_ms) if youtube else "",
        src=_span_src(playable, start_ms, end_ms) if playable else "",
        mime=playable.mime if playable else "",
        is_video=playable is not None and playable.kind == MediaFile.Kind.VIDEO,
    )


def first_playable(files: Iterable[MediaFile]) -> MediaFile | None:
    """Return the first file that is ours or lies on the web, which a browser or a podcast app can play."""
    return next((media for media in files if not media.is_youtube and _is_web(media.url)), None)


def _is_web(url: str) -> bool:
    return url.lower().startswith(("/", "https://", "http://"))


def _watch_url(media: MediaFile, start_ms: int | None) -> str:
    return f"{WATCH_URL}{media.address}" + (f"&t={media.at(start_ms) // 1000}s" if start_ms else "")


def _span_src(media: MediaFile, start_ms: int | None, end_ms: int | None) -> str:
    if start_ms is None:
        return media.url
    span = [format_seconds(media.at(ms)) for ms in (start_ms, end_ms) if ms is not None]
    return f"{media.url}#t={','.join(span)}"
