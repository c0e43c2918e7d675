"""Read WebVTT, also as hosts serve it that write its times in ways of their own."""

import re
from html import unescape
from itertools import groupby
from operator import itemgetter

from episodes.transcripts.parsed import ParsedTranscript

from .clock import STRICT, read_clock
from .draft import Draft, DraftWord, is_word, quote
from .labels import name_speakers
from .markup import TAG, plain_text, tag_name

_STRICT_LINE = re.compile(rf"[ \t]*(?P<start>{STRICT})[ \t]*-->[ \t]*(?P<end>{STRICT})", re.ASCII)
_LOOSE_LINE = re.compile(
    r"[ \t]*(?P<start>-?\d{1,6}[\d:.,]{0,18})[ \t]*-->[ \t]*(?P<end>-?\d{1,6}[\d:.,]{0,18})(?=[ \t]|$)", re.ASCII
)
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t\n]([^<>]*)>")
_MARK = re.compile(r"<([\d:.]+)>", re.ASCII)
_BLOCK = re.compile(r"(NOTE|STYLE|REGION)(?:[ \t]|$)")
_HEADER_FIELD = re.compile(r"(Kind|Language)[ \t]*:[ \t]*(.{1,40})", re.IGNORECASE)

Times = tuple[int | None, int | None]
RawCue = tuple[int, Times, list[str]]  # line number, times, lines of text


def read_webvtt(text: str) -> ParsedTranscript:
    """Return what a WebVTT file says.

    A voice tag names the speaker; without any in the file, a ``Name:`` before the
    text does. Text that a rolling caption shows again is not said twice.
    """
    draft = Draft("webvtt")
    lines = text.split("\n")
    start = _read_header(lines, draft)
    raw = _blocks(lines, start, draft)
    is_rolling = _is_rolling(raw)
    if is_rolling:
        draft.word_timed = True
    has_voices = any(_VOICE.search(line) for _, _, body in raw for line in body)
    guarded = set()
    shown: list[str] = []
    for line_number, times, body in raw:
        if is_rolling:
            body, shown = _new_lines(body, shown)
        source = "\n".join(body)
        if source.startswith("<c>"):
            guarded.add(len(draft.cues))
        _add_cue(draft, line_number, times, source)
    if not has_voices and not is_rolling:
        name_speakers(draft, guarded)
    return draft.finish()


def _read_header(lines: list[str], draft: Draft) -> int:
    """Return where the header ends: at an empty line or at the first cue."""
    place = 1 if lines and lines[0].startswith("WEBVTT") else 0
    if not place:
        draft.say("header", "The file does not begin with WEBVTT.", 1)
        return 0
    is_youtube = False
    while place < len(lines) and lines[place] and "-->" not in lines[place]:
        match = _HEADER_FIELD.match(lines[place])
        if match and match[1].lower() == "language":
            draft.language = match[2].strip()
        is_youtube = is_youtube or bool(match and match[0].lower() == "kind: captions")
        place += 1
    if is_youtube and any("<c>" in line and _MARK.search(line) for line in lines[place:]):
        draft.automatic, draft.engine = True, "YouTube"
    return place


def _blocks(lines: list[str], start: int, draft: Draft) -> list[RawCue]:
    """Return the cues, each with its line number; what belongs to none is said."""
    cues: list[RawCue] = []
    place = start
    while place < len(lines):
        if not lines[place]:
            place += 1
            continue
        first = place
        while place < len(lines) and lines[place] and "-->" not in lines[place]:
            place += 1
        if place == len(lines) or not lines[place]:
            if not _BLOCK.match(lines[first]):
                _tell_lost(lines[first:place], first + 1, draft)
            continue
        if place > first + 1:  # more than the cue’s identifier
            _tell_lost(lines[first : place - 1], first + 1, draft)
        timing = place
        place += 1
        while place < len(lines) and lines[place] and "-->" not in lines[place]:
            place += 1
        body = lines[timing + 1 : place]
        times = _read_times(lines[timing], timing + 1, draft)
        if times is None:
            _tell_unreadable(lines[timing], body, timing + 1, draft)
        else:
            cues.append((timing + 1, times, body))
    return cues


def _tell_lost(body: list[str], line: int, draft: Draft) -> None:
    draft.say("lost", f"text without a time is left out: {quote(' '.join(body), 200)}.", line)


