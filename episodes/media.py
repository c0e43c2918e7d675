"""Sound and video that an episode plays: what a file is, told by its bytes."""

import re
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.utils.translation import gettext as _

from publishing.models import Item
from publishing.permissions import Actor
from publishing.revisions import save_revision
from publishing.stored_files import discard, store
from publishing.text import clean_line

from .ffmpeg import FfmpegFailed, MediaRefused, Probed, find_programs, probe, remux
from .models import MediaFile
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
_PLAYED = {"audio", "video"}
REMUXED = {"ts", "aac"}  # MPEG-TS and raw ADTS: no browser plays them, and no cut of them is exact
START_BYTES = 400


PLAYED_BRANDS = {  # of ISO media files; HEIC pictures and QuickTime are not among them
    *(b"M4A ", b"M4B ", b"M4V ", b"M4VH", b"M4VP", b"MSNV", b"avc1", b"dash", b"f4v ", b"isml"),
    *(b"iso2", b"iso3", b"iso4", b"iso5", b"iso6", b"isom", b"mp41", b"mp42", b"mp71"),
}


@dataclass(frozen=True)
class Sniffed:
    extension: str

    @property
    def mime(self) -> str:
        return MIME_OF.get(self.extension, "")

    @property
    def kind(self) -> str:
        return self.mime.partition("/")[0]


def sniff(start: bytes) -> Sniffed | None:
    """Return what sound or video a file's first 400 bytes announce, or None."""
    if start[4:8] == b"ftyp":
        return Sniffed("m4a" if start[8:11] == b"M4A" else "mp4") if start[8:12] in PLAYED_BRANDS else None
    if start[:4] == b"RIFF" and start[8:12] == b"WAVE":
        return Sniffed("wav")
    for magic, extension in ((b"OggS", "ogg"), (b"fLaC", "flac"), (b"\x1aE\xdf\xa3", "webm"), (b"ID3", "mp3")):
        if start.startswith(magic):
            return Sniffed(extension)
    if len(start) > 376 and start[0] == start[188] == start[376] == 0x47:
        return Sniffed("ts")
    if start[:1] == b"\xff" and start[1:2] and start[1] & 0xF6 == 0xF0:
        return Sniffed("aac")
    is_mpeg_frame = len(start) > 1 and start[0] == 0xFF and start[1] & 0xE6 == 0xE2
    return Sniffed("mp3") if is_mpeg_frame else None


def media_from_upload(upload: File, *, by: Actor) -> MediaFile:
    """Keep an uploaded file under a name of ours and return its row.

    Raises ValidationError where it is no sound or video, or too large, or a quota has no room for it.
    """
    if upload.size > MOST_BYTES:
        raise ValidationError(_("The file is larger than 500 MB. Give its address instead."), code="media_bytes")
    found = sniff(_start_of(upload))
    if found is None:
        message = _("“%(name)s” is no sound or video that browsers play. Use MP3, M4A, MP4, Ogg, WAV, FLAC or WebM.")
        raise ValidationError(message, "media_format", {"name": clean_line(upload.name or "")})
    if found.extension in REMUXED:
        return _media_from_remuxed(upload, found, by)
    name = store(upload, "episodes", found.extension, by=by)
    try:
        probed = look_into(name)
    except ValidationError:
        discard(name)
        raise
    kind = found.kind
    if probed:
        kind = MediaFile.Kind.VIDEO if probed.video else MediaFile.Kind.AUDIO
    return MediaFile.objects.create(
        kind=kind,
        file=name,
        mime=found.mime if kind == found.kind else found.mime.replace(found.kind, kind),
        bytes=upload.size,
        duration_ms=probed.duration_ms if probed else None,
        content_hash=_hash_of(upload),
        probed=probed.as_json() if probed else None,
    )


def _media_from_remuxed(upload: File, found: Sniffed, by: Actor) -> MediaFile:
    """Keep what lies in an MPEG-TS or ADTS file as MP4 or M4A, its streams copied as they are."""
    if find_programs() is None:
        message = _("“%(name)s” would have to be rewritten as MP4, and this server has no ffmpeg to do it.")
        raise ValidationError(message, "media_format", {"name": clean_line(upload.name or "")})
    with tempfile.TemporaryDirectory(prefix="pullquote-remux-") as folder:
        source, target = Path(folder) / f"source.{found.extension}", Path(folder) / "target.mp4"
        with source.open("wb") as copy:
            for chunk in upload.chunks():
                copy.write(chunk)
        try:
            remuxed = remux(source, target, probe(source))
        except (MediaRefused, FfmpegFailed) as refused:
            raise ValidationError(str(refused), code="media_broken") from refused
        with target.open("rb") as data:
            return media_from_upload(File(data, name=f"remuxed.{'mp4' if remuxed.video else 'm4a'}"), by=by)


def look_into(name: str) -> Probed | None:
    """Return what a stored file holds; None where this machine has no program, or no path, to look with.

    Raises ValidationError with a sentence where it is broken, or no sound or video at all.
    """
    if find_programs() is None:
        return None
    try:
        return probe(Path(default_storage.path(name)))
    except NotImplementedError:
        return None
    except (MediaRefused, FfmpegFailed) as refused:
        raise ValidationError(str(refused), code="media_broken") from refused


def with_offset(media: MediaFile, offset_ms: int | None) -> MediaFile:
    """Return a new row for the same file, elsewhere on the episode's timeline; None is not known exactly."""
    moved = MediaFile.objects.get(pk=media.pk)
    moved.pk = None
    moved.offset_ms = offset_ms
    moved.save()
    return moved


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


def fitting_type(media: MediaFile) -> str:
    """Return the media type that a file's extension stands for, as directories ask; else the one that we were told."""
    extension = re.split(r"[?#]", media.url, maxsplit=1)[0].rpartition(".")[2].lower()
    told = media.mime.partition(";")[0].strip().lower()
    known = MIME_OF.get(extension, "")
    main = told.partition("/")[0]
    if known and (main not in _PLAYED or known.startswith(f"{main}/")):
        return known
    return told or (MIME_OF["mp4"] if media.kind == MediaFile.Kind.VIDEO else MIME_OF["mp3"])


def _start_of(upload: IO[bytes]) -> bytes:
    upload.seek(0)
    start = upload.read(START_BYTES)
    upload.seek(0)
    return start


def _hash_of(upload: File) -> str:
    digest = sha256()
    for chunk in upload.chunks():
        digest.update(chunk)
    return digest.hexdigest()


def replace_media(item: Item, old: int, new: int, *, actor: Actor) -> None:
    """Save a draft whose media name the new row in place of the old. The item must be locked."""
    content = item.newest.content
    rows = [row | {"media": new} if row["media"] == old else row for row in content.get("media") or []]
    save_revision(item, content | {"media": rows}, actor=actor)
