"""The picker as the server sees it: what is shown, what words come to, what is saved."""

import re

import pytest
from django.urls import reverse

from episodes.models import Guest
from episodes.transcripts.service import About, add_transcript
from publishing.models import Item
from tests.factories import make_episode, make_guest, make_quote, make_user

SAID = """WEBVTT

00:01.000 --> 00:04.000
<v Tomas Lund>So where does it go?

00:05.000 --> 00:11.000
<v Ada Okafor>Not the roof. We put it, uh, put it where the <i>buses</i> sleep &amp; nobody noticed.

00:12.000 --> 00:14.000
<v Speaker 3>Fish &lt;script&gt;alert(1)&lt;/script&gt; sing.
"""


@pytest.fixture
def episode(db):
    people = [make_guest(name="Ada Okafor"), make_guest(name="Tomas Lund")]
    row = make_episode(guests=[{"guest": one.pk, "role": "guest", "credit": ""} for one in people])
    add_transcript(row, SAID.encode(), About(language="en"), actor=None)
    return row


def page_of(episode) -> str:
    return reverse("admin:quotes_quote_pick", args=[episode.pk])


def look(client, episode, **data):
    return client.post(reverse("admin:quotes_quote_look", args=[episode.pk]), data)


def word_of(html: str, word: str) -> int:
    """Return the number of the first word like this, counted as the page's script counts."""
    for first, text in re.findall(r'<p data-first="(\d+)">(.*?)</p>', html, re.DOTALL):
        words = re.sub(r"<[^>]+>", "", text).split()
        if word in words:
            return int(first) + words.index(word)
    raise AssertionError(word)


def test_the_page_shows_what_was_said_by_whom_and_marks_quotes_we_have(editor_client, episode):
    ada = Guest.objects.get(name="Ada Okafor")
    quote = make_quote(
        live=False,
        episode=episode,
        speaker=ada,
        claim="Nobody & all",
        text="nobody noticed.",
        start_ms=None,
        end_ms=None,
    )

    html = editor_client.get(page_of(episode)).content.decode()

    assert "Ada Okafor" in html
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>alert" not in html
    assert 'title="Nobody &amp; all">nobody noticed.</mark>' in html
    assert quote.item.admin_path in html
    assert "1 speaker is unsure" in html


def test_picked_words_come_back_cleaned_with_speaker_and_times(editor_client, episode):
    html = editor_client.get(page_of(episode)).content.decode()
    first, last = word_of(html, "We"), word_of(html, "sleep")

    answer = look(editor_client, episode, first=first, last=last).json()

    assert answer["picked"]["text"] == "We put it where the buses sleep."
    assert answer["picked"]["speaker"] == f"Ada Okafor (#{Guest.objects.get(name='Ada Okafor').pk})"
    assert answer["verdict"] == "cleaned"
    assert (answer["picked"]["start"], answer["picked"]["end"]) == (answer["start"], answer["end"])
    assert "<del" in answer["html"]


def test_a_selection_backwards_is_the_same(editor_client, episode):
    assert look(editor_client, episode, first=9, last=6).json() == look(editor_client, episode, first=6, last=9).json()


@pytest.mark.parametrize(("first", "last"), [("0", "999999"), ("-1", "3"), ("a", "b"), ("1e3", "2"), ("²", "3")])
def test_words_that_there_are_not_are_not_found(editor_client, episode, first, last):
    assert look(editor_client, episode, first=first, last=last).status_code == 404


def test_while_typing_the_answer_names_the_word_and_offers_the_ways_out(editor_client, episode):
    ada = Guest.objects.get(name="Ada Okafor")

    answer = look(editor_client, episode, text="We put it where the trains sleep", speaker=f"Ada (#{ada.pk})").json()

    assert answer["verdict"] == "altered"
    assert "trains" in answer["html"]
    assert 'name="way"' in answer["html"]
    assert "picked" not in answer


def test_an_unsure_speaker_is_told(editor_client, episode):
    html = editor_client.get(page_of(episode)).content.decode()

    answer = look(editor_client, episode, first=word_of(html, "Fish"), last=word_of(html, "Fish")).json()

    assert answer["picked"]["speaker"] == ""
    assert "Speaker 3" in answer["html"]


def test_words_of_two_speakers_come_as_those_of_one_and_the_other_is_named(editor_client, episode):
    html = editor_client.get(page_of(episode)).content.decode()

    answer = look(editor_client, episode, first=word_of(html, "it"), last=word_of(html, "roof.")).json()

    assert answer["picked"]["text"] == "Not the roof."
    assert "the words of Tomas Lund are not taken" in answer["html"]


def test_more_words_than_a_quote_can_hold_are_cut_and_told(editor_client, episode, monkeypatch):
    monkeypatch.setattr("quotes.picker.MOST_PICKED", 3)
    html = editor_client.get(page_of(episode)).content.decode()

    answer = look(editor_client, episode, first=word_of(html, "We"), last=word_of(html, "sleep")).json()

    assert answer["picked"]["text"] == "We put it."
    assert "the first 3 words were taken" in answer["html"]


def test_a_text_too_long_for_a_quote_is_checked_all_the_same(editor_client, episode):
    answer = look(editor_client, episode, text="buses " * 400).json()

    assert answer["verdict"] == "altered"
    assert "This has 2,399 characters; a quote can have 2,000." in answer["html"]


def test_words_without_a_label_leave_the_speaker_as_chosen(editor_client, db):
    row = make_episode()
    add_transcript(row, b"WEBVTT\n\n00:01.000 --> 00:03.000\nNobody noticed it.\n", About(language="en"), actor=None)

    assert look(editor_client, row, first=0, last=2).json()["picked"]["speaker"] is None


