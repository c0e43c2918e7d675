"""The pieces of a region with the questions that the rules ask about what stands beside them."""

from collections.abc import Iterator, Sequence

from .languages import Language
from .words import RawPiece


class Speech:
    """A region's pieces. Fillers and other speakers' pieces are looked through; ``content`` holds the places of the rest."""

    def __init__(self, pieces: Sequence[RawPiece], language: Language) -> None:
        self.pieces = pieces
        self.language = language
        self.content = [place for place, piece in enumerate(pieces) if not (piece.is_filler or piece.is_other)]
        self._rank = {place: rank for rank, place in enumerate(self.content)}

    def following(self, place: int, count: int) -> list[int]:
        """Return up to so many content places from a content place on, itself first."""
        rank = self._rank.get(place)
        return [] if rank is None else self.content[rank : rank + count]

    def next(self, place: int) -> int | None:
        """Return the next content place."""
        return next((later for later in range(place + 1, len(self.pieces)) if later in self._rank), None)

    def previous(self, place: int) -> int | None:
        return next((earlier for earlier in range(place - 1, -1, -1) if earlier in self._rank), None)

    def text(self, place: int | None) -> str:
        return "" if place is None else self.pieces[place].text

    def is_protected(self, place: int) -> bool:
        return self.language.is_protected(self.pieces[place].text)

    def has_filler(self, start: int, end: int) -> bool:
        return any(self.pieces[place].is_filler for place in range(start, end))

    def ends_sentence(self, place: int) -> bool:
        """Tell whether a sentence ends at a piece or at the fillers right after it."""
        return any(self.pieces[part].ending.ends_sentence for part in range(place, self._until_next(place)))

    def is_set_off_right(self, place: int) -> bool:
        """Tell whether a comma, more than a comma, or a filler stands right after a piece."""
        return self.pieces[place].is_separated or self.has_filler(place + 1, self._until_next(place))

    def is_set_off_left(self, place: int) -> bool:
        earlier = self.previous(place)
        return earlier is None or self.is_set_off_right(earlier)

    def _until_next(self, place: int) -> int:
        later = self.next(place)
        return len(self.pieces) if later is None else later

    def interjections(self, place: int) -> Iterator[tuple[int, list[int]]]:
        """Yield the next content place, then those after each ``you know``, ``like`` or ``sorry`` that may be skipped.

        Beside each stand the places that were skipped.
        """
        skipped: list[int] = []
        later = self.next(place)
        while later is not None:
            yield later, list(skipped)
            size = self.interjection_size(later)
            if not size:
                return
            skipped += self.following(later, size)
            later = self.next(skipped[-1])

    def interjection_size(self, place: int) -> int:
        """Return how many pieces make ``you know``, ``I mean``, ``like`` or ``sorry`` here; 0 if none."""
        markers = self.language.markers
        texts = tuple(self.text(part) for part in self.following(place, 2))
        if texts in markers.phrases:
            return 2
        return int(bool(texts) and (texts[0] in markers.apologies or (texts[0] == markers.like != "")))
