"""Read the JSON of Google Cloud Speech-to-Text, v1 and v2."""

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, to_ms
from .grouping import group_words, span
from .json_values import Object, first_in, label_in, obj, objects, share_in, text_in

_START = ("startTime", "startOffset", "start_time", "start_offset")
_END = ("endTime", "endOffset", "end_time", "end_offset")
_RESULT_END = ("resultEndTime", "resultEndOffset", "result_end_time", "result_end_offset")


def find_google_results(data: object, depth: int = 6) -> list[Object]:
    """Return the list of results, which an operation or a batch wraps in more objects."""
    source = obj(data) if depth else {}
    for key in ["response", "transcript", "inlineResult", "inline_result"]:
        inner = find_google_results(source[key], depth - 1) if isinstance(source.get(key), dict) else []
        if inner:
            return inner
    results = source.get("results")
    if isinstance(results, dict) and results:
        return find_google_results(next(iter(results.values())), depth - 1)
    return [item for item in objects(results) if "alternatives" in item]


def read_google_speech(data: object) -> ParsedTranscript:
    """Return a cue for each result, or for each turn where words name their speakers.

    With speakers, v1 repeats all words in its last result; only that one counts then.
    """
    draft = Draft("google_speech", automatic=True, engine="Google Speech-to-Text")
    results = find_google_results(data)
    draft.language = next((text_in(item, "languageCode", "language_code") for item in results), "")
    best = [next(iter(objects(item.get("alternatives"))), {}) for item in results]
    words = [[_word(item) for item in objects(alternative.get("words"))] for alternative in best]
    if len(words) > 1 and _repeats_all(words):
        results, best, words = results[-1:], best[-1:], words[-1:]
    end: int | None = 0
    for number, (result, alternative, said) in enumerate(zip(results, best, words, strict=True), 1):
        start, end = end, _ms(first_in(result, *_RESULT_END))
        _add(draft, said, text_in(alternative, "transcript"), (start, end), f"result {number}")
    return draft.finish()


def _add(draft: Draft, words: list[DraftWord], text: str, times: tuple[int | None, int | None], place: str) -> None:
    draft.word_timed = draft.word_timed or any(word.start_ms is not None for word in words)
    if not words or not any(word.speaker for word in words):
        start, end = span(words)
        if text.strip():
            draft.add(times[0] if start is None else start, end or times[1], "", text, place, words or None)
        return
    for group in group_words(words):
        spoken = " ".join(word.text for word in group)
        draft.add(*span(group), group[0].speaker, spoken, place, group)


def _repeats_all(words: list[list[DraftWord]]) -> bool:
    last, before = words[-1], words[:-1]
    has_speakers = any(word.speaker for word in last) and not any(word.speaker for part in before for word in part)
    return has_speakers and len(last) >= sum(len(part) for part in before)


def _word(item: Object) -> DraftWord:
    speaker = label_in(item, "speakerLabel", "speaker_label") or label_in(item, "speakerTag", "speaker_tag")
    start, end = _ms(first_in(item, *_START)), _ms(first_in(item, *_END))
    if start is None and end is not None:
        start = 0  # a zero is left out where the file was written
    speaker = "" if speaker == "0" else speaker
    return DraftWord(text_in(item, "word"), start, end, speaker, share_in(item, "confidence"))


def _ms(value: object) -> int | None:
    """Return ``1.400s`` or ``{"seconds": "1", "nanos": 400000000}`` in milliseconds."""
    if not isinstance(value, dict):
        return to_ms(value)
    seconds, nanos = to_ms(value.get("seconds", 0)), value.get("nanos", 0)
    part = to_ms(nanos / 1e9) if isinstance(nanos, int | float) and abs(nanos) < 1e10 else 0
    return None if seconds is None else seconds + (part or 0)
