"""Single lines of text in a picture, set with the fonts and the rules of the cards."""

from PIL import Image, ImageDraw

from publishing.card_files import card_fonts
from publishing.cards import FontSet
from publishing.cards.clusters import is_emoji, split_clusters
from publishing.cards.fonts import Font
from publishing.cards.layout import one_line
from publishing.cards.setting import Run, Setting, direction_of, emoji_of

FAMILY = "serif"
Colour = str | tuple[int, ...]


def fonts() -> FontSet:
    """Return the fonts of the cards. Raises FileNotFoundError where there are none."""
    found = card_fonts()
    if found is None:
        raise FileNotFoundError("No font to draw clips with: install requirements.txt, or set CARD_FONTS.")
    return found


class Line:
    """One line of text of a size in pixels, cut with an ellipsis where it is wider than it may be."""

    def __init__(self, text: str, size: int, *, weight: int = 400, most_width: int | None = None) -> None:
        self.size = size
        self.setting = Setting(fonts(), FAMILY, weight, text)
        self.text = self.setting.text
        if most_width is not None and self.width > most_width:
            self.text = one_line(self.setting, most_width, size).lines[0]

    @property
    def width(self) -> int:
        return round(self.setting.width(self.text, self.size))

    def draw(self, image: Image.Image, at: tuple[float, float], fill: Colour) -> None:
        """Draw with the left end of the base line at a place."""
        left, base = at
        for run in self.setting.runs(self.text):
            if run.is_emoji:
                emoji = emoji_of(run.text, run.font, self.size)
                image.paste(emoji, (round(left), round(base - 0.88 * self.size)), emoji)
            else:
                self._letters(ImageDraw.Draw(image), run, (left, base), fill)
            left += self.setting.run_width(run, self.size)

    def _letters(self, draw: ImageDraw.ImageDraw, run: Run, at: tuple[float, float], fill: Colour) -> None:
        font = run.font.at(self.size, self.setting.weight)
        draw.text(at, run.text, font=font, fill=fill, anchor="ls", direction=direction_of(run))


def main_font(text: str) -> tuple[str, Font]:
    """Return what letters can draw of a text, and the font that draws most of it."""
    letters = "".join(cluster for cluster in split_clusters(text) if not is_emoji(cluster))
    setting = Setting(fonts(), FAMILY, 400, letters)
    return setting.text, setting.main


def blank(size: tuple[int, int], fill: Colour = (0, 0, 0, 0)) -> Image.Image:
    """Return a new picture with transparency."""
    return Image.new("RGBA", size, fill)
