"""How a publisher says what a change is, keeps what was typed, and mends a note later."""

from datetime import timedelta

import lxml.html
import pytest
from django.urls import reverse
from django.utils import timezone

from publishing.acts import publish, retire
from publishing.corrections import Change, Choice
from publishing.models import Correction, Event, Item
from quotes.models import Quote
from tests.factories import REASON, edit, make_corrections, make_guest, make_quote, make_show, make_topic, make_user
from tests.tables import PUBLIC, dump_tables

pytestmark = pytest.mark.django_db

SAID, SAYS = "We put it where the buses sleep.", "We put them where the buses sleep."


@pytest.fixture
def quote():
    """A quote that readers have seen for three hours."""
    quote = make_quote(text=SAID, speaker=make_guest(name="Ada Okafor"))
    Item.objects.filter(pk=quote.pk).update(first_published_at=timezone.now() - timedelta(hours=3))
    return quote


def form_of(answer) -> dict:
    """Return what a browser would send of the page's form, without a button."""
    document = lxml.html.document_fromstring(answer.content.decode())
    [form] = [form for form in document.forms if "data-item" in form.attrib]
    return {name: value.removeprefix("\n") for name, value in form.form_values()}  # as browsers read a textarea


def press(client, row, button="_publish", page=None, **typed):
    """Change the form of an item's page, as asked for or as answered before, and press a button."""
    path = Item.objects.get(pk=row.pk).admin_path
    data = form_of(page or client.get(path)) | {name.replace("__", "-"): value for name, value in typed.items()}
    return client.post(path, data | {button: ""})


def refusals(answer) -> str:
    return " ".join(answer.context["refused"].messages) if answer.context and answer.context["refused"] else ""


CORRECTION = {"change__choice": "correction", "change__kind": "misquote", "change__note": "We misheard “them”."}


def test_the_form_of_what_is_live_asks_and_nobody_has_answered(publisher_client, quote):
    page = publisher_client.get(quote.item.admin_path)

    html = page.content.decode()
    assert "Is this a correction?" in html
    assert "change-choice" not in form_of(page)
    assert "Is this a correction?" not in publisher_client.get(make_quote(live=False).item.admin_path).content.decode()


def test_an_editor_is_not_asked(editor_client, quote):
    assert "Is this a correction?" not in editor_client.get(quote.item.admin_path).content.decode()


def test_without_a_choice_it_is_refused_and_all_that_was_typed_stays(publisher_client, quote):
    answer = press(
        publisher_client,
        quote,
        text=SAYS,
        change__note="Half a note",
        change__found_by="Kim Day",
        publish_reason=REASON,
    )

    assert "Say under “Is this a correction?”" in refusals(answer)
    kept = form_of(answer)
    assert (kept["change-note"], kept["change-found_by"], kept["publish_reason"]) == ("Half a note", "Kim Day", REASON)
    assert (kept["change-said"], kept["change-says"]) == (SAID, SAYS)
    assert Item.objects.get(pk=quote.pk).head.content["text"] == SAYS
    assert Quote.objects.get(pk=quote.pk).text == SAID


def test_a_correction_is_typed_and_published_in_one_go(publisher_client, quote, publisher):
    answer = press(publisher_client, quote, text=SAYS, heard="now", publish_reason=REASON, **CORRECTION)

    assert answer.status_code == 302
    made = Correction.objects.get()
    assert (made.kind, made.note, made.said, made.says) == ("misquote", "We misheard “them”.", SAID, SAYS)
    assert made.created_by == publisher
    assert "Readers are told of the correction." in publisher_client.get(answer.url).content.decode()


@pytest.mark.parametrize("choice", ["update", "typo"])
def test_an_update_and_a_typo_tell_nothing(publisher_client, quote, choice):
    answer = press(
        publisher_client,
        quote,
        text=SAYS,
        heard="now",
        publish_reason=REASON,
        **CORRECTION | {"change__choice": choice},
    )

    assert answer.status_code == 302
    assert not Correction.objects.exists()
    assert Event.objects.filter(what="quote.publish").latest("pk").data["change"] == choice


