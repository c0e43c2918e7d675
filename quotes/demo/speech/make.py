"""Have the conversations spoken: ``python -m quotes.demo.speech.make`` writes the files beside it.

Needs libespeak-ng (the voices) and ffmpeg (the MP3); the demo itself needs neither.
A word's start is where espeak-ng says that it begins in the samples; its end is where
the next word starts or, before a pause, where its own sound ends. Both are then true
of the MP3, whose header tells players how many samples of the encoder to skip.
"""

import array
import ctypes
import ctypes.util
import json
import math
import re
import subprocess
import sys
import tempfile
import wave
from pathlib import Path
from typing import Any, ClassVar

from . import FOLDER, Word
from .conversations import CONVERSATIONS, Conversation, Speaker

BIT_RATE = "32k"
LEAD = 0.9  # seconds before the first word and after the last
BETWEEN_TURNS = 0.28  # seconds
PAUSE = 0.06  # seconds of quiet that end a word
QUIET = 250  # of 32,767: below is no sound
BED = 420  # loudness of the bed, of 32,767
SYNCHRONOUS, UTF8, BY_CHARACTER = 2, 1, 1
WORD_EVENT, LAST_EVENT = 1, 0
RATE_PARAMETER, PITCH_PARAMETER = 1, 3


class _Id(ctypes.Union):
    _fields_: ClassVar = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class _Event(ctypes.Structure):
    """``espeak_EVENT`` of speak_lib.h."""

    _fields_: ClassVar = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Id),
    ]


_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))


class Voices:
    """espeak-ng, giving samples and the sample at which each word begins."""

    def __init__(self) -> None:
        self.library = ctypes.CDLL(ctypes.util.find_library("espeak-ng"))
        self.rate: int = self.library.espeak_Initialize(SYNCHRONOUS, 0, None, 0)
        self.samples = array.array("h")
        self.starts: dict[int, int] = {}  # place in the text: sample
        self._callback = _Callback(self._take)
        self.library.espeak_SetSynthCallback(self._callback)

    def _take(self, samples: Any, count: int, events: Any) -> int:
        index = 0
        while events[index].type != LAST_EVENT:
            if events[index].type == WORD_EVENT:
                self.starts.setdefault(events[index].text_position - 1, events[index].sample)
            index += 1
        if samples:
            self.samples.extend(samples[:count])
        return 0

    def speak(self, speaker: Speaker, text: str) -> tuple[array.array, dict[int, int]]:
        """Return the samples of a turn, and where each piece of its text begins in them."""
        self.samples, self.starts = array.array("h"), {}
        self.library.espeak_SetVoiceByName(speaker.voice.encode())
        self.library.espeak_SetParameter(RATE_PARAMETER, speaker.pace, 0)
        self.library.espeak_SetParameter(PITCH_PARAMETER, speaker.pitch, 0)
        # Between words that it has in one entry, such as "in the", it tells one start unless the space is no-break.
        data = re.sub(r"(?<=\w) ", "\N{NO-BREAK SPACE}", text).encode()
        self.library.espeak_Synth(data, len(data) + 1, 0, BY_CHARACTER, 0, UTF8, None, None)
        return self.samples, self.starts


def record(voices: Voices, conversation: Conversation) -> tuple[array.array, list[Word]]:
    """Return the whole conversation without its bed, and its words."""
    samples = _silence(voices.rate, LEAD)
    words: list[Word] = []
    for speaker, text in conversation.turns:
        spoken, starts = voices.speak(speaker, text)
        for word, start, end in _spans(spoken, _places(text, starts), voices.rate):
            times = [round((len(samples) + at) * 1000 / voices.rate) for at in (start, end)]
            words.append({"w": word, "start_ms": times[0], "end_ms": times[1], "speaker": speaker.name})
        samples += spoken + _silence(voices.rate, BETWEEN_TURNS)
    return samples + _silence(voices.rate, LEAD), words


def _silence(rate: int, seconds: float) -> array.array:
    return array.array("h", bytes(2 * int(rate * seconds)))


def _places(text: str, starts: dict[int, int]) -> list[tuple[str, int]]:
    """Return each word with the sample of the first piece that espeak-ng found in it."""
    found, place = [], 0
    for word in text.split():
        place = text.index(word, place)
        found.append((word, min(sample for at, sample in starts.items() if place <= at < place + len(word))))
        place += len(word)
    return found


def _spans(samples: array.array, places: list[tuple[str, int]], rate: int) -> list[tuple[str, int, int]]:
    nexts = [start for _word, start in places[1:]] + [len(samples)]
    return [
        (word, start, _sound_end(samples, start, following, rate))
        for (word, start), following in zip(places, nexts, strict=True)
    ]


def _sound_end(samples: array.array, start: int, following: int, rate: int) -> int:
    """Return where the sound of a word ends: at the next word, unless quiet lies between."""
    end = next((at + 1 for at in range(following - 1, start, -1) if abs(samples[at]) > QUIET), following)
    return end if following - end > PAUSE * rate else following


def lay_bed(samples: array.array, bed: dict[float, float], rate: int) -> array.array:
    """Return the samples with quiet sine waves below them, which fade at both ends."""
    total = sum(bed.values())
    mixed = array.array("h", samples)
    for at in range(len(mixed)):
        fade = min(1.0, at / rate / LEAD, (len(mixed) - at) / rate / LEAD)
        level = sum(loud * math.sin(2 * math.pi * hertz * at / rate) for hertz, loud in bed.items()) / total
        mixed[at] = max(-32_768, min(32_767, samples[at] + int(BED * fade * level)))
    return mixed


def write_mp3(samples: array.array, rate: int, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "speech.wav"
        with wave.open(str(raw), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(samples.tobytes())
        command = ["ffmpeg", "-loglevel", "error", "-y", "-i", str(raw), "-c:a", "libmp3lame", "-b:a", BIT_RATE]
        subprocess.run([*command, "-map_metadata", "-1", str(path)], check=True)  # noqa: S603 - our own command


def main() -> None:
    voices = Voices()
    for key, conversation in CONVERSATIONS.items():
        samples, words = record(voices, conversation)
        write_mp3(lay_bed(samples, conversation.bed, voices.rate), voices.rate, FOLDER / f"{key}.mp3")
        lines = ",\n".join(json.dumps(word, ensure_ascii=False) for word in words)
        (FOLDER / f"{key}.json").write_text(f"[\n{lines}\n]\n")
        sys.stdout.write(f"{key}: {len(samples) / voices.rate:.3f} s, {len(words)} words\n")


if __name__ == "__main__":
    main()