def _tell_unreadable(timing: str, body: list[str], line: int, draft: Draft) -> None:
    sentence = f"the time {quote(timing)} cannot be read; left out is {quote(' '.join(body), 200)}."
    draft.say("unreadable", sentence, line)


def _read_times(line: str, number: int, draft: Draft) -> Times | None:
    match = _STRICT_LINE.match(line)
    if match is not None:
        start, end = read_clock(match["start"]), read_clock(match["end"])
        return None if start is None or end is None else (start, end)
    match = _LOOSE_LINE.match(line)
    if match is None:
        return None
    start, end = _signed(match["start"]), _signed(match["end"])
    if start is None or end is None:
        return None
    sentence = f"the time {quote(match[0])} is not written as the standard asks; it is read all the same."
    draft.say("loose", sentence, number, limit=3)
    return start, end


def _signed(text: str) -> int | None:
    ms = read_clock(text.removeprefix("-"))
    return -ms if ms is not None and text.startswith("-") else ms


def _is_rolling(raw: list[RawCue]) -> bool:
    """Tell whether cues time their words within and show the line before once more."""
    return any(_MARK.search(line) and "<c" in line for _, _, body in raw for line in body)


def _new_lines(body: list[str], shown: list[str]) -> tuple[list[str], list[str]]:
    """Return the lines that were not on screen yet, and all that are on screen now."""
    plain = [TAG.sub("", line).strip() for line in body]
    filled = [line for line in plain if line]
    known = next((n for n in range(min(len(shown), len(filled), 4), 0, -1) if shown[-n:] == filled[:n]), 0)
    new, skipped = [], 0
    for line, text in zip(body, plain, strict=True):
        if text and skipped < known:
            skipped += 1
        elif text:
            new.append(line)
    return new, filled


def _add_cue(draft: Draft, line: int, times: Times, body: str) -> None:
    voices = _by_voice(body)
    if len(voices) > 1:
        draft.say("voices", f"{len(voices)} voices speak in one cue; its time is shared out.", line)
    for (speaker, part), shared in zip(voices, _shared(times, voices), strict=True):
        if _MARK.search(part):
            _add_timed(draft, line, shared, speaker, part)
        else:
            draft.add(*shared, speaker, plain_text(part, draft, line), line)


def _by_voice(body: str) -> list[tuple[str, str]]:
    """Return the text of a cue by speaker; text between two voices is nobody’s."""
    parts: list[tuple[str, str]] = []
    speaker, begins = "", 0
    for match in TAG.finditer(body):
        if tag_name(match[0]) != "v":
            continue
        parts.append((speaker, body[begins : match.start()]))
        voice = _VOICE.fullmatch(match[0])
        speaker, begins = unescape(voice[1]) if voice else "", match.end()
    parts.append((speaker, body[begins:]))
    spoken = [(name, part) for name, part in parts if TAG.sub("", part).strip()]
    return _merged(spoken) or [("", "")]


def _merged(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    runs = groupby(parts, key=itemgetter(0))
    return [(name, "".join(part for _, part in run)) for name, run in runs]


def _shared(times: Times, voices: list[tuple[str, str]]) -> list[Times]:
    start, end = times
    if len(voices) == 1 or start is None or end is None or end <= start:
        return [times] * len(voices)
    sizes = [len(part) for _, part in voices]
    whole, done, shares = max(sum(sizes), 1), 0, []
    for size in sizes:
        begins = start + (end - start) * done // whole
        done += size
        shares.append((begins, start + (end - start) * done // whole))
    return [*shares]


def _add_timed(draft: Draft, line: int, times: Times, speaker: str, body: str) -> None:
    """Take a cue that times its words with marks such as ``<00:00:01.000>``."""
    draft.word_timed = True
    pieces = _MARK.split(body)
    start: int | None = times[0]
    words: list[DraftWord] = []
    texts: list[str] = []
    for place, piece in enumerate(pieces):
        if place % 2:
            ms = read_clock(piece)
            start = ms if ms is not None else start
            continue
        text = plain_text(piece, draft, line)
        texts.append(text)
        for run in text.split():
            if is_word(run):
                glued = bool(words) and start is None and not text[:1].isspace()
                words.append(DraftWord(run, None if glued else start, None, speaker))
                start = None
    draft.add(*times, speaker, "".join(texts), line, words)
