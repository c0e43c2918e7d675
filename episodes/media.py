"""Sound and video that an episode plays: what a file is, told by its bytes."""

from dataclasses import dataclass
from hashlib import sha256
from typing import IO
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from .models import MediaFile
from .models.media import random_name
from .youtube import youtube_id_of

MOST_BYTES = 500 * 1024 * 1024
MIME_OF = {
    "mp3": "audio/mpeg",
    "m4a": "audio/x-m4a",
    "mp4": "video/mp4",
    "m4v": "video/x-m4v",
    "ogg": "audio/ogg",
    "wav": "audio/wav",
    "flac": "audio/flac",
    "webm": "video/webm",
}


PLAYED_BRANDS = {  # of ISO media files; HEIC pictures and QuickTime are not among them
    *(b"M4A ", b"M4B ", b"M4V ", b"M4VH", b"M4VP", b"MSNV", b"avc1", b"dash", b"f4v ", b"isml"),
    *(b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"isom", b"mp41", b"mp42", b"mp71"),
}


@dataclass(frozen=True)
class Sniffed:
    extension: str

    @property
    def mime(self) -> str:
        return MIME_OF[self.extension]

    @property
    def kind(self) -> str:
        return self.mime.partition("/")[0]


def sniff(start: bytes) -> Sniffed | None:
    """Return what sound or video a file's first 64 bytes announce, or None."""
    if start[4:8] == b"ftyp":
        return Sniffed("m4a" if start[8:11] == b"M4A" else "mp4") if start[8:12] in PLAYED_BRANDS else None
    if start[:4] == b"RIFF" and start[8:12] == b"WAVE":
        return Sniffed("wav")
    for magic, extension in ((b"OggS", "ogg"), (b"fLaC", "flac"), (b"\x1aE\xdf\xa3", "webm"), (b"ID3", "mp3")):
        if start.startswith(magic):
            return Sniffed(extension)
    is_mpeg_frame = len(start) > 1 and start[0] == 0xFF and start[1] & 0xE6 == 0xE2
    return Sniffed("mp3") if is_mpeg_frame else None


def media_from_upload(upload: File) -> MediaFile:
    """Keep an uploaded file under a name of ours and return its row.

    Raises ValidationError where it is no sound or video, or too large.
    """
    if upload.size > MOST_BYTES:
        raise ValidationError(_("The file is larger than 500 MB. Give its address instead."), code="media_bytes")
    found = sniff(_start_of(upload))
    if found is None:
        message = _("“%(name)s” is no sound or video that browsers play. Use MP3, M4A, MP4, Ogg, WAV, FLAC or WebM.")
        raise ValidationError(message, "media_format", {"name": upload.name})
    name = default_storage.save(random_name("episodes", found.extension), upload)
    return MediaFile.objects.create(
        kind=found.kind, file=name, mime=found.mime, bytes=upload.size, content_hash=_hash_of(upload)
    )


def media_from_address(
    address: str, *, mime: str = "", length: int | None = None, duration_ms: int | None = None
) -> MediaFile:
    """Return a new row for an address; a YouTube address keeps its video id."""
    youtube_id = youtube_id_of(address)
    if youtube_id:
        return MediaFile.objects.create(kind=MediaFile.Kind.YOUTUBE, address=youtube_id, offset_ms=None)
    return MediaFile.objects.create(**address_columns(address, mime, length, duration_ms))


def address_columns(address: str, mime: str, length: int | None, duration_ms: int | None) -> dict:
    """Return the columns of a media row for sound or video elsewhere."""
    mime = mime or MIME_OF.get(urlsplit(address).path.rpartition(".")[2].lower(), "audio/mpeg")
    kind = MediaFile.Kind.VIDEO if mime.startswith("video/") else MediaFile.Kind.AUDIO
    return {"kind": kind, "address": address, "mime": mime, "bytes": length, "duration_ms": duration_ms}


def _start_of(upload: IO[bytes]) -> bytes:
    upload.seek(0)
    start = upload.read(64)
    upload.seek(0)
    return start


def _hash_of(upload: File) -> str:
    digest = sha256()
    for chunk in upload.chunks():
        digest.update(chunk)
    return digest.hexdigest()
