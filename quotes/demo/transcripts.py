"""Transcripts of the demo's episodes, as a speech engine would have written them.

The two recordings bring their timed words. The others were never recorded: their
transcripts are the questions below and the quotes as they would have been said, with
the sounds and stutters that the quotes leave out.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import groupby

from episodes.timecodes import parse_timecode

from . import speech
from .content import EPISODES, GUESTS, QUOTES, Entry

QUESTIONS: dict[str, str] = {
    "view": "and did anybody mind having such a thing next door",
    "loop": "so why are the lines never straight",
    "treaty": "do you think the spelling is beautiful",
    "every-street": "how often does it really happen",
    "never-asked": "and what did the council say to that",
    "tidy": "then came the first winter, and you lost some of them",
    "tariff": "was there a strategy behind all this",
    "curve": "describe the curve to somebody who has never seen it",
    "claims": "where do you begin to look for a river that is gone",
    "two-failed": "did all five of them come back",
    "lake": "and the school was happy to be flooded",
    "marble": "what can a listener do this weekend",
    "nurses": "the hourly timetable, what was wrong with it",
    "knees": "how would I notice that a network is good",
    "night-bus": "is the night bus worth its money",
    "lose-a-stop": "may a planner ever take a stop away",
    "loudest": "how do you hear those who never come to a meeting",
    "four-falls": "how many falls were missing from the register",
    "nobody-calls": "what is a register, in one sentence",
    "footnote": "people make fun of your footnotes",
    "joke": "when does a joke become a word",
    "question-mark": "is there a word that beat you",
    "fishmongers": "where did you find the future tense in the end",
    "ten-minutes": "how long until an orchestra knows a hall",
    "cleaners": "whom do you ask first in a new building",
    "seasons": "so the batteries solve it",
    "doubt": "should an office publish a number it is not sure of",
    "silence": "what do people order when they come to you",
    "invited": "how does a language die",
    "rain-of-1910": "who decided how wide the pipe should be",
    "depot": "when you look at a depot, what do you see",
    "promise": "what is it that people buy when they buy a ticket",
}
SOUNDS = ("uh,", "um,")
SAID_TWICE = {"the", "a", "it", "we", "they", "you", "to", "of", "in", "and"}
QUESTION_MS, PAUSE_MS = 6_400, 700
UNLABELLED = {"rivers"}  # captions of a video: nobody says who speaks


def transcript_of(episode: str) -> bytes | None:
    """Return an episode's transcript as JSON with segments and words, or None for one without."""
    entry = next(one for one in EPISODES if one["key"] == episode)
    recorded = next((row["speech"] for row in entry["media"] if "speech" in row), None)
    words = list(_recorded(recorded) if recorded else _invented(episode))
    if not words:
        return None
    segments = [_segment(list(run)) for _turn, run in groupby(words, key=lambda word: (word["turn"], word["speaker"]))]
    if episode in UNLABELLED:
        segments = [_without_speaker(segment) for segment in segments]
    return json.dumps({"segments": segments, "language": "en"}, ensure_ascii=False).encode()


def _recorded(key: str) -> Iterator[Entry]:
    """Yield the words of a recording, a turn for each sentence."""
    turn = 0
    for word in speech.words_of(key):
        yield {**word, "turn": turn}
        turn += word["w"].endswith((".", "?", "!"))


def _invented(episode: str) -> Iterator[Entry]:
    """Yield the words of the questions and answers of an episode's timed quotes, as they were said."""
    names = {guest["key"]: guest["name"] for guest in GUESTS}
    host = next((row["guest"] for row in _entry(episode)["guests"] if row["role"] == "host"), "")
    timed = [quote for quote in QUOTES if quote["episode"] == episode and quote.get("start_ms")]
    for turn, quote in enumerate(sorted(timed, key=lambda one: parse_timecode(one["start_ms"]))):
        start, end = parse_timecode(quote["start_ms"]), parse_timecode(quote["end_ms"])
        asked_at = max(0, start - QUESTION_MS - PAUSE_MS)
        question = f"{QUESTIONS[quote['key']].capitalize()}?".split()
        yield from _timed(question, asked_at, start - PAUSE_MS, names[host], 2 * turn)
        yield from _timed(list(as_said(quote)), start, end, names[quote["speaker"]], 2 * turn + 1)


def _entry(episode: str) -> Entry:
    return next(one for one in EPISODES if one["key"] == episode)


def as_said(quote: Entry) -> Iterator[str]:
    """Yield the words of a quote with sounds and stutters between them; the first and the last are the quote's own."""
    said: str = quote.get("said") or quote["text"]
    words = said.split()
    for place, word in enumerate(words):
        if 0 < place < len(words) - 1:
            yield from _slip(quote["key"], place, words[place - 1], word)
        yield word


def _slip(key: str, place: int, before: str, word: str) -> Iterator[str]:
    chance = sha256(f"{key} {place}".encode()).digest()
    if before.endswith((",", ".")) and chance[0] < 110:
        yield SOUNDS[chance[1] % 2]
    elif word in SAID_TWICE and chance[0] < 40:
        yield f"{word},"


def _timed(words: list[str], start: int, end: int, speaker: str, turn: int) -> Iterator[Entry]:
    """Yield words that share a span by their length."""
    whole, done = sum(len(word) + 1 for word in words), 0
    for word in words:
        first = start + (end - start) * done // whole
        done += len(word) + 1
        last = start + (end - start) * done // whole
        yield {"w": word, "start_ms": first, "end_ms": last, "speaker": speaker, "turn": turn}


def _segment(words: list[Entry]) -> Entry:
    return {
        "start": words[0]["start_ms"] / 1000,
        "end": words[-1]["end_ms"] / 1000,
        "text": " ".join(word["w"] for word in words),
        "speaker": words[0]["speaker"],
        "words": [
            {
                "word": word["w"],
                "start": word["start_ms"] / 1000,
                "end": word["end_ms"] / 1000,
                "score": 0.9,
                "speaker": word["speaker"],
            }
            for word in words
        ],
    }


def _without_speaker(segment: Entry) -> Entry:
    words = [{name: value for name, value in word.items() if name != "speaker"} for word in segment["words"]]
    return {name: value for name, value in segment.items() if name != "speaker"} | {"words": words}
