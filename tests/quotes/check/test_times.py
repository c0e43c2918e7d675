"""Where a quote is looked for, and its start and end."""

import random

from quotes.check import Verdict, WarningKind, check_quote, prepare

from .said import said

STORY = "we went to the old mill and then we found a boat under the bridge that nobody had used for years"


def long_transcript():
    filler_words = [f"{a}{b}{c}" for a in "bdfgk" for b in "aeiou" for c in ("lan", "mor", "tis", "pen")]
    chooser = random.Random(5)  # noqa: S311 - the same words in each run
    before = " ".join(chooser.choice(filler_words) for _ in range(3_000))
    after = " ".join(chooser.choice(filler_words) for _ in range(3_000))
    return said(f"{before} {STORY} {after}")


def kinds_of_warnings(result):
    return {warning.kind for warning in result.warnings}


def test_a_quote_is_found_without_times():
    result = check_quote(long_transcript(), "We found a boat under the bridge.")

    assert (result.verdict, result.first_word, result.start_ms) == (Verdict.VERBATIM, 3_008, 3_008 * 400)


def test_a_quote_is_found_among_many_alike():
    words = said(" ".join(["we went to the mill"] * 800 + ["we went to the barn"] + ["we went to the mill"] * 800))

    result = check_quote(words, "We went to the barn.")

    assert (result.verdict, result.first_word) == (Verdict.VERBATIM, 4_000)


def test_a_quote_with_an_omission_is_found_without_times():
    text = "We went to the old mill … under the bridge."

    result = check_quote(long_transcript(), text)

    assert (result.verdict, result.first_word, result.last_word) == (Verdict.CLEANED, 3_000, 3_014)


def test_only_the_words_near_the_times_count():
    words = long_transcript()

    near = check_quote(words, "We found a boat.", start_ms=1_203_000, end_ms=1_205_000)
    far = check_quote(words, "We found a boat.", start_ms=400_000, end_ms=402_000)

    assert near.verdict is Verdict.VERBATIM
    assert far.verdict is Verdict.ALTERED
    assert [warning.indices for warning in far.warnings if warning.kind is WarningKind.ELSEWHERE] == [(3_008, 3_011)]


def test_words_within_five_seconds_count():
    words = said(STORY, start_ms=100_000)

    assert check_quote(words, "We went to.", start_ms=105_300, end_ms=106_000).verdict is Verdict.VERBATIM
    assert check_quote(words, "We went to.", start_ms=107_000, end_ms=108_000).verdict is Verdict.ALTERED


def test_words_without_times_are_part_of_the_region():
    words = said(STORY, start_ms=100_000)
    for word in words[10:15]:
        word["start_ms"] = word["end_ms"] = None

    result = check_quote(words, "A boat under the bridge.", start_ms=104_000, end_ms=106_000)

    assert result.verdict is Verdict.VERBATIM
    assert WarningKind.ESTIMATED_TIME in kinds_of_warnings(result)
    # From the end of the word before to the start of the word after.
    assert (result.start_ms, result.end_ms) == (words[9]["end_ms"], words[15]["start_ms"])


def test_words_that_have_no_times_at_all_are_looked_at_everywhere():
    words = [word | {"start_ms": None, "end_ms": None} for word in said(STORY)]

    result = check_quote(words, "We found a boat.", start_ms=90_000, end_ms=95_000)

    assert (result.verdict, result.start_ms, result.end_ms) == (Verdict.VERBATIM, None, None)


def test_in_a_long_region_the_likeliest_places_are_looked_at():
    words = long_transcript()

    for text in ("We found a boat.", "We found a ship under the bridge."):
        result = check_quote(words, text, start_ms=1_000, end_ms=words[-1]["end_ms"])

        assert result.first_word == 3_008

    outside = check_quote(words, "We found a boat.", start_ms=0, end_ms=1_100_000)
    assert outside.verdict is Verdict.ALTERED


def test_few_words_of_many_pieces_are_looked_at():
    words = said(f"{'a-b-' * 400} end")

    assert check_quote(words, "Nothing of it is there.").verdict is Verdict.ALTERED
    assert check_quote(words, "b-end").first_word == 0


def test_words_out_of_time_order_are_found():
    words = said(STORY, start_ms=100_000)
    words = words[10:] + said("noise " * 200, start_ms=900_000) + words[:10]

    result = check_quote(words, "We went to the old mill.", start_ms=100_000, end_ms=102_300)

    assert (result.verdict, result.start_ms) == (Verdict.VERBATIM, 100_000)


def test_words_of_no_length_and_ends_before_starts_do_no_harm():
    words = said(STORY, start_ms=100_000)
    for word in words[:8]:
        word["end_ms"] = word["start_ms"]
    words[13]["end_ms"] = 99_000

    result = check_quote(words, "We found a boat under the bridge.", start_ms=103_200, end_ms=105_800)

    assert (result.verdict, result.start_ms, result.end_ms) == (Verdict.VERBATIM, 103_200, 105_900)


def test_an_end_before_the_start_is_estimated():
    words = said("the dam held fast today", start_ms=50_000)
    words[3]["end_ms"] = 40_000

    result = check_quote(words, "The dam held fast.")

    assert (result.start_ms, result.end_ms) == (50_000, words[4]["start_ms"])
    assert WarningKind.ESTIMATED_TIME in kinds_of_warnings(result)


def test_a_first_word_that_carries_the_silence_is_cut():
    words = said("so dams hold fast", start_ms=50_000)
    words[1] |= {"start_ms": 50_400, "end_ms": 70_000}
    for word in words[2:]:
        word["start_ms"] += 19_300
        word["end_ms"] += 19_300

    result = check_quote(words, "Dams hold fast.")

    assert result.start_ms == 70_000 - 4 * 80
    assert {WarningKind.LONG_WORD, WarningKind.ESTIMATED_TIME} <= kinds_of_warnings(result)


def test_a_prepared_transcript_gives_the_same_answers():
    words = long_transcript()
    prepared = prepare(words)

    for text in ("We found a boat.", "We found a ship under the bridge.", "Nothing of that was said here."):
        assert check_quote(prepared, text) == check_quote(words, text)
