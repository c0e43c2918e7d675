from datetime import date

import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.files.storage import default_storage

from episodes.models import CurrentTranscript, Transcript
from episodes.transcripts.body import body_of, pack, unpack
from episodes.transcripts.current import make_current, original_of, withdraw
from episodes.transcripts.parsed import UnreadableTranscript
from episodes.transcripts.readers import read_transcript
from episodes.transcripts.script import body_of_transcript, script_of
from episodes.transcripts.service import About, add_transcript, correct, name_speakers
from publishing.models import Event
from tests.episodes.transcripts.making import LINES, add, make_transcript, text_of, vtt
from tests.factories import make_episode, make_guest, make_user
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db


def test_a_file_becomes_a_transcript_that_holds():
    episode = make_episode()

    added = add(episode, vtt(), filename="one.vtt", engine="Own ears", made_on=date(2026, 5, 1))

    kept = added.transcript
    assert (added.is_new, added.is_current) == (True, True)
    assert (kept.number, kept.language, kept.format, kept.engine) == (1, "en", "webvtt", "Own ears")
    assert (kept.word_count, kept.cue_count, kept.original_name) == (35, 5, "one.vtt")
    assert kept.original.read() == vtt()
    assert original_of(episode.pk) == kept
    assert Event.objects.filter(what="episode.add-transcript").count() == 1


def test_the_words_come_back_as_they_were_read():
    body = body_of(read_transcript(vtt()))

    assert unpack(pack(body)) == body
    assert pack(unpack(pack(body))) == pack(body)


def test_the_same_file_again_is_nothing_new():
    episode = make_episode()
    first = add(episode)
    before = dump_tables()

    again = add(episode)

    assert (again.transcript, again.is_new, again.is_current) == (first.transcript, False, True)
    assert dump_tables() == before


def test_the_same_file_again_after_corrections_keeps_them():
    episode = make_episode()
    first = add(episode, make_it_current=False).transcript
    corrected = correct(first, actor=None, words={8: "battery’s"})

    again = add(episode)

    assert (again.transcript, again.is_new) == (corrected, False)
    assert original_of(episode.pk) == corrected


@pytest.mark.parametrize(
    "data", [b"\x00\x01\x02\x89PNG\r\n\x1a\n" * 50, b"", b"WEBVTT\n\n", b'{"a": 1}', b"\xff\xd8\xff"]
)
def test_what_is_no_transcript_leaves_all_as_it_was(data):
    episode = make_episode()
    add(episode)
    before = dump_tables()

    with pytest.raises((UnreadableTranscript, ValidationError)):
        add_transcript(episode, data, About(), actor=None)

    assert dump_tables() == before


def test_a_refused_transcript_leaves_no_file(settings, tmp_path, monkeypatch):
    settings.MEDIA_ROOT = tmp_path
    monkeypatch.setattr("episodes.transcripts.service.MOST_TRANSCRIPTS", 1)
    episode = make_episode()
    add(episode)

    with pytest.raises(ValidationError, match="all it can hold"):
        make_transcript(episode, ("Ada", "Other words."))

    assert len(default_storage.listdir("transcripts")[1]) == 1


def test_a_correction_is_a_new_transcript_over_the_raw_words():
    episode = make_episode()
    raw = make_transcript(episode)

    made = correct(raw, actor=None, words={9: "where, as ever,", 13: ""}, cues={3: "Ada"})

    assert made.parent == raw
    assert made.body_id == raw.body_id
    assert original_of(episode.pk) == made
    assert "battery where, as ever, the buses sleep, in the" in text_of(made)
    assert script_of(made).cues[1].text == "We put the battery where, as ever, the buses sleep, in the depot."
    assert script_of(made).cues[3].label == "Ada"
    assert made.words_hash != raw.words_hash
    assert "buses sleep, uh, in" in text_of(raw)
    assert body_of_transcript(made).words[13].text == "uh,"


def test_correcting_back_to_the_raw_words_leaves_no_correction():
    raw = make_transcript(make_episode())
    made = correct(raw, actor=None, words={9: "there"}, cues={3: "Ada"})

    back = correct(made, actor=None, words={9: "where"}, cues={3: "Mae"})

    assert back.corrections == {}
    assert back.words_hash == raw.words_hash


def test_corrections_and_speakers_live_on_in_the_next_file():
    guest = make_guest(name="Ada Okafor")
    episode = make_episode()
    raw = make_transcript(episode)
    correct(raw, actor=None, words={8: "accumulator"}, cues={3: "Ada"})
    name_speakers(raw, {"Ada": (guest.pk, "sure"), "Mae": (None, "nobody")}, actor=None)
    changed = [*LINES[:4], ("Ada", "Not one of the fifty neighbours did.")]

    again = make_transcript(episode, *changed)

    assert "the accumulator where" in text_of(again)
    assert script_of(again).cues[3].label == "Ada"
    assert {row["label"]: (row["guest"], row["state"]) for row in again.speakers} == {
        "Mae": (None, "nobody"),
        "Ada": (guest.pk, "sure"),
    }


