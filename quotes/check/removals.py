"""What may be left out of a quote: a left-out run is cut into runs of one kind each; ``shared/verbatim.md`` §6."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from .languages.base import base_of
from .markers import marker_size
from .pieces import is_unspaced
from .result import RemovedKind
from .speech import Speech
from .words import RawPiece

LONGEST_REPETITION = 6
LONGEST_FALSE_START = 4
LONGEST_REMARK = 3


@dataclass(frozen=True, slots=True)
class Cut:
    """Places of the transcript that go together; no kind: no rule lets them go."""

    kind: RemovedKind | None
    places: tuple[int, ...]


class Removals:
    """Judges one left-out run. ``kept`` tells of every place of the region whether the quote has it."""

    def __init__(self, speech: Speech, start: int, end: int, kept: Sequence[bool]) -> None:
        self.speech = speech
        self.pieces = speech.pieces
        self.language = speech.language
        self.start, self.end = start, end
        self.kept = kept
        self.cuts: list[Cut] = []
        self.needed: set[int] = set()  # the other copy of a repetition: it stays, or goes as a copy itself

    def cut(self) -> list[Cut]:
        """Return the run in cuts, from left to right."""
        place = self.start
        while place < self.end:
            self.cuts += self.at(place) or [Cut(None, (place,))]
            taken = {part for cut in self.cuts for part in cut.places}
            place = next((later for later in range(place, self.end) if later not in taken), self.end)
        return _joined(self.cuts, self.pieces)

    def at(self, place: int) -> list[Cut]:
        """Return what goes from this place on by the first rule that fits; nothing if none does."""
        return next((cuts for rule in self._rules() if (cuts := rule(place))), [])

    def _rules(self) -> Iterator[Callable[[int], list[Cut]]]:
        yield self._other_speaker
        yield self._filler
        yield self._stutter
        yield self._repetition
        yield self._strong_false_start
        yield self._marker
        yield self._apology
        yield self._weak_false_start
        yield self._repair
        yield self._restart
        yield self._article

    def _other_speaker(self, place: int) -> list[Cut]:
        if not self.pieces[place].is_other:
            return []
        places = [place]
        while places[-1] + 1 < self.end and self.pieces[places[-1] + 1].is_other:
            places.append(places[-1] + 1)
        listeners = self.language.markers.listeners
        may_go = len(places) <= LONGEST_REMARK and all(
            self.pieces[part].text in listeners or self.pieces[part].is_filler for part in places
        )
        return [Cut(RemovedKind.OTHER_SPEAKER if may_go else None, tuple(places))]

    def _filler(self, place: int) -> list[Cut]:
        return [Cut(RemovedKind.FILLER, (place,))] if self.pieces[place].is_filler else []

    def _stutter(self, place: int) -> list[Cut]:
        if self.speech.is_protected(place):
            return []
        for later, skipped in self.speech.interjections(place):
            is_copy = self.pieces[place].key == self.pieces[later].key and self._may_double(place, later)
            if is_copy or (not skipped and (self._begins(place, later) or self._contracts(place, later))):
                return self._with_skipped(RemovedKind.STUTTER, [place], skipped)
        return []

    def _may_double(self, place: int, later: int) -> bool:
        text = self.pieces[place].text
        if text in self.language.emphasis or self._ends_sentence(place) or not self._may_be_copy([place], later):
            return False
        return text not in self.language.doubles or self._is_interrupted(place, later)

    def _ends_sentence(self, place: int) -> bool:
        """Tell whether a sentence of several words ends with this one: ``I did it. It was good.``"""
        ends = self.speech.ends_sentence(place) and self.pieces[place].text not in self.language.articles
        return ends and not self._begins_sentence(place)

    def _may_be_copy(self, places: Sequence[int], later: int) -> bool:
        """Tell whether a piece said again may be a stutter; the letters of a script without spaces double in its words."""
        if not is_unspaced(self.pieces[places[0]].text) or self._is_interrupted(places[-1], later):
            return True
        copy = self.speech.following(later, len(places))
        return self._are_whole_words(places) and self._are_whole_words(copy)

    def _are_whole_words(self, places: Sequence[int]) -> bool:
        own = {self.pieces[place].word for place in places}
        return len(places) > 1 and sum(piece.word in own for piece in self.pieces) == len(places)

    def _is_interrupted(self, place: int, later: int) -> bool:
        return self.pieces[place].is_separated or self.speech.has_filler(place + 1, later)

    def _begins(self, place: int, later: int) -> bool:
        """Tell whether a piece is the beginning of the next one, broken off."""
        piece, whole = self.pieces[place], self.pieces[later].text
        if not whole.startswith(piece.text) or len(whole) == len(piece.text):
            return False
        if piece.ending.cut:
            return True
        words = self.language.short_words
        is_name = piece.is_capitals or (
            piece.is_capitalised and len(piece.text) > 1 and not self._begins_sentence(place)
        )
        is_word = words is None or piece.text in words or is_name or not piece.text.isalpha()
        return len(piece.text) <= 3 and not is_word

    def _begins_sentence(self, place: int) -> bool:
        earlier = self.speech.previous(place)
        return earlier is None or self.speech.ends_sentence(earlier)

    def _contracts(self, place: int, later: int) -> bool:
        """Tell whether the next piece is this word's own contraction, said after a pause."""
        text, whole = self.pieces[place].text, self.pieces[later].text
        is_own = whole != text and base_of(whole, self.language) == text
        return is_own and text in self.language.function_words and self._is_interrupted(place, later)

    def _with_skipped(self, kind: RemovedKind, places: Sequence[int], skipped: Sequence[int]) -> list[Cut]:
        """Return a cut, and the interjections between the two copies as markers."""
        cuts = [Cut(kind, tuple(places))]
        between = [part for part in skipped if part < self.end]
        return cuts + ([Cut(RemovedKind.DISCOURSE_MARKER, tuple(between))] if between else [])

    def _left_out(self, place: int, size: int) -> list[int]:
        """Return so many content places from here on if all of them are left out."""
        places = self.speech.following(place, size)
        return places if len(places) == size > 0 and places[-1] < self.end else []

    def _copies(self, places: Sequence[int], size: int) -> Iterator[tuple[int, list[int]]]:
        """Yield where the first so many of the places are said again at once, with what was skipped."""
        keys = [self.pieces[place].key for place in places[:size]]
        for later, skipped in self.speech.interjections(places[-1]):
            again = self.speech.following(later, size)
            if [self.pieces[place].key for place in again] == keys:
                yield later, skipped

    def _repetition(self, place: int) -> list[Cut]:
        for size in range(2, LONGEST_REPETITION + 1):
            places = self._left_out(place, size)
            if not places or all(map(self._has_weight, places)) or self._ends_another_sentence(places):
                continue
            for later, skipped in self._copies(places, size):
                if not self._may_be_copy(places, later):
                    continue
                self.needed |= set(self.speech.following(later, size))
                return self._with_skipped(RemovedKind.REPETITION, places, skipped)
        return []

    def _ends_another_sentence(self, places: Sequence[int]) -> bool:
        """Tell whether a sentence that began before ends here: ``we saw the dog. The dog barked``."""
        return any(map(self.speech.ends_sentence, places)) and not self._begins_sentence(places[0])

    def _has_weight(self, place: int) -> bool:
        return self.speech.is_protected(place) or self.pieces[place].text in self.language.emphasis

    def _false_starts(self, place: int) -> Iterator[list[int]]:
        """Yield runs from here that are short enough, hold nothing protected and lie in one sentence."""
        for size in range(1, LONGEST_FALSE_START + 1):
            places = self._left_out(place, size)
            if not places or self.speech.is_protected(places[-1]) or places[-1] in self.needed:
                return
            if self.speech.ends_sentence(places[-1]):
                return
            yield places

    def _strong_false_start(self, place: int) -> list[Cut]:
        for places in self._false_starts(place):
            if self.pieces[places[-1]].ending.cut == 2 and not self._turns_round(places[-1]):
                return [Cut(RemovedKind.FALSE_START, tuple(places))]
        return []

    def _turns_round(self, place: int) -> bool:
        """Tell whether a piece makes the opposite of the next: ``un- happy``."""
        later = self.speech.next(place)
        text, after = self.pieces[place].text, self.speech.text(later)
        is_prefix = text in self.language.negative_prefixes and after != ""
        return is_prefix and not after.startswith(text) and not self.language.is_function_word(after)

    def _marker(self, place: int) -> list[Cut]:
        places = self._left_out(place, marker_size(self.speech, place))
        return [Cut(RemovedKind.DISCOURSE_MARKER, tuple(places))] if places else []

    def _apology(self, place: int) -> list[Cut]:
        """Let ``sorry`` go with what was broken off before it."""
        before = next((cut for cut in reversed(self.cuts) if cut.kind is not RemovedKind.FILLER), None)
        broken_off = {RemovedKind.STUTTER, RemovedKind.REPETITION, RemovedKind.FALSE_START}
        may_go = before is not None and before.kind in broken_off
        is_apology = self.pieces[place].text in self.language.markers.apologies
        return [Cut(RemovedKind.DISCOURSE_MARKER, (place,))] if may_go and is_apology else []

    def _weak_false_start(self, place: int) -> list[Cut]:
        for places in self._false_starts(place):
            if self.pieces[places[-1]].ending.cut == 1 and (self._all_function(places) or self._begins_again(places)):
                return [Cut(RemovedKind.FALSE_START, tuple(places))]
        return []

    def _begins_again(self, places: Sequence[int]) -> bool:
        later = self.speech.next(places[-1])
        return later is not None and self.pieces[later].key == self.pieces[places[0]].key

    def _all_function(self, places: Sequence[int]) -> bool:
        return all(self.language.is_function_word(self.pieces[place].text) for place in places)

    def _repair(self, place: int) -> list[Cut]:
        """Find ``we built, uh, we shipped``: said again after an interruption with another last word."""
        for places in self._false_starts(place):
            for later, skipped in self._copies(places, len(places) - 1) if len(places) > 1 else ():
                if self._is_interruption(places[-1], later, skipped) and self._brings_nothing(later, len(places)):
                    return self._with_skipped(RemovedKind.FALSE_START, places, skipped)
        return []

    def _is_interruption(self, place: int, later: int, skipped: Sequence[int]) -> bool:
        like = self.language.markers.like
        return self.speech.has_filler(place + 1, later) or any(self.pieces[part].text != like for part in skipped)

    def _restart(self, place: int) -> list[Cut]:
        """Find ``it's a, it's the`` and ``what is, what's``: function words only."""
        for places in self._false_starts(place):
            if not self._all_function(places):
                return []
            if self._links(places[-1]):
                continue
            for later, skipped in self._copies(places, len(places) - 1) if len(places) > 1 else ():
                if self._brings_nothing(later, len(places)):
                    return self._with_skipped(RemovedKind.FALSE_START, places, skipped)
            if len(places) <= 2 and self._restarts_contracted(places):
                return [Cut(RemovedKind.FALSE_START, tuple(places))]
        return []

    def _links(self, place: int) -> bool:
        """Tell whether a word joins the copies, as in ``it and it``: then both are meant."""
        return self.pieces[place].text in self.language.conjunctions and not self.speech.is_set_off_right(place)

    def _restarts_contracted(self, places: Sequence[int]) -> bool:
        later = self.speech.next(places[-1])
        if later is None or not self._brings_nothing(later, len(places)):
            return False
        first, again = self.pieces[places[0]].text, self.pieces[later].text
        is_contraction = again != first and base_of(again, self.language) == first
        return is_contraction and (len(places) == 2 or self._is_interrupted(places[0], later))

    def _brings_nothing(self, later: int, size: int) -> bool:
        """Tell whether the words that follow bring no protected word; the run that goes has none."""
        return not any(self.speech.is_protected(part) for part in self.speech.following(later, size))

    def _article(self, place: int) -> list[Cut]:
        """Find ``the, our job``: an article that another word took the place of."""
        if self.pieces[place].text not in self.language.articles or not self.speech.is_set_off_right(place):
            return []
        later = self.speech.next(place)
        if later is None or not self._brings_nothing(later, 1):
            return []
        kept = [part for part in self.speech.content if part > place and self.kept[part]][:2]
        takes_its_place = any(self.pieces[part].text in self.language.article_successors for part in kept)
        return [Cut(RemovedKind.FALSE_START, (place,))] if takes_its_place else []


def _joined(cuts: Sequence[Cut], pieces: Sequence[RawPiece]) -> list[Cut]:
    """Return cuts in order, with what no rule covers in runs as long as they get."""
    found: list[Cut] = []
    for cut in sorted(cuts, key=lambda cut: cut.places):
        last = found[-1] if found else None
        if last and last.kind is None is cut.kind and _is_one_remark(last.places[-1], cut.places[0], pieces):
            found[-1] = Cut(None, last.places + cut.places)
        else:
            found.append(cut)
    return found


def _is_one_remark(place: int, later: int, pieces: Sequence[RawPiece]) -> bool:
    return place + 1 == later and pieces[place].is_other == pieces[later].is_other
