"""More than a thousand single words swapped for another: none passes, neither bare nor in brackets."""

import pytest

from quotes.check import Verdict, check_quote

from .said import said

ANTONYMS = [
    ("increase", "decrease"), ("safe", "dangerous"), ("rich", "poor"), ("win", "lose"), ("cheap", "expensive"),
    ("accept", "refuse"), ("buy", "sell"), ("true", "false"), ("guilty", "innocent"), ("strong", "weak"),
    ("love", "hate"), ("better", "worse"), ("before", "after"), ("always", "never"), ("everyone", "nobody"),
    ("with", "without"), ("public", "private"), ("open", "closed"), ("hire", "fire"), ("best", "worst"),
    ("include", "exclude"), ("maximum", "minimum"), ("profit", "loss"), ("must", "may"), ("more", "less"),
    ("friend", "enemy"), ("peace", "war"), ("hot", "cold"), ("old", "new"), ("early", "late"), ("rise", "fall"),
    ("success", "failure"), ("allow", "forbid"), ("remember", "forget"), ("rarely", "often"), ("like", "loathe"),
    ("well", "badly"), ("right", "wrong"), ("few", "many"), ("everything", "nothing"), ("can", "cannot"),
]  # fmt: skip
PREFIXES = [
    ("legal", "illegal"), ("happy", "unhappy"), ("possible", "impossible"), ("regular", "irregular"),
    ("agree", "disagree"), ("honest", "dishonest"), ("able", "unable"), ("known", "unknown"), ("proved", "disproved"),
    ("sane", "insane"), ("mature", "immature"), ("stable", "unstable"), ("fair", "unfair"), ("do", "undo"),
    ("approve", "disapprove"), ("visible", "invisible"), ("moral", "immoral"), ("political", "apolitical"),
    ("active", "inactive"), ("like", "unlike"), ("correct", "incorrect"), ("lucky", "unlucky"), ("trust", "mistrust"),
    ("literate", "illiterate"), ("relevant", "irrelevant"), ("violent", "non-violent"), ("war", "anti-war"),
    ("likely", "unlikely"), ("harmless", "harmful"), ("smoker", "non-smoker"),
]  # fmt: skip
NAMES = [
    ("Nvidia", "Google"), ("Iran", "Iraq"), ("Austria", "Australia"), ("Marie", "Maria"), ("Stephen", "Steven"),
    ("Boston", "Houston"), ("Monday", "Sunday"), ("Jansen", "Jensen"), ("Biden", "Trump"), ("OpenAI", "DeepMind"),
    ("Jo", "John"), ("Niger", "Nigeria"), ("Slovakia", "Slovenia"), ("Korea", "China"), ("June", "July"),
    ("Microsoft", "Apple"), ("Ada", "Ida"), ("Ukraine", "Russia"),
]  # fmt: skip
NUMBERS = [
    ("ten", "eleven"), ("forty", "fourteen"), ("12", "21"), ("million", "billion"), ("2016", "2017"), ("first", "second"),
    ("50%", "15%"), ("$40", "$400"), ("3.5", "35"), ("once", "twice"), ("half", "double"), ("fifty", "$50"),
    ("three", "thirty"), ("10+", "10"), ("-5", "5"), ("1st", "1"), ("1,000", "1.000"), ("5m", "5b"), ("10²", "102"),
    ("dozen", "hundred"),
]  # fmt: skip
FRAMES = [
    "and then {} changed our whole plan that year because people cared",
    "the farmers told us {} was what mattered to them in the end",
    "we, um, looked at {} for years, you know, and we we liked it",
    "it was clear. {} came to town. They talked about it.",
    "our board talked of nothing else than {}",
]
PAIRS = [pair for pairs in (ANTONYMS, PREFIXES, NAMES, NUMBERS) for pair in pairs]
SWAPS = [(frame, *both) for frame in FRAMES for pair in PAIRS for both in (pair, pair[::-1])]


def quote_of(frame, word):
    """Return the frame's words around the gap, so that the swapped word stands first, last and inside."""
    before, _, after = frame.partition("{}")
    return {
        "inside": f"{' '.join(before.split()[-4:])} {word} {' '.join(after.split()[:4])}".strip(),
        "first": f"{word} {' '.join(after.split()[:5])}" if len(after.split()) > 3 else None,
        "last": f"{' '.join(before.split()[-5:])} {word}" if len(before.split()) > 3 else None,
    }


def test_there_are_more_than_a_thousand_distinct_swaps():
    assert len(set(SWAPS)) > 1_000
    assert all(one != other for _, one, other in SWAPS)


@pytest.mark.parametrize("written", ["{}", "[{}]"])
@pytest.mark.parametrize("place", ["inside", "first", "last"])
def test_no_swap_passes(place, written):
    passed, missed = [], []
    for frame, said_word, other in SWAPS:
        quote = quote_of(frame, written.format(other))[place]
        if quote is None:
            continue
        result = check_quote(said(frame.format(said_word)), quote)
        if result.verdict is not Verdict.ALTERED:
            passed.append((frame.format(said_word), quote))
        elif result.first_word is None:  # refused for another reason than the swap
            missed.append((frame.format(said_word), quote))

    assert (passed, missed) == ([], [])


@pytest.mark.parametrize("place", ["inside", "first", "last"])
def test_the_frames_pass_with_the_word_that_was_said(place):
    for frame, word, _ in SWAPS:
        quote = quote_of(frame, word)[place]
        if quote:
            assert check_quote(said(frame.format(word)), quote).passes, quote
