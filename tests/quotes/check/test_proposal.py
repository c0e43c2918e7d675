import pytest

from quotes.check import Verdict, check_quote, propose_quote

from .said import said, talk

PROPOSALS = [
    ("we uh put it put it where the buses sleep", "We put it where the buses sleep."),
    ("so i i think it's it's done", "So I think it's done."),
    ("it was, you know, a mess", "It was a mess."),
    ("they came, um, and they left", "They came, and they left."),
    ("We stopped, uh. Then we ran, um,", "We stopped. Then we ran"),
    ("it costs like forty euros", "It costs like forty euros."),
    ("they would not not go", "They would not not go."),
    ("we saw it, it was big", "We saw it, it was big."),
    ("if he can he will", "If he can he will."),
    ("and then she was wal- she was running", "And then she was running."),
    ("at the vid- sorry, the talk we met", "At the talk we met."),
    (">> we [music] won ♪", "We won."),
    ("the [ __ ] thing that we all built there", "Thing that we all built there."),
    ("we won. um we left", "We won. We left"),
    ("we won um. we left", "We won. We left"),
    ("he said “um, we go” and left", "He said “we go” and left."),
    ("she, you know, said “no, uh”", "She said “no”."),
    ("And, uh, we, we tried", "And we tried."),
    ("iPhone um is good", "iPhone is good."),
    ("it is the first um It is the first that works", "It is the first that works."),
    ("the point um It is good", "The point It is good."),
    ("", ""),
]


@pytest.mark.parametrize(("raw", "expected"), PROPOSALS)
def test_a_selection_is_cleaned_for_reading(raw, expected):
    assert propose_quote(said(raw)) == expected


def test_listeners_words_are_left_out():
    words = talk(("A", "we built"), ("B", "yeah"), ("A", "the dam"))

    proposal = propose_quote(words, speaker="A")

    assert proposal == "We built the dam."
    assert check_quote(words, proposal, speaker="A").verdict is Verdict.CLEANED


def test_of_a_talk_the_longest_part_of_the_speaker_is_proposed():
    words = talk(
        ("B", "so what came first in your view"), ("A", "the dam"), ("B", "which dam"), ("A", "the old dam up north")
    )

    assert propose_quote(words, speaker="A") == "The old dam up north."


def test_without_a_speaker_the_one_who_says_most_is_proposed():
    words = talk(("A", "the dam came first"), ("B", "what dam"))

    assert propose_quote(words) == "The dam came first."


def test_other_languages_keep_what_only_english_lets_go():
    assert propose_quote(said("wir um äh gehen"), language="de") == "Wir um gehen."


def test_marks_and_spaces_are_those_of_the_language():
    assert propose_quote(said("¿eh qué es esto?"), language="es") == "¿Qué es esto?"
    assert propose_quote(said("えーと 今日 は 雨 です"), language="ja") == "今日は雨です。"
