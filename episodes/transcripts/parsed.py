"""What a transcript file says, as plain data: the result of ``read_transcript``."""

from dataclasses import dataclass, replace


class UnreadableTranscript(ValueError):
    """Why nothing can be read from a file, as one sentence for the editor."""


@dataclass(frozen=True, slots=True)
class Cue:
    """One timed unit of a file: a caption, segment, utterance or turn.

    ``text`` is plain text of one or more lines, without the label and never HTML; it
    is empty where the file times a silence or only repeats what it showed before.
    ``speaker`` is the label as written, or empty. Times are None where the file has
    none; ``end_ms`` alone is None where nothing in the file can end the cue.
    """

    start_ms: int | None
    end_ms: int | None
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the file lists it, else a run of characters without a space.

    It holds at least one letter or digit. Scripts without spaces get no finer division:
    a run of Han, Kana or Thai is one word unless the file lists its parts. A note on a
    sound, such as ``[laughter]``, is no word. ``cue`` is the index of the word's cue. The words of a cue stand in its text in this order; a dash that stands alone
    is in the text only. ``estimated`` tells that the times were shared out from the
    cue's, not measured. ``end_ms`` alone is None where the file gives starts only.
    """

    text: str
    start_ms: int | None
    end_ms: int | None
    speaker: str
    confidence: float | None  # 0 to 1, as the engine says
    estimated: bool
    cue: int


@dataclass(frozen=True, slots=True)
class Message:
    """A loss, a repair or a doubt, as a sentence; ``line`` counts from 1."""

    text: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedTranscript:
    """One transcript, its cues by start time and its words in the order of the cues.

    ``word_timed`` tells whether the file times single words. ``automatic`` is None
    where the file does not say whether a machine wrote it; ``engine`` names the machine.
    """

    format: str
    language: str  # as the file says, else as the caller says, or empty
    cues: tuple[Cue, ...]
    words: tuple[Word, ...]
    messages: tuple[Message, ...] = ()
    word_timed: bool = False
    automatic: bool | None = None
    engine: str = ""

    @property
    def speakers(self) -> tuple[str, ...]:
        """Return the labels in order of first appearance."""
        return tuple(dict.fromkeys(cue.speaker for cue in self.cues if cue.speaker))

    def without_empty_cues(self) -> "ParsedTranscript":
        """Return the transcript without the cues that hold no text."""
        kept = [index for index, cue in enumerate(self.cues) if cue.text]
        moved = {old: new for new, old in enumerate(kept)}
        cues = tuple(self.cues[index] for index in kept)
        words = tuple(replace(word, cue=moved[word.cue]) for word in self.words)
        return replace(self, cues=cues, words=words)
