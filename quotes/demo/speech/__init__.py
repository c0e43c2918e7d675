"""Two short conversations: their sound and their timed words, made by ``make.py`` and kept as files."""

import json
from pathlib import Path
from typing import TypedDict

FOLDER = Path(__file__).parent


class Word(TypedDict):
    """One word as spoken, with its span in milliseconds from the start of the sound."""

    w: str
    start_ms: int
    end_ms: int
    speaker: str


def sound_of(key: str) -> bytes:
    """Return the conversation as an MP3 file."""
    return (FOLDER / f"{key}.mp3").read_bytes()


def words_of(key: str) -> list[Word]:
    """Return every word of the conversation, fillers and repetitions included, in order."""
    words: list[Word] = json.loads((FOLDER / f"{key}.json").read_text())
    return words
