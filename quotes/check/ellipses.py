"""What a declared ellipsis may leave out; ``shared/verbatim.md`` §9."""

from collections.abc import Sequence

from .findings import Fault, Findings
from .removals import Cut
from .result import ProblemKind, RemovedKind, Why
from .speech import Speech
from .words import Words, time_of

MOST_PIECES = 75
MOST_MS = 30_000


def judge_omission(
    found: Findings, places: Sequence[int], cuts: Sequence[Cut], at: int, speech: Speech, words: Words
) -> None:
    """Judge a run that an ellipsis declares: own kinds if it is only disfluency, else one omission.

    ``cuts`` is the run by the rules for what is left out silently; ``at`` the piece of the quote behind it.
    """
    if all(cut.kind is not None for cut in cuts):
        found.leave_out(cuts)
        return
    if len(places) > MOST_PIECES or _lasts_ms(places, speech, words) > MOST_MS:
        found.faults.append(Fault(ProblemKind.MEANINGFUL_DELETION, at, at, tuple(places), Why.LONG_ELLIPSIS))
        return
    found.cuts.append(Cut(RemovedKind.ELLIPSIS, tuple(places)))
    hidden = tuple(_limits(_belonging(places, speech), speech))
    if hidden:
        found.faults.append(Fault(ProblemKind.MEANINGFUL_DELETION, at, at, hidden, Why.HIDDEN))


def _limits(places: Sequence[int], speech: Speech) -> list[int]:
    """Return the places that change the sentence around them, alone or as a run of letters."""
    language = speech.language
    found = {place for place in places if language.limits_sentence(speech.text(place))}
    for run in language.negative_runs:
        for at in range(len(places) - len(run) + 1):
            letters = places[at : at + len(run)]
            if "".join(map(speech.text, letters)) == run:
                found |= set(letters)
    return sorted(found)


def _lasts_ms(places: Sequence[int], speech: Speech, words: Words) -> int:
    first, last = (words[speech.pieces[place].word] for place in (places[0], places[-1]))
    start, end = time_of(first, "start_ms"), time_of(last, "end_ms")
    return 0 if start is None or end is None else end - start


def _belonging(places: Sequence[int], speech: Speech) -> list[int]:
    """Return the places that belong to the sentences before and after the ellipsis; whole sentences between do not."""
    pieces = speech.pieces
    own = [place for place in places if not pieces[place].is_other]
    ends = [rank for rank, place in enumerate(own) if pieces[place].ending.ends_sentence]
    if not ends:
        return own
    before = speech.previous(places[0])
    is_new_sentence = before is not None and pieces[before].ending.ends_sentence
    first = 0 if is_new_sentence else ends[0] + 1
    return own[:first] + own[max(first, ends[-1] + 1) :]
