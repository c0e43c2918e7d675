"""What readers see of the proof: on the quote's page and on the method page."""

import re
from html import unescape

import lxml.html
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from episodes.models import Transcript
from episodes.transcripts.current import withdraw
from episodes.transcripts.service import correct
from publishing.acts import publish, retire
from publishing.models import Item, SiteSettings
from quotes.check import CheckResult, Removed, RemovedKind, Run, Verdict, Warned, WarningKind
from quotes.models import Quote, QuoteCheck
from tests.factories import REASON, edit, make_episode, make_guest, make_quote, make_transcript
from tests.public import text_of

pytestmark = pytest.mark.django_db

UNCHECKED = "this quote has not been checked against a transcript."
NOTHING_PROVED = (
    "badge--proved",
    "quote__finding",
    "Words as spoken",
    "The question that was asked",
    "cautions",
    "/transcript/",
)


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def ada():
    return make_guest(name="Ada Okafor")


@pytest.fixture
def quote(ada):
    """A quote of a transcript that proves it: a filler sound and a repetition are left out."""
    quote = make_quote(
        episode=make_episode(), speaker=ada, text="We put it where the buses sleep.", start_ms=4_000, end_ms=9_000
    )
    make_transcript(quote.episode, who={"Ada Okafor": ada})
    return quote


def main_of(client, path: str) -> str:
    html = client.get(path).content.decode()
    return html.partition("<main")[2].partition("<footer")[0]


