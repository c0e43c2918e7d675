"""Files that cannot be used, in words for the editor who brought them."""

from pathlib import Path

from django.utils.translation import gettext as _, gettext_lazy

from .answers import Answer

LONGEST_MS = 12 * 60 * 60 * 1000
MOST_STREAMS = 32
MOST_CHANNELS = 16
SAMPLE_RATES = range(4_000, 384_001)
LONGEST_SIDE = 8192  # pixels

SENTENCES = {
    "missing": gettext_lazy("The file is not there any more. Upload it again."),
    "empty": gettext_lazy("The file is empty. Upload it again."),
    "web_page": gettext_lazy("This is a web page and no sound or video. Download the file itself, then upload that."),
    "playlist": gettext_lazy("This is a playlist: it names other files and holds no sound. Upload the sound itself."),
    "text": gettext_lazy("This is a text and no sound or video."),
    "no_index": gettext_lazy(
        "The file has no index, so it was cut off while it was written or sent. Export or upload it again."
    ),
    "unknown": gettext_lazy("This file cannot be read as sound or video. Use MP3, M4A, MP4, Ogg, WAV, FLAC or WebM."),
    "nothing": gettext_lazy("The file holds neither sound nor moving pictures."),
    "cover_only": gettext_lazy("The file holds only a cover picture, and no sound."),
    "codec": gettext_lazy(
        "The file is protected, or written in a way that ffmpeg cannot read. Export it as MP3 or MP4."
    ),
    "streams": gettext_lazy("The file holds more than 32 streams. Export the sound, or one video with sound, alone."),
    "channels": gettext_lazy("The sound has more than 16 channels. Export it in stereo."),
    "sample_rate": gettext_lazy("The sound has a sample rate that nobody plays. Export it at 44.1 or 48 kHz."),
    "pixels": gettext_lazy("The picture is larger than 8192 pixels. Export it smaller."),
    "too_long": gettext_lazy("The file says that it lasts longer than 12 hours. Cut it into parts."),
    "no_length": gettext_lazy("The file does not tell how long it is, and nothing in it can be played."),
}
_PAGES = (b"<!doctype html", b"<html", b"<head", b"<?xml", b"<svg", b"<rss")
_PLAYLISTS = (b"#extm3u", b"ffconcat", b"<mpd", b"[playlist]", b"v=0\r\n", b"v=0\n", b"file ", b"#extinf")


class MediaRefused(Exception):
    """A file that is not taken: ``code``, and as text the sentence for the editor."""

    def __init__(self, code: str, sentence: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.sentence = sentence or str(SENTENCES[code])

    def __str__(self) -> str:
        return self.sentence


def truncated(reached_ms: int, announced_ms: int) -> MediaRefused:
    """Return the refusal of a file that ends before it said it would."""
    sentence = _("The file says that it lasts %(announced)s, and ends at %(reached)s: it was cut off. Upload it again.")
    return MediaRefused("truncated", sentence % {"announced": _clock(announced_ms), "reached": _clock(reached_ms)})


def refuse_at_sight(source: Path) -> None:
    """Raise MediaRefused for what its first bytes give away; ffmpeg would refuse it in fewer words."""
    if not source.is_file():
        raise MediaRefused("missing")
    with source.open("rb") as file:
        start = file.read(512)
    if not start:
        raise MediaRefused("empty")
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(_PLAYLISTS) or b"<mpd" in text:
        raise MediaRefused("playlist")
    if text.startswith(_PAGES):
        raise MediaRefused("web_page")


def unread(source: Path, messages: str) -> MediaRefused:
    """Return the refusal of a file that the program could not open, from what it said."""
    if "moov atom not found" in messages and _begins_as_iso(source):
        return MediaRefused("no_index")
    with source.open("rb") as file:
        return MediaRefused("text" if _is_text(file.read(512)) else "unknown")


def check_streams(answer: Answer) -> None:
    """Raise MediaRefused where a file holds what clips cannot be made of, or claims what cannot be."""
    if len(answer.streams) > MOST_STREAMS:
        raise MediaRefused("streams")
    for stream in answer.streams:
        if stream.type == "audio" and stream.channels > MOST_CHANNELS:
            raise MediaRefused("channels")
        if stream.type == "audio" and stream.sample_rate and stream.sample_rate not in SAMPLE_RATES:
            raise MediaRefused("sample_rate")
        if max(stream.width, stream.height) > LONGEST_SIDE:
            raise MediaRefused("pixels")
    if (answer.duration_us or 0) > LONGEST_MS * 1000:
        raise MediaRefused("too_long")


def _begins_as_iso(source: Path) -> bool:
    with source.open("rb") as file:
        return file.read(12)[4:8] in {b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"}


def _is_text(start: bytes) -> bool:
    try:
        return start.decode().isprintable() or not any(byte < 9 for byte in start)
    except UnicodeDecodeError:
        return False


def _clock(ms: int) -> str:
    minutes, seconds = divmod(ms // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
