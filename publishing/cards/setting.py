"""One text in one family of fonts: which font draws which part, how wide it is, and in which order it stands."""

import logging
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

from .bidi import levels_of, reordered
from .clusters import (
    JOINERS,
    RIGHT_TO_LEFT,
    SPACES,
    UNSEEN,
    VARIANTS,
    is_emoji,
    language_of,
    main_script,
    script_of,
    split_clusters,
)
from .fonts import EMOJI_SIZE, SHAPES, Font, FontSet

logger = logging.getLogger(__name__)

MEASURED = 100  # pixels
EMOJI_HEIGHT = 1.06  # of the letters' size
TALLEST = 1.6  # of the letters' size: more room for a line than any writing needs
BREAK = "\u200b"  # a place to break that takes no room
GAP = "…"  # where letters stand that no font has

_NO_JOINERS = dict.fromkeys(map(ord, JOINERS))


@dataclass(frozen=True)
class Run:
    """A part of a line in one font and one direction."""

    text: str
    font: Font
    rtl: bool
    is_emoji: bool = False


class Setting:
    """How a text is set: its writing, its main font, and the fonts that help out.

    The main font is chosen by the writing that most letters are of, so that spaces, digits and
    marks are drawn by it and lines that run to the left keep theirs in place.
    """

    def __init__(self, fonts: FontSet, family: str, weight: int, text: str, language: str = ""):
        plain = unicodedata.normalize("NFC", text)
        language = language_of(plain, language)
        self.fonts = fonts
        self.weight = weight
        self.script = main_script(plain)
        self.rtl = self.script in RIGHT_TO_LEFT
        self.is_japanese = self.script == "CJK" and language == "ja"
        self._chain = tuple(font.of_language(language) for font in fonts.chain(family))
        letters = {ord(character) for character in set(plain) if script_of(character) == self.script}
        self.main = max(self._chain, key=lambda font: len(letters & font.characters))
        self._font_of: dict[str, Font | None] = {}
        self._widths: dict[str, float] = {}
        self.text = self._drawable(plain)

    @property
    def leading(self) -> float:
        """Return the height of a line that the main font's letters need, as a part of their size."""
        ascent, descent = self.main.at(MEASURED, self.weight).getmetrics()
        return min((ascent + descent) / MEASURED, TALLEST)

    def width(self, text: str, size: int) -> float:
        """Return pixels; measured once in large, since widths grow as sizes do."""
        if text not in self._widths:
            self._widths[text] = sum(self.run_width(run, MEASURED) for run in self.runs(text)) / MEASURED
        return self._widths[text] * size

    def run_width(self, run: Run, size: int) -> float:
        if run.is_emoji:
            return emoji_of(run.text, run.font, size).width + size * 0.06
        return run.font.at(size, self.weight).getlength(run.text, direction=direction_of(run))

    def runs(self, text: str) -> list[Run]:
        """Return the parts of a line from the left to the right."""
        levels = levels_of(text, rtl=self.rtl)
        parts: list[tuple[str, Font, int, bool]] = []
        place = 0
        for cluster in split_clusters(text):
            font, level, emoji = self._font(cluster), levels[place], is_emoji(cluster)
            place += len(cluster)
            if font is None:
                continue
            if parts and not emoji and parts[-1][1:] == (font, level, False):
                parts[-1] = (parts[-1][0] + cluster, font, level, False)
            else:
                parts.append((cluster, font, level, emoji))
        ordered = (parts[n] for n in reordered([part[2] for part in parts]))
        return [Run(text, font, level % 2 == 1, emoji) for text, font, level, emoji in ordered]

    def _font(self, cluster: str) -> Font | None:
        if cluster not in self._font_of:
            self._font_of[cluster] = self._find(cluster)
        return self._font_of[cluster]

    def _find(self, cluster: str) -> Font | None:
        if is_emoji(cluster):
            emoji = self.fonts.emoji
            return emoji if emoji and emoji.covers(VARIANTS.sub("", cluster).translate(_NO_JOINERS)) else None
        seen = cluster.translate(_NO_JOINERS)
        is_main = script_of(cluster[0]) in {"", self.script}
        chain = (self.main, *self._chain) if is_main else self._chain
        return next((font for font in chain if font.covers(seen)), None)

    def _drawable(self, text: str) -> str:
        """Return what the fonts can draw: plain forms for rare ones, a gap for letters that none has, no lone marks."""
        parts: list[str] = []
        missing = set()
        for cluster in split_clusters(UNSEEN.sub("", text)):
            known = self._known(cluster)
            if known is None:
                missing.add(cluster)
                known = "" if parts and parts[-1] == GAP else GAP
            if known:
                parts.append(known)
        if missing:
            named = ", ".join(sorted({unicodedata.name(cluster[0], "unnamed") for cluster in missing})[:5])
            logger.warning("No font for %s; see “Fonts of cards” in docs/operators.md.", named)
        return SPACES.sub(" ", "".join(parts)).strip()

    def _known(self, cluster: str) -> str | None:
        """Return what is drawn for a cluster; None for a letter or digit that no font has."""
        if cluster.isspace() or cluster == BREAK:
            return cluster
        if self._font(cluster):
            return cluster
        bare = VARIANTS.sub("", cluster)
        for other in (bare, unicodedata.normalize("NFKC", bare), bare[:1]):
            if other and not is_emoji(other) and all(self._font(part) for part in split_clusters(other)):
                return other
        return None if unicodedata.category(cluster[0])[0] in "LN" else ""


def is_readable(text: str) -> bool:
    """Tell whether enough of a text can be drawn to show it: it has a letter or digit, and few gaps."""
    letters = sum(character.isalnum() for character in text)
    return letters > 4 * text.count(GAP)


def direction_of(run: Run) -> str | None:
    return ("rtl" if run.rtl else "ltr") if SHAPES else None


@lru_cache(maxsize=256)
def emoji_of(text: str, font: Font, size: int) -> Image.Image:
    """Return an emoji to stand among letters of a size; the font has it in one size only."""
    sized = _emoji_font(font)
    left, top, right, bottom = sized.getbbox(text)
    drawn = Image.new("RGBA", (max(1, round(right - left)), max(1, round(bottom - top))))
    ImageDraw.Draw(drawn).text((-left, -top), text, font=sized, embedded_color=True)
    height = round(size * EMOJI_HEIGHT)
    wide = max(1, round(drawn.width * height / drawn.height))
    return drawn.resize((wide, height), Image.Resampling.LANCZOS)


@lru_cache(maxsize=4)
def _emoji_font(font: Font) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font.path, EMOJI_SIZE)
