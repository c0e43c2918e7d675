"""Transcripts for tests, read from real bytes through the same door as everybody's."""

from django.contrib.auth.models import User

from episodes.models import Episode, Transcript
from episodes.transcripts.script import script_of
from episodes.transcripts.service import About, Added, add_transcript

LINES = (
    ("Mae", "So how did it begin?"),
    ("Ada", "We put the battery where the buses sleep, uh, in the depot."),
    ("Ada", "Nobody asked for permission, and nobody complained."),
    ("Mae", "Nobody at all?"),
    ("Ada", "Not one of the forty five neighbours did."),
)


def clock(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.000"


def vtt(*lines: tuple[str, str], seconds: int = 4, start: int = 0) -> bytes:
    """Return WebVTT with one cue of some seconds for each ``(label, text)``."""
    cues = []
    for number, (label, text) in enumerate(lines or LINES):
        first = start + number * seconds
        voice = f"<v {label}>" if label else ""
        cues.append(f"{clock(first)} --> {clock(first + seconds)}\n{voice}{text}\n")
    return "\n".join(["WEBVTT\n", *cues]).encode()


def add(episode: Episode, data: bytes | None = None, *, actor: User | None = None, **about) -> Added:
    wanted = about.pop("make_it_current", True)
    return add_transcript(episode, data or vtt(), About(**about), actor=actor, make_it_current=wanted)


def make_transcript(episode: Episode, *lines: tuple[str, str], **about) -> Transcript:
    return add(episode, vtt(*lines), **about).transcript


def text_of(transcript: Transcript) -> str:
    return " ".join(word.w for word in script_of(transcript).words)
