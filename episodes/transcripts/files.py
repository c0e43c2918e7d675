"""A transcript as files: for players, podcast apps and whoever works with the words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ..models import Transcript
from .naming import SpeakerNames
from .parsed import Cue
from .script import Script
from .writers import write_json, write_srt, write_text, write_vtt


@dataclass(frozen=True)
class FileFormat:
    """``is_captions`` tells whether a player can show it in time with the sound."""

    label: str | Promise
    mime: str
    write: Callable[[Iterable[Cue]], bytes]
    is_captions: bool = False

    @property
    def content_type(self) -> str:
        """Return the header's value; JSON is UTF-8 by definition and takes no charset."""
        return self.mime if self.mime.endswith("json") else f"{self.mime}; charset=utf-8"


# VTT first: apps that take one only take the first.
FILES = {
    "vtt": FileFormat("VTT", "text/vtt", write_vtt, is_captions=True),
    "srt": FileFormat("SRT", "application/x-subrip", write_srt, is_captions=True),
    "json": FileFormat("JSON", "application/json", write_json),
    "txt": FileFormat(_("plain text"), "text/plain", write_text),
}


def formats_of(transcript: Transcript) -> dict[str, FileFormat]:
    """Return the formats that a transcript can be had in: without times it is plain text and nothing else."""
    return FILES if transcript.is_timed else {"txt": FILES["txt"]}


def write_file(script: Script, names: SpeakerNames, form: FileFormat) -> bytes:
    """Return what a transcript says in one format, its speakers named as on the page."""
    cues = [Cue(cue.start_ms, cue.end_ms, names.plain(cue.label), cue.text) for cue in script.cues if cue.text]
    return form.write(cues)
