"""Lines: a text broken, sized to fit its box, and cut at a word where it cannot."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from .clusters import UNSPACED, script_of, split_clusters
from .setting import BREAK, Setting

ELLIPSIS = "…"
SPARE = 0.97  # of a line, since letters side by side may be wider than each alone
NOT_FIRST = set(
    "）」』】〉》〕、。，．：；！？…‥ー々・ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ％℃’”)]}»,.:;!?%ะาำๆฯ"
)
NOT_LAST = set("（「『【〈《〔“‘([{«￥＄$£€#@เแโใไ")
_BREAKS_AFTER = re.compile(r"(?<=\w[-‐–—/])(?=\w)")
_CUT_BEFORE = " ,;:–—-(「『、・…"


@dataclass(frozen=True)
class Atom:
    """Letters that stay together, and whether a space stands before them."""

    text: str
    spaced: bool


@dataclass(frozen=True)
class Block:
    """Lines of one size; ``leading`` pixels from one baseline to the next."""

    setting: Setting
    size: int
    lines: list[str] = field(default_factory=list)
    leading: int = 0
    is_cut: bool = False

    @property
    def height(self) -> int:
        return self.leading * len(self.lines)

    @property
    def width(self) -> float:
        return max((self.setting.width(line, self.size) for line in self.lines), default=0)


def split_atoms(text: str) -> list[Atom]:
    """Return the parts between which a line may end."""
    atoms: list[Atom] = []
    for word in text.split():
        spaced = bool(atoms)
        for part in _BREAKS_AFTER.split(word):
            for piece in part.split(BREAK):
                for letters in _pieces(piece):
                    atoms.append(Atom(letters, spaced))
                    spaced = False
    return atoms


def _pieces(word: str) -> list[str]:
    """Split what may break between letters; marks stay with the letter that they belong to."""
    if not any(script_of(character) in UNSPACED for character in word):
        return [word] if word else []
    pieces: list[str] = []
    for cluster in split_clusters(word):
        before = pieces[-1][-1] if pieces else ""
        joined = pieces and (
            cluster[0] in NOT_FIRST
            or before in NOT_LAST
            or (script_of(cluster[0]) not in UNSPACED and script_of(before) not in UNSPACED)
        )
        if joined:
            pieces[-1] += cluster
        else:
            pieces.append(cluster)
    return pieces


def fit(
    setting: Setting,
    width: int,
    height: int,
    sizes: Sequence[int],
    *,
    most_lines: int = 99,
    leading: float = 1.25,
    marks: tuple[str, str] = ("", ""),
) -> Block:
    """Return the text in the largest of ``sizes`` (rising) that fits the box, cut at a word in the smallest.

    ``marks`` stand before and after the text; the first hangs outside of the box and takes no room here.
    """
    atoms = split_atoms(setting.text)
    if not atoms:
        return Block(setting, sizes[0])
    leading = max(leading, setting.leading)
    closed = [*atoms[:-1], Atom(atoms[-1].text + marks[1], atoms[-1].spaced)]

    def lines_at(size: int) -> list[list[Atom]] | None:
        most = min(most_lines, int(height // round(leading * size)))
        if max(setting.width(atom.text, size) for atom in closed) > width:
            return None
        lines = _wrap(setting, closed, size, width)
        return lines if len(lines) <= most else None

    low, high, best = 0, len(sizes) - 1, None
    while low <= high:
        middle = (low + high) // 2
        lines = lines_at(sizes[middle])
        if lines is None:
            high = middle - 1
        else:
            best, low = (sizes[middle], lines), middle + 1
    if best:
        size, lines = best
        return Block(setting, size, _joined(_balanced(setting, closed, size, width, lines)), round(leading * size))
    size = sizes[0]
    most = max(1, min(most_lines, int(height // round(leading * size))))
    lines = _wrap(setting, _broken(setting, closed, size, width), size, width)
    if len(lines) <= most:
        return Block(setting, size, _joined(lines), round(leading * size))
    return _cut(setting, atoms, size, width, most, round(leading * size), marks[1])


def _wrap(setting: Setting, atoms: Sequence[Atom], size: int, width: float) -> list[list[Atom]]:
    space = setting.width(" ", size)
    lines: list[list[Atom]] = []
    used = 0.0
    for atom in atoms:
        wide = setting.width(atom.text, size)
        gap = space if atom.spaced else 0
        if lines and used + gap + wide <= width:
            lines[-1].append(atom)
            used += gap + wide
        else:
            lines.append([atom])
            used = wide
    return lines


def _balanced(
    setting: Setting, atoms: Sequence[Atom], size: int, width: float, lines: list[list[Atom]]
) -> list[list[Atom]]:
    """Return as many lines, as even as they get."""
    if len(lines) < 2:
        return lines
    widest = max(setting.width(atom.text, size) for atom in atoms)
    low, high = max(width / 2, widest), width
    best = lines
    while high - low > 4:
        middle = (low + high) / 2
        tried = _wrap(setting, atoms, size, middle)
        if len(tried) <= len(lines):
            best, high = tried, middle
        else:
            low = middle
    return best


def _joined(lines: list[list[Atom]]) -> list[str]:
    return ["".join((" " if n and atom.spaced else "") + atom.text for n, atom in enumerate(line)) for line in lines]


def _cut(
    setting: Setting, atoms: list[Atom], size: int, width: int, most_lines: int, leading: int, closing: str
) -> Block:
    """Return as many lines as there is room for, the last ending in an ellipsis after a whole word."""
    lines = _wrap(setting, _broken(setting, atoms, size, width), size, width)[:most_lines]
    end = ELLIPSIS + closing
    while lines[-1]:
        line = _joined([lines[-1]])[0].rstrip(_CUT_BEFORE)
        if setting.width(line + end, size) <= width:
            return Block(setting, size, [*_joined(lines[:-1]), line + end], leading, is_cut=True)
        lines[-1] = lines[-1][:-1]
    clusters = split_clusters(_joined(lines[:-1])[-1] if lines[1:] else atoms[0].text)
    while clusters and setting.width("".join(clusters) + end, size) > width:
        clusters.pop()
    kept = _joined(lines[:-2]) if lines[1:] else []
    return Block(setting, size, [*kept, "".join(clusters) + end], leading, is_cut=True)


def _broken(setting: Setting, atoms: list[Atom], size: int, width: int) -> list[Atom]:
    """Return atoms of which none is wider than a line: words that are get broken anywhere."""
    parts = []
    for atom in atoms:
        if setting.width(atom.text, size) <= width:
            parts.append(atom)
            continue
        piece, used, spaced = "", 0.0, atom.spaced
        for cluster in split_clusters(atom.text):
            wide = setting.width(cluster, size)  # alone; measuring what is gathered would take its square
            if piece and used + wide > width * SPARE:
                parts.append(Atom(piece, spaced))
                piece, used, spaced = "", 0.0, False
            piece, used = piece + cluster, used + wide
        parts.append(Atom(piece, spaced))
    return parts


def one_line(setting: Setting, width: int, size: int) -> Block:
    """Return the text on one line, cut at a word where it is too long."""
    return fit(setting, width, 10 * size, [size], most_lines=1)
