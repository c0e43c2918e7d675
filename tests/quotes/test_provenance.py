"""The sentence under a quote, word for word."""

import pytest

from quotes.models import Quote
from quotes.provenance import Provenance, provenance_of
from tests.factories import make_quote
from tests.public import text_of

NAMES = "names can be misheard (the editor reads the context)."
ASSESSED = "names can be misheard (the editor reads the context, assessments check outside sources)."
UNCHECKED = "this quote has not been checked against a transcript."


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


def test_no_quote_is_checked_yet():
    assert provenance_of(Quote()) == Provenance()
    assert provenance_of(Quote(assessments=[{"verdict": "opinion"}])) == Provenance(has_assessments=True)


@pytest.mark.django_db
def test_the_page_says_it_and_explains_how(client):
    response = client.get(make_quote(text="We put it.").get_absolute_url())

    assert f"“We put it.” {UNCHECKED} how →" in text_of(response)
    assert '<a href="/how/#not-checked">how →</a>' in response.content.decode()
    assert 'id="not-checked"' in client.get("/how/").content.decode()
    assert 'id="cleaned-for-reading"' in client.get("/how/").content.decode()
