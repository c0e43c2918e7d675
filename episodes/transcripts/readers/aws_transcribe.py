"""Read Amazon Transcribe’s JSON, whose times are text."""

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, is_word, to_ms
from .grouping import group_words, span
from .json_values import Object, label_in, numbered, obj, objects, share_in, text_in

Segment = tuple[int, int, str, str]  # start, end, speaker, place


def read_aws_transcribe(data: object) -> ParsedTranscript:
    """Return the speaker segments with their words, else the words in groups.

    Words and speakers stand in two lists that only their times join.
    """
    source = obj(data)
    results = obj(source.get("results"))
    draft = Draft("aws_transcribe", word_timed=True, automatic=True, engine="Amazon Transcribe")
    draft.language = text_in(results, "language_code")
    segments = _segments(results)
    if segments:
        _add_segments(draft, _words(objects(results.get("items"))), segments)
        return draft.finish()
    channels = objects(obj(results.get("channel_labels")).get("channels"))
    lists = [(label_in(channel, "channel_label"), objects(channel.get("items"))) for channel in channels]
    for label, items in lists or [("", objects(results.get("items")))]:
        for number, group in enumerate(group_words(_words(items)), 1):
            text = " ".join(word.text for word in group)
            draft.add(*span(group), group[0].speaker or label, text, f"group {number} of words", group)
    return draft.finish()


def _segments(results: Object) -> list[Segment]:
    listed = results.get("audio_segments") or obj(results.get("speaker_labels")).get("segments")
    found = []
    for number, item in numbered(listed):
        start, end = to_ms(item.get("start_time")), to_ms(item.get("end_time"))
        if start is not None and end is not None:
            found.append((start, end, label_in(item, "speaker_label"), f"segment {number}"))
    return sorted(found, key=lambda segment: segment[0])


def _words(items: list[Object]) -> list[DraftWord]:
    """Return the words with the signs that follow them."""
    words: list[DraftWord] = []
    for item in items:
        best = next(iter(objects(item.get("alternatives"))), {})
        text = text_in(best, "content")
        if item.get("type") == "punctuation" and words:
            words[-1].text += text
        elif is_word(text):
            start, end = to_ms(item.get("start_time")), to_ms(item.get("end_time"))
            speaker = label_in(item, "speaker_label")
            words.append(DraftWord(text, start, end, speaker, share_in(best, "confidence")))
    return words


def _add_segments(draft: Draft, words: list[DraftWord], segments: list[Segment]) -> None:
    """Give each word to the last segment that starts no later than the word."""
    groups: list[list[DraftWord]] = [[] for _ in segments]
    place = 0
    for word in words:
        while place + 1 < len(segments) and word.start_ms is not None and segments[place + 1][0] <= word.start_ms:
            place += 1
        groups[place].append(word)
    for (start, end, speaker, where), group in zip(segments, groups, strict=True):
        if not group:
            draft.say("no words", "no word falls into this segment.", where, limit=5)
        draft.add(start, end, speaker, " ".join(word.text for word in group), where, group)
