import pytest

from episodes.transcripts.script import script_of
from episodes.transcripts.speakers import (
    MOST_PROPOSED,
    Mishearing,
    fold,
    mishearings_of,
    named_with,
    proposed_corrections,
)
from tests.episodes.transcripts.making import make_transcript
from tests.factories import edit, make_episode, make_guest, make_topic

pytestmark = pytest.mark.django_db


def episode_with(*guests, **content):
    episode = make_episode(live=False)
    rows = [{"guest": guest.pk, "role": "guest", "credit": ""} for guest in guests]
    edit(episode, guests=rows, **content)
    return episode


def named(transcript) -> dict:
    return {row["label"]: (row["guest"], row["state"]) for row in transcript.speakers}


def test_a_label_that_is_the_name_or_an_alias_is_the_guest_for_sure():
    ada = make_guest(name="Ada Okafor-Lindqvist", aliases=["Dr. A. Okafor"])

    made = make_transcript(episode_with(ada), ("ADA OKAFOR LINDQVIST", "Hello."), ("Dr A Okafor", "Hello again."))

    assert set(named(made).values()) == {(ada.pk, "sure")}


@pytest.mark.parametrize("label", ["Ada", "Okafor", "Eight a cough or"])
def test_a_part_or_a_mishearing_of_a_name_only_proposes(label):
    ada = make_guest(name="Ada Okafor", mishearings=[{"heard": "Eight a cough or", "name": "Ada Okafor"}])

    made = make_transcript(episode_with(ada), (label, "Hello."))

    assert named(made) == {label: (ada.pk, "unsure")}


@pytest.mark.parametrize("label", ["Adalbert", "A", "SPEAKER_00", "Dana"])
def test_a_likeness_of_letters_proposes_nobody(label):
    made = make_transcript(episode_with(make_guest(name="Ada Okafor")), (label, "Hello."))

    assert named(made) == {label: (None, "unsure")}


def test_a_name_that_two_guests_share_is_nobody_s():
    episode = episode_with(make_guest(name="Ada Okafor"), make_guest(name="Ada Lund"))

    assert named(make_transcript(episode, ("Ada", "Hello."))) == {"Ada": (None, "unsure")}


@pytest.mark.parametrize(
    "said",
    ["Hi, my name is Ada Okafor and I build grids.", "I'm Ada\nOkafor.", "Ich bin Ada Okafor.", "This is Ada Okafor."],
)
def test_who_introduces_themselves_is_proposed(said):
    ada = make_guest(name="Ada Okafor")

    made = make_transcript(episode_with(ada), ("S1", said), ("S2", "Welcome."))

    assert named(made) == {"S1": (ada.pk, "unsure"), "S2": (None, "unsure")}


def test_who_is_introduced_by_another_is_not_proposed():
    ada = make_guest(name="Ada Okafor")

    made = make_transcript(episode_with(ada), ("S1", "With me is Ada Okafor."), ("S2", "Hello."))

    assert named(made) == {"S1": (None, "unsure"), "S2": (None, "unsure")}


def test_guests_of_other_episodes_are_not_proposed():
    make_guest(name="Ada Okafor")

    assert named(make_transcript(make_episode(), ("Ada Okafor", "Hello."))) == {"Ada Okafor": (None, "unsure")}


def test_a_partial_mapping_drops_no_speech():
    ada = make_guest(name="Ada Okafor")
    made = make_transcript(
        episode_with(ada), ("Ada Okafor", "Hello."), ("S2", "Good evening."), ("", "Applause all over.")
    )

    script = script_of(made)

    assert [cue.text for cue in script.cues] == ["Hello.", "Good evening.", "Applause all over."]
    assert [word.speaker for word in script.words] == [str(ada.pk), "S2", "S2", None, None, None]


def test_mishearings_come_from_the_heads_of_guests_and_topics():
    ada = make_guest(name="Ada Okafor", mishearings=[{"heard": "a cough or", "name": "Okafor"}])
    grid = make_topic(name="Grid", mishearings=[{"heard": "greed", "name": "grid"}])
    episode = episode_with(ada, topics=[{"topic": grid.pk}])

    found = mishearings_of(named_with(episode.pk))

    assert set(found) == {Mishearing("a cough or", "Okafor"), Mishearing("greed", "grid")}


def proposals(*lines, heard="a cough or", name="Okafor"):
    script = script_of(make_transcript(make_episode(), *lines))
    return proposed_corrections(script, [Mishearing(heard, name)])


def test_a_proposal_says_where_and_what_would_come_of_it():
    found = proposals(("S1", "Then a Cough, or, said yes."), heard="cough or")

    assert [(one.heard, one.name, one.words) for one in found] == [("Cough, or,", "Okafor", {2: "Okafor,", 3: ""})]
    assert found[0].around == "Then a Cough, or, said yes."


def test_whole_words_only_are_proposed():
    assert not proposals(("S1", "Workers overwork; homework."), heard="work", name="York")


def test_what_is_right_is_not_proposed():
    assert not proposals(("S1", "Okafor, of course."), heard="okafor", name="Okafor")
    assert proposals(("S1", "okafor, of course."), heard="okafor", name="Okafor")


def test_proposals_are_bounded():
    lines = [("S1", "work work work work work") for _ in range(100)]

    assert len(proposals(*lines, heard="work", name="York")) == MOST_PROPOSED


@pytest.mark.parametrize(("one", "other"), [("Zoë Núñez", "zoe nunez"), ("O’Brien", "o brien"), ("A.  B.", "a b")])
def test_names_are_compared_without_accents_and_marks(one, other):
    assert fold(one) == other
