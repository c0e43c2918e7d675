"""What must hold for any words: untouched is verbatim, a changed word never passes, a proposal always does."""

import json
import time

import pytest
from hypothesis import given, settings, strategies as st

from quotes.check import CheckResult, Verdict, check_quote, prepare, propose_quote

from .said import said

# Words without a meaning of their own for the rules, each only once in a sentence.
PLAIN = [
    "river",
    "stone",
    "bridge",
    "market",
    "farmer",
    "window",
    "doctor",
    "letter",
    "garden",
    "winter",
    "engine",
    "copper",
    "harvest",
    "village",
    "carried",
    "opened",
    "painted",
    "followed",
    "watched",
    "counted",
    "brought",
    "painting",
    "silver",
    "heavy",
    "narrow",
    "golden",
    "quiet",
    "early",
    "western",
    "broken",
]
PROTECTED = [
    "not",
    "never",
    "nobody",
    "nothing",
    "without",
    "cannot",
    "hardly",
    "don't",
    "isn't",
    "won't",
    "maybe",
    "perhaps",
    "probably",
    "almost",
    "nearly",
    "about",
    "might",
    "could",
    "seems",
    "sometimes",
    "mostly",
    "only",
    "except",
    "unless",
    "if",
    "but",
    "however",
    "more",
    "least",
    "few",
    "all",
    "some",
    "every",
    "both",
    "half",
    "ten",
    "forty",
    "hundred",
    "12",
    "3.5",
    "40%",
    "first",
    "dozen",
    "percent",
    "twice",
]
NOISE = [
    "um",
    "uh,",
    "hmm",
    "the-",
    "th-",
    "I,",
    "I",
    "we",
    "the",
    "the,",
    "it's",
    "it",
    "you",
    "know,",
    "I",
    "mean,",
    "like,",
    "like",
    "so.",
    "Well,",
    "okay?",
    "sorry,",
    "a",
    "the…",
    "and",
    "of",
]
MESSY = [
    *PLAIN[:6],
    *PROTECTED,
    *NOISE,
    "going",
    "gonna",
    "don’t",
    "data",
    "set",
    "—",
    "[laughs]",
    "[ __ ]",
    "you",
    "know",
    "mean,",
]

sentences = st.lists(st.sampled_from(PLAIN), min_size=5, max_size=12, unique=True)
noise = st.lists(st.sampled_from(NOISE), max_size=3)
messy_texts = st.lists(st.sampled_from(MESSY), min_size=1, max_size=25)


CONTEXT = ["seven", "old", "men", "sang", "before", "that", "and", "went", "home", "again"]


def spoken(words):
    return said(" ".join(words))


def silent(words):
    """Return a quote of these words that declares no omission."""
    return " ".join(words).replace("…", "")


@settings(deadline=None)
@given(messy_texts, sentences, sentences)
def test_untouched_words_are_verbatim(run, before, after):
    # Around the run stand plain words, so that it does not cut a number in two.
    # These are no words, or a word that equals nothing.
    run = [word for word in run if word not in ("—", "[laughs]", "[ __ ]")] or ["river"]

    result = check_quote(spoken([*before, *run, *after]), " ".join(run))

    assert result.verdict is Verdict.VERBATIM


@settings(deadline=None)
@given(sentences, st.sampled_from(PROTECTED), noise, noise, st.data())
def test_a_protected_word_is_never_left_out(sentence, word, before, after, data):
    place = data.draw(st.integers(1, len(sentence) - 1))
    words = [*sentence[:place], *before, word, *after, *sentence[place:]]
    without = [*sentence[:place], *before, *after, *sentence[place:]]

    for quote in (without, sentence):
        result = check_quote(spoken(words), silent(quote))

        assert result.verdict is Verdict.ALTERED
        assert result.problems


@settings(deadline=None)
@given(sentences, noise, st.data())
def test_a_word_that_was_not_said_never_passes(sentence, other, data):
    place = data.draw(st.integers(0, len(sentence)))
    words = [*sentence[:place], *other, *sentence[place:]]
    quote = [*sentence[:place], "unheard", *sentence[place:]]

    assert check_quote(spoken(words), " ".join(quote)).verdict is Verdict.ALTERED


@settings(deadline=None)
@given(sentences, st.lists(st.sampled_from(["um", "uh,", "hmm", "th-"]), max_size=3), st.data())
def test_another_word_never_passes_bare_or_in_brackets(sentence, other, data):
    place = data.draw(st.integers(0, len(sentence) - 1))
    words = spoken([*CONTEXT, *sentence[:place], *other, *sentence[place:], *CONTEXT])

    for written in ("unheard", "[unheard]"):
        quote = [*sentence[:place], written, *sentence[place + 1 :]]

        assert check_quote(words, " ".join(quote)).verdict is Verdict.ALTERED


