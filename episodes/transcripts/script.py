"""What a transcript says once its corrections and its speakers are applied: what pages show and quotes are checked against."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from ..models import Transcript, TranscriptBody
from .body import Body, unpack
from .parsed import Cue, Word

KEPT = 4  # scripts, of those asked for last; three hours take some 15 MB

MOST_WORDS_FOR_ONE = 20  # that a correction may put in place of one word


@dataclass(frozen=True, slots=True)
class SpokenWord:
    """One word as it holds. ``place`` is its index in the body: several words may have come in place of one.

    ``speaker`` is what quotes are matched by: the guest's id as text where the label has
    one, sure or not, else the label itself, else None.
    """

    w: str
    start_ms: int | None
    end_ms: int | None
    speaker: str | None
    confidence: float | None
    estimated: bool
    label: str
    cue: int
    place: int
    is_corrected: bool


@dataclass(frozen=True, slots=True)
class SpokenCue:
    """One cue as it holds, with the range of its words in ``Script.words`` and the anchors of links to it."""

    start_ms: int | None
    end_ms: int | None
    label: str
    text: str
    first: int
    last: int  # past the last word
    anchors: tuple[str, ...]

    @property
    def anchor(self) -> str:
        return self.anchors[0]


@dataclass(frozen=True)
class Speaker:
    """Who a label is: a guest's item, sure or unsure, or nobody whom we name."""

    label: str
    guest: int | None
    state: str

    @property
    def is_unsure(self) -> bool:
        return self.state == Transcript.SpeakerState.UNSURE

    @property
    def key(self) -> str:
        """Return what the words of this speaker carry."""
        return str(self.guest) if self.guest else self.label


@dataclass(frozen=True)
class Script:
    cues: tuple[SpokenCue, ...]
    words: tuple[SpokenWord, ...]
    speakers: Mapping[str, Speaker]

    @property
    def labels(self) -> list[str]:
        """Return the labels in order of first appearance."""
        return list(dict.fromkeys(cue.label for cue in self.cues if cue.label))

    @property
    def words_hash(self) -> str:
        return hash_words(self.words)

    def words_of(self, cue: SpokenCue) -> tuple[SpokenWord, ...]:
        return self.words[cue.first : cue.last]


def hash_words(words: tuple[SpokenWord, ...]) -> str:
    """Return a SHA-256 over the words, their times and their labels; who the labels are is not in it."""
    values = [[word.w, word.start_ms, word.end_ms, word.label] for word in words]
    return hashlib.sha256(json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()


def script_of(transcript: Transcript) -> Script:
    """Return what a transcript says. Two queries, if it was not asked for a moment ago."""
    return _script(transcript.pk, transcript.created_at)


@lru_cache(maxsize=KEPT)
def _script(pk: int, _made: datetime) -> Script:
    """Transcripts never change, so what they say may be kept; the moment tells one database's from another's."""
    transcript = Transcript.objects.get(pk=pk)
    return make_script(body_of_transcript(transcript), transcript.corrections, transcript.speakers)


def body_of_transcript(transcript: Transcript) -> Body:
    """Return the body as it was read. One query."""
    return unpack(bytes(TranscriptBody.objects.values_list("data", flat=True).get(pk=transcript.body_id)))


def make_script(body: Body, corrections: dict, speakers: list[dict]) -> Script:
    """Apply corrections and speakers to a body."""
    known = {row["label"]: Speaker(row["label"], row["guest"], row["state"]) for row in speakers}
    texts = {int(place): text for place, text in (corrections.get("words") or {}).items()}
    labels = {int(place): label for place, label in (corrections.get("cues") or {}).items()}
    words: list[SpokenWord] = []
    bounds = [[0, 0] for _cue in body.cues]
    changed: dict[int, list[tuple[int, str]]] = {}
    for place, word in enumerate(body.words):
        label = labels.get(word.cue, word.speaker)
        first = len(words)
        words += _spoken(place, word, label, known.get(label), texts.get(place))
        held = bounds[word.cue]
        if held == [0, 0]:
            held[0] = first
        held[1] = len(words)
        if place in texts:
            changed.setdefault(word.cue, []).append((place, texts[place]))
    first_words = _first_words(body) if changed else {}
    cues = [
        _spoken_cue(body, index, cue, labels, bounds[index], changed.get(index), first_words)
        for index, cue in enumerate(body.cues)
    ]
    return Script(tuple(cues), tuple(words), known)


def _spoken(place: int, word: Word, label: str, speaker: Speaker | None, text: str | None) -> Iterator[SpokenWord]:
    key = (speaker.key if speaker else label) or None
    texts = [word.text] if text is None else text.split()
    for one, (start, end) in zip(texts, _shares(word, texts), strict=True):
        yield SpokenWord(
            one,
            start,
            end,
            key,
            word.confidence if text is None else None,
            word.estimated or len(texts) > 1,
            label,
            word.cue,
            place,
            text is not None,
        )


def _shares(word: Word, texts: list[str]) -> list[tuple[int | None, int | None]]:
    """Return the times of the words that came in place of one: its own, shared out by length."""
    if len(texts) < 2 or word.start_ms is None or word.end_ms is None:
        return [(word.start_ms, word.end_ms) for _text in texts]
    whole, span = sum(map(len, texts)), word.end_ms - word.start_ms
    marks, done = [word.start_ms], 0
    for text in texts:
        done += len(text)
        marks.append(word.start_ms + span * done // whole)
    return list(zip(marks, marks[1:], strict=False))


def _first_words(body: Body) -> dict[int, int]:
    found: dict[int, int] = {}
    for place, word in enumerate(body.words):
        found.setdefault(word.cue, place)
    return found


def _spoken_cue(
    body: Body,
    index: int,
    cue: Cue,
    labels: dict[int, str],
    bounds: list[int],
    changed: list[tuple[int, str]] | None,
    first_words: dict[int, int],
) -> SpokenCue:
    text = corrected_text(body, index, first_words[index], dict(changed)) if changed else cue.text
    return SpokenCue(
        cue.start_ms, cue.end_ms, labels.get(index, cue.speaker), text, bounds[0], bounds[1], body.anchors[index]
    )


def corrected_text(body: Body, index: int, first: int, texts: dict[int, str]) -> str:
    """Return a cue's text with some of its words replaced; an empty text takes the word out."""
    cue, parts, at, place = body.cues[index], [], 0, first
    while place < len(body.words) and body.words[place].cue == index:
        word = body.words[place].text
        found = cue.text.find(word, at)
        if found >= 0 and place in texts:
            parts.append(cue.text[at:found] + texts[place])
            at = found + len(word)
        elif found >= 0:
            parts.append(cue.text[at : found + len(word)])
            at = found + len(word)
        place += 1
    lines = "".join([*parts, cue.text[at:]]).split("\n")
    return "\n".join(line for line in (" ".join(line.split()) for line in lines) if line)
