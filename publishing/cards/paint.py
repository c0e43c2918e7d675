"""Letters and pictures onto the card."""

from collections.abc import Callable
from functools import lru_cache
from typing import IO

from PIL import Image, ImageDraw

from publishing.cropping import FORMATS, crop_square

from .facts import Picture
from .fonts import Font
from .layout import Block
from .setting import Setting, direction_of, emoji_of

OpenPicture = Callable[[str], IO[bytes]]
FINER = 4  # masks are drawn larger and scaled down, for smooth edges

PAPER, INK, SOFT, LINE, ACCENT = "#fbfaf6", "#1b1b16", "#5b594f", "#e3dfd3", "#9a3412"


class Canvas:
    """A card while it is drawn. Where ``mirrored``, left and right change places."""

    def __init__(self, width: int, height: int, *, mirrored: bool = False):
        self.image = Image.new("RGB", (width, height), PAPER)
        self.draw = ImageDraw.Draw(self.image)
        self.mirrored = mirrored

    def left(self, x: int, width: int) -> int:
        """Return where a thing of this width begins that is ``x`` from the side where lines begin."""
        return self.image.width - x - width if self.mirrored else x

    def box(self, x: int, y: int, width: int, height: int, colour: str) -> None:
        left = self.left(x, width)
        self.draw.rectangle((left, y, left + width - 1, y + height - 1), fill=colour)

    def block(self, block: Block, x: int, y: int, colour: str) -> None:
        """Draw lines under ``y``, each from the side where it begins."""
        ascent, descent = block.setting.main.at(block.size, block.setting.weight).getmetrics()
        baseline = y + (block.leading - ascent - descent) / 2 + ascent
        for line in block.lines:
            self.line(block.setting, line, block.size, x, round(baseline), colour)
            baseline += block.leading

    def line(self, setting: Setting, text: str, size: int, x: int, baseline: int, colour: str) -> None:
        """Draw one line on its baseline, from the side where the card's lines begin."""
        runs = setting.runs(text)
        widths = [setting.run_width(run, size) for run in runs]
        place = float(self.image.width - x - sum(widths) if self.mirrored else x)
        for run, wide in zip(runs, widths, strict=True):
            if run.is_emoji:
                self._emoji(run.text, run.font, size, place, baseline)
            else:
                font = run.font.at(size, setting.weight)
                self.draw.text((place, baseline), run.text, colour, font, "ls", direction=direction_of(run))
            place += wide

    def _emoji(self, text: str, font: Font, size: int, left: float, baseline: int) -> None:
        drawn = emoji_of(text, font, size)
        self.image.paste(drawn, (round(left), round(baseline - size * 0.88)), drawn)

    def picture(
        self, picture: Picture | None, open_picture: OpenPicture, x: int, y: int, side: int, radius: int
    ) -> bool:
        """Draw a square picture with round corners; tell whether there is one."""
        drawn = _read(picture, open_picture, side)
        if drawn is None:
            return False
        left = self.left(x, side)
        mask = _rounded(side, radius)
        if drawn.mode == "RGBA":
            mask = Image.composite(drawn.getchannel("A"), Image.new("L", mask.size), mask)
        self.image.paste(drawn.convert("RGB"), (left, y), mask)
        return True

    def logo(self, picture: Picture | None, open_picture: OpenPicture, x: int, y: int, height: int) -> int:
        """Draw a logo whole and return its width; 0 without one."""
        drawn = _read_whole(picture, open_picture, height)
        if drawn is None:
            return 0
        self.image.paste(drawn, (self.left(x, drawn.width), y + (height - drawn.height) // 2), drawn)
        return drawn.width


def _read(picture: Picture | None, open_picture: OpenPicture, side: int) -> Image.Image | None:
    if picture is None:
        return None
    try:
        with open_picture(picture.name) as file:
            return crop_square(file, side, picture.focal_x, picture.focal_y)
    except (OSError, SyntaxError, ValueError):  # gone or broken: the card does without
        return None


def _read_whole(picture: Picture | None, open_picture: OpenPicture, height: int) -> Image.Image | None:
    if picture is None:
        return None
    try:
        with open_picture(picture.name) as file, Image.open(file, formats=FORMATS) as image:
            drawn = image.convert("RGBA")
    except (OSError, SyntaxError, ValueError):
        return None
    drawn.thumbnail((6 * height, height), Image.Resampling.LANCZOS)
    return drawn


@lru_cache(maxsize=8)
def _rounded(side: int, radius: int) -> Image.Image:
    mask = Image.new("L", (side * FINER, side * FINER))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, side * FINER - 1, side * FINER - 1), radius * FINER, fill=255)
    return mask.resize((side, side), Image.Resampling.BOX)
