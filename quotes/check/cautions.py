"""Things to look at that do not change the verdict; ``shared/verbatim.md`` §15."""

from collections.abc import Iterator, Sequence

from .findings import Findings
from .result import Warned, WarningKind
from .speech import Speech
from .times import Span
from .words import Words, text_of, value_of

LEAST_CONFIDENCE = 0.5
LOOK_BEFORE = 3  # pieces


def cautions(
    found: Findings, places: tuple[int, int], speech: Speech, words: Words, span: Span, speaker: str | None
) -> list[Warned]:
    """Return what an editor should look at."""
    kept = [place for place, is_kept in enumerate(found.kept) if is_kept]
    indices = list(dict.fromkeys(speech.pieces[place].word for place in kept))
    warned = [*_edges(places, speech), *_speakers(speech, kept, speaker)]
    unsure = [index for index in indices if _is_unsure(words[index])]
    for kind, at in (
        (WarningKind.LOW_CONFIDENCE, unsure),
        (WarningKind.ESTIMATED_TIME, span.estimated),
        (WarningKind.LONG_WORD, span.long),
    ):
        if at:
            warned.append(Warned(kind, (), tuple(at)))
    return [_worded(caution, words) for caution in warned]


def _worded(caution: Warned, words: Words) -> Warned:
    return Warned(caution.kind, tuple(text_of(words[index]) for index in caution.indices), caution.indices)


def _is_unsure(word: object) -> bool:
    confidence = value_of(word, "confidence")
    is_number = isinstance(confidence, (int, float)) and not isinstance(confidence, bool)
    return is_number and confidence < LEAST_CONFIDENCE


def _edges(places: tuple[int, int], speech: Speech) -> Iterator[Warned]:
    language = speech.language
    before = _before(places[0], speech)
    negations = [place for place in before if language.is_negation(speech.text(place))]
    qualifiers = [place for place in before if speech.text(place) in language.qualifiers]
    condition = _condition_after(places[1], speech)
    if condition is not None:
        qualifiers.append(condition)
    for kind, at in ((WarningKind.EDGE_NEGATION, negations), (WarningKind.EDGE_QUALIFIER, qualifiers)):
        if at:
            yield Warned(kind, (), tuple(speech.pieces[place].word for place in at))


def _before(start: int, speech: Speech) -> list[int]:
    """Return up to three places before the span, of the same sentence and speaker."""
    found: list[int] = []
    pieces = speech.pieces
    for place in range(start - 1, -1, -1):
        piece = pieces[place]
        if piece.ending.ends_sentence or piece.speaker != pieces[start].speaker or len(found) == LOOK_BEFORE:
            break
        if not piece.is_filler:
            found.insert(0, place)
    return found


def _condition_after(end: int, speech: Speech) -> int | None:
    later = speech.next(end)
    if later is None or speech.pieces[end].ending.ends_sentence:
        return None
    is_same = speech.pieces[later].speaker == speech.pieces[end].speaker
    return later if is_same and speech.text(later) in speech.language.conditions else None


def _speakers(speech: Speech, kept: Sequence[int], speaker: str | None) -> Iterator[Warned]:
    speakers = {speech.pieces[place].speaker for place in kept}
    if None in speakers:
        yield Warned(WarningKind.SPEAKER_UNKNOWN)
    if speaker is None and len(speakers) > 1:
        yield Warned(WarningKind.MIXED_SPEAKERS)
