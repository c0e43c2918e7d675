"""Read what Whisper and its relatives write: a list of segments, each with its words."""

from typing import Any

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, to_ms
from .grouping import group_words, span
from .json_values import Object, label_in, numbered, obj, objects, share_in, text_in

_ENGINES = {
    "whisper": "Whisper",
    "whisperx": "WhisperX",
    "faster_whisper": "faster-whisper",
    "whisper_timestamped": "whisper-timestamped",
}


def whisper_kind(data: object, filename: str) -> str:
    """Return which of the family wrote the file.

    A file without words looks alike from all; there the filename decides.
    """
    source = obj(data)
    segments = objects(source.get("segments") if source else data)
    words = objects(next((segment["words"] for segment in segments if segment.get("words")), None))
    first = words[0] if words else {}
    if "word_segments" in source or "score" in first:
        return "whisperx"
    if "word" not in first and "text" in first and "confidence" in first:
        return "whisper_timestamped"
    if not words and (filename.endswith(".words.json") or "timestamped" in filename):
        return "whisper_timestamped"
    if not source or isinstance(source.get("info"), dict) or "language_probability" in source:
        return "faster_whisper"
    return "whisper"


def read_whisper(data: object, filename: str = "") -> ParsedTranscript:
    """Return what the segments say; words may stand in them or in one list beside them."""
    kind = whisper_kind(data, filename)
    source = obj(data)
    info = obj(source.get("info"))
    draft = Draft(kind, automatic=True, engine=_ENGINES[kind])
    draft.language = text_in(source, "language") or text_in(info, "language")
    draft.word_timed = kind == "whisper_timestamped"
    segments = source.get("segments") if source else data
    beside = objects(source.get("words") or source.get("word_segments"))
    if not objects(segments) and beside:
        _add_groups(draft, beside)
        return draft.finish()
    taker = _Beside(beside)
    for number, segment in numbered(segments):
        start, end = to_ms(segment.get("start")), to_ms(segment.get("end"))
        listed = objects(segment.get("words")) or taker.until(end)
        words = [_word(item) for item in listed] if listed else None
        if words and any(word.start_ms is not None for word in words):
            draft.word_timed = True
        else:
            words = None
        if start is None:
            draft.say("no start", "there is no start time that can be read.", f"segment {number}")
        text = text_in(segment, "text") or " ".join(word.text for word in words or [])
        draft.add(start, end, label_in(segment, "speaker"), text, f"segment {number}", words)
    _tell_repeats(draft)
    return draft.finish()


class _Beside:
    """Hand out the words of one long list segment by segment."""

    def __init__(self, words: list[Object]) -> None:
        self._words = words
        self._place = 0

    def until(self, end: int | None) -> list[Object]:
        first = self._place
        while self._place < len(self._words) and end is not None:
            start = to_ms(self._words[self._place].get("start"))
            if start is not None and start >= end:
                break
            self._place += 1
        return self._words[first : self._place]


def _word(item: Object) -> DraftWord:
    return DraftWord(
        text_in(item, "word", "text"),
        to_ms(item.get("start")),
        to_ms(item.get("end")),
        label_in(item, "speaker"),
        share_in(item, "probability", "confidence", "score"),
    )


def _add_groups(draft: Draft, items: list[Any]) -> None:
    draft.word_timed = True
    for number, words in enumerate(group_words([_word(item) for item in items]), 1):
        text = " ".join(word.text.strip() for word in words)
        draft.add(*span(words), words[0].speaker, text, f"group {number} of words", words)


def _tell_repeats(draft: Draft) -> None:
    """Say where a segment repeats the one before it, as Whisper does over music and silence."""
    for before, cue in zip(draft.cues, draft.cues[1:], strict=False):
        text = cue.text.strip()
        if text and len(text.split()) > 2 and text == before.text.strip():
            draft.say("repeat", "the text repeats the segment before; it may not have been said.", cue.place, limit=5)


def is_whisper(data: object) -> bool:
    """Tell whether JSON has Whisper’s segments: a start, an end and a text each."""
    source = obj(data)
    segments = source.get("segments") if source else data
    if source and segments == [] and ("text" in source or "language" in source):
        return True
    item = next(iter(objects(segments)), None)
    if item is not None:
        return "start" in item and ("text" in item or "words" in item)
    words = objects(source.get("words") or source.get("word_segments"))
    return bool(words) and "start" in words[0] and "word" in words[0]
