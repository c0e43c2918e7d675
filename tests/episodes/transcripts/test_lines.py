"""A cue as a line of words: what a change of the line comes to."""

import pytest
from django.core.exceptions import ValidationError

from episodes.transcripts.lines import Slot, changed_words, line_of


def slots(*words: str | tuple[str, str]) -> list[Slot]:
    """Return slots of words; a pair is what was read and what stands there now."""
    pairs = [(word, word) if isinstance(word, str) else word for word in words]
    return [Slot(10 + index, raw, tuple(now.split())) for index, (raw, now) in enumerate(pairs)]


@pytest.mark.parametrize(
    ("words", "line", "changed"),
    [
        (("we", "put", "it"), "we put it", {}),
        (("we", "put", "it"), "  we \n put   it ", {}),
        (("we", "put", "it"), "we – put … it", {}),
        (("we", "put", "it"), "We put it.", {10: "We", 12: "it."}),
        (("we", "put", "it"), "we put", {12: ""}),
        (("we", "put", "it"), "put it", {10: ""}),
        (("we", "put", "it"), "", {10: "", 11: "", 12: ""}),
        (("we", "put", "it"), "we never put it", {10: "we never"}),
        (("we", "put", "it"), "so we put it", {10: "so we"}),
        (("we", "put", "it"), "we put it there now", {12: "it there now"}),
        (("mega", "tron", "rose"), "Megatron rose", {10: "Megatron", 11: ""}),
        (("Megatron", "rose"), "Mega Tron rose", {10: "Mega Tron"}),
        (("a", "a", "a"), "a a", {12: ""}),
        ((("uh,", ""), "we", "put"), "uh, we put", {10: "uh,"}),
        (("we", ("uh,", ""), "put"), "we uh, put", {11: "uh,"}),
        (("we", ("uh,", ""), "put"), "we um put", {10: "we um"}),
        (("we", ("know", "all know")), "we know", {11: "know"}),
        (("we", ("know", "all know")), "we all know", {}),
        ((("we", ""),), "they", {10: "they"}),
    ],
)
def test_a_changed_line_is_a_change_of_words(words, line, changed):
    assert changed_words(slots(*words), line) == changed


@pytest.mark.parametrize(
    "line", ["so they never did put that in", "it put we", "x", "we put it it it", "put we it never"]
)
def test_the_words_then_read_as_the_line(line):
    given = slots("we", ("uh,", ""), "put", ("it", "it there"))

    changed = changed_words(given, line)

    now = [Slot(slot.place, slot.raw, tuple(changed.get(slot.place, " ".join(slot.now)).split())) for slot in given]
    assert line_of(now) == line


def test_where_no_word_was_read_none_is_corrected():
    with pytest.raises(ValidationError, match="No word was read here"):
        changed_words([], "Something")

    assert changed_words([], " … ") == {}
