"""Write cues as files that players, editors and our own reader take.

Cues are any objects with ``start_ms``, ``end_ms``, ``speaker`` and ``text``. Those
without a start are left out of files whose cues need times. All files are UTF-8 with
plain newlines, and the same cues always give the same bytes.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Protocol

from episodes.transcripts.readers.draft import clean_line, clean_text, speech_ms
from episodes.transcripts.readers.labels import split_label


class WritableCue(Protocol):
    @property
    def start_ms(self) -> int | None: ...
    @property
    def end_ms(self) -> int | None: ...
    @property
    def speaker(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class _Timed:
    start_ms: int
    end_ms: int
    speaker: str
    text: str


_ARROW = re.compile(r"-(?=-*>)")
_TAG_START = re.compile(r"<(?=[A-Za-z/!\d])")
_STYLE_START = re.compile(r"\{(?=[\\/A-Za-z])")
_ENTITY = re.compile(r"&[A-Za-z#][A-Za-z0-9#]*;?")


def write_vtt(cues: Iterable[WritableCue], *, note: str = "") -> bytes:
    """Return WebVTT with a voice tag for each speaker, and a note at the top if given."""
    blocks = ["WEBVTT"]
    if note:
        blocks.append("NOTE\n" + clean_text(note).replace("-->", "-- >"))
    timed = list(_timed(cues))
    has_voices = any(cue.speaker for cue in timed)
    for cue in timed:
        text = _escaped(cue.text)
        if cue.speaker:
            gap = " " if cue.speaker.endswith("-") else ""  # two dashes and the bracket would be an arrow
            text = f"<v {_escaped(cue.speaker)}{gap}>{text}"
        elif not has_voices and (split_label(cue.text)[0] or cue.text.startswith(">>")):
            text = _guarded(cue.text)
        times = f"{_clock(cue.start_ms, '.')} --> {_clock(cue.end_ms, '.')}"
        blocks.append(f"{times}\n{text}")
    return _encoded("\n\n".join(blocks))


def write_srt(cues: Iterable[WritableCue]) -> bytes:
    """Return SubRip with ``Name: `` where the speaker changes.

    A change to nobody is marked by ``>>``. SubRip cannot escape: where speech looks
    like a tag, an arrow or a label, a space or a line break keeps it speech.
    """
    blocks = []
    before = ""
    for number, cue in enumerate(_timed(cues), 1):
        text = _STYLE_START.sub("{ ", _TAG_START.sub("< ", _ARROW.sub("- ", _without_entities(cue.text))))
        name = _srt_name(cue.speaker)
        looks_marked = bool(split_label(text)[0]) or text.startswith(">>")
        if name and (name != before or looks_marked):
            text = f"{name}: {text}"
        elif not name and looks_marked:
            text = f">> {text}" if text.startswith(">>") else _broken_after_colon(text)
        if not name and before:
            text = text if text.startswith(">>") else f">> {text}"
        times = f"{_clock(cue.start_ms, ',')} --> {_clock(cue.end_ms, ',')}"
        blocks.append(f"{number}\n{times}\n{text}")
        before = name
    return _encoded("\n\n".join(blocks)) if blocks else b""


def write_json(cues: Iterable[WritableCue]) -> bytes:
    """Return the JSON of the podcast namespace, version 1.0.0, times in seconds."""
    segments = [
        {
            **({"speaker": cue.speaker} if cue.speaker else {}),
            "startTime": cue.start_ms / 1000,
            "endTime": cue.end_ms / 1000,
            "body": cue.text,
        }
        for cue in _timed(cues)
    ]
    return _encoded(json.dumps({"version": "1.0.0", "segments": segments}, ensure_ascii=False, indent=1))


def write_text(cues: Iterable[WritableCue]) -> bytes:
    """Return a paragraph a cue: ``[00:01:02] Name: text``, without a time where there is none."""
    blocks = []
    for cue in cues:
        text, name = clean_line(cue.text), clean_line(cue.speaker)
        if text:
            time = "" if cue.start_ms is None else f"[{_clock(cue.start_ms, '.')[:-4]}] "
            blocks.append(f"{time}{f'{name}: ' if name else ''}{text}")
    return _encoded("\n\n".join(blocks)) if blocks else b""


def _timed(cues: Iterable[WritableCue]) -> Iterator[_Timed]:
    """Yield the cues that have a start and some text, each at least a millisecond long.

    One without an end lasts until the next later start, at most as long as it takes to say.
    """
    kept = [cue for cue in cues if cue.start_ms is not None and clean_text(cue.text)]
    for place, cue in enumerate(kept):
        start = max(cue.start_ms or 0, 0)
        text = clean_text(cue.text)
        end = cue.end_ms
        if end is None:
            end = start + max(speech_ms(text), 1_000)
            following = kept[place + 1].start_ms if place + 1 < len(kept) else None
            end = following if following is not None and start < following < end else end
        yield _Timed(start, max(end, start + 1), clean_line(cue.speaker), text)


def _clock(ms: int, point: str) -> str:
    seconds, ms = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}{point}{ms:03}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _guarded(text: str) -> str:
    """Return speech that begins like a label, in a class tag that marks it as speech."""
    first, space, rest = text.partition(" ")
    return f"<c>{_escaped(first)}</c>{space}{_escaped(rest)}"


def _without_entities(text: str) -> str:
    """Return text in which nothing reads as a character's name in HTML: ``Q&A`` stays, ``&amp;`` does not."""
    return _ENTITY.sub(lambda found: found[0] if unescape(found[0]) == found[0] else f"& {found[0][1:]}", text)


def _srt_name(speaker: str) -> str:
    """Return a speaker's name without what would end it too early."""
    name = " ".join(_TAG_START.sub("", _ARROW.sub("", re.sub("[:：]", " ", speaker))).split())
    return name.lstrip("> ")


def _broken_after_colon(text: str) -> str:
    return re.sub(r"([:：])[ \t\u3000]*", r"\1\n", text, count=1)


def _encoded(text: str) -> bytes:
    return f"{text}\n".encode()
