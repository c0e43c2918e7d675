"""Read YouTube’s ``json3`` captions."""

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, is_word, whole_ms
from .json_values import Object, numbered, obj, objects, text_in


def read_youtube_json3(data: object) -> ParsedTranscript:
    """Return what the events say: windows and bare line breaks hold no speech.

    Segments with an offset each are what YouTube's own recognition writes.
    """
    draft = Draft("youtube_json3")
    events = obj(data).get("events")
    for number, event in numbered(events):
        segs = objects(event.get("segs"))
        text = "".join(text_in(seg, "utf8") for seg in segs)
        if not text.strip():
            continue
        start, length = whole_ms(event.get("tStartMs")), whole_ms(event.get("dDurationMs"))
        end = None if start is None or length is None else start + length
        words = _words(segs, start)
        draft.add(start, end, "", text, f"event {number}", words)
        if words is not None:
            draft.word_timed = draft.automatic = True
            draft.engine = "YouTube"
    return draft.finish()


def _words(segs: list[Object], start: int | None) -> list[DraftWord] | None:
    if start is None or not any("tOffsetMs" in seg or "acAsrConf" in seg for seg in segs):
        return None
    words = []
    for seg in segs:
        runs = [run for run in text_in(seg, "utf8").split() if is_word(run)]
        offset = whole_ms(seg.get("tOffsetMs", 0)) or 0
        conf = whole_ms(seg.get("acAsrConf"))
        share = conf / 255 if conf is not None and 0 <= conf <= 255 else None
        words += [DraftWord(run, None if place else start + offset, None, "", share) for place, run in enumerate(runs)]
    return words
