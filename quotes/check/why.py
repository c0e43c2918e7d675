"""Why words may not go, in one code."""

from collections.abc import Sequence

from .result import Why
from .speech import Speech
from .words import RawPiece


def why_protected(pieces: Sequence[RawPiece], speech: Speech, places: Sequence[int]) -> Why:
    """Return the weightiest reason that one of the pieces gives."""
    language = speech.language
    texts = [piece.text for piece in pieces]
    if any(piece.is_other for piece in pieces):
        return Why.OTHER_SPEAKER
    if any(map(language.is_negation, texts)):
        return Why.NEGATION
    if any(map(language.is_number, texts)):
        return Why.NUMBER
    if any(map(language.is_hedge, texts)):
        return Why.HEDGE
    if texts == [language.markers.like]:
        return Why.LIKE
    is_doubled = len(texts) == 1 and speech.text(speech.next(places[0])) == texts[0]
    return Why.EMPHASIS if is_doubled and texts[0] in language.emphasis else Why.NONE
