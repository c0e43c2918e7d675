"""Cut text into the pieces that are compared; ``shared/verbatim.md`` §2."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ′´`＇", "'"))
HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
HYPHEN = re.escape(HYPHENS)  # for a class of a pattern
ELLIPSIS = re.compile(r"…|\.{3,}")
SIGNS = {"%": "percent", "$": "dollars", "€": "euros", "£": "pounds", "&": "and", "+": "plus"}
CURRENCIES = frozenset(SIGNS[sign] for sign in "$€£")

_CUTS = re.compile(rf"[\s{re.escape(HYPHENS)}/／…]+|\.{{3,}}")
_NOT_SPACE = re.compile(r"\S+")
_WHOLE = re.compile(rf"(?:uh|mm|m)[{HYPHEN}](?:huh|hu?m+)|(?:n?uh)[{HYPHEN}]uh|mm[{HYPHEN}]mm", re.IGNORECASE)
_SHORT_FORMS = frozenset({"'cause", "'em", "'til"})
_UNSPACED = re.compile(
    r"[\u0e00-\u0e7f\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
_RAISED = re.compile(r"(?<=\d)(?=[²³¹⁰⁴-⁹¼-¾⅐-⅞])")  # 10² is not 102, nor 5½ 51⁄2
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?=\D|$)")
_ACRONYM = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\.?")
_SOUND = re.compile(r"(?:\[[^\[\]]*\]|\([^()]*\)|<[^<>]*>|\*[^*]+\*|♪+|>>+|♪.*♪)[\s.,!?:;]*", re.DOTALL)
_HIDDEN = re.compile(r"\[\s*_+\s*\][.,!?:;]*")
_CLOSERS = "\"'”’»)]}›」』 "
_STRONG_END = re.compile(rf"[{HYPHEN}][,\s]*$")
_WEAK_END = re.compile(r"(?:…|\.{3,})[,\s]*$")
_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "st",
        "vs",
        "prof",
        "inc",
        "jr",
        "sr",
        "gen",
        "sen",
        "rep",
        "gov",
        "no",
        "fig",
        "approx",
        "dept",
        "est",
        "ca",
        "bzw",
    ]
)


class Slice(NamedTuple):
    """A piece and where it stands in its text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Ending:
    """What the punctuation at the end of a word says. ``cut``: 2 with a dash, 1 with an ellipsis."""

    cut: int = 0
    comma: bool = False
    ends_sentence: bool = False
    is_question: bool = False

    def __or__(self, other: "Ending") -> "Ending":
        return Ending(
            max(self.cut, other.cut),
            self.comma or other.comma,
            self.ends_sentence or other.ends_sentence,
            self.is_question or other.is_question,
        )


@dataclass(frozen=True, slots=True)
class CutWord:
    """A transcript word in pieces; ``is_sound`` for marks that are no words, ``is_hidden`` for ``[ __ ]``."""

    slices: tuple[Slice, ...]
    ending: Ending
    is_sound: bool = False
    is_hidden: bool = False
    folded: str = ""


HIDDEN = "\0"
NO_ENDING = Ending()


def fold(text: str) -> str:
    """Return text in the form in which it is compared."""
    text = text if text.isascii() else _RAISED.sub("^", text)
    plain = unicodedata.normalize("NFKC", text).translate(APOSTROPHES).casefold()
    # Once more: folding the case can take letters apart again.
    return "".join(c for c in unicodedata.normalize("NFKC", plain) if unicodedata.category(c) != "Cf")


@lru_cache(maxsize=1 << 16)
def cut_word(word: str) -> CutWord:
    """Cut one word of a transcript. Kept, since a long transcript has few different words."""
    if _HIDDEN.fullmatch(word.strip()):
        return CutWord((Slice(HIDDEN, 0, len(word)),), read_ending(word), is_hidden=True)
    if _SOUND.fullmatch(word.strip()):
        return CutWord((), NO_ENDING, is_sound=True)
    slices = tuple(cut_text(word))
    return CutWord(slices, read_ending(word), folded=fold(word[slices[0].start : slices[-1].end]) if slices else "")


def cut_text(text: str) -> Iterator[Slice]:
    """Yield the pieces of a text that has neither brackets nor sound marks."""
    for token in _NOT_SPACE.finditer(text):
        at = token.start()
        for part in _slices(token[0]):
            yield Slice(part.text, at + part.start, at + part.end)