def test_what_is_proposed_can_be_edited(publisher_client, quote):
    edit(quote, text=SAYS)
    page = publisher_client.get(Item.objects.get(pk=quote.pk).admin_path)
    assert (form_of(page)["change-said"], form_of(page)["change-says"]) == (SAID, SAYS)

    press(
        publisher_client,
        quote,
        page=page,
        publish_reason=REASON,
        change__said="“it”",
        change__says="“them”",
        **CORRECTION,
    )

    made = Correction.objects.get()
    assert (made.said, made.says) == ("“it”", "“them”")


def test_untouched_proposals_follow_a_text_that_changes_in_the_same_go(publisher_client, quote):
    edit(quote, text="We put him where the buses sleep.")

    press(publisher_client, quote, text=SAYS, heard="now", publish_reason=REASON, **CORRECTION)

    made = Correction.objects.get()
    assert (made.said, made.says) == (SAID, SAYS)


def test_typed_words_over_a_text_that_changes_are_asked_about_once(publisher_client, quote):
    edit(quote, text="We put him where the buses sleep.")
    typed = CORRECTION | {"publish_reason": REASON, "change__says": "“him”"}

    refused = press(publisher_client, quote, text=SAYS, heard="now", **typed)
    assert "The text changed while you wrote" in refusals(refused)
    assert form_of(refused)["change-says"] == "“him”"
    assert not Correction.objects.exists()
    answer = press(publisher_client, quote, page=refused, change__says="“them”")

    assert answer.status_code == 302
    assert Correction.objects.get().says == "“them”"


def test_saving_first_does_not_pass_over_the_question(publisher_client, quote):
    edit(quote, text="We put him where the buses sleep.")
    typed = CORRECTION | {"publish_reason": REASON, "change__says": "“him”"}

    saved = press(publisher_client, quote, button="_save", text=SAYS, heard="now", **typed)
    refused = press(publisher_client, quote, page=saved)

    assert "The text changed while you wrote" in refusals(refused)
    assert not Correction.objects.exists()


def test_a_correction_that_lacks_something_is_refused_by_name(publisher_client, quote):
    answer = press(
        publisher_client,
        quote,
        text=SAYS,
        heard="now",
        publish_reason=REASON,
        change__choice="correction",
        change__says="Mine",
    )

    assert "what kind of correction" in refusals(answer)
    assert "Say in a sentence what was wrong" in refusals(answer)
    assert form_of(answer)["change-choice"] == "correction"
    assert form_of(answer)["change-says"] == "Mine"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("kind", "sabotage", "What was wrong"), ("note", "x" * 1001, "Note to readers"), ("choice", "maybe", "Is this a")],
)
def test_what_the_form_does_not_know_is_refused_by_the_fields_name(publisher_client, quote, field, value, said):
    answer = press(publisher_client, quote, text=SAYS, heard="now", **CORRECTION | {f"change__{field}": value})

    assert said in refusals(answer)
    assert Quote.objects.get(pk=quote.pk).text == SAID


def test_a_draft_is_saved_beside_a_correction_that_is_only_begun(publisher_client, quote):
    answer = press(publisher_client, quote, button="_save", text=SAYS, **CORRECTION)

    assert answer.status_code == 200
    assert form_of(answer)["change-note"] == "We misheard “them”."
    assert form_of(answer)["change-says"] == SAYS
    assert not Correction.objects.exists()


def test_a_refused_form_keeps_the_correction(publisher_client, quote):
    answer = press(publisher_client, quote, claim="", text=SAYS, **CORRECTION)

    assert answer.status_code == 422
    assert form_of(answer)["change-note"] == "We misheard “them”."


def test_a_merged_save_is_not_published_and_keeps_the_correction(publisher_client, quote):
    page = publisher_client.get(quote.item.admin_path)
    edit(quote, context="Another context.")

    answer = press(publisher_client, quote, page=page, text=SAYS, **CORRECTION)

    assert "somebody else&#x27;s change too" in answer.content.decode()
    assert form_of(answer)["change-note"] == "We misheard “them”."
    assert not Correction.objects.exists()


def test_an_editor_cannot_correct_by_posting_the_fields(editor_client, quote):
    answer = press(editor_client, quote, text=SAYS, **CORRECTION)

    assert answer.status_code == 403
    assert not Correction.objects.exists()


def test_no_draft_touches_what_readers_are_told(publisher_client, quote):
    make_corrections(quote)
    before = dump_tables(*PUBLIC)

    press(publisher_client, quote, button="_save", text=SAYS, claim="Another claim", **CORRECTION)

    assert dump_tables(*PUBLIC) == before


