"""Read YouTube’s XML captions: ``srv1``, ``srv2`` and ``srv3``."""

from lxml import etree

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, is_word, to_ms, whole_ms
from .markup import plain_text
from .xml_text import parse_xml, text_within


def read_youtube_srv1(text: str) -> ParsedTranscript:
    """Return the texts; ``srv1`` has seconds, ``srv2`` milliseconds, both HTML within."""
    draft = Draft("youtube_srv1")
    root = parse_xml(text, draft)
    for element in root.iter("text"):
        if element.get("start") is not None:
            start, length = to_ms(element.get("start")), to_ms(element.get("dur"))
        else:
            start, length = whole_ms(element.get("t")), whole_ms(element.get("d"))
        line = element.sourceline or 1
        end = None if start is None or length is None else start + length
        draft.add(start, end, "", plain_text(text_within(element), draft, line), line)
    return draft.finish()


def read_youtube_srv3(text: str) -> ParsedTranscript:
    """Return the paragraphs; those of YouTube’s own recognition time each word in ``s``."""
    draft = Draft("youtube_srv3")
    for element in parse_xml(text, draft).iter("p"):
        content = text_within(element)
        if not content.strip():
            continue
        start, length = whole_ms(element.get("t")), whole_ms(element.get("d"))
        end = None if start is None or length is None else start + length
        words = _words(element, start)
        if words:
            draft.word_timed = draft.automatic = True
            draft.engine = "YouTube"
        draft.add(start, end, "", content, element.sourceline or 1, words)
    return draft.finish()


def _words(element: etree._Element, start: int | None) -> list[DraftWord] | None:
    parts = list(element.iterchildren("s"))
    if start is None or not any("t" in part.attrib or "ac" in part.attrib for part in parts):
        return None
    words = []
    for part in parts:
        offset = whole_ms(part.get("t", "0")) or 0
        chance = whole_ms(part.get("ac"))
        share = chance / 255 if chance is not None and 0 <= chance <= 255 else None
        runs = [run for run in text_within(part).split() if is_word(run)]
        words += [DraftWord(run, None if place else start + offset, None, "", share) for place, run in enumerate(runs)]
    return words