@lru_cache(maxsize=1 << 14)
def _slices(token: str) -> tuple[Slice, ...]:
    start, end = strip(token, 0, len(token))
    if _WHOLE.fullmatch(token, start, end):
        return (Slice(re.sub(f"[{HYPHEN}]", "-", fold(token[start:end])), start, end),)
    return tuple(_cut_token(token, 0, len(token)))


def _cut_token(text: str, start: int, end: int) -> Iterator[Slice]:
    at = start
    for cut in [*_CUTS.finditer(text, start, end), None]:
        until = cut.start() if cut else end
        if until > at:
            # A hyphen before a figure at the beginning of a word is its sign.
            is_negative = at == start + 1 and text[start] in HYPHENS and text[at : at + 1].isdigit()
            if is_negative:
                yield Slice("minus", start, at)
            yield from _cut_core(text, *strip(text, at, until))
        at = cut.end() if cut else end


def strip(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without the punctuation at both ends."""
    while start < end and not _belongs(text[start]):
        start += 1
    while end > start and not _belongs(text[end - 1]):
        end -= 1
    return start, end


def _belongs(letter: str) -> bool:
    return letter.isalnum() or letter in SIGNS or unicodedata.category(letter)[0] in "MN"


def _cut_core(text: str, start: int, end: int) -> Iterator[Slice]:
    core = text[start:end]
    if not core:
        return
    if _UNSPACED.search(core):
        yield from _cut_letters(text, start, end)
        return
    folded = fold(core)
    before = text[start - 1] if start else ""
    if before == "." and folded[:1].isdigit() and (start < 2 or not text[start - 2].isalnum()):
        folded = f"0.{folded}"
    elif before and before.translate(APOSTROPHES) == "'" and f"'{folded}" in _SHORT_FORMS:
        folded = f"'{folded}"
    folded = _GROUPED.sub(lambda group: group[0].replace(",", ""), folded)
    if _ACRONYM.fullmatch(folded):
        folded = folded.replace(".", "")
    for part in _signs(folded):
        yield Slice(part, start, end)


def _signs(folded: str) -> Iterator[str]:
    """Yield the words that signs stand for, each behind its number."""
    if folded in SIGNS:
        yield SIGNS[folded]
    elif folded[0] in "+$€£" and folded[1:2].isdecimal():
        behind = [*_signs(folded[1:])]
        sign = SIGNS[folded[0]]
        yield from [sign, *behind] if folded[0] == "+" else [*behind, sign]
    elif folded[0].isdecimal():
        number = folded.rstrip("%$€£+")
        yield from [number, *(SIGNS[sign] for sign in folded[len(number) :])]
    elif any(letter.isalnum() for letter in folded):
        yield folded


def is_unspaced(text: str) -> bool:
    """Tell whether a piece is a letter of a script without spaces."""
    return _UNSPACED.match(text) is not None


def _cut_letters(text: str, start: int, end: int) -> Iterator[Slice]:
    """Yield each letter of a script without spaces; other letters stay together."""
    at = start
    while at < end:
        until = at + 1
        if _UNSPACED.match(text[at]):
            while until < end and (unicodedata.category(text[until])[0] == "M" or text[until] in "ﾞﾟ"):
                until += 1
        else:
            while until < end and not _UNSPACED.match(text[until]):
                until += 1
        part = fold(text[at:until])
        if any(letter.isalnum() for letter in part) or part == "ー":
            yield Slice(part, at, until)
        at = until


def read_ending(word: str) -> Ending:
    """Read the punctuation at a word's end."""
    bare = word.rstrip(_CLOSERS)
    if not bare:
        return NO_ENDING
    if _STRONG_END.search(bare):
        return Ending(cut=2, comma=bare[-1] == ",")
    if _WEAK_END.search(bare):
        return Ending(cut=1, comma=bare[-1] == ",")
    if bare[-1] in "?!。？！؟।" or (bare[-1] == "." and not _is_abbreviation(bare)):
        return Ending(ends_sentence=True, is_question=bare[-1] in "?？؟" or bare.endswith("?!"))
    return Ending(comma=bare[-1] in ",:;、，；：")


def _is_abbreviation(bare: str) -> bool:
    """Tell whether a full stop may belong to the word: it then proves no end of a sentence."""
    core = fold(bare).strip("\"'([{.“")
    return core in _ABBREVIATIONS or "." in core or (len(core) == 1 and core.isalpha() and core != "i")