def words_in(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def find(html: str, name: str):
    return lxml.html.fragment_fromstring(html.partition(">")[2], create_parent="div").find_class(name)


def set_result(quote, **fields) -> None:
    """Let the check of a quote have found something else."""
    check = QuoteCheck.objects.of_original().get(quote=quote)
    result = CheckResult(**{"verdict": Verdict.CLEANED, "first_word": 5, "last_word": 13} | fields)
    QuoteCheck.objects.filter(pk=check.pk).update(verdict=result.verdict, passes=result.passes, result=result.to_json())


def test_a_proved_quote_says_what_was_left_out(client, quote):
    html = main_of(client, quote.get_absolute_url())

    assert "✓ cleaned" in words_in(html)
    assert (
        "quote is from the automated transcript, cleaned for reading: filler sounds and repetitions are removed, "
        "nothing is rephrased. names can be misheard (the editor reads the context). how →"
    ) in words_in(html)
    assert UNCHECKED not in html
    assert f'<a href="/how/?quote={quote.slug}#cleaned-for-reading">how →</a>' in html


def test_the_words_as_spoken_are_there_for_who_asks(client, quote):
    (spoken, _question) = find(main_of(client, quote.get_absolute_url()), "spoken")

    struck = [(element.get("title"), element.text_content()) for element in spoken.iter("del")]
    assert struck == [
        ("filler sound", "(left out, filler sound: uh)"),
        ("repetition", "(left out, repetition: put it)"),
    ]
    assert spoken.tag == "details"
    assert spoken.get("open") is None
    assert words_in(
        lxml.html.tostring(spoken, encoding="unicode")
        .replace("(left out, filler sound: ", "")
        .replace("(left out, repetition: ", "")
        .replace(")", "")
    ) == ("Words as spoken We uh put it put it where the buses sleep.")


def test_the_question_that_was_asked_is_there_too(client, quote):
    (_spoken, question) = find(main_of(client, quote.get_absolute_url()), "spoken")

    text = words_in(lxml.html.tostring(question, encoding="unicode"))
    assert text == "The question that was asked Tomas Lund? (unsure): Where did you put it?"


def test_without_labels_there_is_no_question_and_the_editor_named_the_speaker(client, ada):
    quote = make_quote(episode=make_episode(), speaker=ada, text="We put it there.", start_ms=4_000, end_ms=9_000)
    make_transcript(quote.episode, [(1_000, "", "Where did you put it?"), (4_000, "", "We put it there.")])

    html = main_of(client, quote.get_absolute_url())

    assert "✓ verbatim" in words_in(html)
    assert "nothing is removed, nothing is rephrased. speaker named by the editor. names can be misheard" in words_in(
        html
    )
    assert "The transcript does not say who speaks here." in html
    assert "The question that was asked" not in html


def test_it_leads_to_its_place_in_the_transcript(client, quote):
    html = main_of(client, quote.get_absolute_url())

    address = f"{quote.episode.get_absolute_url()}transcript/#t4000"
    assert f'<a href="{address}">Read it in the transcript →</a>' in html
    assert 'id="t4000"' in main_of(client, address)


def test_who_heard_it_stands_with_every_quote(client, quote):
    other = make_quote(text="Nobody checked this.")

    for one in (quote, other):
        assert "Heard by Ines, May 15, 2026" in words_in(main_of(client, one.get_absolute_url()))


def test_a_mark_on_other_words_is_not_shown(client, quote):
    Quote.objects.filter(pk=quote.pk).update(heard={"by": "Ines", "at": "2026-05-15T09:00:00Z", "of": "else"})

    assert "Heard by" not in main_of(client, quote.get_absolute_url())


def fail(quote):
    set_result(quote, verdict=Verdict.ALTERED, marked=(Run("canary", False, "filler"),))


def check_nothing(quote):
    QuoteCheck.objects.all().delete()


def take_the_transcript(quote):
    withdraw(Transcript.objects.current().get().currently, actor=None, reason="It is of another episode.")


def correct_the_words(quote):
    correct(Transcript.objects.current().get(), words={11: "trams"}, actor=None)


def publish_other_words(quote):
    SiteSettings.objects.update_or_create(pk=1, defaults={"hearing_required": False})
    publish(edit(quote, text="We put it where the trams sleep."), actor=None, reason=REASON)


@pytest.mark.parametrize("act", [fail, check_nothing, take_the_transcript, correct_the_words, publish_other_words])
def test_nothing_is_promised_without_a_passing_check_of_what_readers_see(client, quote, act):
    before = main_of(client, quote.get_absolute_url())
    act(quote)
    after, how = main_of(client, quote.get_absolute_url()), main_of(client, f"/how/?quote={quote.slug}")

    assert [name for name in NOTHING_PROVED if name in before] == [
        name for name in NOTHING_PROVED if name != "cautions" or "cautions" in before
    ]
    assert [name for name in NOTHING_PROVED if name in after] == []
    assert UNCHECKED in after
    assert "canary" not in after + how
    assert f'<a href="/how/?quote={quote.slug}#not-checked">how →</a>' in after
    assert "No check of these words against the transcript that holds now has passed" in how
    assert "badge--proved" not in how


def test_a_draft_over_it_changes_nothing(client, quote):
    before = main_of(client, quote.get_absolute_url())

    edit(quote, text="We put the canary there.")

    assert main_of(client, quote.get_absolute_url()) == before


def test_a_correction_elsewhere_leaves_the_mark(client, quote):
    correct(Transcript.objects.current().get(), words={0: "And where"}, actor=None)

    assert "✓ cleaned" in words_in(main_of(client, quote.get_absolute_url()))


@pytest.mark.parametrize(
    ("warned", "sentence"),
    [
        (
            Warned(WarningKind.EDGE_NEGATION, ("not,",)),
            "Just before these words stands “not”. Read on in the transcript.",
        ),
        (
            Warned(WarningKind.EDGE_QUALIFIER, ("but",)),
            "Right beside these words stands “but”. Read on in the transcript.",
        ),
        (
            Warned(WarningKind.LOW_CONFIDENCE, ("Megatron", "mega")),
            "The machine that wrote the transcript was not sure that it heard “Megatron” and “mega”.",
        ),
        (
            Warned(WarningKind.LOW_CONFIDENCE, tuple("abcdefgh")),
            "The machine that wrote the transcript was not sure that it heard all of these words.",
        ),
        (
            Warned(WarningKind.ESTIMATED_TIME),
            "The times are estimated; the clip may begin or end a moment too early or too late.",
        ),
        (Warned(WarningKind.SPEAKER_UNKNOWN), "The transcript does not say who speaks here."),
    ],
)
def test_readers_are_told_what_concerns_them(client, quote, warned, sentence):
    set_result(quote, warnings=(warned, warned))

    (cautions,) = find(main_of(client, quote.get_absolute_url()), "cautions")
    assert [item.text_content() for item in cautions] == [sentence]


@pytest.mark.parametrize("kind", [WarningKind.LONG_WORD, WarningKind.MIXED_SPEAKERS, WarningKind.ELSEWHERE])
def test_what_is_for_editors_is_not_shown(client, quote, kind):
    set_result(quote, warnings=(Warned(kind, ("word",)),))

    assert "cautions" not in main_of(client, quote.get_absolute_url())


@pytest.mark.parametrize("kind", RemovedKind)
def test_every_kind_of_what_was_left_out_has_words(client, quote, kind):
    set_result(
        quote,
        removed=(Removed(kind, ("these", "words"), (5, 6)),),
        marked=(Run("these words", False, kind.value), Run("stay", True)),
    )

    page, how = main_of(client, quote.get_absolute_url()), main_of(client, f"/how/?quote={quote.slug}")

    (struck,) = find(page, "spoken")[0].iter("del")
    assert struck.get("title")
    assert "_" not in struck.get("title")
    assert f"these words ({struck.get('title')})" in words_in(how)


def test_words_and_names_are_text(client, ada):
    evil = "<script>alert(1)</script>"
    quote = make_quote(episode=make_episode(), speaker=ada, text="We put it there.", start_ms=4_000, end_ms=9_000)
    make_transcript(
        quote.episode,
        [(1_000, f"T {evil}", f"Where {evil} did you put it?"), (4_000, "Ada", "We uh put it there.")],
        who={"Ada": ada},
    )
    set_result(
        quote,
        first_word=7,
        last_word=11,
        marked=(Run(evil, False, "filler"), Run(evil, True), Run(evil, True, "sound")),
    )

    for path in (
        quote.get_absolute_url(),
        f"/how/?quote={quote.slug}",
        f"{quote.episode.get_absolute_url()}transcript/",
    ):
        assert "<script>alert" not in main_of(client, path), path


def test_a_hidden_guest_who_asked_stays_a_label(client, ada):
    secret = make_guest(name="Secret Person", live=False)
    quote = make_quote(episode=make_episode(), speaker=ada, text="We put it there.", start_ms=4_000, end_ms=9_000)
    cues = [(1_000, "SPEAKER_01", "Where did you put it?"), (4_000, "SPEAKER_00", "We put it there.")]
    make_transcript(quote.episode, cues, who={"SPEAKER_00": ada, "SPEAKER_01": secret})

    html = main_of(client, quote.get_absolute_url())

    assert "SPEAKER_01" in html
    assert "Secret" not in html


def test_the_page_takes_three_queries_more_for_its_proof(client, quote):
    plain = make_quote()

    counts = []
    for one in (plain, quote, quote):
        with CaptureQueriesContext(connection) as queries:
            client.get(one.get_absolute_url())
        counts.append(len(queries))

    # The words of the transcript and their row, at most once; who asked.
    assert counts[1] - counts[0] <= 3
    assert counts[2] - counts[0] == 1
    assert max(counts) <= 15


def test_the_method_page_tells_of_this_quote(client, quote):
    text = words_in(main_of(client, f"/how/?quote={quote.slug}"))

    assert f"This quote {quote.headline}" in text
    assert "✓ cleaned" in text
    assert "Left out uh (filler sound) put it (repetition) Transcript" in text
    check = QuoteCheck.objects.of_original().get(quote=quote)
    assert f"Automated transcript · Whisper large-v3 · May 15, 2026, version {check.transcript.number} Checked" in text
    assert f"by the rules of {check.rules} Listened Heard by Ines, May 15, 2026" in text


def test_the_method_page_says_where_nobody_said_that_a_machine_wrote_it(client, ada):
    quote = make_quote(episode=make_episode(), speaker=ada, text="We put it there.", start_ms=0, end_ms=4_000)
    make_transcript(quote.episode, [(0, "Ada", "We put it there.")], who={"Ada": ada}, is_automated=False, engine="")

    text = words_in(main_of(client, f"/how/?quote={quote.slug}"))

    assert "Transcript Transcript · May 15, 2026, version 2; not marked as made by a machine" in text


def test_the_method_page_knows_no_hidden_quote(client, quote):
    draft = make_quote(claim="canary", live=False)
    retire(Item.objects.get(pk=quote.pk), actor=None, reason="Withdrawn.")
    plain = client.get("/how/").content

    for slug in (draft.item.working_slug, quote.slug, "never-was", "", "'", "x" * 3_000):
        assert client.get("/how/", {"quote": slug}).content == plain


def test_the_method_page_has_one_address(client, quote):
    html = client.get(f"/how/?quote={quote.slug}").content.decode()

    assert '<link rel="canonical" href="https://example.org/how/">' in html


def test_the_method_page_takes_few_queries(client, quote, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        client.get(f"/how/?quote={quote.slug}")


@pytest.mark.parametrize(
    "anchor", ["cleaned-for-reading", "not-checked", "brackets", "ellipses", "speaker", "heard", "changes"]
)
def test_the_method_page_explains(client, anchor):
    assert f'id="{anchor}"' in client.get("/how/").content.decode()


def test_the_method_page_promises_no_more_than_is_checked(client):
    text = text_of(client.get("/how/"))

    assert "It is not letter for letter." in text
    assert "It does not say that the claim is true." in text
    assert "It does not say that the transcript is right." in text
