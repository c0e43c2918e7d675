"""Read TTML, the timed text of broadcasters (also DFXP, IMSC and iTunes)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lxml import etree

from episodes.transcripts.parsed import ParsedTranscript

from .clock import read_clock
from .draft import Draft, whole_ms
from .xml_text import attribute, local_name, parse_xml, text_within

_OFFSET = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|m|s|ms|f|t)", re.ASCII)
_FRAMES = re.compile(r"(\d{2,3}:\d\d:\d\d)[:;](\d{1,3})", re.ASCII)
_UNITS = {"h": 3_600_000.0, "m": 60_000.0, "s": 1_000.0, "ms": 1.0}


@dataclass(frozen=True)
class _Rates:
    frame: float
    tick: float

    def read(self, text: str) -> int | None:
        """Return ``00:01:02.5``, ``00:01:02:12`` or ``62.5s`` in milliseconds."""
        text = text.strip()
        match = _OFFSET.fullmatch(text)
        if match:
            unit = {**_UNITS, "f": 1000 / self.frame, "t": 1000 / self.tick}[match[2]]
            return whole_ms(float(match[1]) * unit)
        match = _FRAMES.fullmatch(text)
        if match:
            clock = read_clock(match[1])
            return None if clock is None else clock + (whole_ms(int(match[2]) * 1000 / self.frame) or 0)
        return read_clock(text)


def read_ttml(text: str) -> ParsedTranscript:
    """Return the paragraphs; times of what they stand in are added, agents name speakers."""
    draft = Draft("ttml")
    root = parse_xml(text, draft)
    draft.language = attribute(root, "lang")
    rates = _rates(root)
    agents = dict(_agents(root))
    for element, offset in _paragraphs(root, rates):
        begin, end = rates.read(attribute(element, "begin")), rates.read(attribute(element, "end"))
        begin, end = begin or _first_span(element, rates), end or _last_span(element, rates)
        length = rates.read(attribute(element, "dur"))
        if end is None and length is not None and begin is not None:
            end = begin + length
        line = element.sourceline or 1
        if begin is None:
            draft.say("no start", "there is no start time that can be read.", line)
        label = attribute(element, "agent").split(" ")[0]
        times = [None if ms is None else ms + offset for ms in (begin, end)]
        draft.add(times[0], times[1], agents.get(label, label), text_within(element), line)
    return draft.finish()


def _rates(root: etree._Element) -> _Rates:
    frame = _number(attribute(root, "frameRate"), 30.0)
    top, _, bottom = attribute(root, "frameRateMultiplier").partition(" ")
    frame *= _number(top, 1.0) / _number(bottom, 1.0)
    return _Rates(frame, _number(attribute(root, "tickRate"), 1.0))


def _number(text: str, default: float) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,6})?", text) and float(text) > 0 else default


def _agents(root: etree._Element) -> Iterator[tuple[str, str]]:
    for element in root.iter(etree.Element):
        if local_name(element) == "agent":
            yield attribute(element, "id"), " ".join(text_within(element).split()) or attribute(element, "id")


def _paragraphs(root: etree._Element, rates: _Rates) -> Iterator[tuple[etree._Element, int]]:
    """Yield each paragraph with the start of the body and divisions around it."""
    offsets = [0]
    for event, element in etree.iterwalk(root, events=("start", "end")):
        name = local_name(element)
        if name in {"body", "div"}:
            if event == "start":
                offsets.append(offsets[-1] + (rates.read(attribute(element, "begin")) or 0))
            else:
                offsets.pop()
        elif name == "p" and event == "start":
            yield element, offsets[-1]


def _first_span(element: etree._Element, rates: _Rates) -> int | None:
    times = (rates.read(attribute(child, "begin")) for child in element.iterchildren(etree.Element))
    return next((ms for ms in times if ms is not None), None) if not attribute(element, "begin") else None


def _last_span(element: etree._Element, rates: _Rates) -> int | None:
    times = [rates.read(attribute(child, "end")) for child in element.iterchildren(etree.Element)]
    known = [ms for ms in times if ms is not None]
    return known[-1] if known and not attribute(element, "end") else None