HOSTILE = [
    "1" + "%" * 2_000,
    "$" * 2_000 + "1",
    "[" * 1_000 + "not" + "]" * 1_000,
    "the … " * 330,
    "[the] " * 330,
    "a\u0301" + "\u0301" * 2_000,
    "a" * 2_000,
    "twenty " * 280,
    "שלום " * 400,
    "a-b-" * 500,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("span", [{}, {"start_ms": 0, "end_ms": 10**8}], ids=["anywhere", "with times"])
def test_no_text_takes_long(text, span):
    words = prepare(spoken(["the", "um", "twenty", "you", "know", text[:40].strip()] * 1_000))

    begin = time.process_time()
    check_quote(words, text, **span)

    assert time.process_time() - begin < 15  # seconds; most take less than one


@settings(deadline=None)
@given(sentences, st.data())
def test_words_in_another_order_never_pass(sentence, data):
    first = data.draw(st.integers(0, len(sentence) - 2))
    second = data.draw(st.integers(first + 1, len(sentence) - 1))
    quote = list(sentence)
    quote[first], quote[second] = quote[second], quote[first]

    assert check_quote(spoken(sentence), " ".join(quote)).verdict is Verdict.ALTERED


@settings(deadline=None)
@given(sentences, st.data())
def test_a_content_word_is_never_left_out_unless_declared(sentence, data):
    place = data.draw(st.integers(1, len(sentence) - 2))
    rest = " ".join(sentence[place + 1 :])

    undeclared = check_quote(spoken(sentence), f"{' '.join(sentence[:place])} {rest}")
    declared = check_quote(spoken(sentence), f"{' '.join(sentence[:place])} … {rest}")

    assert (undeclared.verdict, declared.verdict) == (Verdict.ALTERED, Verdict.CLEANED)


@settings(deadline=None, max_examples=300)
@given(messy_texts)
def test_a_proposal_holds(run):
    words = spoken(run)

    proposal = propose_quote(words)

    has_words = any(any(letter.isalnum() for letter in word) for word in run if word != "[laughs]")
    assert bool(proposal) == has_words
    if proposal:
        assert check_quote(words, proposal).verdict in (Verdict.CLEANED, Verdict.VERBATIM)


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.tuples(st.sampled_from([*MESSY, "mhm", "yeah", "right"]), st.sampled_from(["A", "B", None])),
        min_size=1,
        max_size=20,
    )
)
def test_a_proposal_among_speakers_holds(pairs):
    words = [
        {"w": word, "start_ms": 10 * place, "end_ms": None, "speaker": who} for place, (word, who) in enumerate(pairs)
    ]

    for speaker in ("A", None):
        proposal = propose_quote(words, speaker=speaker)

        if proposal:
            assert check_quote(words, proposal, speaker=speaker).verdict in (Verdict.CLEANED, Verdict.VERBATIM)


times = st.one_of(st.none(), st.integers(-(10**6), 10**7), st.floats(), st.text(max_size=2), st.booleans())
odd_words = st.fixed_dictionaries(
    {"w": st.one_of(st.text(max_size=12), st.sampled_from(MESSY), st.none(), st.integers())},
    optional={
        "start_ms": times,
        "end_ms": times,
        "speaker": st.one_of(st.none(), st.sampled_from("AB")),
        "confidence": st.one_of(st.none(), st.floats()),
    },
)
odd_texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from([*MESSY, "[", "]", "…", "[not]", "$", "5 m", "$5"]), max_size=15).map(" ".join),
)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(odd_words, max_size=25),
    odd_texts,
    st.sampled_from(["en", "de", "ja", "xx", None]),
    st.sampled_from([None, "A"]),
    st.one_of(st.none(), st.integers(-(10**6), 10**7)),
    st.one_of(st.none(), st.integers(-(10**6), 10**7)),
)
def test_anything_gives_a_result_that_survives_json(words, text, language, speaker, start_ms, end_ms):
    result = check_quote(words, text, language=language, speaker=speaker, start_ms=start_ms, end_ms=end_ms)

    assert CheckResult.from_json(json.loads(json.dumps(result.to_json()))) == result


@settings(deadline=None, max_examples=200)
@given(messy_texts, st.data())
def test_what_passes_has_every_protected_word_that_was_said_once(run, data):
    run = [word for word in run if word != "[ __ ]"]
    kept = data.draw(st.lists(st.booleans(), min_size=len(run), max_size=len(run)))
    quote = [word for word, is_kept in zip(run, kept, strict=True) if is_kept and word != "—"]
    result = check_quote(spoken(run), silent(quote))

    if not result.passes:
        return
    inside = run[result.first_word : result.last_word + 1]
    unique = [word for word in inside if word in PROTECTED and inside.count(word) == 1]
    assert all(word in quote for word in unique)


@settings(deadline=None, max_examples=300)
@given(messy_texts, st.data())
def test_what_passes_has_its_words_in_the_order_in_which_they_were_said(run, data):
    run = [word for word in run if word not in ("—", "[laughs]", "[ __ ]", "gonna")]
    quote = data.draw(st.lists(st.sampled_from([*run, "river", "not"]), min_size=1, max_size=12)) if run else ["river"]
    result = check_quote(spoken(run or ["stone"]), silent(quote))

    if not result.passes:
        return
    said_letters = iter("".join(map(letters, run[result.first_word : result.last_word + 1])))
    assert all(letter in said_letters for letter in "".join(map(letters, quote)))


def letters(word):
    """Return the letters of a word alone; figures as this test's words spell them."""
    return "".join(letter for letter in word.lower().replace("40%", "40percent") if letter.isalnum())
