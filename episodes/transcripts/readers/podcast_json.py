"""Read the JSON transcripts of the podcast namespace.

https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/examples/transcripts/transcripts.md
"""

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, to_ms, words_of
from .json_values import Object, label_in, numbered, obj, text_in

_FEW_LONG = 0.05  # the share of segments with several words in a file that lists words


def read_podcast_json(data: object) -> ParsedTranscript:
    """Return what the segments say. A file of one word a segment times its words."""
    source = obj(data)
    draft = Draft("podcast_json", language=text_in(source, "language"))
    segments = source.get("segments") if source else data
    bodies = [text_in(segment, "body", "text") for _, segment in numbered(segments)]
    long = sum(len(body.split()) > 1 for body in bodies)
    draft.word_timed = bool(bodies) and long <= len(bodies) * _FEW_LONG
    for (number, segment), body in zip(numbered(segments), bodies, strict=True):
        _add(draft, segment, body, f"segment {number}")
    return draft.finish()


def _add(draft: Draft, segment: Object, body: str, place: str) -> None:
    start, end = to_ms(segment.get("startTime")), to_ms(segment.get("endTime"))
    if start is None:
        draft.say("no start", "there is no start time that can be read.", place)
    draft.add(start, end, label_in(segment, "speaker"), body, place, _words(draft, body, start, end))


def _words(draft: Draft, body: str, start: int | None, end: int | None) -> list[DraftWord] | None:
    texts = words_of(body)
    if not draft.word_timed or len(texts) > 1 or start is None:
        return None  # their times are shared out
    return [DraftWord(text, start, end) for text in texts]
