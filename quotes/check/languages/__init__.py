"""The languages that the check knows, by code."""

from .base import Language
from .english import ENGLISH
from .others import DUTCH, FRENCH, GERMAN, ITALIAN, JAPANESE, PORTUGUESE, SPANISH, SWEDISH, UNKNOWN

LANGUAGES = {
    language.code: language
    for language in [ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE, DUTCH, SWEDISH, JAPANESE]
}
# Written without spaces, and not letter by letter either.
NOT_SEPARABLE = frozenset({"bo", "dz", "km", "lo", "my"})


def language_of(code: str | None) -> Language:
    """Return the language of a code such as ``en-GB``; the unknown language for one without lists."""
    return LANGUAGES.get(primary_code(code), UNKNOWN)


def can_separate(code: str | None) -> bool:
    return primary_code(code) not in NOT_SEPARABLE


def primary_code(code: str | None) -> str:
    return str(code or "").replace("_", "-").partition("-")[0].strip().lower()


__all__ = ["LANGUAGES", "Language", "can_separate", "language_of"]
