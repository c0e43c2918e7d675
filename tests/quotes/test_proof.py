"""What must be proved of a quote before readers see it, and who may answer for what cannot be."""

import pytest

from episodes.models import Transcript
from episodes.transcripts.current import make_current, original_of
from episodes.transcripts.service import About, add_transcript, name_speakers
from publishing.acts import PublishRefused, publish
from publishing.models import Event, Item, SiteSettings
from publishing.revisions import lock_item, save_draft
from quotes.checking import live_check_of
from quotes.marks import heard_of, words_key
from quotes.models import Quote, QuoteCheck, QuoteWaiver
from tests.factories import REASON, as_heard, edit, make_episode, make_guest, make_quote

SAID = """WEBVTT

00:01.000 --> 00:06.000
<v Ada Okafor>We put it, uh, put it where the buses sleep.

00:07.000 --> 00:09.000
<v Ben>And nobody noticed?
"""


@pytest.fixture
def ada(db):
    return make_guest(name="Ada Okafor")


@pytest.fixture
def episode(ada):
    return make_episode(guests=[{"guest": ada.pk, "role": "guest", "credit": ""}])


def transcribe(episode, text: str = SAID, **about) -> Transcript:
    return add_transcript(episode, text.encode(), About(language="en", **about), actor=None).transcript


def draft(episode, ada, **content) -> Quote:
    said = {"text": "We put it where the buses sleep.", "start_ms": None, "end_ms": None}
    return make_quote(live=False, episode=episode, speaker=ada, **said | content)


def refusal(quote: Quote, **how) -> PublishRefused:
    with pytest.raises(PublishRefused) as refused:
        publish(Item.objects.get(pk=quote.pk), actor=None, **how)
    return refused.value


def test_a_quote_that_is_proved_is_published_without_a_reason(episode, ada):
    transcribe(episode)
    quote = draft(episode, ada)

    publish(quote.item, actor=None)

    check = live_check_of(Quote.objects.select_related("item").get(pk=quote.pk))
    assert (check.verdict, check.passes, check.words_hash) == ("cleaned", True, original_of(episode.pk).words_hash)
    assert not QuoteWaiver.objects.exists()


def test_without_a_transcript_it_takes_a_written_reason_which_is_kept(episode, ada, publisher):
    quote = draft(episode, ada)

    assert refusal(quote).takes_reason
    assert refusal(quote, reason=" \n ").takes_reason
    publish(quote.item, actor=publisher, reason="The tape is lost.")

    waiver = QuoteWaiver.objects.get(quote=quote.pk)
    assert (waiver.reason, waiver.by) == ("The tape is lost.", publisher)
    assert Event.objects.filter(what="quote.publish", data__reason="The tape is lost.").count() == 1


def test_an_altered_quote_is_refused_by_the_word_and_shown_with_a_reason_without_a_promise(client, episode, ada):
    transcribe(episode)
    quote = draft(episode, ada, text="We put it where the trains sleep.")

    refused = refusal(quote)
    assert "trains" in " ".join(refused.messages)
    publish(quote.item, actor=None, reason=REASON)

    html = client.get(Quote.objects.get(pk=quote.pk).get_absolute_url()).content.decode()
    assert "this quote has not been checked against a transcript." in html
    assert "cleaned for reading" not in html


def test_a_reason_holds_for_the_words_and_no_longer(episode, ada):
    quote = draft(episode, ada)
    publish(quote.item, actor=None, reason=REASON)

    publish(edit(quote, context="Another context."), actor=None)
    assert refusal_of_edit(quote, text="Other words.").takes_reason


def refusal_of_edit(quote: Quote, **content) -> PublishRefused:
    edit(quote, **content)
    return refusal(quote)


def test_words_of_a_speaker_nobody_is_sure_of_are_never_published(episode, ada):
    transcript = transcribe(episode, SAID.replace("Ada Okafor", "Ada"))
    assert transcript.unsure == ["Ada", "Ben"]
    quote = draft(episode, ada)

    refused = refusal(quote, reason=REASON)
    assert "“Ada”" in " ".join(refused.messages)
    name_speakers(transcript, {"Ada": (ada.pk, "sure")}, actor=None)

    assert publish(Item.objects.get(pk=quote.pk), actor=None).is_live


def test_a_speaker_who_turns_unsure_takes_the_promise(episode, ada):
    transcript = transcribe(episode)
    quote = draft(episode, ada)
    publish(quote.item, actor=None)

    name_speakers(transcript, {"Ada Okafor": (ada.pk, "unsure")}, actor=None)

    check = live_check_of(Quote.objects.select_related("item").get(pk=quote.pk))
    assert (check.passes, check.unsure) == (False, ["Ada Okafor"])


def test_what_nobody_heard_is_not_published_unless_the_site_says_so(episode, ada):
    transcribe(episode)
    quote = draft(episode, ada, heard=None)

    assert "heard" in " ".join(refusal(quote, reason=REASON).messages)
    SiteSettings.objects.update_or_create(pk=1, defaults={"hearing_required": False})

    assert publish(Item.objects.get(pk=quote.pk), actor=None).is_live
    assert Quote.objects.get(pk=quote.pk).heard is None


