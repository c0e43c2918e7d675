"""Who readers are told that a label is: the same on the page, in the files and beside a quote."""

import pytest

from episodes.transcripts.naming import SpeakerNames
from publishing.acts import publish, retire
from publishing.models import Item
from tests.factories import make_episode, make_guest, make_transcript

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def names_of(cues, who):
    """Return the names of a transcript whose labels are as ``(guest or None, state)`` says."""
    transcript = make_transcript(make_episode(), cues)
    for row in transcript.speakers:
        guest, state = who.get(row["label"], (None, "unsure"))
        row |= {"guest": guest.pk if guest else None, "state": state}
    return SpeakerNames(transcript)


def test_a_sure_visible_guest_goes_by_their_name():
    ada = make_guest(name="Ada Okafor")

    name = names_of([(0, "SPEAKER_00", "Hello there.")], {"SPEAKER_00": (ada, "sure")}).of("SPEAKER_00")

    assert (name.text, name.guest, name.plain, name.html) == ("Ada Okafor", ada, "Ada Okafor", "<bdi>Ada Okafor</bdi>")


@pytest.mark.parametrize("state", ["unsure", "nobody"])
def test_nobody_is_named_whom_an_editor_is_not_sure_of(state):
    ada = make_guest(name="Ada Okafor")

    name = names_of([(0, "A. O.", "Hello there.")], {"A. O.": (ada, state)}).of("A. O.")

    assert (name.text, name.guest) == ("A. O.", None)
    assert name.is_unsure == (state == "unsure")


def test_an_unsure_label_says_so_to_everybody():
    name = names_of([(0, "Speaker <2>", "Hello there.")], {}).of("Speaker <2>")

    assert name.plain == "Speaker <2>?"
    assert name.html == (
        '<bdi>Speaker &lt;2&gt;</bdi><span aria-hidden="true">?</span><span class="visually-hidden"> (unsure)</span>'
    )


def test_a_guest_who_is_not_live_stays_a_label():
    draft = make_guest(name="Secret Person", live=False)
    gone = make_guest(name="Gone Person")
    retire(Item.objects.get(pk=gone.pk), actor=None, reason="Withdrawn.")
    names = names_of(
        [(0, "S1", "Hello there."), (9_000, "S2", "Hello.")], {"S1": (draft, "sure"), "S2": (gone, "sure")}
    )

    assert [names.plain("S1"), names.plain("S2")] == ["S1", "S2"]

    publish(Item.objects.get(pk=draft.pk), actor=None)
    assert names_of([(0, "S1", "Hello there.")], {"S1": (draft, "sure")}).plain("S1") == "Secret Person"


def test_no_label_has_no_name():
    names = names_of([(0, "", "Hello there.")], {})

    assert (names.of(""), names.plain(""), names.among(["", ""])) == (None, "", [])


def test_two_labels_of_one_guest_are_named_once():
    ada = make_guest(name="Ada Okafor")
    names = names_of(
        [(0, "Ada", "Hello there."), (9_000, "Ada (remote)", "Hello.")],
        {"Ada": (ada, "sure"), "Ada (remote)": (ada, "sure")},
    )

    assert [name.text for name in names.among(["Ada", "Ada (remote)"])] == ["Ada Okafor"]


@pytest.mark.parametrize("count", [1, 20])
def test_names_take_one_query(django_assert_num_queries, count):
    guests = [make_guest(name=f"Guest {number}") for number in range(count)]
    transcript = make_transcript(make_episode(), [(1_000 * n, f"S{n}", "Hello there.") for n in range(count)])
    for row, guest in zip(transcript.speakers, guests, strict=True):
        row |= {"guest": guest.pk, "state": "sure"}

    with django_assert_num_queries(1):
        SpeakerNames(transcript)
