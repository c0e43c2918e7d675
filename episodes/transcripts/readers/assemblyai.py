"""Read AssemblyAI’s JSON, whose times are milliseconds."""

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, whole_ms
from .grouping import group_words, span
from .json_values import Object, label_in, numbered, obj, objects, share_in, text_in


def read_assemblyai(data: object) -> ParsedTranscript:
    """Return the utterances, or sentences, or where there are neither the words in groups."""
    source = obj(data)
    draft = Draft("assemblyai", word_timed=True, automatic=True, engine="AssemblyAI")
    draft.language = text_in(source, "language_code")
    for key in ["utterances", "sentences", "paragraphs"]:
        if draft.cues:
            break
        for number, item in numbered(source.get(key)):
            words = [_word(word) for word in objects(item.get("words"))]
            start, end = whole_ms(item.get("start")), whole_ms(item.get("end"))
            place = f"{key.removesuffix('s')} {number}"
            draft.add(start, end, label_in(item, "speaker"), text_in(item, "text"), place, words or None)
    if not draft.cues:
        words = [_word(word) for word in objects(source.get("words"))]
        for number, group in enumerate(group_words(words), 1):
            text = " ".join(word.text for word in group)
            draft.add(*span(group), group[0].speaker, text, f"group {number} of words", group)
    return draft.finish()


def _word(item: Object) -> DraftWord:
    start, end = whole_ms(item.get("start")), whole_ms(item.get("end"))
    return DraftWord(text_in(item, "text"), start, end, label_in(item, "speaker"), share_in(item, "confidence"))
