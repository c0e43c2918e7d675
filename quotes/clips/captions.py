"""Captions from timed words, as an ASS file: the text never meets a filter or an argument."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path

from publishing.cards.fonts import Font

from .ass_fonts import read_ass_font
from .lettering import main_font
from .request import Word

LETTERS = 46  # their size, in lines of 720
MOST_LETTERS = 68  # two lines of an audiogram
FEWEST_LETTERS = 20  # before a sentence's end closes a caption
PAUSE_MS = 700  # between words; longer, and a new caption begins
LINGER_MS = 400  # how long a caption stays when nothing follows at once
ENDS = (".", "!", "?", "…", "。", "！", "？", "।", "؟")
_HIDDEN = "\u2060"  # word joiner: behind a backslash, so that the next letter is no command

_HEAD = """[Script Info]
ScriptType: v4.00+
PlayResX: 1280
PlayResY: 720
WrapStyle: 0
ScaledBorderAndShadow: yes

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
MarginV, Encoding
Style: Words,Newsreader,60,&H00DFE9EC,&H00DFE9EC,&H0014140F,&H0014140F,0,0,0,0,100,100,0,0,1,0,0,7,80,80,262,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


@dataclass(frozen=True)
class Caption:
    """Words that are shown together, in ms of the clip."""

    text: str
    start_ms: int
    end_ms: int


def captions_of(words: Sequence[Word], start_ms: int, end_ms: int) -> list[Caption]:
    """Return the captions of a clip that is cut from start to end, in the clip's own time."""
    captions = []
    for group, following in pairwise([*_groups(words), None]):
        assert group is not None  # noqa: S101 - only the last is
        ends = group[-1].end_ms + LINGER_MS
        if following:
            ends = following[0].start_ms if following[0].start_ms < ends + PAUSE_MS else ends
        begin, end = max(start_ms, group[0].start_ms) - start_ms, min(end_ms, ends) - start_ms
        if end > begin:
            captions.append(Caption(_join(group), begin, end))
    return captions


def ass_file(captions: Sequence[Caption]) -> tuple[str, set[Path]]:
    """Return captions as an ASS file whose text holds no command, and the fonts that it names."""
    fonts: set[Path] = set()
    lines = []
    for caption in captions:
        parts = list(_by_font(caption.text))
        fonts.update(font.path for font, _text in parts)
        text = " ".join(_style(font) + escape(text) for font, text in parts)
        lines.append(f"Dialogue: 0,{_time(caption.start_ms)},{_time(caption.end_ms)},Words,,0,0,0,,{text}")
    return _HEAD + "\n".join(lines) + "\n", fonts


def _style(font: Font) -> str:
    """Return what sets a font; libass takes a size for the height of a line, and letters are to be alike."""
    known = read_ass_font(font.path, font.index)
    return f"{{\\fn{known.family}\\fs{round(LETTERS * known.line_height)}}}"


def escape(text: str) -> str:
    r"""Return text that libass shows letter by letter: ``\N`` is no line break in it, ``{`` no command."""
    line = "".join(letter for letter in " ".join(text.split()) if unicodedata.category(letter) != "Cc")
    return line.replace("\\", "\\" + _HIDDEN).replace("{", r"\{").replace("}", r"\}")


def _by_font(text: str) -> Iterator[tuple[Font, str]]:
    """Yield parts of a text, each with the font of ours that draws its words; libass would look elsewhere."""
    drawn = (main_font(word) for word in text.split())
    for font, words in groupby(filter(itemgetter(0), drawn), key=itemgetter(1)):
        yield font, " ".join(word for word, _font in words)


def _groups(words: Sequence[Word]) -> Iterator[list[Word]]:
    group: list[Word] = []
    for word in words:
        if group and _closes(group, word):
            yield group
            group = []
        group.append(word)
    if group:
        yield group


def _closes(group: list[Word], word: Word) -> bool:
    """Return whether a caption is complete before a word."""
    letters = len(_join(group))
    is_sentence = letters >= FEWEST_LETTERS and group[-1].text.rstrip("”’\"'»)").endswith(ENDS)
    return letters + 1 + len(word.text) > MOST_LETTERS or word.start_ms - group[-1].end_ms > PAUSE_MS or is_sentence


def _join(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _time(ms: int) -> str:
    minutes, rest = divmod(ms, 60_000)
    return f"{minutes // 60}:{minutes % 60:02}:{rest / 1000:05.2f}"
