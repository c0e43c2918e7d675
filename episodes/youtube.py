"""Recognise addresses of YouTube videos and channels."""

import re
from urllib.parse import SplitResult, parse_qs, urlsplit

_HOSTS = {"youtube.com", "www.youtube.com", "m.youtube.com", "music.youtube.com"}
_EMBED_HOSTS = {"youtube-nocookie.com", "www.youtube-nocookie.com"}
YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{11}", re.ASCII)
_VIDEO_FOLDERS = {"embed", "live", "shorts", "v"}
_CHANNEL_PATH = re.compile(r"/(?:(?:channel|c|user)/[^/]+|@[^/]+)(?:/.*)?")


def youtube_id_of(url: str) -> str | None:
    """Return the video id in a YouTube address, or None if it is no such address."""
    parts = _split(url)
    if parts is None:
        return None
    candidate = _candidate_id(parts)
    return candidate if YOUTUBE_ID.fullmatch(candidate) else None


def is_youtube_channel(url: str) -> bool:
    """Tell whether the address is that of a YouTube channel."""
    parts = _split(url)
    return bool(parts and parts.hostname in _HOSTS and _CHANNEL_PATH.fullmatch(parts.path))


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return None
    return parts if parts.scheme in {"http", "https"} else None


def _candidate_id(parts: SplitResult) -> str:
    folder, _, rest = parts.path.lstrip("/").partition("/")
    if parts.hostname == "youtu.be":
        return folder
    if parts.hostname not in _HOSTS | _EMBED_HOSTS:
        return ""
    if folder == "watch":
        return _query_value(parts.query, "v")
    return rest.split("/")[0] if folder in _VIDEO_FOLDERS else ""


def _query_value(query: str, name: str) -> str:
    try:
        return parse_qs(query, max_num_fields=50).get(name, [""])[0]
    except ValueError:
        return ""
