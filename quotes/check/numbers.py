"""Read numbers, written in any way, as one value; ``shared/verbatim.md`` §4."""

import re
from collections.abc import Sequence
from decimal import Decimal

from .languages.base import Dots, Language, NumberWords

_FIGURE = re.compile(r"(\d+(?:\.\d+)?)(k|m|bn|b)?")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_DOTTED = re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+", re.ASCII)
_SUFFIXES = {"k": 10**3, "m": 10**6, "b": 10**9, "bn": 10**9}
_INNER = frozenset({"and", "a", "half", "point", "oh"})
LONGEST = 12


def number_key(texts: Sequence[str], language: Language) -> str | None:
    """Return the value as a key (``45``, ``#3`` for an ordinal) if the pieces read as one number."""
    if not texts or len(texts) > LONGEST:
        return None
    if len(texts) > 1 and texts[0] in language.numbers.scales:
        # ``thousand two hundred`` is the rest of a number.
        return None
    words = language.numbers
    if len(texts) == 1 and (key := _figure_key(texts[0], words)):
        return key
    if (value := _cardinal(texts, words)) is not None:
        return _written(value)
    if (last := _ordinal_value(texts[-1], words)) is not None:
        value = Decimal(last) if len(texts) == 1 else _with_ordinal(texts[:-1], last, words)
        return None if value is None else f"#{_written(value)}"
    value = _year(texts, words)
    return None if value is None else _written(value)


def _figure_key(text: str, words: NumberWords) -> str | None:
    if match := _ORDINAL.fullmatch(text):
        return f"#{int(match[1])}" if len(match[1]) < 20 else None
    value = _figure(text, words)
    return None if value is None else _written(value)


def _figure(text: str, words: NumberWords) -> Decimal | None:
    if _DOTTED.fullmatch(text) and words.dots is not Dots.FRACTION:
        # ``1.000`` is one in English, a thousand in German, and either where nobody knows.
        return Decimal(text.replace(".", "")) if words.dots is Dots.GROUPS else None
    match = _FIGURE.fullmatch(text)
    if not match or not text.isascii() or len(text) > 24 or (text[0] == "0" and text[1:2].isdigit()):
        return None
    return Decimal(match[1]) * _SUFFIXES.get(match[2], 1)


def _written(value: Decimal) -> str:
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _ordinal_value(text: str, words: NumberWords) -> int | None:
    return words.ordinals.get(text)


def _with_ordinal(texts: Sequence[str], last: int, words: NumberWords) -> Decimal | None:
    """Read ``twenty first`` or ``two hundredth``: the last word said as a cardinal must make one number."""
    cardinal = next((word for word, value in (*words.cardinals.items(), *words.scales.items()) if value == last), None)
    return _cardinal([*texts, cardinal], words) if cardinal else None


def _cardinal(texts: Sequence[str], words: NumberWords) -> Decimal | None:
    if "point" in texts and words.scales:
        place = list(texts).index("point")
        return _decimal(texts[:place], texts[place + 1 :], words)
    if len(texts) > 3 and tuple(texts[-3:]) == ("and", "a", "half"):
        whole = _whole(texts[:-3], words)
        return None if whole is None else whole + Decimal("0.5")
    return _whole(texts, words)


def _decimal(before: Sequence[str], after: Sequence[str], words: NumberWords) -> Decimal | None:
    scale = 1
    while after and after[-1] in words.scales:
        scale *= words.scales[after[-1]]
        after = after[:-1]
    whole = _whole(before, words)
    digits = [_digit(text, words) for text in after]
    if whole is None or not digits or None in digits:
        return None
    return Decimal(f"{whole}.{''.join(str(digit) for digit in digits)}") * scale


def _digit(text: str, words: NumberWords) -> int | None:
    value = int(text) if text.isascii() and text.isdigit() and len(text) == 1 else words.cardinals.get(text)
    return 0 if text == "oh" else value if value is not None and value < 10 else None


