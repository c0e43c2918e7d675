"""The sentence under a quote, word for word."""

from html import unescape

import pytest

from episodes.models import Transcript
from quotes.check import CheckResult, Removed, RemovedKind, Respelled, Verdict, Warned, WarningKind
from quotes.models import Quote, QuoteCheck
from quotes.provenance import Provenance, provenance_of
from tests.factories import make_episode, make_guest, make_quote, make_transcript
from tests.public import text_of

NAMES = "names can be misheard (the editor reads the context)."
ASSESSED = "names can be misheard (the editor reads the context, assessments check outside sources)."
UNCHECKED = "this quote has not been checked against a transcript."

AUTOMATED = "quote is from the automated transcript"
PLAIN = "quote is from the transcript"
# What was said, what the quote says, and the sentence of its page.
VARIANTS = {
    "verbatim": (
        "We put it where the buses sleep.",
        "We put it where the buses sleep.",
        f"{AUTOMATED}: nothing is removed, nothing is rephrased. {NAMES}",
    ),
    "verbatim, by people": (
        "We put it where the buses sleep.",
        "We put it where the buses sleep.",
        f"{PLAIN}: nothing is removed, nothing is rephrased. {NAMES}",
    ),
    "cleaned": (
        "We put it, uh, put it where the, the buses sleep.",
        "We put it where the buses sleep.",
        f"{AUTOMATED}, cleaned for reading: filler sounds, stutters and repetitions are removed, nothing is rephrased. {ASSESSED}",
    ),
    "ellipsis": (
        "We put it where the buses sleep. It was raining that day. Nobody noticed it.",
        "We put it where the buses sleep. … Nobody noticed it.",
        f"{PLAIN}, cleaned for reading: the words where … stands are removed, nothing is rephrased. {NAMES}",
    ),
    "written out": (
        "We are gonna put it where the buses sleep.",
        "We are going to put it where the buses sleep.",
        f"{AUTOMATED}, cleaned for reading: spoken short forms are written out, nothing is rephrased. {NAMES}",
    ),
    "bracketed": (
        "And they put it where the buses sleep at night.",
        "And [the engineers] put it where the buses sleep at night.",
        f"{AUTOMATED}: words in [brackets] are the editor's. {NAMES}",
    ),
    "bracketed and cleaned": (
        "And they, uh, put it where the buses sleep at night.",
        "And [the engineers] put it where the buses sleep at night.",
        f"{PLAIN}, cleaned for reading: filler sounds are removed, words in [brackets] are the editor's. {ASSESSED}",
    ),
    "speaker named": (
        "We put it where the buses sleep.",
        "We put it where the buses sleep.",
        f"{AUTOMATED}: nothing is removed, nothing is rephrased. speaker named by the editor. {NAMES}",
    ),
    "altered": ("We put it where the buses sleep.", "We put it where the trains sleep.", UNCHECKED),
}


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        (
            {"verdict": "cleaned", "is_automated": True, "removed": ("filler", "stutter"), "has_assessments": True},
            f"quote is from the automated transcript, cleaned for reading: filler sounds and stutters are removed, nothing is rephrased. {ASSESSED}",
        ),
        (
            {"verdict": "cleaned", "is_automated": True, "removed": ("filler", "stutter")},
            f"quote is from the automated transcript, cleaned for reading: filler sounds and stutters are removed, nothing is rephrased. {NAMES}",
        ),
        (
            {"verdict": "cleaned", "removed": ("stutter",)},
            f"quote is from the transcript, cleaned for reading: stutters are removed, nothing is rephrased. {NAMES}",
        ),
        (
            {"verdict": "cleaned", "removed": ("false_start", "repetition", "filler", "filler")},
            f"quote is from the transcript, cleaned for reading: filler sounds, repetitions and false starts are removed, nothing is rephrased. {NAMES}",
        ),
        (
            {"verdict": "cleaned", "removed": ("ellipsis", "other_speaker", "discourse_marker")},
            f"quote is from the transcript, cleaned for reading: filler words, interjections by others and the words where … stands are removed, nothing is rephrased. {NAMES}",
        ),
        (
            {"verdict": "verbatim", "is_automated": True},
            f"quote is from the automated transcript: nothing is removed, nothing is rephrased. {NAMES}",
        ),
        (
            {"verdict": "verbatim", "has_assessments": True},
            f"quote is from the transcript: nothing is removed, nothing is rephrased. {ASSESSED}",
        ),
        (
            {"verdict": "bracketed", "is_automated": True, "removed": ("filler",)},
            f"quote is from the automated transcript, cleaned for reading: filler sounds are removed, words in [brackets] are the editor's. {NAMES}",
        ),
        (
            {"verdict": "bracketed", "removed": ("filler", "repetition"), "has_assessments": True},
            f"quote is from the transcript, cleaned for reading: filler sounds and repetitions are removed, words in [brackets] are the editor's. {ASSESSED}",
        ),
        (
            {"verdict": "bracketed", "is_automated": True},
            f"quote is from the automated transcript: words in [brackets] are the editor's. {NAMES}",
        ),
        (
            {"verdict": "cleaned", "is_automated": True, "is_respelled": True},
            f"quote is from the automated transcript, cleaned for reading: spoken short forms are written out, nothing is rephrased. {NAMES}",
        ),
        (
            {"verdict": "cleaned", "removed": ("filler",), "is_respelled": True, "has_assessments": True},
            f"quote is from the transcript, cleaned for reading: filler sounds are removed, spoken short forms are written out, nothing is rephrased. {ASSESSED}",
        ),
        (
            {"verdict": "bracketed", "is_respelled": True},
            f"quote is from the transcript, cleaned for reading: spoken short forms are written out, words in [brackets] are the editor's. {NAMES}",
        ),
        (
            {"verdict": "verbatim", "is_automated": True, "is_speaker_named": True},
            f"quote is from the automated transcript: nothing is removed, nothing is rephrased. speaker named by the editor. {NAMES}",
        ),
        (
            {"verdict": "cleaned", "removed": ("filler",), "is_speaker_named": True, "has_assessments": True},
            f"quote is from the transcript, cleaned for reading: filler sounds are removed, nothing is rephrased. speaker named by the editor. {ASSESSED}",
        ),
        ({"is_speaker_named": True}, UNCHECKED),
        ({}, UNCHECKED),
        ({"verdict": "unchecked", "is_automated": True, "removed": ("filler",), "has_assessments": True}, UNCHECKED),
        ({"verdict": "altered", "is_automated": True}, UNCHECKED),
        ({"verdict": "cleaned", "removed": ("filler",), "is_overridden": True, "has_assessments": True}, UNCHECKED),
    ],
)
def test_the_sentence_says_what_is_true_of_this_quote(known, sentence):
    assert Provenance(**known).sentence == sentence