# Retiring


def test_retiring_tells_readers_if_asked(publisher_client, quote):
    url = reverse("admin:quotes_quote_retire", args=[quote.pk])

    page = publisher_client.get(url).content.decode()
    publisher_client.post(url, {"reason": "The guest asked us to.", "told": "on"})

    assert "It then says “A quote was removed”" in page
    removal = Correction.objects.get()
    assert (removal.kind, removal.note, removal.visible) == ("removal", "The guest asked us to.", True)


def test_retiring_says_nothing_by_itself_and_keeps_what_was_typed(publisher_client, quote):
    url = reverse("admin:quotes_quote_retire", args=[quote.pk])

    refused = publisher_client.post(url, {"reason": "x" * 1001, "told": "on"})
    publisher_client.post(url, {"reason": "A mistake."})

    assert "x" * 1001 in refused.content.decode()
    assert 'name="told" checked' in refused.content.decode()
    assert not Correction.objects.exists()


# Later


@pytest.fixture
def told(quote):
    publish(
        edit(quote, text=SAYS), actor=None, reason=REASON,
        change=Change(Choice.CORRECTION, kind="misquote", note="We misheard “them”."),
    )  # fmt: skip
    return Correction.objects.get()


def page_of(correction: Correction) -> str:
    return reverse("admin:quotes_quote_correction", args=[correction.item_id, correction.pk])


def test_the_history_lists_corrections_and_leads_to_their_notes(publisher_client, told):
    html = publisher_client.get(reverse("admin:quotes_quote_history", args=[told.item_id])).content.decode()

    assert "We misheard “them”." in html
    assert page_of(told) in html


def test_an_editor_reads_the_corrections_and_changes_none(editor_client, told):
    history = editor_client.get(reverse("admin:quotes_quote_history", args=[told.item_id])).content.decode()

    assert "We misheard “them”." in history
    assert page_of(told) not in history
    assert editor_client.get(page_of(told)).status_code == 403
    assert editor_client.post(page_of(told), {"note": "Mine.", "seen": told.note}).status_code == 403


def test_a_publisher_changes_a_note(publisher_client, told):
    assert SAID in publisher_client.get(page_of(told)).content.decode()

    answer = publisher_client.post(page_of(told), {"note": "Better said.", "seen": told.note})

    assert answer.url == reverse("admin:quotes_quote_history", args=[told.item_id])
    assert Correction.objects.get().note == "Better said."


def test_a_refused_note_stays_in_the_form(publisher_client, told):
    answer = publisher_client.post(page_of(told), {"note": "Mine.", "seen": "What stood here long ago."})

    html = answer.content.decode()
    assert answer.status_code == 422
    assert "It says now: We misheard" in html
    assert ">Mine.</textarea>" in html
    assert Correction.objects.get().note == told.note


def test_a_correction_is_found_under_its_own_item_only(publisher_client, told):
    other = reverse("admin:quotes_quote_correction", args=[make_quote().pk, told.pk])

    assert publisher_client.get(other).status_code == 404
    assert publisher_client.get(other.replace(f"/{told.pk}/", "/999999/")).status_code == 404


def test_the_desk_lists_what_readers_are_told(publisher_client, told):
    hidden = make_topic()
    make_corrections(hidden, note="Hidden.")
    retire(hidden.item, actor=None, reason="Merged.")

    desk = publisher_client.get(reverse("admin:index")).content.decode()

    assert "misquote · We misheard “them”." in desk
    assert "Hidden." not in desk


def test_the_desk_of_an_author_tells_of_their_own(client, told):
    author = make_user("anna", "Author")
    own = make_topic()
    Item.objects.filter(pk=own.pk).update(owner=author)
    make_corrections(own, note="Of my own.")
    client.force_login(author)

    desk = client.get(reverse("admin:index")).content.decode()

    assert "Of my own." in desk
    assert told.note not in desk


@pytest.mark.parametrize("count", [1, 30])
def test_the_history_takes_a_constant_number_of_queries(publisher_client, django_assert_max_num_queries, count):
    show = make_show()
    make_corrections(show, count)

    with django_assert_max_num_queries(16):
        publisher_client.get(reverse("admin:episodes_show_history", args=[show.pk]))