class _Sum:
    """The number read so far: ``total`` of closed scales, ``group`` below the next scale, ``room`` for what may follow."""

    def __init__(self) -> None:
        self.total = Decimal(0)
        self.group = Decimal(0)
        self.room = Decimal("Infinity")  # a next value must be smaller than this
        self.scale_room = Decimal("Infinity")
        self.is_open = False  # something stands in group

    def add(self, value: Decimal) -> bool:
        if value >= self.room or (self.is_open and value == 0):
            return False
        self.group += value
        self.is_open = True
        self.room = Decimal(10) if value in range(20, 100, 10) else Decimal(0)
        return True

    def scale(self, scale: int) -> bool:
        group = self.group if self.is_open else Decimal(1)
        if scale == 100:
            if not 0 < group < 100:
                return False
            self.group, self.is_open, self.room = group * 100, True, Decimal(100)
            return True
        if scale >= self.scale_room:
            return False
        self.total += group * scale
        self.group, self.is_open, self.room, self.scale_room = Decimal(0), False, Decimal(scale), Decimal(scale)
        return True


def _whole(texts: Sequence[str], words: NumberWords) -> Decimal | None:
    """Read ``five thousand and twelve``, ``a hundred billion`` or ``1.5 million``."""
    if not texts:
        return None
    if not words.scales:
        return _single(texts, words)
    number = _Sum()
    last = len(texts) - 1
    for place, text in enumerate(texts):
        before = texts[place - 1] if place else ""
        if text == "a" and place == 0 and last > 0 and texts[1] in words.scales:
            continue
        if text == "and" and 0 < place < last and before in words.scales:
            continue
        if text in words.scales:
            is_fine = number.scale(words.scales[text])
        elif before and before not in words.scales and before not in _INNER and _is_figure(text, before):
            # ``20 5`` is no ``25``, however it is said.
            is_fine = False
        else:
            value = _value(text, words)
            is_fine = value is not None and number.add(value)
        if not is_fine:
            return None
    return number.total + number.group


def _is_figure(*texts: str) -> bool:
    return any(text[0].isdigit() for text in texts)


def _single(texts: Sequence[str], words: NumberWords) -> Decimal | None:
    return _value(texts[0], words) if len(texts) == 1 else None


def _value(text: str, words: NumberWords) -> Decimal | None:
    value = words.cardinals.get(text)
    return _figure(text, words) if value is None else Decimal(value)


def _year(texts: Sequence[str], words: NumberWords) -> Decimal | None:
    """Read a year in two halves: ``twenty sixteen``, ``nineteen oh five``."""
    if not words.scales:
        return None
    for place in range(1, min(3, len(texts))):
        century, rest = _whole(texts[:place], words), texts[place:]
        years = _digit(rest[1], words) if len(rest) == 2 and rest[0] == "oh" else _whole(rest, words)
        in_words = all(text in words.cardinals for text in (*texts[:place], rest[-1]))
        if not in_words or century is None or years is None:
            continue
        if 10 <= century <= 20 and (rest[0] == "oh" or 10 <= years <= 99):
            return century * 100 + years
    return None


def starts_number(text: str, language: Language) -> bool:
    words = language.numbers
    return text[:1].isdigit() or text in words.cardinals or text in words.ordinals or text in words.scales


def may_continue(text: str, language: Language) -> bool:
    """Tell whether a piece can stand in a number behind its first piece."""
    return text in _INNER or starts_number(text, language)


def longest_number(texts: Sequence[str], language: Language) -> int:
    """Return how many pieces from the first make one number, its unit included; 0 if none."""
    if not texts or not starts_number(texts[0], language):
        return 0
    if not language.numbers.scales:
        return _run_of_numbers(texts, language)
    # Its ``a`` is not part of a number, but ``hundred billion`` is one number without it, too.
    article = ["a"] if texts[0] in language.numbers.scales else []
    found = 0
    for size in range(1, min(LONGEST - 1, len(texts)) + 1):
        if size > 1 and not may_continue(texts[size - 1], language):
            break
        if number_key([*article, *texts[:size]], language) is not None:
            found = size
    if found and found < len(texts) and texts[found] in language.numbers.units:
        found += 1
    return found


def _run_of_numbers(texts: Sequence[str], language: Language) -> int:
    """Return how many number words stand side by side, where their sum cannot be read."""
    words = language.numbers
    size = 1
    while size < len(texts):
        is_joined = texts[size] in words.joiners and size + 1 < len(texts) and starts_number(texts[size + 1], language)
        if is_joined:
            size += 2
        elif starts_number(texts[size], language) or texts[size] in words.units:
            size += 1
        else:
            break
    return size
