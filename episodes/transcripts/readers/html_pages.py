"""Read transcripts in HTML: those of the podcast namespace and of Hyperaudio."""

from collections.abc import Iterator

from lxml import etree

from episodes.transcripts.parsed import ParsedTranscript, UnreadableTranscript

from .clock import read_clock
from .draft import Draft, DraftWord, whole_ms
from .grouping import span
from .xml_text import local_name, parse_html, text_within

_BLOCKS = {"article", "blockquote", "dd", "div", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "li", "p", "section", "td"}


def read_html(text: str) -> ParsedTranscript:
    """Return what a web page holds as ``cite``, ``time`` and ``p``, or as timed spans.

    Raises UnreadableTranscript for a page that has neither.
    """
    root = parse_html(text)
    spans = [element for element in root.iter(etree.Element) if element.get("data-m") is not None]
    if spans:
        return _read_hyperaudio(spans)
    parsed = _read_podcast_html(root)
    if parsed.cues and any(cue.start_ms is not None or cue.speaker for cue in parsed.cues):
        return parsed
    raise UnreadableTranscript(
        "This is a web page, but not a transcript that can be read. Save the transcript itself as text, VTT or SRT."
    )


def _read_podcast_html(root: etree._Element) -> ParsedTranscript:
    draft = Draft("podcast_html", language=root.get("lang", ""))
    speaker, start = "", None
    for element in root.iter("cite", "time", "p"):
        line = element.sourceline or 1
        content = " ".join(text_within(element).split())
        if element.tag == "cite":
            speaker, start = content.rstrip(":： "), None
        elif element.tag == "time":
            start = _moment(element, content)
            if start is None:
                draft.say("clock", f"the time “{content[:40]}” cannot be read.", line)
        else:
            spoken = _without_marks(element)
            if spoken:
                draft.add(start, None, speaker, spoken, line)
                start = None
    return draft.finish()


def _moment(element: etree._Element, content: str) -> int | None:
    written = read_clock(content.strip("[]()"))
    return written if written is not None else read_clock(element.get("datetime", ""))


def _without_marks(paragraph: etree._Element) -> str:
    """Return the text of a paragraph without a speaker or a time that stands within it."""
    parts = [paragraph.text or ""]
    inside = 0
    for event, node in etree.iterwalk(paragraph, events=("start", "end")):
        if node is paragraph:
            continue
        if event == "start":
            inside += local_name(node) in {"cite", "time"}
            parts.append("\n" if local_name(node) == "br" else (node.text or "") * (not inside))
        else:
            inside -= local_name(node) in {"cite", "time"}
            parts.append((node.tail or "") * (not inside))
    return "".join(parts).strip()


def _read_hyperaudio(spans: list[etree._Element]) -> ParsedTranscript:
    """Return a cue for each paragraph of timed words; a span of class ``speaker`` names who says them."""
    draft = Draft("hyperaudio_html", word_timed=True)
    speaker = ""
    for paragraph, elements in _by_paragraph(spans):
        words: list[DraftWord] = []
        texts: list[str] = []
        for element in elements:
            content = " ".join(text_within(element).split())
            if "speaker" in element.get("class", "").split():
                speaker = content.strip("[]").rstrip(":： ")
                continue
            start, length = whole_ms(element.get("data-m")), whole_ms(element.get("data-d"))
            end = None if start is None or length is None else start + length
            if content:
                words.append(DraftWord(content, start, end, speaker))
                texts.append(content)
        if words:
            draft.add(*span(words), speaker, " ".join(texts), paragraph.sourceline or 1, words)
    return draft.finish()


def _by_paragraph(spans: list[etree._Element]) -> Iterator[tuple[etree._Element, list[etree._Element]]]:
    """Yield runs of spans that stand in the same block."""
    block: etree._Element | None = None
    run: list[etree._Element] = []
    for element in spans:
        ancestors = element.iterancestors(*_BLOCKS)
        around = next(ancestors, element)
        if block is not None and around is not block:
            yield block, run
            run = []
        block = around
        run.append(element)
    if block is not None:
        yield block, run