def saved(quote: Quote, actor, **content) -> dict:
    """Save as the form would, and return the new head's content."""
    item = lock_item(quote.pk)
    save_draft(item, item.newest.content | content, base=item.newest, actor=actor)
    return Item.objects.get(pk=quote.pk).newest.content


def test_the_mark_of_hearing_goes_when_words_speaker_or_times_change(episode, ada, editor):
    quote = draft(episode, ada, heard=None)

    heard = saved(quote, editor, heard="now")
    assert heard_of(heard)["by"] == "ines"
    assert heard_of(saved(quote, editor, context="Other.", heard="kept")) == heard["heard"]
    assert heard_of(saved(quote, editor, text="Other words.", heard="kept")) is None
    assert heard_of(saved(quote, editor, heard="now"))["of"] == words_key(Item.objects.get(pk=quote.pk).newest.content)
    assert heard_of(saved(quote, editor, end_ms=70_000, start_ms=60_000, heard="kept")) is None
    assert heard_of(saved(quote, editor, heard="now")) is not None
    assert heard_of(saved(quote, editor, speaker=make_guest().pk, heard="kept")) is None
    assert heard_of(saved(quote, editor, heard=None)) is None


def test_who_named_the_speaker_is_kept(episode, ada, editor, publisher):
    quote = draft(episode, ada)
    other = make_guest()

    named = saved(quote, editor, speaker=other.pk)["speaker_named"]
    assert (named["by"], named["of"]) == ("ines", other.pk)
    assert saved(quote, publisher, context="Other.")["speaker_named"] == named
    assert saved(quote, publisher, speaker=ada.pk)["speaker_named"]["by"] == "petra"


def test_a_promise_goes_with_the_transcript_and_comes_back_with_the_words(episode, ada):
    transcribe(episode)
    quote = draft(episode, ada)
    publish(quote.item, actor=None)
    row = Quote.objects.select_related("item").get(pk=quote.pk)
    assert live_check_of(row).passes
    changed_at = row.item.changed_at

    other = transcribe(episode, SAID.replace("buses", "trains"))
    assert not live_check_of(row).passes
    row.item.refresh_from_db()
    assert row.item.changed_at > changed_at
    make_current(Transcript.objects.get(episode=episode, number=1), actor=None)

    assert live_check_of(row).passes
    assert other.number == 2


def test_many_quotes_wait_for_the_worker_without_a_promise(episode, ada, monkeypatch):
    from publishing.jobs import work_through

    monkeypatch.setattr("quotes.checking.MOST_AT_ONCE", 2)
    transcribe(episode)
    quotes = [draft(episode, ada, claim=f"Claim {number}") for number in range(3)]
    for quote in quotes:
        publish(quote.item, actor=None)
    rows = [Quote.objects.select_related("item").get(pk=quote.pk) for quote in quotes]
    assert all(live_check_of(row).passes for row in rows)

    transcribe(episode, SAID.replace("noticed", "saw"))
    assert [live_check_of(row) for row in rows] == [None] * 3
    work_through()

    assert all(live_check_of(row).passes for row in rows)


def test_checking_takes_as_many_queries_for_many_quotes(episode, ada, django_assert_max_num_queries):
    from quotes.checking import check_revisions

    transcribe(episode)
    quotes = [draft(episode, ada, claim=f"Claim {number}") for number in range(12)]
    revisions = {
        item.pk: item.newest
        for item in Item.objects.filter(pk__in=[quote.pk for quote in quotes]).select_related("head")
    }
    QuoteCheck.objects.all().delete()

    with django_assert_max_num_queries(7):
        check_revisions(revisions)

    assert QuoteCheck.objects.filter(passes=True).count() == 12


def test_a_draft_is_checked_when_it_is_saved(episode, ada):
    transcribe(episode)
    quote = draft(episode, ada, text="We put it where the trains sleep.")

    assert (
        QuoteCheck.objects.of_heads().get(quote=quote.pk, revision=Item.objects.get(pk=quote.pk).head).verdict
        == "altered"
    )
    edit(quote, text="We put it where the buses sleep.")

    assert (
        QuoteCheck.objects.of_heads().get(quote=quote.pk, revision=Item.objects.get(pk=quote.pk).head).verdict
        == "cleaned"
    )


def test_a_draft_of_a_live_quote_takes_nothing_from_it(episode, ada):
    transcribe(episode)
    quote = draft(episode, ada)
    publish(quote.item, actor=None)

    edit(quote, text="Something else.")

    assert live_check_of(Quote.objects.select_related("item").get(pk=quote.pk)).passes


def test_a_mark_is_of_the_words_it_was_put_on():
    content = {"text": "Words.", "speaker": 1, "start_ms": 1, "end_ms": 2}

    assert heard_of(as_heard(content, {})) is not None
    assert heard_of(as_heard(content, {}) | {"text": "Words"}) is None
    assert heard_of(content) is None
