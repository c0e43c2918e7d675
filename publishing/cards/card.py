"""How cards look: ink on paper, one accent, the words in large."""

from dataclasses import replace

from .facts import CardFacts
from .fonts import FontSet
from .layout import Block, fit, one_line
from .paint import ACCENT, INK, LINE, SOFT, Canvas, OpenPicture
from .saving import png_bytes
from .setting import Setting, is_readable

VERSION = 1  # counted up with every change that shows, so that cards are drawn anew

WIDTH, HEIGHT = 1200, 630
MARGIN = 72
RULE, FOOT = 104, 488  # lines between which the words stand
HANGING = 50  # pixels that the opening mark takes at most
QUOTE_SIZES = range(30, 93)
READABLE = 34  # pixels; where the quote would be smaller, the claim leads and the quote is cut
TITLE_SIZES, WIDE_TITLE_SIZES = range(34, 85), range(34, 113)
MOST_CHARS = 2000  # of a text; no card has room for more
NAMES = ("site", "label", "title", "text", "quote", "name", "line")
MARKS = {"ARABIC": ("«", "»"), "HEBREW": ("”", "“")}


def draw_card(facts: CardFacts, fonts: FontSet, open_picture: OpenPicture) -> bytes:
    """Return a card as PNG. ``open_picture`` opens a picture by its name; one that fails is left out."""
    card = _Card(facts, fonts, open_picture)
    card.paint()
    return png_bytes(card.canvas.image)


class _Card:
    def __init__(self, facts: CardFacts, fonts: FontSet, open_picture: OpenPicture):
        self.fonts = fonts
        self.open_picture = open_picture
        self.language = facts.language
        self._settings: dict[tuple[str, int, str], Setting] = {}
        for name in NAMES:
            if not is_readable(self.serif(getattr(facts, name)).text):
                facts = replace(facts, **{name: ""})  # type: ignore[arg-type]  # all of NAMES are texts
        self.facts = facts
        main = self.serif(facts.quote or facts.title or facts.name or facts.site)
        self.canvas = Canvas(WIDTH, HEIGHT, mirrored=main.rtl)

    def serif(self, text: str, weight: int = 500) -> Setting:
        return self._setting("serif", weight, text)

    def sans(self, text: str, weight: int = 400) -> Setting:
        return self._setting("sans", weight, text)

    def _setting(self, family: str, weight: int, text: str) -> Setting:
        key = (family, weight, text)
        if key not in self._settings:
            self._settings[key] = Setting(self.fonts, family, weight, text[:MOST_CHARS], self.language)
        return self._settings[key]

    def paint(self) -> None:
        self._head()
        if self.facts.quote:
            self._quote()
            self._foot()
        else:
            self._thing()

    def _head(self) -> None:
        """Draw the site's name over a rule; over a quote also whose show it is from."""
        canvas, facts = self.canvas, self.facts
        canvas.box(0, 0, WIDTH, 10, ACCENT)
        wide = canvas.logo(facts.logo, self.open_picture, MARGIN, 40, 46)
        x = MARGIN + wide + (16 if wide else 0)
        label = one_line(self.sans(facts.label), 440, 24) if facts.quote else Block(self.sans(""), 24)
        name = one_line(self.serif(facts.site, 600), round(WIDTH - MARGIN - x - label.width - 40), 34)
        self._line(name, x, 76, INK)
        self._line(label, WIDTH - MARGIN - round(label.width), 74, SOFT)
        canvas.box(MARGIN, RULE - 2, WIDTH - 2 * MARGIN, 2, INK)

    def _line(self, block: Block, x: int, baseline: int, colour: str) -> None:
        for text in block.lines:
            self.canvas.line(block.setting, text, block.size, x, baseline, colour)

    def _quote(self) -> None:
        """Draw the words; where they are too many to be read, their claim and how they begin."""
        top, bottom = RULE + 22, FOOT - 22
        width = WIDTH - 2 * MARGIN - HANGING
        setting = self.serif(self.facts.quote)
        marks = ("「", "」") if setting.is_japanese else MARKS.get(setting.script, ("“", "”"))
        block = fit(setting, width, bottom - top, QUOTE_SIZES, leading=1.24, marks=marks)
        if block.size < READABLE and self.facts.title:
            sizes = range(READABLE, 51)
            title = fit(self.serif(self.facts.title, 600), WIDTH - 2 * MARGIN, 180, sizes, most_lines=3, leading=1.14)
            self.canvas.block(title, MARGIN, top, INK)
            top += title.height + 22
            block = fit(setting, width, bottom - top, QUOTE_SIZES[:1], leading=1.3, marks=marks)
        y = top + (bottom - top - block.height) // 2
        mark = replace(block, lines=[marks[0]])
        self.canvas.block(mark, MARGIN, y, ACCENT)
        self.canvas.block(block, MARGIN + round(mark.width + 0.06 * block.size), y, INK)

    def _foot(self) -> None:
        """Draw who said it and where, between the portrait and the artwork."""
        canvas, facts = self.canvas, self.facts
        canvas.box(MARGIN, FOOT, WIDTH - 2 * MARGIN, 1, LINE)
        side, y, x, end = 96, FOOT + 20, MARGIN, WIDTH - MARGIN
        if canvas.picture(facts.portrait, self.open_picture, x, y, side, side // 2):
            x += side + 24
        if canvas.picture(facts.artwork, self.open_picture, end - side, y, side, 12):
            end -= side + 32
        name = one_line(self.serif(facts.name, 600), end - x, 36)
        line = one_line(self.sans(facts.line), end - x, 24)
        self._line(name, x, y + (42 if line.lines else 60), INK)
        self._line(line, x, y + 80, SOFT)

    def _thing(self) -> None:
        """Draw a name or a title, what it is about, and a large picture; without one the words are larger."""
        canvas, facts = self.canvas, self.facts
        side, top, width = 400, RULE + 44, WIDTH - 2 * MARGIN
        picture, radius = (facts.portrait, side // 2) if facts.portrait else (facts.artwork, 18)
        has_picture = canvas.picture(picture, self.open_picture, WIDTH - MARGIN - side, top, side, radius)
        if has_picture:
            width -= side + 60
        sizes, text_size = (TITLE_SIZES, 30) if has_picture else (WIDE_TITLE_SIZES, 36)
        self._line(one_line(self.sans(facts.label, 600), width, 25), MARGIN, top + 18, ACCENT)
        self._line(one_line(self.sans(facts.line, 500), width, 25), MARGIN, top + side, SOFT)
        top, room = top + 42, side - 42 - 50
        name = self.serif(facts.title or facts.name or facts.site, 600)
        title = fit(name, width, room - (90 if facts.text else 0), sizes, most_lines=4, leading=1.1)
        text_top = top + title.height + 20
        text = fit(self.serif(facts.text, 400), width, top + room - text_top, [text_size], most_lines=4, leading=1.34)
        canvas.block(title, MARGIN, top, INK)
        if text_top + text.height <= top + room:
            canvas.block(text, MARGIN, text_top, SOFT)
