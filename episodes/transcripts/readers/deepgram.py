"""Read Deepgram’s JSON."""

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, to_ms
from .grouping import group_words, span
from .json_values import Object, label_in, numbered, obj, objects, share_in, text_in


def read_deepgram(data: object) -> ParsedTranscript:
    """Return the utterances, or where there are none the words in groups."""
    source = obj(data)
    results = obj(source.get("results"))
    draft = Draft("deepgram", word_timed=True, automatic=True, engine=_engine(source))
    channels = objects(results.get("channels"))
    draft.language = next((text_in(channel, "detected_language") for channel in channels), "")
    for number, utterance in numbered(results.get("utterances")):
        words = [_word(item) for item in objects(utterance.get("words"))]
        speaker = label_in(utterance, "speaker") or _channel(utterance.get("channel"), len(channels))
        start, end = to_ms(utterance.get("start")), to_ms(utterance.get("end"))
        draft.add(start, end, speaker, text_in(utterance, "transcript"), f"utterance {number}", words)
    if not draft.cues:
        for index, channel in enumerate(channels):
            _add_channel(draft, channel, _channel(index, len(channels)))
    return draft.finish()


def _engine(source: Object) -> str:
    models = [obj(model) for model in obj(obj(source.get("metadata")).get("model_info")).values()]
    names = [text_in(model, "arch") or text_in(model, "name") for model in models]
    return f"Deepgram {names[0]}".strip() if names else "Deepgram"


def _channel(index: object, count: int) -> str:
    """Return a label for a channel, where each speaker has one of several."""
    return f"Channel {index}" if count > 1 and isinstance(index, int) else ""


def _add_channel(draft: Draft, channel: Object, label: str) -> None:
    best = next(iter(objects(channel.get("alternatives"))), {})
    items = objects(best.get("words"))
    if not items and text_in(best, "transcript"):
        draft.add(None, None, label, text_in(best, "transcript"), "channel without words")
    words = [_word(item) for item in items]
    for number, group in enumerate(group_words(words), 1):
        text = " ".join(word.text for word in group)
        draft.add(*span(group), group[0].speaker or label, text, f"group {number} of words", group)


def _word(item: Object) -> DraftWord:
    text = text_in(item, "punctuated_word", "word")
    start, end = to_ms(item.get("start")), to_ms(item.get("end"))
    return DraftWord(text, start, end, label_in(item, "speaker"), share_in(item, "confidence"))
