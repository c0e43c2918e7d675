"""A transcript as one page of HTML: turns of speech, their times, and a permanent anchor for each cue.

Three hours are some 3,000 cues; they are written here and not by a template, which would take seconds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape  # Django's own takes ten times as long, which counts over 3,000 cues
from itertools import groupby

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from ..moments import moment_link
from ..player import Player
from ..timecodes import format_timecode
from .marks import Marks, QuoteMark
from .naming import SpeakerName, SpeakerNames
from .script import Script, SpokenCue

MOST_CUES = 6_000  # on one page; the files have the rest
MOST_CHARS = 1_500_000
PARAGRAPH_MS = 45_000  # after which a paragraph ends with its sentence
LONGEST_PARAGRAPH_MS = 90_000
_SENTENCE_ENDS = (".", "?", "!", "…", "。", "？", "！", ".”", "?”", "!”", '."', '?"', '!"')


@dataclass(frozen=True)
class TranscriptPage:
    """The text of a transcript as HTML, and how much of it that is."""

    html: SafeString
    speakers: list[SpeakerName]
    cue_count: int
    is_cut: bool


@dataclass
class _Writer:
    script: Script
    names: SpeakerNames
    player: Player
    marks: Marks
    waiting: list[str] = field(default_factory=list)  # anchors of cues without text, for the next with some


def make_page(script: Script, names: SpeakerNames, player: Player, quotes: Sequence[QuoteMark] = ()) -> TranscriptPage:
    """Return a transcript as readers see it, with its quotes marked."""
    cues = list(_within_bounds(script.cues))
    writer = _Writer(script, names, player, Marks(quotes))
    turns = [(_turn(writer, label, list(said)),) for label, said in groupby(cues, key=lambda cue: cue.label)]
    return TranscriptPage(
        format_html_join("\n", "{}", [*turns, (_anchors(writer.waiting),)]),
        names.among(script.labels),
        len(cues),
        len(cues) < len(script.cues),
    )


def _within_bounds(cues: Sequence[SpokenCue]) -> Iterator[SpokenCue]:
    chars = 0
    for cue in cues[:MOST_CUES]:
        chars += len(cue.text)
        if chars > MOST_CHARS:
            return
        yield cue


def _turn(writer: _Writer, label: str, cues: list[SpokenCue]) -> SafeString:
    name = writer.names.of(label)
    head = format_html('<p class="turn__speaker">{}</p>\n', name.html) if name else ""
    paragraphs = format_html_join("", "{}", ((_paragraph(writer, part),) for part in _paragraphs(cues)))
    return format_html('<div class="turn">{}{}</div>', head, paragraphs) if paragraphs else SafeString("")


def _paragraphs(cues: list[SpokenCue]) -> Iterator[list[SpokenCue]]:
    """Yield the cues of a turn in paragraphs: a long one ends with a sentence, or where it gets too long."""
    part: list[SpokenCue] = []
    for cue in cues:
        part.append(cue)
        lasted = (cue.end_ms or cue.start_ms or 0) - (part[0].start_ms or 0)
        ends = cue.text.rstrip().endswith(_SENTENCE_ENDS)
        if lasted >= LONGEST_PARAGRAPH_MS or (ends and lasted >= PARAGRAPH_MS):
            yield part
            part = []
    if part:
        yield part


def _paragraph(writer: _Writer, cues: list[SpokenCue]) -> SafeString:
    first = next((cue for cue in cues if cue.text), None)
    if first is None:
        writer.waiting += [name for cue in cues for name in cue.anchors]
        return SafeString("")
    text = mark_safe(" ".join(_cue(writer, cue) for cue in cues if _has_text(writer, cue)))  # noqa: S308
    html = '<div class="turn__part"><span class="turn__time">{}</span> <p class="turn__text" dir="auto">{}</p></div>\n'
    return format_html(html, _times(writer, first), text)


def _has_text(writer: _Writer, cue: SpokenCue) -> bool:
    """Tell whether a cue says something; the anchors of one that does not wait for the next."""
    if not cue.text:
        writer.waiting += cue.anchors
    return bool(cue.text)


def _cue(writer: _Writer, cue: SpokenCue) -> SafeString:
    others = [*writer.waiting, *cue.anchors[1:]]
    writer.waiting = []
    text = writer.marks.html_of(writer.script, cue)
    links = _anchors(others) if others else ""
    return mark_safe(f'{links}<span class="cue" id="{escape(cue.anchor)}">{text}</span>')  # noqa: S308


def _anchors(names: list[str]) -> SafeString:
    return format_html_join("", '<a id="{}"></a>', ((name,) for name in names))


def _times(writer: _Writer, cue: SpokenCue) -> SafeString:
    """Return when a paragraph begins, and the link to it."""
    if cue.start_ms is None:
        return SafeString("")
    label = _("Link to %(time)s") % {"time": format_timecode(cue.start_ms)}
    link = format_html('<a class="turn__link" href="#{}" aria-label="{}">#</a>', cue.anchor, label)
    return format_html("{} {}", moment_link(writer.player, cue.start_ms), link)
