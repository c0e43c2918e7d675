"""Read SubRip (SRT) files."""

import re
from itertools import pairwise

from episodes.transcripts.parsed import ParsedTranscript

from .clock import read_clock
from .draft import Draft, quote
from .labels import name_speakers
from .markup import plain_text

TIMING = re.compile(
    r"[ \t]*(?P<start>-?[ \t]?\d{1,6}[\d:.,]{0,18})[ \t]*-{1,2}>[ \t]*(?P<end>-?[ \t]?\d{1,6}[\d:.,]{0,18})(?=[ \t]|$)",
    re.ASCII,
)
_ARROW = re.compile(r"[ \t]*[\d:.,]*\d[ \t]*-->")
_NUMBER = re.compile(r"[ \t]*\d{1,9}[ \t]*", re.ASCII)
_STYLE = re.compile(r"\{\\[^{}\n]{0,200}\}|\{/?[biuyYBIU](?::[^{}\n]{0,40})?\}")


def read_srt(text: str) -> ParsedTranscript:
    """Return what an SRT file says, with or without numbers and empty lines.

    A ``Name:`` before the text counts for the cues after it too.
    """
    draft = Draft("srt")
    lines = text.split("\n")
    timings = [number for number, line in enumerate(lines) if TIMING.match(line) or _ARROW.match(line)]
    _tell_lost_start(lines[: timings[0]] if timings else lines, draft)
    for timing, following in pairwise([*timings, len(lines)]):
        body = lines[timing + 1 : following]
        if following < len(lines) and body and _NUMBER.fullmatch(body[-1]):
            body.pop()
        body = _without_lost_cues(body, timing + 2, draft)
        _add_cue(draft, lines[timing], timing + 1, body)
    name_speakers(draft)
    return draft.finish()


def _tell_lost_start(lines: list[str], draft: Draft) -> None:
    lost = " ".join(line.strip() for line in lines if not _NUMBER.fullmatch(line)).strip()
    if lost:
        draft.say("lost", f"text without a time is left out: {quote(lost, 200)}.", 1)


def _without_lost_cues(body: list[str], first_line: int, draft: Draft) -> list[str]:
    """Return the lines of a cue without a numbered one after it that has no time.

    Text after an empty line but without a number stays: some write cues like that.
    """
    kept: list[str] = []
    lost_at: int | None = None
    lost: list[str] = []
    for place, line in enumerate(body):
        begins = not place or not body[place - 1].strip()
        is_numbered = (
            place > 0 and begins and _NUMBER.fullmatch(line) and place + 1 < len(body) and body[place + 1].strip()
        )
        if is_numbered:
            lost_at = first_line + place if lost_at is None else lost_at
            continue
        if lost_at is not None:
            lost.append(line)
            continue
        if place and begins and line.strip() and any(kept):
            draft.say("gap", "text after an empty line is taken as part of the cue above.", first_line + place)
        kept.append(line.strip())
    if lost_at is not None:
        draft.say("lost", f"a cue has no time and is left out: {quote(' '.join(lost), 200)}.", lost_at)
    return kept


def _add_cue(draft: Draft, timing: str, line: int, body: list[str]) -> None:
    text = plain_text(_STYLE.sub("", "\n".join(body)), draft, line)
    match = TIMING.match(timing)
    start = _signed(match["start"]) if match else None
    end = _signed(match["end"]) if match else None
    if start is None:
        draft.say("unreadable", f"the time {quote(timing)} cannot be read; left out is {quote(text, 200)}.", line)
        return
    if end is None:
        draft.say("unreadable end", f"the end in {quote(timing)} cannot be read; the next cue ends this one.", line)
    draft.add(start, end, "", text, line)


def _signed(text: str) -> int | None:
    ms = read_clock(_with_fraction(text.lstrip("- \t")))
    return -ms if ms is not None and text.startswith("-") else ms


def _with_fraction(text: str) -> str:
    """Return a time with its fraction after a dot, also where a third colon or two commas stand."""
    parts = re.split("[:.,]", text)
    return f"{':'.join(parts[:3])}.{parts[3]}" if len(parts) == 4 else text
