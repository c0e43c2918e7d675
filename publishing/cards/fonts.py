"""The fonts that cards are set in: those of our packages, then those of the operator and of the system."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont, features

from .sfnt import NoFont, read_font

SHAPES = features.check("raqm")  # without it, letters of Arabic do not join; our wheel has it
OPTICAL_SIZE = 24  # one cut of the letters at all sizes, so that widths grow as sizes do; a card is mostly seen small
EMOJI_SIZE = 109  # pixels: the one size of Noto's bitmaps

# Our packages, in the order in which they are asked for a character.
SERIF = ("newsreader", "source_serif_4", "frank_ruhl_libre", "noto_serif")
SANS = ("inter", "noto_sans", "noto_sans_arabic", "noto_sans_thai")
MORE = ("noto_sans_devanagari", "noto_sans_tamil", "noto_sans_telugu", "noto_sans_khmer", "hind_siliguri")

FOLDERS = (
    *("/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts", "~/.fonts"),
    *("/Library/Fonts", "~/Library/Fonts", "C:/Windows/Fonts"),
)
SYSTEM_FONT = re.compile(r"Noto(Sans|Serif|Naskh)\w*(-Regular|\[[\w,]+\])\.(ttf|otf|ttc)|DejaVuSans\.ttf")
EMOJI_FONT = "NotoColorEmoji.ttf"
COLLECTION = {"ja": 0, "ko": 1, "zh": 2, "zh-hant": 3}  # where Noto's CJK collections hold each language's shapes


class Font:
    """One font file, or one font of a collection."""

    def __init__(self, path: Path, index: int = 0):
        self.path = path
        self.index = index

    def __repr__(self) -> str:
        return f"{self.path.name}:{self.index}"

    @cached_property
    def _read(self) -> tuple[frozenset[int], tuple[str, ...]]:
        try:
            return read_font(self.path, self.index)
        except NoFont:
            return frozenset(), ()

    @property
    def characters(self) -> frozenset[int]:
        return self._read[0]

    def covers(self, text: str) -> bool:
        characters = self._read[0]
        return all(ord(character) in characters for character in text)

    @property
    def is_cjk(self) -> bool:
        return self.path.suffix == ".ttc" and "CJK" in self.path.name

    def of_language(self, language: str) -> "Font":
        """Return the font of the collection that draws ideographs as a language writes them."""
        index = COLLECTION.get(language)
        return _font(self.path, index) if self.is_cjk and index is not None else self

    def at(self, size: int, weight: int) -> ImageFont.FreeTypeFont:
        return _sized(self.path, self.index, self._read[1], size, weight)


@lru_cache(maxsize=64)
def _font(path: Path, index: int) -> Font:
    return Font(path, index)


@lru_cache(maxsize=160)
def _sized(path: Path, index: int, axes: tuple[str, ...], size: int, weight: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(path, size, index=index)
    if axes:
        wanted = {"wght": float(weight), "opsz": float(OPTICAL_SIZE)}
        # FreeType keeps each value within the bounds of its axis.
        values = [
            wanted.get(tag, axis["default"] or 0) for tag, axis in zip(axes, font.get_variation_axes(), strict=True)
        ]
        font.set_variation_by_axes(values)
    return font


@dataclass(frozen=True)
class FontSet:
    """Fonts by family, each family in the order in which they are asked for a character."""

    serif: tuple[Font, ...]
    sans: tuple[Font, ...]
    emoji: Font | None = None

    def chain(self, family: str) -> tuple[Font, ...]:
        return self.serif if family == "serif" else self.sans

    @cached_property
    def fingerprint(self) -> str:
        """Return what changes with the fonts, so that cards are drawn anew where some were installed."""
        fonts = [*self.serif, *self.sans, *([self.emoji] if self.emoji else [])]
        known = [f"{font!r} {font.path.stat().st_size}" for font in fonts]
        return hashlib.sha256("\n".join(known).encode()).hexdigest()[:16]


def find_fonts(paths: Sequence[str | Path] = (), *, folders: Sequence[str] = FOLDERS) -> FontSet:
    """Return the fonts of our packages, then those under ``paths`` (files or folders), then the system's.

    Raises FileNotFoundError where there is no font at all.
    """
    given = [file for path in paths for file in _files(Path(path).expanduser())]
    system = [file for folder in folders for file in _files(Path(folder).expanduser()) if _is_wanted(file)]
    found = list(dict.fromkeys([*given, *system]))
    emoji = next((Font(file) for file in found if file.name == EMOJI_FONT), None)
    others = [file for file in found if file.name != EMOJI_FONT]
    with_serifs = [file for file in others if re.search("serif|naskh", file.name, re.IGNORECASE)]
    without = [file for file in others if file not in with_serifs]
    serif, sans, more = (list(_packaged(names)) for names in (SERIF, SANS, MORE))
    fonts = FontSet(
        serif=tuple(map(Font, [*serif, *with_serifs, *sans[1:], *more, *without, *sans[:1]])),
        sans=tuple(map(Font, [*sans, *more, *without, *with_serifs, *serif])),
        emoji=emoji if emoji and _opens(emoji) else None,
    )
    if not fonts.sans:
        raise FileNotFoundError("No font to draw cards with: install requirements.txt, or set CARD_FONTS.")
    return fonts


def _packaged(names: Sequence[str]) -> Iterator[Path]:
    for name in names:
        spec = find_spec(f"fontpkg_{name}")
        for folder in (spec.submodule_search_locations or []) if spec else []:
            yield from (file for file in _files(Path(folder)) if "Italic" not in file.name and "Bold" not in file.name)


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.suffix.lower() in {".ttf", ".otf", ".ttc"})


def _is_wanted(file: Path) -> bool:
    return file.name == EMOJI_FONT or bool(SYSTEM_FONT.fullmatch(file.name))


def _opens(emoji: Font) -> bool:
    """Tell whether FreeType opens the bitmaps; some builds of the font are vectors."""
    try:
        ImageFont.truetype(emoji.path, EMOJI_SIZE)
    except OSError:
        return False
    return True
