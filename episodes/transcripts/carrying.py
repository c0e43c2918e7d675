"""What people said of one transcript, found again in the next one of the same speech."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..models import Transcript
from .body import Body
from .parsed import Word
from .script import Script, SpokenCue

SAME_MOMENT_MS = 500  # within which a word of another file is the one that was corrected
PAUSE_MS = 5_000  # after a cue, in which the same voice still counts as speaking
SAME_VOICE = 0.8  # share of a label's words that one label of the other file must have spoken


def carried_corrections(body: Body, corrections: dict, before: Body) -> dict:
    """Return the corrections of an earlier body that hold for this one: the same word, or cue, at the same time."""
    places = _places(body)
    words = {
        str(place): text
        for old, text in (corrections.get("words") or {}).items()
        if (place := _same_word(places, before.words[int(old)])) is not None
    }
    cues = {}
    starts = {(cue.start_ms, cue.speaker, cue.text): place for place, cue in enumerate(body.cues)}
    for old, label in (corrections.get("cues") or {}).items():
        cue = before.cues[int(old)]
        if (place := starts.get((cue.start_ms, cue.speaker, cue.text))) is not None:
            cues[str(place)] = label
    return kept_corrections(words, cues)


def kept_corrections(words: Mapping[str, str], cues: Mapping[str, str]) -> dict:
    """Return corrections in the one form in which they are kept."""
    held = {
        "words": dict(sorted(words.items(), key=lambda pair: int(pair[0]))),
        "cues": dict(sorted(cues.items(), key=lambda pair: int(pair[0]))),
    }
    return {name: values for name, values in held.items() if values}


def _places(body: Body) -> dict[str, list[tuple[int, int]]]:
    """Return, by text, when and where each word stands; where nothing is timed, its place stands for the time."""
    places: dict[str, list[tuple[int, int]]] = {}
    for place, word in enumerate(body.words):
        places.setdefault(word.text, []).append((word.start_ms if word.start_ms is not None else -1, place))
    return places


def _same_word(places: dict[str, list[tuple[int, int]]], word: Word) -> int | None:
    """Return where the same word stands at the same time; an untimed word only where no other is like it."""
    found = places.get(word.text, [])
    if word.start_ms is None:
        return found[0][1] if len(found) == 1 else None
    near = ((abs(other - word.start_ms), place) for other, place in found if other >= 0)
    distance, place = min(near, default=(SAME_MOMENT_MS + 1, -1))
    return place if distance <= SAME_MOMENT_MS else None


@dataclass(frozen=True)
class Voices:
    """What is known of the labels of a new transcript: rows that hold on, and guests who are only likely."""

    said: list[dict] = field(default_factory=list)
    likely: dict[str, int] = field(default_factory=dict)


def carried_speakers(script: Script, before: Script, rows: Sequence[dict]) -> Voices:
    """Return what was said of the labels before, as far as they still stand for the same voice.

    Engines number the voices of each run anew: a label that now speaks where another
    one did is that other's guest at most, and nobody is sure of it.
    """
    known = {row["label"]: row for row in rows}
    voices, said, likely = _same_voices(script, before), [], {}
    for label in script.labels:
        voice = voices.get(label)
        if voice == label and label in known:
            said.append(known[label])
        elif (guest := known.get(voice or label, {}).get("guest")) is not None:
            likely[label] = guest
    return Voices(said, likely)


def _same_voices(script: Script, before: Script) -> dict[str, str]:
    """Return, for labels, the one that spoke at the same times before; where nothing is timed, the same label.

    A label that speaks mostly where nobody did before may be anybody.
    """
    timed = [cue for cue in before.cues if cue.start_ms is not None]
    if not timed or all(cue.start_ms is None for cue in script.cues):
        return {label: label for label in script.labels}
    starts = [cue.start_ms or 0 for cue in timed]
    heard: dict[str, Counter[str]] = {}
    for cue in script.cues:
        if cue.label and cue.start_ms is not None:
            heard.setdefault(cue.label, Counter())[_speaking(timed, starts, cue)] += max(1, cue.last - cue.first)
    found = {}
    for label, votes in heard.items():
        unknown = votes.pop("", 0)
        other, count = votes.most_common(1)[0] if votes else ("", 0)
        if count >= SAME_VOICE * votes.total() and count > unknown:
            found[label] = other
    return found


def _speaking(timed: Sequence[SpokenCue], starts: Sequence[int], cue: SpokenCue) -> str:
    start = cue.start_ms or 0
    moment = start if cue.end_ms is None else (start + cue.end_ms) // 2
    place = bisect_right(starts, moment) - 1
    if place < 0:
        return ""
    before = timed[place]
    is_over = before.end_ms is not None and moment > before.end_ms + PAUSE_MS
    return "" if is_over else before.label


def before_of(episode: int, language: str) -> Transcript | None:
    """Return what a new transcript follows: the one that holds for its language, else its newest. Two queries."""
    mine = Transcript.objects.filter(episode=episode, language=language)
    return mine.current().first() or mine.order_by("-number").first()
