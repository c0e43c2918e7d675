"""All cases and pairs that lie beside the repository; the README in their folder says how to compare."""

import json
from collections import Counter

import pytest
from django.conf import settings

from quotes.check import check_quote, propose_quote
from quotes.check.pieces import cut_text

FOLDER = settings.BASE_DIR.parent / "shared/data/verbatim"
pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the shared cases of the quote check are not here")


def read(name):
    return json.loads((FOLDER / name).read_text(encoding="utf-8")) if FOLDER.exists() else []


CASES = read("cases.json")
PAIRS = read("real_pairs.json")
EDGES = {"edge_negation", "edge_qualifier"}


def normalised(words):
    return tuple(part.text for word in words for part in cut_text(word))


def removed_words(runs):
    return Counter((word, kind) for words, kind in runs for word in normalised(words))


def problem_rows(problems):
    return Counter((kind, normalised(quote), normalised(raw)) for kind, quote, raw in problems)


def check(case):
    given = {"language": case.get("lang", "en"), "speaker": case.get("speaker"), "names": case.get("names", ())}
    return check_quote(case["raw_words"], case["quote"], **given)


@pytest.fixture(params=CASES, ids=lambda case: case["id"])
def case(request):
    return request.param


def test_there_are_96_cases_and_34_pairs():
    assert (len(CASES), len(PAIRS)) == (96, 34)


def test_verdict_and_times_are_as_expected(case):
    result = check(case)

    assert (result.verdict, result.start_ms, result.end_ms) == (case["expect"], case["start_ms"], case["end_ms"])


def test_what_was_left_out_is_as_expected(case):
    result = check(case)

    readings = [case["removed"], *case.get("removed_alternative", [])]
    found = removed_words((run.words, run.kind.value) for run in result.removed)
    assert found in [removed_words((run["words"], run["kind"]) for run in reading) for reading in readings]


def test_problems_are_as_expected(case):
    result = check(case)

    readings = [case["problems"], *case.get("problems_alternative", [])]
    found = problem_rows((problem.kind.value, problem.quote_words, problem.raw_words) for problem in result.problems)
    rows = [[(row["kind"], row["quote_words"], row["raw_words"]) for row in reading] for reading in readings]
    assert found in [problem_rows(reading) for reading in rows]


def test_respelled_words_and_edge_warnings_are_as_expected(case):
    result = check(case)

    respelled = [{"raw": change.raw, "quote": change.quote} for change in result.respelled]
    warnings = {warning.kind.value for warning in result.warnings} & EDGES
    assert (respelled, warnings) == (case.get("respelled", []), set(case.get("warnings", [])))


def test_every_proposal_for_a_case_holds(case):
    given = {"language": case.get("lang", "en"), "speaker": case.get("speaker")}

    proposal = propose_quote(case["raw_words"], **given)

    assert check_quote(case["raw_words"], proposal, **given).verdict in ("cleaned", "verbatim")


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair["id"])
def test_a_professional_cleaning_passes_if_only_disfluencies_went(pair):
    words = [{"w": word, "start_ms": None, "end_ms": None} for word in pair["verbatim"].split()]

    result = check_quote(words, pair["cleaned"])

    # The README names one of the first kind that the rules refuse: a bare "like".
    has_bare_like = pair["dropped"] == ["like"]
    assert result.passes == (pair["only_disfluencies"] and not has_bare_like)


def test_one_pair_has_a_bare_like():
    assert [pair["id"] for pair in PAIRS if pair["dropped"] == ["like"] and pair["only_disfluencies"]] == ["p-dl00"]
