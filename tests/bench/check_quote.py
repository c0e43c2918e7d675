"""Time the quote check: a 60-word quote in a transcript of 30,000 words. Run by ``make bench``."""

import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from quotes.check import check_quote, prepare

RUNS = 40
WORDS = 30_000
QUOTE_WORDS = 60
LIMITS_MS = {"without times": 50.0, "with times": 5.0}

COMMON = [
    "the",
    "and",
    "to",
    "of",
    "a",
    "in",
    "that",
    "it",
    "is",
    "was",
    "for",
    "on",
    "you",
    "we",
    "they",
    "with",
    "as",
    "at",
    "have",
    "this",
    "be",
    "so",
    "what",
    "there",
    "about",
    "but",
    "not",
    "are",
    "if",
    "or",
    "when",
    "because",
    "from",
    "all",
    "can",
    "one",
    "just",
    "people",
    "time",
    "really",
    "going",
    "think",
    "know",
    "get",
    "would",
    "make",
    "which",
    "like",
    "very",
    "then",
    "how",
    "two",
]


def vocabulary() -> list[str]:
    """Return words as frequent as speech has them: few common ones, many rare ones."""
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "er", "il", "on")]
    chooser = random.Random(11)  # noqa: S311 - the same words in each run
    return ["".join(chooser.choices(syllables, k=chooser.choice([2, 3]))) for _ in range(6_000)]


def transcript() -> list[dict[str, Any]]:
    chooser = random.Random(7)  # noqa: S311
    rare = vocabulary()
    texts = []
    for _ in range(WORDS):
        kind = chooser.random()
        text = "um" if kind < 0.02 else chooser.choice(COMMON) if kind < 0.6 else chooser.choice(rare)
        texts.append(text + chooser.choice(["", "", "", "", "", "", "", ",", "."]))
    return [{"w": text, "start_ms": 350 * place, "end_ms": 350 * place + 300} for place, text in enumerate(texts)]


def median_ms(act: Callable[[], object]) -> float:
    taken = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        act()
        taken.append(1_000 * (time.perf_counter() - begin))
    return statistics.median(taken)


def main() -> int:
    words = transcript()
    first = 2 * WORDS // 3
    said = [word["w"] for word in words[first : first + QUOTE_WORDS + 4]]
    clean = " ".join(text for text in said if text.strip(",.") != "um")
    changed = " ".join("unheard" if place == 30 else text for place, text in enumerate(clean.split()))
    times = {"start_ms": words[first]["start_ms"], "end_ms": words[first + QUOTE_WORDS + 3]["end_ms"]}
    prepared = prepare(words)
    is_slow = False
    for what, text in (("clean", clean), ("altered", changed)):
        for how, span in (("without times", {}), ("with times", times)):
            for form, given in (("plain words", words), ("prepared", prepared)):
                median = median_ms(lambda text=text, span=span, given=given: check_quote(given, text, **span))
                is_over = median > LIMITS_MS[how]
                is_slow |= is_over
                sys.stdout.write(f"{what:8} {how:14} {form:12} {median:7.2f} ms{'  too slow' if is_over else ''}\n")
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