def test_labels_that_changed_their_voice_are_nobody_for_sure():
    guest = make_guest(name="Ada Okafor")
    episode = make_episode()
    first = make_transcript(
        episode, *[(label.replace("Ada", "S1").replace("Mae", "S2"), text) for label, text in LINES]
    )
    name_speakers(first, {"S1": (guest.pk, "sure"), "S2": (None, "nobody")}, actor=None)

    swapped = make_transcript(
        episode, *[(label.replace("Ada", "S2").replace("Mae", "S1"), f"{text} Yes.") for label, text in LINES]
    )

    assert {row["label"]: (row["guest"], row["state"]) for row in swapped.speakers} == {
        "S1": (None, "unsure"),
        "S2": (guest.pk, "unsure"),
    }


def test_anchors_outlive_another_cutting_of_the_same_speech():
    episode = make_episode()
    first = make_transcript(episode)
    names = [cue.anchor for cue in script_of(first).cues]

    shifted = vtt(("Mae", "Hello."), *LINES, start=0)
    again = add(episode, shifted).transcript

    later = script_of(again)
    assert {name for cue in later.cues for name in cue.anchors} >= set(names)
    assert len({name for cue in later.cues for name in cue.anchors}) == sum(len(cue.anchors) for cue in later.cues)


def test_anchors_of_text_without_times_follow_the_text():
    episode = make_episode()
    plain = "Mae: How did it begin?\n\nAda: In the depot.\n\nMae: Nobody complained?\n"
    first = add(episode, plain.encode(), format="speaker_text").transcript
    names = {cue.text: cue.anchor for cue in script_of(first).cues}

    again = add(episode, f"Ada: Welcome, all of you.\n\n{plain}".encode(), format="speaker_text").transcript

    found = {cue.text: cue.anchors for cue in script_of(again).cues}
    assert all(name in found[text] for text, name in names.items())


def test_corrections_of_several_people_are_merged():
    raw = make_transcript(make_episode())
    correct(raw, actor=None, words={8: "accumulator"})

    both = correct(raw, actor=None, words={11: "trams"})

    assert "the accumulator where the trams" in text_of(both)


def test_two_corrections_of_one_word_clash():
    raw = make_transcript(make_episode())
    correct(raw, actor=None, words={8: "accumulator"})

    with pytest.raises(ValidationError, match="Somebody else made it “accumulator” meanwhile"):
        correct(raw, actor=None, words={8: "cell"})

    assert Transcript.objects.count() == 2


def test_two_names_for_one_label_clash():
    raw = make_transcript(make_episode())
    ada, bea = make_guest(), make_guest()
    name_speakers(raw, {"Ada": (ada.pk, "sure")}, actor=None)

    with pytest.raises(ValidationError, match="Somebody else said meanwhile who “Ada” is"):
        name_speakers(raw, {"Ada": (bea.pk, "sure")}, actor=None)

    both = name_speakers(raw, {"Mae": (bea.pk, "sure")}, actor=None)
    assert {row["label"]: row["guest"] for row in both.speakers} == {"Ada": ada.pk, "Mae": bea.pk}


@pytest.mark.parametrize(
    ("words", "cues", "said"),
    [
        ({999: "x"}, {}, "no word 999"),
        ({-1: "x"}, {}, "no word -1"),
        ({1: "x" * 200}, {}, "too long"),
        ({1: "a " * 21}, {}, "too long"),
        ({1: "—"}, {}, "is no word"),
        ({}, {99: "Ada"}, "no part 99"),
        ({}, {1: "x" * 121}, "120 characters"),
    ],
)
def test_what_cannot_be_a_correction_is_refused(words, cues, said):
    raw = make_transcript(make_episode())

    with pytest.raises(ValidationError, match=said):
        correct(raw, actor=None, words=words, cues=cues)

    assert Transcript.objects.count() == 1


def test_the_hash_is_over_words_times_and_labels_not_over_who_they_are():
    episode = make_episode()
    raw = make_transcript(episode)

    named = name_speakers(raw, {"Ada": (make_guest().pk, "sure")}, actor=None)
    relabelled = correct(named, actor=None, cues={3: "Ada"})
    later = add(episode, vtt(start=1)).transcript

    assert named.words_hash == raw.words_hash
    assert len({raw.words_hash, relabelled.words_hash, later.words_hash}) == 3