@pytest.mark.parametrize("verdict", ["altered", "unchecked", "a later word"])
def test_only_a_pass_is_a_promise(verdict):
    assert not Provenance(verdict=verdict).is_promised
    assert Provenance(verdict=verdict).anchor == "not-checked"
    assert Provenance(verdict="verbatim").anchor == "cleaned-for-reading"


def test_what_was_removed_is_never_passed_over():
    with pytest.raises(ValueError, match="meaningful_deletion"):
        Provenance(verdict="cleaned", removed=("filler", "meaningful_deletion")).sentence  # noqa: B018


@pytest.mark.parametrize("check", [None, QuoteCheck(passes=False, verdict="cleaned")])
def test_without_a_passing_check_nothing_is_known(check):
    assert provenance_of(Quote(), check) == Provenance()
    assert provenance_of(Quote(assessments=[{"verdict": "opinion"}]), check) == Provenance(has_assessments=True)


def test_what_is_known_is_what_the_check_found():
    result = CheckResult(
        Verdict.CLEANED,
        removed=(
            Removed(RemovedKind.FILLER, ("uh",), (1,)),
            Removed(RemovedKind.CORRECTION, ("they",), (2,)),
        ),
        respelled=(Respelled("gonna", "going to", (0, 8), (0,)),),
        warnings=(Warned(WarningKind.SPEAKER_UNKNOWN), Warned(WarningKind.LONG_WORD)),
    )
    check = QuoteCheck(
        passes=True, verdict="cleaned", result=result.to_json(), transcript=Transcript(is_automated=True)
    )

    assert provenance_of(Quote(), check) == Provenance(
        verdict="cleaned", is_automated=True, removed=("filler",), is_respelled=True, is_speaker_named=True
    )


def test_a_word_that_was_only_added_is_not_written_out():
    result = CheckResult(Verdict.BRACKETED, respelled=(Respelled("", "[Blackwell]", (0, 11), ()),))
    check = QuoteCheck(passes=True, verdict="bracketed", result=result.to_json(), transcript=Transcript())

    assert not provenance_of(Quote(), check).is_respelled


@pytest.mark.django_db
def test_the_page_says_it_and_explains_how(client):
    quote = make_quote(text="We put it.")

    response = client.get(quote.get_absolute_url())

    assert f"“We put it.” {UNCHECKED} how →" in text_of(response)
    assert f'<a href="/how/?quote={quote.slug}#not-checked">how →</a>' in response.content.decode()
    assert 'id="not-checked"' in client.get("/how/").content.decode()
    assert 'id="cleaned-for-reading"' in client.get("/how/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_page_says_each_of_them(client, settings, tmp_path, variant):
    """Each sentence on a rendered page, from what the check of real words found."""
    settings.MEDIA_ROOT = tmp_path
    ada = make_guest(name="Ada Okafor")
    said, text, sentence = VARIANTS[variant]
    about = {"is_automated": "automated" in sentence}
    sources = [
        {
            "verdict": "opinion",
            "summary": "S.",
            "assessed_by": "",
            "checked_on": None,
            "title": "T",
            "url": "https://example.org/",
            "publisher": "",
        }
    ]
    quote = make_quote(
        episode=make_episode(), speaker=ada, text=text, start_ms=0, end_ms=8_000,
        assessments=sources if ASSESSED in sentence else [],
    )  # fmt: skip
    label = "" if "named by the editor" in sentence else "Ada"
    cues = [(0, label, said), (8_000, label, "That is all.")]
    make_transcript(quote.episode, cues, who={"Ada": ada} if label else None, **about)

    page = unescape(text_of(client.get(quote.get_absolute_url())))

    assert f" {sentence} how →" in page
