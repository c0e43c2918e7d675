"""What two transcripts differ in: right, and quick at three hours."""

import random
import time

from hypothesis import given, strategies as st

from episodes.transcripts.changes import changed_runs

WORDS = st.lists(st.sampled_from(["the", "a", "of", "and", "to", "in", "it", "was", "we", "they"]), max_size=60)


def rebuilt(old: list[str], new: list[str]) -> list[str]:
    """Return the new words from the old ones and what differs, and see that all else is the same."""
    built, at, other = [], 0, 0
    for first, last, start, end in changed_runs(old, new):
        assert old[at:first] == new[other:start]
        built += [*old[at:first], *new[start:end]]
        at, other = last, end
    assert old[at:] == new[other:]
    return built + old[at:]


@given(WORDS, WORDS)
def test_the_differences_lead_from_the_one_to_the_other(old, new):
    assert rebuilt(old, new) == new


def test_what_is_the_same_differs_in_nothing():
    words = ["we", "put", "it", "where", "the", "buses", "sleep"]

    assert list(changed_runs(words, words)) == []
    assert list(changed_runs([], [])) == []
    assert list(changed_runs([], words)) == [(0, 0, 0, 7)]


def test_one_word_in_a_long_text_is_one_difference():
    words = [f"w{number % 700}" for number in range(3_000)]
    changed = [*words[:1_500], "other", *words[1_501:]]

    assert list(changed_runs(words, changed)) == [(1_500, 1_501, 1_500, 1_501)]


def test_three_hours_are_quick():
    luck = random.Random(7)  # noqa: S311
    words = [f"w{int(luck.expovariate(0.01))}" for _ in range(30_000)]
    heard = [luck.choice(["uh", word, word]) if luck.random() < 0.1 else word for word in words]
    strange = [f"v{int(luck.expovariate(0.01))}" for _ in range(30_000)]

    start = time.process_time()
    assert rebuilt(words, heard) == heard
    assert rebuilt(words, strange) == strange

    assert time.process_time() - start < 4  # 0.4 on a quiet machine
