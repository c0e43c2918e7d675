"""Read the JSON of whisper.cpp, with tokens (``-ojf``) or without (``-oj``)."""

from episodes.transcripts.parsed import ParsedTranscript

from .clock import read_clock
from .draft import Draft, DraftWord, whole_ms
from .json_values import Object, label_in, numbered, obj, objects, share_in, text_in


def read_whisper_cpp(data: object) -> ParsedTranscript:
    """Return what the segments say; words are put together from their tokens."""
    source = obj(data)
    draft = Draft("whisper_cpp", automatic=True, engine="whisper.cpp")
    draft.language = text_in(obj(source.get("result")), "language") or text_in(obj(source.get("params")), "language")
    for number, segment in numbered(source.get("transcription")):
        start, end = _times(segment)
        text = text_in(segment, "text")
        words = _words(objects(segment.get("tokens")), text)
        draft.word_timed = draft.word_timed or words is not None
        if start is None:
            draft.say("no start", "there is no start time that can be read.", f"segment {number}")
        draft.add(start, end, label_in(segment, "speaker"), text, f"segment {number}", words)
    return draft.finish()


def _times(item: Object) -> tuple[int | None, int | None]:
    offsets = obj(item.get("offsets"))
    if offsets:
        return whole_ms(offsets.get("from")), whole_ms(offsets.get("to"))
    clocks = obj(item.get("timestamps"))
    return read_clock(text_in(clocks, "from")), read_clock(text_in(clocks, "to"))


def _words(tokens: list[Object], text: str) -> list[DraftWord] | None:
    """Return words, of which each begins with a token that begins with a space.

    None where the tokens do not make up the text, as where one holds half a letter.
    """
    words: list[DraftWord] = []
    for token in tokens:
        piece = text_in(token, "text")
        if piece.startswith("[_") and piece.endswith("]"):
            continue
        start, end = _times(token)
        chance = share_in(token, "p")
        if not words or piece[:1].isspace():
            words.append(DraftWord(piece, start, end, "", chance))
            continue
        word = words[-1]
        word.text += piece
        if any(character.isalnum() for character in piece):
            word.end_ms = end
            word.confidence = None if None in (chance, word.confidence) else min(chance or 0, word.confidence or 0)
    said = "".join(word.text for word in words)
    return words if words and said.split() == text.split() else None
