"""What was asked before somebody said something."""

import pytest

from episodes.transcripts.body import Body, anchors_of
from episodes.transcripts.parsed import Cue, Word
from episodes.transcripts.question import MOST_WORDS, Question, question_before
from episodes.transcripts.script import make_script

ASKED = "And where did you put it?"


def ask(*cues: tuple[str, str], speakers=(), step_ms: int = 5_000) -> Question | None:
    """Return the question before the last of some cues of ``(label, text)``."""
    held = [Cue(place * step_ms, place * step_ms + 5_000, label, text) for place, (label, text) in enumerate(cues)]
    words = [
        Word(text, cue.start_ms, cue.end_ms, cue.speaker, None, True, place)
        for place, cue in enumerate(held)
        for text in cue.text.split()
    ]
    script = make_script(Body(tuple(held), tuple(words), anchors_of(held, None)), {}, list(speakers))
    return question_before(script, script.cues[-1].first)


@pytest.mark.parametrize(
    "cues",
    [
        [("Ada", "Good morning."), ("Tomas", ASKED), ("Ada", "There.")],
        [("Tomas", ASKED), ("Ada", "Well, there is a lot to say."), ("Ada", "There.")],
        [("Tomas", ASKED), ("Ada", "Well."), ("Tomas", "Mhm."), ("Ada", "There.")],
        [("", "Music."), ("Tomas", ASKED), ("Ada", "There.")],
        [("Kim", "Something before that."), ("Tomas", ASKED), ("Ada", "There.")],
    ],
)
def test_it_is_what_another_speaker_said_last(cues):
    assert ask(*cues) == Question("Tomas", ASKED)


def test_it_is_all_of_the_run_in_whole_cues():
    assert ask(("Tomas", "You built it."), ("Tomas", ASKED), ("Ada", "There.")) == Question(
        "Tomas", f"You built it. {ASKED}"
    )


def test_a_short_question_is_one():
    assert ask(("Tomas", "Why?"), ("Ada", "There.")) == Question("Tomas", "Why?")


@pytest.mark.parametrize(
    "cues",
    [
        [("Ada", "There.")],
        [("Ada", "Good morning."), ("Ada", "There.")],
        [("", ASKED), ("Ada", "There.")],
        [("Tomas", ASKED), ("", "There.")],
        [("Tomas", ASKED), ("", "Somebody says this."), ("Ada", "There.")],
        [("Tomas", "Right, okay."), ("Ada", "There.")],
    ],
)
def test_there_may_be_none(cues):
    assert ask(*cues) is None


def test_a_question_of_long_ago_is_none():
    assert ask(("Tomas", ASKED), ("Ada", "There."), step_ms=290_000) == Question("Tomas", ASKED)
    assert ask(("Tomas", ASKED), ("Ada", "There."), step_ms=306_000) is None


def test_two_labels_of_one_guest_are_one_speaker():
    rows = [{"label": label, "guest": 7, "state": "sure"} for label in ("Ada", "Ada (remote)")]

    assert ask(("Ada (remote)", ASKED), ("Ada", "There."), speakers=rows) is None


def test_a_long_one_is_cut_to_its_last_cues():
    found = ask(*[("Tomas", f"{number} {'word ' * 39}".strip()) for number in range(5)], ("Ada", "There."))

    assert found.text.startswith("… 2 word")
    assert len(found.text.split()) == 1 + MOST_WORDS


def test_one_long_cue_is_cut_to_its_last_words():
    found = ask(("Tomas", " ".join(f"w{number}" for number in range(500))), ("Ada", "There."))

    assert found.text.split() == ["…", *(f"w{number}" for number in range(500 - MOST_WORDS, 500))]