def test_what_nobody_is_chosen_for_says_so(editor_client, episode):
    assert "No speaker is chosen yet." in look(editor_client, episode, text="nobody noticed").json()["html"]


def test_an_unsure_speaker_is_in_the_finding_itself(editor_client, episode):
    html = editor_client.get(page_of(episode)).content.decode()

    answer = look(editor_client, episode, first=word_of(html, "Fish"), last=word_of(html, "sing.")).json()

    assert "but who speaks is unsure" in answer["html"]


def test_one_word_is_not_much_like_every_quote_that_has_it(editor_client, episode):
    make_quote(live=False, episode=episode, claim="The buses", text="We put it where the buses sleep.")

    assert "The buses" not in look(editor_client, episode, text="buses").json()["html"]


def test_much_the_same_quote_is_named(editor_client, episode):
    make_quote(live=False, episode=episode, claim="The buses", text="We put it where the buses sleep.")

    answer = look(editor_client, episode, text="We put it where the buses sleep and nobody noticed").json()

    assert "The buses" in answer["html"]


def saved(client, episode, **data):
    blank = {"topics-TOTAL_FORMS": "0", "topics-INITIAL_FORMS": "0"}
    return client.post(page_of(episode), blank | {"_save": ""} | data)


def test_a_draft_is_saved_and_the_editor_goes_on(editor_client, episode):
    ada = Guest.objects.get(name="Ada Okafor")
    said = {
        "text": "We put it where the buses sleep",
        "speaker": f"Ada Okafor (#{ada.pk})",
        "start_ms": "0:05",
        "end_ms": "0:09",
    }

    response = saved(editor_client, episode, claim="buses sleep beside it", heard="now", **said)

    item = Item.objects.get(working_title="buses sleep beside it")
    assert response.status_code == 302
    assert response["Location"].startswith(page_of(episode))
    content = item.newest.content
    assert (content["text"], content["start_ms"], content["heard"]["by"]) == (said["text"], 5_000, "ines")
    assert (content["speaker_named"]["by"], content["claim_transcript"]) == ("ines", 1)
    assert item.quote.episode_id == episode.pk
    assert not item.is_live


def test_what_was_typed_stays_where_something_is_missing(editor_client, episode):
    response = saved(editor_client, episode, text="We put it where the buses sleep")

    assert response.status_code == 422
    assert "We put it where the buses sleep</textarea>" in response.content.decode()
    assert not Item.objects.filter(kind="quote").exists()


def test_without_script_words_are_taken_between_two_times(editor_client, episode):
    html = saved_look(editor_client, episode, start_ms="0:05", end_ms="0:11")

    assert "We put it where the buses sleep" in html
    assert "finding--good" in html


def test_without_script_a_way_out_changes_the_text(editor_client, episode):
    html = saved_look(editor_client, episode, text="Wrong words", way="We put it where the buses sleep")

    assert "We put it where the buses sleep</textarea>" in html


def test_without_script_times_are_taken_from_the_words(editor_client, episode):
    html = saved_look(editor_client, episode, text="nobody noticed", start_ms="0:01", times="0:09.5 0:11")

    assert 'value="0:09.5"' in html
    assert 'value="0:11"' in html


def test_without_script_a_look_loses_nothing(editor_client, episode):
    typed = {"claim": "A claim", "context": "A context", "speaker": "Somebody unknown", "heard": "now"}

    html = saved_look(editor_client, episode, text="nobody noticed", **typed, **{"topics-0-topic": "Buses"})

    assert 'value="A claim"' in html
    assert "A context</textarea>" in html
    assert 'value="Somebody unknown"' in html
    assert "Nothing here is called “Somebody unknown”" in html
    assert 'value="Buses"' in html
    assert "checked" in html.partition('name="heard"')[2][:80]


def test_without_script_times_without_words_say_so(editor_client, episode):
    assert "No words are spoken between these times" in saved_look(
        editor_client, episode, start_ms="9:05", end_ms="9:11"
    )


def test_without_script_the_page_says_how_to_take_words(editor_client, episode):
    html = editor_client.get(page_of(episode)).content.decode()

    assert "<noscript>" in html
    assert "data-with-script hidden" in html


def saved_look(client, episode, **data) -> str:
    blank = {"topics-TOTAL_FORMS": "1", "topics-INITIAL_FORMS": "0", "_look": ""}
    response = client.post(page_of(episode), blank | data)
    assert response.status_code == 200
    assert not Item.objects.filter(kind="quote").exists()
    return response.content.decode()


def test_an_episode_without_a_transcript_says_so(editor_client, db):
    html = editor_client.get(page_of(make_episode())).content.decode()

    assert "has no transcript yet" in html


def test_readers_and_strangers_see_nothing(client, episode):
    assert client.get(page_of(episode)).status_code == 302
    client.force_login(make_user("nobody", None))
    assert client.get(page_of(episode)).status_code in (302, 403)
    assert look(client, episode, text="A").status_code in (302, 403)


def test_the_page_takes_as_many_queries_for_many_quotes(editor_client, episode, django_assert_max_num_queries):
    ada = Guest.objects.get(name="Ada Okafor")
    for number in range(12):
        make_quote(
            live=False,
            episode=episode,
            speaker=ada,
            claim=f"C {number}",
            text="nobody noticed.",
            start_ms=None,
            end_ms=None,
        )
    editor_client.get(page_of(episode))

    with django_assert_max_num_queries(14):
        editor_client.get(page_of(episode))
    with django_assert_max_num_queries(16):
        look(editor_client, episode, text="nobody noticed")
