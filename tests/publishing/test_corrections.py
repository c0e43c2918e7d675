"""What readers are told of a change: made with the act, shown while its thing shows, quoting only what was live."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from publishing.acts import PublishRefused, publish, publish_many, retire, reword_correction
from publishing.corrections import Change, Choice, Words, shown_corrections
from publishing.models import ContentVersion, Correction, Event, Item, SiteSettings
from publishing.revisions import lock_item, remove
from quotes.models import Quote
from tests.factories import (
    REASON,
    edit,
    make_corrections,
    make_episode,
    make_guest,
    make_quote,
    make_show,
    make_topic,
    make_user,
)

pytestmark = pytest.mark.django_db

UPDATE, TYPO = Change(Choice.UPDATE), Change(Choice.TYPO)
SAID, SAYS = "We put it where the buses sleep.", "We put them where the buses sleep."


def misquote(**fields) -> Change:
    return Change(**{"choice": Choice.CORRECTION, "kind": "misquote", "note": "We misheard “them”."} | fields)


def make_old(row, hours: int = 3) -> None:
    """Have readers see a thing for so many hours already."""
    Item.objects.filter(pk=row.pk).update(first_published_at=timezone.now() - timedelta(hours=hours))


def correct(row, change: Change | None = None, actor=None, **content) -> Correction:
    """Publish another content of a live thing, with a correction."""
    publish(edit(row, **content), actor=actor, reason=REASON, change=change or misquote())
    return Correction.objects.filter(item=row.pk).latest("pk")


# The rule


@pytest.mark.parametrize("field", ["text", "speaker"])
def test_other_words_or_another_speaker_of_an_old_quote_need_a_choice(field):
    quote = make_quote(text=SAID)
    make_old(quote)
    content = {"text": SAYS} if field == "text" else {"speaker": make_guest(name="Ben").pk}

    with pytest.raises(PublishRefused, match="Say under “Is this a correction") as refused:
        publish(edit(quote, **content), actor=None, reason=REASON)

    assert ("Quote" if field == "text" else "Speaker") in refused.value.messages[0]
    assert Quote.objects.get(pk=quote.pk).text == SAID
    assert Item.objects.get(pk=quote.pk).has_draft


@pytest.mark.parametrize("change", [UPDATE, TYPO])
def test_a_choice_lets_it_pass_and_is_logged(change, publisher):
    quote = make_quote(text=SAID)
    make_old(quote)

    publish(edit(quote, text=SAYS), actor=publisher, reason=REASON, change=change)

    event = Event.objects.filter(what="quote.publish").latest("pk")
    assert (event.data["change"], event.actor_name) == (change.choice, "petra")
    assert not Correction.objects.exists()
    assert Quote.objects.get(pk=quote.pk).text == SAYS


@pytest.mark.parametrize(
    ("hours", "age", "is_refused"), [(1, 0.5, False), (1, 1.5, True), (24, 12, False), (24, 25, True), (0, 0, True)]
)
def test_how_long_a_quote_may_change_without_a_word_is_a_setting(hours, age, is_refused):
    SiteSettings.objects.create(pk=1, correction_hours=hours)
    quote = make_quote(text=SAID)
    make_old(quote, age)
    item = edit(quote, text=SAYS)

    if is_refused:
        with pytest.raises(PublishRefused):
            publish(item, actor=None, reason=REASON)
    else:
        publish(item, actor=None, reason=REASON)


def test_other_fields_and_other_things_need_no_choice():
    quote, episode = make_quote(), make_episode()
    make_old(quote)
    make_old(episode)

    publish(edit(quote, claim="Another claim"), actor=None, reason=REASON)
    publish(edit(episode, summary="Another summary."), actor=None)

    assert Quote.objects.get(pk=quote.pk).claim == "Another claim"


def test_a_batch_names_each_quote_that_needs_a_choice():
    quotes = [make_quote(claim=claim, text=SAID) for claim in ("First", "Second")]
    for quote in quotes:
        make_old(quote)
    items = [edit(quote, text=SAYS) for quote in quotes]

    with pytest.raises(PublishRefused) as refused:
        publish_many(items, actor=None, reason=REASON, changes={quotes[0].pk: UPDATE})

    assert len(refused.value.messages) == 1
    assert refused.value.messages[0].startswith("“Second”")


def test_publishing_many_takes_no_more_queries_for_more_quotes():
    def queries(count: int) -> int:
        quotes = [make_quote(episode=episode, speaker=speaker, text=SAID) for _number in range(count)]
        items = [edit(quote, text=SAYS) for quote in quotes]
        changes = {item.pk: UPDATE for item in items}
        with CaptureQueriesContext(connection) as captured:
            publish_many(items, actor=None, reason=REASON, changes=changes)
        return len(captured)

    episode, speaker = make_episode(), make_guest()

    assert queries(1) == queries(12)


# What is kept


def test_a_correction_is_made_by_the_act_that_changes(publisher):
    quote = make_quote(text=SAID)
    before = Item.objects.get(pk=quote.pk)

    made = correct(quote, misquote(found_by="Kim Day", severity="significant"), actor=publisher, text=SAYS)

    after = Item.objects.get(pk=quote.pk)
    assert (made.from_revision_id, made.to_revision_id) == (before.live_id, after.live_id)
    assert (made.said, made.says, made.note) == (SAID, SAYS, "We misheard “them”.")
    assert (made.kind, made.severity, made.found_by, made.created_by) == (
        "misquote",
        "significant",
        "Kim Day",
        publisher,
    )
    assert made.published_at == after.changed_at > before.changed_at
    event = Event.objects.filter(what="quote.publish").latest("pk")
    assert (event.data["change"], event.data["correction"]) == ("correction", str(made.uid))


def test_a_refused_publication_tells_nothing(monkeypatch):
    quote = make_quote(text=SAID)
    item = edit(quote, text=SAYS, context="")

    with pytest.raises(PublishRefused, match="Context"):
        publish(item, actor=None, reason=REASON, change=misquote())

    assert not Correction.objects.exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [(misquote(note=" "), "Say in a sentence what was wrong"), (misquote(kind="other"), "what kind of correction")],
)
def test_a_correction_needs_a_note_and_a_kind(change, said):
    item = edit(make_quote(text=SAID), text=SAYS)

    with pytest.raises(PublishRefused, match=said):
        publish(item, actor=None, reason=REASON, change=change)


def test_there_is_nothing_to_correct_where_nothing_changes_or_nothing_is_live():
    quote = make_quote()

    with pytest.raises(PublishRefused, match="Nothing differs"):
        publish(quote.item, actor=None, reason=REASON, change=misquote())
    with pytest.raises(PublishRefused, match="is not live"):
        publish(make_topic(live=False).item, actor=None, change=misquote())


def test_only_who_may_publish_corrects(editor):
    topic = make_topic(name="Grid")
    made = correct(topic, name="Grid storage")

    with pytest.raises(PermissionDenied):
        publish(edit(topic, name="The grid"), actor=editor, change=misquote())
    with pytest.raises(PermissionDenied):
        reword_correction(made, "Better.", seen=made.note, actor=editor)


def test_typed_words_are_kept_and_untouched_ones_are_of_the_act():
    quote = make_quote(text=SAID)
    seen = Words(SAID, "We put them elsewhere.")
    typed = misquote(words=Words("“it”", "“them”"), proposed=Words(SAID, SAYS).digest)
    untouched = misquote(words=Words(f"{SAID}\r\n", seen.says), proposed=seen.digest)

    first = correct(quote, untouched, text=SAYS)
    publish(edit(quote, text=SAID), actor=None, reason=REASON, change=TYPO)
    second = correct(quote, typed, text=SAYS)

    assert (first.said, first.says) == (SAID, SAYS)
    assert (second.said, second.says) == ("“it”", "“them”")


def test_words_written_over_another_change_are_asked_about():
    quote = make_quote(text=SAID)
    stale = misquote(words=Words("“it”", "“him”"), proposed=Words(SAID, "We put him where the buses sleep.").digest)

    with pytest.raises(PublishRefused, match="changed while you wrote"):
        publish(edit(quote, text=SAYS), actor=None, reason=REASON, change=stale)


def test_several_fields_are_named_and_long_texts_are_cut_to_what_changed():
    ada, ben = make_guest(name="Ada Okafor"), make_guest(name="Ben Ruiz")
    quote = make_quote(text=SAID, speaker=ada)
    start, end = "word " * 200, " more" * 200
    episode = make_episode(summary=f"{start}the old figure{end}")

    of_quote = correct(quote, text=SAYS, speaker=ben.pk)
    of_episode = correct(episode, misquote(kind="factual"), summary=f"{start}the new figure{end}")

    assert of_quote.said == f"Quote: {SAID}\nSpeaker: Ada Okafor"
    assert of_quote.says == f"Quote: {SAYS}\nSpeaker: Ben Ruiz"
    assert of_episode.said.startswith("…word ")
    assert "the old figure more" in of_episode.said
    assert "the new figure more" in of_episode.says
    assert max(len(of_episode.said), len(of_episode.says)) < 200


# Never a draft, never what was removed


def test_a_draft_never_reaches_what_it_said_or_says():
    ada = make_guest(name="Ada Okafor")
    quote = make_quote(text=SAID, speaker=ada)
    edit(ada, name="Canary of a guest")
    edit(quote, text="Canary between.")

    made = correct(quote, text=SAYS, speaker=make_guest(name="Ben Ruiz").pk)
    edit(quote, text="Canary after.")

    made.refresh_from_db()
    assert "Canary" not in made.said + made.says
    assert "Speaker: Ada Okafor" in made.said


def test_a_hidden_thing_is_not_named_in_what_it_said():
    episode = make_episode()
    ada, ben = make_guest(name="Ada Okafor"), make_guest(name="Ben Ruiz")
    quote = make_quote(episode=episode, speaker=ada)
    item = edit(quote, speaker=ben.pk)
    retire(ada.item, actor=None, reason="Asked to be removed.")

    publish(item, actor=None, reason=REASON, change=misquote(kind="speaker"))

    assert (Correction.objects.get().said, Correction.objects.get().says) == ("", "Ben Ruiz")


def test_a_removal_quotes_nothing_and_takes_out_what_was_quoted_before():
    quote = make_quote(text="My address is in it.")
    earlier = correct(quote, text="My address was in it.")
    assert "address" in earlier.said

    made = correct(quote, misquote(kind="removal", words=Words("My address", "gone")), text="It is out.")

    earlier.refresh_from_db()
    assert (made.said, made.says, earlier.said, earlier.says) == ("", "", "", "")


def test_the_database_holds_no_removal_that_quotes():
    made = correct(make_topic(name="Grid"), name="Grid storage")

    with pytest.raises(IntegrityError), transaction.atomic():
        Correction.objects.filter(pk=made.pk).update(kind="removal")


# Visible while its thing is


def visible(correction: Correction) -> bool:
    return Correction.objects.live().filter(pk=correction.pk).exists()


def test_a_correction_goes_and_comes_with_its_thing():
    topic = make_topic(name="Grid")
    made = correct(topic, name="Grid storage")

    retire(topic.item, actor=None, reason="Merged.")
    assert not visible(made)
    assert shown_corrections(topic) == []
    publish(Item.objects.get(pk=topic.pk), actor=None)

    assert visible(made)


@pytest.mark.parametrize("parent", ["show", "episode", "speaker"])
def test_a_correction_goes_and_comes_with_what_its_thing_hangs_on(parent):
    quote = make_quote(text=SAID)
    made = correct(quote, text=SAYS)
    above = {"show": quote.episode.show, "episode": quote.episode, "speaker": quote.speaker}[parent]

    retire(above.item, actor=None, reason="Rights withdrawn.")
    assert not visible(made)
    publish(Item.objects.get(pk=above.pk), actor=None)

    assert visible(made)


def test_a_removal_stays_when_its_thing_is_gone(publisher):
    quote = make_quote(text=SAID)
    earlier = correct(quote, text=SAYS)

    retire(quote.item, actor=publisher, reason="The guest asked us to.", is_told=True)

    removal = Correction.objects.latest("pk")
    assert visible(removal)
    assert not visible(earlier)
    assert (removal.kind, removal.note, removal.said, removal.says, removal.to_revision) == (
        "removal", "The guest asked us to.", "", "", None,
    )  # fmt: skip
    event = Event.objects.latest("pk")
    assert (event.what, event.data["correction"]) == ("quote.retire", str(removal.uid))


def test_retiring_tells_nothing_unless_asked():
    retire(make_quote().item, actor=None, reason="A mistake.")

    assert not Correction.objects.exists()


def test_a_removal_of_another_time_is_not_told_again():
    topic = make_topic(name="Grid")
    retire(topic.item, actor=None, reason="Wrong.", is_told=True)
    first = Correction.objects.get()
    publish(Item.objects.get(pk=topic.pk), actor=None)

    retire(Item.objects.get(pk=topic.pk), actor=None, reason="Merged.")

    assert not visible(first)


def test_a_part_that_was_removed_is_not_told_once_the_whole_is_retired():
    topic = make_topic(description="A name.")
    made = correct(topic, misquote(kind="removal"), description="No name.")

    retire(topic.item, actor=None, reason="Merged.")

    assert not visible(made)


def test_telling_of_a_removal_takes_the_right_to_publish():
    keeper = make_user("kim", None)
    keeper.user_permissions.add(*Permission.objects.filter(codename__in=["retire_item", "edit_others_item"]))
    topic = make_topic()

    with pytest.raises(PermissionDenied):
        retire(topic.item, actor=keeper, reason="Merged.", is_told=True)
    retire(topic.item, actor=keeper, reason="Merged.")

    assert not Correction.objects.exists()


def test_what_a_page_shows_is_one_query_and_bounded(django_assert_num_queries):
    topic = make_topic()
    make_corrections(topic, 60)

    with django_assert_num_queries(1):
        shown = shown_corrections(topic)

    assert len(shown) == 50
    assert shown == sorted(shown, key=lambda correction: correction.published_at, reverse=True)
    assert shown_corrections(topic.item) == shown


# Later


def test_a_note_is_reworded_in_public_and_logged(publisher):
    show = make_show()
    episode = make_episode(show=show)
    guest = make_guest()
    quote = make_quote(episode=episode, speaker=guest, text=SAID)
    made = correct(quote, text=SAYS)
    before = {row.pk: Item.objects.get(pk=row.pk).changed_at for row in (quote, episode, guest)}
    version = ContentVersion.objects.get().number

    reword_correction(made, "  We heard “it” for “them”. ", seen=made.note, actor=publisher)

    held = Correction.objects.get(pk=made.pk)
    event = Event.objects.latest("pk")
    assert (held.note, held.published_at) == ("We heard “it” for “them”.", made.published_at)
    assert held.changed_at > made.changed_at
    assert (event.what, event.actor_name) == ("quote.reword", "petra")
    assert (event.data["before"], event.data["after"]) == ("We misheard “them”.", "We heard “it” for “them”.")
    assert ContentVersion.objects.get().number == version + 1
    assert all(Item.objects.get(pk=pk).changed_at > moment for pk, moment in before.items())


def test_a_note_that_somebody_else_changed_is_not_overwritten():
    made = correct(make_topic(name="Grid"), name="Grid storage")
    seen = made.note
    reword_correction(made, "From Ana.", seen=seen, actor=None)

    with pytest.raises(ValidationError, match=r"It says now: From Ana\."):
        reword_correction(made, "From Ines.", seen=seen, actor=None)
    with pytest.raises(ValidationError, match="in a sentence"):
        reword_correction(made, " ", seen="From Ana.", actor=None)
    with pytest.raises(ValidationError, match="1,000"):
        reword_correction(made, "x" * 1001, seen="From Ana.", actor=None)

    assert Correction.objects.get().note == "From Ana."


def test_deleting_for_good_what_is_told_as_removed_is_a_public_change():
    topic = make_topic()
    retire(topic.item, actor=None, reason="Wrong.", is_told=True)
    version = ContentVersion.objects.get().number

    with transaction.atomic():
        remove(lock_item(topic.pk), actor=None)

    assert not Correction.objects.exists()
    assert ContentVersion.objects.get().number == version + 1
