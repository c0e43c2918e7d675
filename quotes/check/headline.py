"""Compare a headline's claim with its quote. Advice for the reviewer, never a verdict."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from .folding import Folding, folding_of
from .languages import language_of
from .numbers import longest_number, number_key
from .pieces import read_ending
from .quotation import read_quotation

MOSTLY = 0.6  # of the words: a claim with more capitals is written in title case


class NoteKind(StrEnum):
    NUMBER = "number"
    NAME = "name"
    NEGATION = "negation"
    SUPERLATIVE = "superlative"
    HEDGE = "hedge"


@dataclass(frozen=True, slots=True)
class HeadlineNote:
    """One thing to look at: what the claim has and the quote has not, or a hedge that the claim lost."""

    kind: NoteKind
    word: str
    message: str


def check_headline(claim: str, quote_text: str, *, language: str = "en", speaker: str = "") -> list[HeadlineNote]:
    """Return what the claim says and the quote does not, and the hedges that the claim lost.

    The claim is read after ``Speaker: ``; the speaker's own names need not be in the quote.
    """
    folding = folding_of(language_of(language))
    said, quote, own = _Text(claim, folding), _Text(quote_text, folding), _Text(speaker, folding)
    notes = [*_numbers(said, quote), *_names(said, quote, own), *_negations(said, quote), *_superlatives(said, quote)]
    notes += _hedges(said, quote)
    return list(dict.fromkeys(notes))


class _Text:
    """A text in pieces, with its numbers and the stems of its words."""

    def __init__(self, text: str, folding: Folding) -> None:
        self.text, self.language = text, folding.language
        self.pieces = read_quotation(text, folding.language).pieces
        self.words = [piece.text for piece in self.pieces]
        self.keys = {folding.key(word) for word in self.words}
        self.stems = {_stem(word) for word in self.words}
        self.numbers = list(self._numbers())
        self.values = {value for value, _, _ in self.numbers}

    def written(self, first: int, size: int = 1) -> str:
        return self.text[self.pieces[first].start : self.pieces[first + size - 1].end]

    def _numbers(self) -> Iterator[tuple[str, int, int]]:
        """Yield the value of each number with its unit, and where it stands."""
        at = 0
        while at < len(self.words):
            size = longest_number(self.words[at:], self.language)
            if size:
                yield self._value(at, size), at, size
            elif self.language.is_number(self.words[at]):
                yield self.words[at], at, 1
            at += max(size, 1)

    def _value(self, at: int, size: int) -> str:
        texts = self.words[at : at + size]
        unit = texts[-1] if texts[-1] in self.language.numbers.units and size > 1 else ""
        figures = texts[: size - bool(unit)]
        if figures[0] in self.language.numbers.scales:
            figures = ["a", *figures]
        value = number_key(figures, self.language) or " ".join(figures)
        return f"{value} {unit}".strip()


def _numbers(claim: _Text, quote: _Text) -> Iterator[HeadlineNote]:
    for value, at, size in claim.numbers:
        word = claim.written(at, size)
        # ``one`` is mostly no number, and a superlative says more of ``first``.
        is_exempt = claim.words[at] == "one" and size == 1
        if value not in quote.values and not is_exempt and not claim.language.is_superlative(claim.words[at]):
            yield HeadlineNote(NoteKind.NUMBER, word, f"The number “{word}” is not in the quote.")


def _names(claim: _Text, quote: _Text, own: _Text) -> Iterator[HeadlineNote]:
    if not claim.pieces:
        return
    long = [piece for piece in claim.pieces if piece.end - piece.start > 3]
    capitals = sum(claim.text[piece.start].isupper() for piece in long)
    is_title_case = len(long) > 2 and capitals > MOSTLY * len(long)
    for place, piece in enumerate(claim.pieces):
        word = claim.written(place)
        if word[0].isdigit():
            continue
        has_inner_capital = any(letter.isupper() for letter in word[1:])
        is_first = place == 0 or read_ending(claim.text[: piece.start].rstrip()).ends_sentence
        is_capital = word[0].isupper() and (not is_first or _may_be_name(place, claim))
        is_name = has_inner_capital or (is_capital and not is_title_case)
        if is_name and word not in ("I", "I'm", "I’m") and _stem(piece.text) not in quote.stems | own.stems:
            yield HeadlineNote(NoteKind.NAME, word, f"“{word}” is not in the quote.")


def _may_be_name(place: int, claim: _Text) -> bool:
    """Tell whether the first word of a sentence, a capital in any case, stands where a name would: ``China is ahead``."""
    language, word = claim.language, claim.words[place]
    is_common = language.is_function_word(word) or language.is_protected(word) or language.is_superlative(word)
    after = claim.words[place + 1 : place + 2]
    return not is_common and (word.endswith(("'s", "s'")) or after != [] and after[0] in language.be_or_go)


def _stem(word: str) -> str:
    """Return a word without the ending of a plural or possessive."""
    for ending in ("'s", "s'", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)]
    return word


def _negations(claim: _Text, quote: _Text) -> Iterator[HeadlineNote]:
    language = claim.language
    has_plain = any(_is_plain_negation(word, quote) for word in quote.words)
    for place, word in enumerate(claim.words):
        is_there = word in quote.words or (has_plain and _is_plain_negation(word, claim))
        if language.is_negation(word) and not is_there and not _is_number_sign(place, claim):
            written = claim.written(place)
            yield HeadlineNote(NoteKind.NEGATION, written, f"The negation “{written}” is not in the quote.")


def _is_number_sign(place: int, claim: _Text) -> bool:
    """Tell whether ``No.`` is ``number`` here."""
    is_cut_short = claim.text[claim.pieces[place].end :].startswith(". ")
    return is_cut_short and claim.words[place] == "no" and any(at == place + 1 for _, at, _ in claim.numbers)


def _is_plain_negation(word: str, text: _Text) -> bool:
    language = text.language
    return word in language.plain_negations or (
        bool(language.negative_endings) and word.endswith(language.negative_endings)
    )


def _superlatives(claim: _Text, quote: _Text) -> Iterator[HeadlineNote]:
    for place, word in enumerate(claim.words):
        if claim.language.is_superlative(word) and word not in quote.words:
            written = claim.written(place)
            yield HeadlineNote(NoteKind.SUPERLATIVE, written, f"“{written}” is not in the quote.")


def _hedges(claim: _Text, quote: _Text) -> Iterator[HeadlineNote]:
    places = list(_borne_out(claim, quote))
    for group in claim.language.hedge_groups:
        if group & set(claim.words):
            continue
        for place in places:
            word = quote.words[place]
            if word in group and _counts(place, claim, quote):
                message = f"The quote says “{word}”; the claim does not."
                yield HeadlineNote(NoteKind.HEDGE, word, message)
                break


def _borne_out(claim: _Text, quote: _Text) -> Iterator[int]:
    """Yield the places of the quote's clauses that have most of the claim's words; a hedge elsewhere is of something else."""
    topic = {_stem(word) for word in claim.words if not claim.language.is_function_word(word)}
    clauses = list(_clauses(quote))
    shared = [len(topic & {_stem(quote.words[place]) for place in clause}) for clause in clauses]
    for clause, count in zip(clauses, shared, strict=True):
        if 2 * count >= max(shared):
            yield from clause


def _clauses(quote: _Text) -> Iterator[range]:
    """Yield the sentences of a quote, apart at semicolons and where ``, and`` begins another."""
    start = 0
    for place, piece in enumerate(quote.pieces):
        after = quote.pieces[place + 1].start if place + 1 < len(quote.pieces) else len(quote.text)
        between = quote.text[piece.end : after]
        begins = quote.words[place + 1 : place + 2]
        is_end = any(mark in between for mark in ".?!;:…") or ("," in between and begins in (["and"], ["because"]))
        if is_end or place + 1 == len(quote.pieces):
            yield range(start, place + 1)
            start = place + 1


def _counts(place: int, claim: _Text, quote: _Text) -> bool:
    """Tell whether a hedge is one here: ``about`` before a number that the claim has, ``I think``."""
    word = quote.words[place]
    if word in quote.language.approximations:
        return any(at == place + 1 and value in claim.values for value, at, _ in quote.numbers) or (
            word in ("almost", "nearly")
            and quote.words[place + 1 : place + 2] != []
            and quote.words[place + 1] in claim.words
        )
    if word == "only" and quote.words[max(place - 1, 0)] == "the":
        return False
    return word != "think" or quote.words[max(place - 1, 0)] in ("i", "we")
