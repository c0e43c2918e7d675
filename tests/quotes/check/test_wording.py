import pytest

from quotes.check import RemovedKind, check_quote, describe, kinds_removed

from .said import said

SENTENCES = [
    ("we go home", "We go home.", "verbatim"),
    ("we um go uh to the the sea", "We go to the sea.", "cleaned: 2 filler sounds and 1 stutter removed, nothing rephrased"),
    ("and he was wal- he ran to the to the sea", "And he ran to the sea.", "cleaned: 1 repetition and 1 false start removed, nothing rephrased"),
    ("we're gonna go", "We’re going to go.", "cleaned: 1 short form written another way, nothing rephrased"),
    ("We um go. They stay here. We leave.", "We go. … We leave.", "cleaned: 1 filler sound removed, 1 omission marked with …, nothing rephrased"),
    ("so they go home", "So [the nine judges] go home.", "altered: “the nine judges” stands for “they”"),
    ("so they um go home", "So [the judges] go home.", "bracketed: 1 filler sound removed, 2 words in [brackets] are the editor's"),
    ("we do not go", "We do go.", "altered: “not” was left out"),
    ("we go home", "We go home now.", "altered: “now” was added"),
    ("we go home", "They never slept.", "altered: the words were not found"),
    ("we go home", "…", "unchecked: the quote has no words"),
    ("", "We go.", "unchecked: there is no transcript with words"),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "quote", "sentence"), SENTENCES)
def test_a_result_says_what_was_done(raw, quote, sentence):
    assert describe(check_quote(said(raw), quote)) == sentence


def test_kinds_are_counted_in_order():
    result = check_quote(said("we we um go uh home"), "We go home.")

    # The first "we" lies before the tightest span.
    assert kinds_removed(result) == {RemovedKind.FILLER: 2}
