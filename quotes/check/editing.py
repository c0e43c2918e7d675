"""Put words into a text and take them out, with the spaces and capitals that go with it."""

import re

_SPACES = re.compile(r"[ \t]{2,}")
_BEFORE_MARK = re.compile(r"[ \t]+([,.;:?!](?!\.))")
_EMPTY_BRACKET = re.compile(r"\[[\s-]*\]")
_DOUBLE_COMMA = re.compile(r",\s*([,.;:?!])")


def splice(text: str, start: int, end: int, new: str) -> str:
    """Return the text with a range replaced; an empty range puts the new words before what follows."""
    before, after = text[:start], text[end:]
    if new and (after[:1].isalnum() or after[:1] in tuple("[“(")):
        new = f"{new} "
    if new and before and not before[-1].isspace() and before[-1] not in "“\"'(—–-/[":
        new = f" {new}"
    if new and not before.strip():
        new, after = capitalised(new), after
    if new in ("", "…") and (not before.strip() or before.rstrip()[-1] in ".?!"):
        # The mark of a sentence that is no more.
        after = after.lstrip(",.;:?!") if not after.startswith("...") else after
    if not new and not before.strip(" “\"'"):
        after = capitalised(after.lstrip(" ,;:"))
    return tidy(f"{before}{new}{after}")


def tidy(text: str) -> str:
    """Return text with single spaces, none before a mark, and no comma before another mark."""
    text = _EMPTY_BRACKET.sub("", text)
    text = _DOUBLE_COMMA.sub(r"\1", _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)))
    return text.strip()


def capitalised(text: str) -> str:
    """Return text with its first letter as a capital, if its first word has no capitals of its own (``iPhone``)."""
    for place, letter in enumerate(text):
        if letter.isalpha():
            if any(other.isupper() for other in text[place:].split(maxsplit=1)[0]):
                return text
            return text[:place] + letter.upper() + text[place + 1 :]
        if letter.isdigit():
            break
    return text


def uncapitalised(text: str, place: int) -> str:
    """Return text with the letter at a place in lower case."""
    return text[:place] + text[place : place + 1].lower() + text[place + 1 :]