@pytest.mark.parametrize(
    ("group", "is_live", "holds"),
    [("Author", False, True), ("Editor", False, True), ("Editor", True, False), ("Publisher", True, True)],
)
def test_what_readers_see_changes_only_by_a_publisher(group, is_live, holds):
    episode = make_episode(live=is_live)
    user = make_user("rae", group)
    episode.item.owner = user
    episode.item.save()

    added = add(episode, actor=user)

    assert added.is_current is holds
    if not holds:
        with pytest.raises(PermissionDenied):
            make_current(added.transcript, actor=user)


def test_nobody_corrects_what_readers_see_without_the_right():
    episode = make_episode()
    holding, editor = make_transcript(episode), make_user("rae", "Editor")
    waiting = make_transcript(episode, ("Ada", "Other words."), make_it_current=False)

    with pytest.raises(PermissionDenied):
        correct(holding, actor=editor, words={0: "And"})
    with pytest.raises(PermissionDenied):
        name_speakers(holding, {"Ada": (None, "nobody")}, actor=editor)

    assert correct(waiting, actor=editor, words={0: "Some"}).parent == waiting
    assert original_of(episode.pk) == holding


def test_authors_bring_in_for_their_own_only():
    episode = make_episode(live=False)

    with pytest.raises(PermissionDenied):
        add(episode, actor=make_user("oscar", "Author"))

    assert not Transcript.objects.exists()


def test_one_holds_a_language_and_the_first_is_the_original():
    episode = make_episode()
    english = make_transcript(episode)
    german = make_transcript(episode, ("Ada", "Wir stellten sie ins Depot."), language="de")

    assert original_of(episode.pk) == english
    assert set(Transcript.objects.current()) == {english, german}

    make_current(german, actor=None, is_original=True)
    assert original_of(episode.pk) == german
    assert CurrentTranscript.objects.filter(is_original=True).count() == 1


@pytest.mark.parametrize(("first", "second", "comes_to"), [("en", "en-US", "en"), ("en-us", "en", "en-us")])
def test_a_region_makes_no_translation(first, second, comes_to):
    episode = make_episode()
    make_transcript(episode, language=first)

    again = make_transcript(episode, ("Ada", "Other words."), language=second)

    assert again.language == comes_to
    assert original_of(episode.pk) == again


def test_a_correction_of_a_translation_stays_one():
    episode = make_episode()
    english = make_transcript(episode)
    german = make_transcript(episode, ("Ada", "Wir stellten sie ins Depot."), language="de")

    corrected = correct(german, actor=None, words={0: "Man"})

    assert original_of(episode.pk) == english
    assert set(Transcript.objects.current()) == {english, corrected}


def test_withdrawing_takes_a_reason_and_leaves_the_transcript():
    episode = make_episode()
    make_transcript(episode)
    current = CurrentTranscript.objects.get()

    with pytest.raises(ValidationError, match="Say why"):
        withdraw(current, actor=None, reason=" ")
    withdraw(current, actor=None, reason="It is another episode's.")

    assert original_of(episode.pk) is None
    assert Transcript.objects.count() == 1
    assert Event.objects.get(what="episode.withdraw-transcript").data["reason"] == "It is another episode's."


def test_withdrawing_what_was_replaced_meanwhile_is_refused():
    episode = make_episode()
    make_transcript(episode)
    seen = CurrentTranscript.objects.get()
    newer = make_transcript(episode, ("Ada", "Other words."))

    with pytest.raises(ValidationError, match="does not hold any more"):
        withdraw(seen, actor=None, reason="Wrong.")

    assert original_of(episode.pk) == newer


def test_an_original_with_translations_is_not_withdrawn():
    episode = make_episode()
    make_transcript(episode)
    make_transcript(episode, ("Ada", "Wir stellten sie ins Depot."), language="de")

    with pytest.raises(ValidationError, match="another language the original"):
        withdraw(CurrentTranscript.objects.get(is_original=True), actor=None, reason="Wrong.")


@pytest.mark.parametrize(("duration_ms", "said"), [(10_000, None), (600_000, "all of it"), (21_000, None)])
def test_a_file_is_doubted_by_its_length(duration_ms, said):
    episode = make_episode(duration_ms=duration_ms)

    messages = [message.text for message in add(episode).messages]

    assert any(said in text for text in messages) if said else not messages


def test_a_file_far_longer_than_the_episode_is_doubted():
    episode = make_episode(duration_ms=60_000)

    messages = [message.text for message in add(episode, vtt(start=7200)).messages]

    assert messages == ["Its last words are at 2:00:16, but the episode ends at 1:00. Is it another episode's?"]


def test_an_original_file_is_never_public(client):
    episode = make_episode()

    kept = make_transcript(episode)

    assert client.get(f"/media/{kept.original.name}").status_code == 404
