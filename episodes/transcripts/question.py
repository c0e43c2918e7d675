"""What was asked before somebody said something."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .script import Script, SpokenCue

MOST_WORDS = 120
MOST_BACK_MS = 300_000  # a question that is longer ago is not what the words answer
LISTENING = 3  # words: “right”, “mhm, okay” ask for nothing


@dataclass(frozen=True)
class Question:
    """Whole cues of one label; ``text`` begins with … where more was said before."""

    label: str
    text: str


def question_before(script: Script, word: int) -> Question | None:
    """Return what another speaker said just before a word, given by its index in ``Script.words``.

    What the same speaker said in between, and the sounds of a listener, are passed over.
    None where nobody else spoke within five minutes, or where labels are missing.
    """
    for run in _runs_before(script, word):
        text = _text(run)
        if text and (len(text.split()) > LISTENING or text.endswith("?")):
            return Question(run[0].label, text)
    return None


def _runs_before(script: Script, word: int) -> Iterator[list[SpokenCue]]:
    """Yield the runs of other speakers before a word, the last first, until a label is missing."""
    place = script.words[word].cue
    here = script.cues[place]
    own, latest = _key(script, here.label), here.start_ms or 0
    run: list[SpokenCue] = []
    for cue in reversed(script.cues[:place]):
        is_near = latest - (cue.end_ms or cue.start_ms or 0) <= MOST_BACK_MS
        if run and (not is_near or _key(script, cue.label) != _key(script, run[0].label)):
            yield run[::-1]
            run = []
        if not own or not cue.label or not is_near:
            return
        if _key(script, cue.label) != own:
            run.append(cue)
    if run:
        yield run[::-1]


def _key(script: Script, label: str) -> str:
    """Return what tells a speaker: two labels may be one guest."""
    speaker = script.speakers.get(label)
    return speaker.key if speaker else label


def _text(run: Sequence[SpokenCue]) -> str:
    """Return the last cues of a run that have so many words, else the last words."""
    kept: list[str] = []
    for cue in reversed(run):
        words = cue.text.split()
        if len(kept) + len(words) > MOST_WORDS:
            kept = kept or words[-MOST_WORDS:]
            return " ".join(["…", *kept])
        kept = words + kept
    return " ".join(kept)
