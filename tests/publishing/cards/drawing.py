"""What the tests of cards share: the fonts that come along, and pictures to draw."""

import io
from functools import lru_cache
from typing import IO

from PIL import Image

from publishing.cards import CardFacts, FontSet, Picture, draw_card, find_fonts
from publishing.cards.setting import Setting

FACTS = CardFacts(
    site="The Long Signal",
    label="Signal Path",
    title="Ada Okafor: one battery settles the peak",
    quote="We put it where the buses sleep, and it settles the evening peak.",
    name="Ada Okafor",
    line="May 14, 2026 · The grid nobody sees",
    portrait=Picture("portrait.png"),
    artwork=Picture("artwork.png"),
)
COLOURS = {"portrait.png": (200, 30, 30), "artwork.png": (30, 30, 200), "logo.png": (30, 160, 30)}


@lru_cache(maxsize=1)
def fonts() -> FontSet:
    """Only those of our packages: the same on every machine."""
    return find_fonts(folders=())


def open_picture(name: str) -> IO[bytes]:
    file = io.BytesIO()
    Image.new("RGB", (600, 400), COLOURS[name]).save(file, "PNG")
    file.seek(0)
    return file


def draw(facts: CardFacts, opener=open_picture) -> Image.Image:
    return Image.open(io.BytesIO(draw_card(facts, fonts(), opener))).convert("RGB")


def has(image: Image.Image, colour: tuple[int, int, int]) -> bool:
    return any(seen == colour for _count, seen in image.getcolors(1200 * 630))


def setting(text: str, family: str = "serif", language: str = "") -> Setting:
    return Setting(fonts(), family, 500, text, language)
