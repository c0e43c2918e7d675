"""Why words may not go or come, in one code."""

from collections.abc import Sequence

from .languages import Language
from .result import Why
from .speech import Speech
from .words import RawPiece


def why_protected(pieces: Sequence[RawPiece], speech: Speech, places: Sequence[int]) -> Why:
    """Return the weightiest reason that one of the pieces gives."""
    language = speech.language
    texts = [piece.text for piece in pieces]
    if any(piece.is_other for piece in pieces):
        return Why.OTHER_SPEAKER
    if (why := why_of(texts, language)) is not Why.NONE:
        return why
    if texts == [language.markers.like]:
        return Why.LIKE
    is_doubled = len(texts) == 1 and speech.text(speech.next(places[0])) == texts[0]
    return Why.EMPHASIS if is_doubled and texts[0] in language.emphasis else Why.NONE


def why_of(texts: Sequence[str], language: Language) -> Why:
    """Return which kind of protected word there is, the weightiest first."""
    if any(map(language.turns_round, texts)):
        return Why.NEGATION
    if any(map(language.limits_sentence, texts)):
        return Why.LIMIT
    if any(map(language.is_number, texts)):
        return Why.NUMBER
    return Why.HEDGE if any(map(language.is_hedge, texts)) else Why.NONE
