"""What the check must know of a language."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import groupby

Spellings = tuple[tuple[str, str], ...]


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as a string."""
    return frozenset(text.split())


def fillers(text: str, *, also: str = "") -> re.Pattern[str]:
    """Return a pattern for hesitation sounds, each letter said once or longer; ``also`` is a further pattern."""
    sounds = ["".join(f"{letter}{{{len(list(run))},}}" for letter, run in groupby(sound)) for sound in text.split()]
    return re.compile("|".join([*sounds, *([also] if also else [])]))


class Dots(Enum):
    """What a dot before three figures means."""

    FRACTION = "fraction"
    GROUPS = "groups"
    UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class NumberWords:
    """Number words by value. ``scales`` multiply what stands before them (hundred, thousand)."""

    cardinals: Mapping[str, int] = field(default_factory=dict)
    ordinals: Mapping[str, int] = field(default_factory=dict)
    scales: Mapping[str, int] = field(default_factory=dict)
    others: frozenset[str] = frozenset()  # words that count and have no value here: half, dozen, percent
    units: frozenset[str] = frozenset()  # words that belong to the number before them: percent, dollars
    joiners: frozenset[str] = frozenset()  # words between the words of one number: ``y`` of ``treinta y cinco``
    dots: Dots = Dots.UNKNOWN


@dataclass(frozen=True, eq=False)
class Markers:
    """Words that hold a place in speech and say nothing, and the places where they do say something."""

    phrases: tuple[tuple[str, ...], ...] = ()  # you know, I mean
    not_after: frozenset[str] = frozenset()
    joins: frozenset[str] = frozenset()  # of not_after: those that a marker may follow where no verb can be meant
    not_before: frozenset[str] = frozenset()
    like: str = ""
    like_not_after: frozenset[str] = frozenset()
    like_right_after: frozenset[str] = frozenset()
    first_words: frozenset[str] = frozenset()
    not_first_before: frozenset[str] = frozenset()  # without a comma these make a first word mean something
    not_first_pairs: tuple[tuple[str, ...], ...] = ()
    before_participles: frozenset[str] = frozenset()  # well educated
    before_questions: frozenset[str] = frozenset()  # first words that a verb may follow: so is it true
    tags: frozenset[str] = frozenset()
    no_tag_after: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()  # words that begin a question, beside forms of be
    apologies: frozenset[str] = frozenset()
    listeners: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class Language:
    """One language. Lists hold case-folded words with straight apostrophes; what is empty is not allowed for."""

    code: str
    fillers: re.Pattern[str]
    negations: frozenset[str] = frozenset()
    negative_endings: tuple[str, ...] = ()
    negative_beginnings: tuple[str, ...] = ()
    negative_runs: tuple[str, ...] = ()  # of letters, in a script that is compared letter by letter
    negative_prefixes: frozenset[str] = frozenset()  # that turn the word behind them round; no words of their own
    hedges: frozenset[str] = frozenset()
    limits: frozenset[str] = frozenset()  # what an ellipsis may not hide from its sentence, beside negations
    qualifiers: frozenset[str] = frozenset()  # what an editor is warned of just before a quote
    conditions: frozenset[str] = frozenset()  # and just after it
    numbers: NumberWords = field(default_factory=NumberWords)
    emphasis: frozenset[str] = frozenset()
    doubles: frozenset[str] = frozenset()  # words whose doubling may be grammar
    function_words: frozenset[str] = frozenset()
    pronouns: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    conjunctions: frozenset[str] = frozenset()
    article_successors: frozenset[str] = frozenset()
    contractions: tuple[str, ...] = ()
    be_or_go: frozenset[str] = frozenset()
    short_words: frozenset[str] | None = None  # all words of up to three letters, if we have the list
    no_joining: frozenset[str] = frozenset()
    keep_apostrophe: frozenset[str] = frozenset()
    spellings: Spellings = ()
    spoken_forms: Spellings = ()
    markers: Markers = field(default_factory=Markers)
    plain_negations: frozenset[str] = frozenset()  # ways to say "not"; a headline may use one for another
    hedge_groups: tuple[frozenset[str], ...] = ()  # hedges of one meaning, for headlines
    approximations: frozenset[str] = frozenset()  # of these, those that make a number rough
    superlatives: frozenset[str] = frozenset()
    not_superlatives: frozenset[str] = frozenset()

    def is_filler(self, text: str) -> bool:
        return self.fillers.fullmatch(text) is not None

    def is_negation(self, text: str) -> bool:
        return (
            text in self.negations
            or text.endswith(self.negative_endings)
            or bool(self.negative_beginnings and text.startswith(self.negative_beginnings))
        )

    def is_number(self, text: str) -> bool:
        numbers = self.numbers
        return (
            any(letter.isdigit() for letter in text)
            or text in numbers.cardinals
            or text in numbers.ordinals
            or text in numbers.scales
            or text in numbers.others
        )

    def is_hedge(self, text: str) -> bool:
        return text in self.hedges

    def is_protected(self, text: str) -> bool:
        return self.is_hedge(text) or self.is_negation(text) or self.is_number(text)

    def holds_protected(self, texts: Sequence[str]) -> bool:
        """Tell whether pieces say "not", a number or a hedge, alone, together or for the word behind them."""
        run = "".join(texts)
        return any(self.is_protected(text) or text in self.negative_prefixes for text in texts) or any(
            negation in run for negation in self.negative_runs
        )

    def limits_sentence(self, text: str) -> bool:
        """Tell whether an ellipsis that hides this changes the sentence around it."""
        return text in self.limits or self.turns_round(text)

    def turns_round(self, text: str) -> bool:
        """Tell whether this makes the opposite of what it stands before."""
        return self.is_negation(text) or text in self.negative_prefixes

    def is_superlative(self, text: str) -> bool:
        """Tell whether this says that nothing goes beyond it; ``-est`` is read in English only."""
        is_formed = self.code == "en" and len(text) > 4 and text.endswith("est") and text not in self.not_superlatives
        return is_formed or text in self.superlatives

    def is_function_word(self, text: str) -> bool:
        return text in self.function_words or (base_of(text, self) in self.function_words and "'" in text)

    def is_pronoun(self, text: str) -> bool:
        return text in self.pronouns


def base_of(text: str, language: Language) -> str:
    """Return a contraction's first word: ``it`` of ``it's``."""
    for ending in language.contractions:
        if text.endswith(ending) and len(text) > len(ending):
            return text[: -len(ending)]
    return text


def pairs(lines: Iterable[str]) -> Spellings:
    """Return ``one way / other way`` lines as pairs."""
    found = []
    for line in lines:
        one, _, other = line.partition("/")
        found.append((one.strip(), other.strip()))
    return tuple(found)
