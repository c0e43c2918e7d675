import pytest

from quotes.check import Verdict, WayKind, check_quote, explain, ways_out

from .said import said, talk


def texts(words, quote, **given):
    """Return the new text of each way out of the only problem."""
    result = check_quote(words, quote, **given)
    return {way.kind.value: way.text for way in ways_out(words, quote, result, **given)}


WAYS = [
    (
        "it runs on about forty volts",
        "It runs on forty volts.",
        {
            "put_back": "It runs on about forty volts.",
            "ellipsis": "It runs on … forty volts.",
            "bracket": "It runs on [about] forty volts.",
        },
    ),
    (
        "It was dry. But it held.",
        "It was dry. It held.",
        {"put_back": "It was dry. But it held.", "bracket": "It was dry. [But] it held."},
    ),
    (
        "the roof, I think, will hold",
        "The roof will hold.",
        {
            "put_back": "The roof, I think, will hold.",
            "ellipsis": "The roof … will hold.",
            "bracket": "The roof [I think] will hold.",
        },
    ),
    (
        "they did not pay",
        "They did pay.",
        {"put_back": "They did not pay.", "bracket": "They did [not] pay."},
    ),
    (
        "they can pay now",
        "They could pay now.",
        {"put_back": "They can pay now.", "ellipsis": "They … pay now.", "bracket": "They [can] pay now."},
    ),
    (
        "we told them twice",
        "We told lawyers twice.",
        {"put_back": "We told them twice.", "ellipsis": "We told … twice.", "bracket": "We told [lawyers] twice."},
    ),
    (
        "we tested it in May",
        "We quickly tested it in May.",
        {"take_out": "We tested it in May.", "bracket": "We [quickly] tested it in May."},
    ),
    ("we tested it in May", "We never tested it in May.", {"take_out": "We tested it in May."}),
    (
        "we tested Nvidia chips in May",
        "We tested [Intel] chips in May.",
        {"put_back": "We tested Nvidia chips in May.", "ellipsis": "We tested … chips in May."},
    ),
    ("it cost $5 a day", "It cost 5 a day.", {"put_back": "It cost $5 a day."}),
    ("it was $43 million then", "It was 43 million then.", {"put_back": "It was $43 million then."}),
    ("it was -5 degrees", "It was 5 degrees.", {"put_back": "It was -5 degrees."}),
    (
        "the non-violent men won",
        "The violent men won.",
        {"put_back": "The non-violent men won.", "bracket": "The [non] violent men won."},
    ),
    (
        "he did it. They left",
        "He did. They left.",
        {"put_back": "He did it. They left.", "ellipsis": "He did. … They left.", "bracket": "He did. [it] They left."},
    ),
    (
        "people are buying. We left",
        "People are We left.",
        {"put_back": "People are buying. We left.", "ellipsis": "People are … We left.", "bracket": "People are [buying] We left."},
    ),
    ("they did not pay", "They did [pay].", {"put_back": "They did not [pay].", "bracket": "They did [not] [pay]."}),
    ("it is safe now", "It is [un-]safe now.", {"take_out": "It is safe now."}),
    ("after forty five days off", "Five days off.", {"put_back": "Forty Five days off.", "bracket": "[Forty] Five days off."}),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "quote", "expected"), WAYS)
def test_each_way_gives_the_whole_text(raw, quote, expected):
    found = texts(said(raw), quote)

    assert {kind: text.lower() for kind, text in found.items()} == {
        kind: text.lower() for kind, text in expected.items()
    }


@pytest.mark.parametrize(("raw", "quote", "expected"), WAYS)
def test_each_way_passes(raw, quote, expected):
    for text in texts(said(raw), quote).values():
        assert check_quote(said(raw), text).passes, text


def test_moved_words_go_back():
    found = texts(said("we quietly sold every old boat in town"), "We sold every quietly old boat in town.")

    assert found["put_back"] == "We quietly sold every old boat in town."
    assert found["ellipsis"] == "We … sold every old boat in town."


def test_another_speakers_word_gives_way_to_an_ellipsis():
    words = talk(("A", "was it cold"), ("B", "freezing"), ("A", "yes it was"))

    assert texts(words, "Was it cold? Freezing! Yes, it was.", speaker="A") == {
        "ellipsis": "Was it cold? … Yes, it was."
    }


def test_of_two_problems_each_has_its_own_ways():
    words = said("they never sold more than ten boats")
    quote = "They sold more than a hundred boats."

    ways = ways_out(words, quote, check_quote(words, quote))

    assert {way.problem for way in ways} == {0, 1}
    first = next(way for way in ways if way.problem == 0 and way.kind is WayKind.PUT_BACK)
    assert first.label == "Put “never” back"
    again = check_quote(words, first.text)
    second = next(way for way in ways_out(words, first.text, again) if way.kind is WayKind.PUT_BACK)
    assert (second.label, check_quote(words, second.text).verdict) == ("Use “ten”", Verdict.VERBATIM)


def test_what_was_not_said_at_all_has_no_way_out():
    words = said("the dam was built in a year")
    quote = "Nobody asked why it leaked."

    assert ways_out(words, quote, check_quote(words, quote)) == []


@pytest.mark.parametrize(
    ("raw", "quote", "sentence"),
    [
        ("it runs on about forty volts", "It runs on forty volts.", "“about” is a hedge: it stays. Put it back, mark an omission with …, or use [brackets]."),
        ("they did not pay", "They did pay.", "“not” is a negation: it stays. Put it back or use [brackets]."),
        ("a very very old dam", "A very old dam.", "“very” is said again for emphasis: it stays. Put it back, mark an omission with …, or use [brackets]."),
        ("they are not here", "They are … here.", "“not” may not be hidden by …: the sentence means something else without it. Put it back."),
        ("it rains if we go", "It rains we go.", "“if” limits what is said: it stays. Put it back or use [brackets]."),
        ("they paid us", "They never paid us.", "“never” was not said here. Take it out."),
        ("in May they paid us for the old boat", "In May they gladly and at once then paid us for the old boat.", "“gladly and at once then” was not said here. Take it out."),
        ("they say not", "They say yes.", "“yes” stands where “not” was said. Use “not” or use [brackets]."),
        ("it took forty days and then two million euros came", "It took forty days and then two came.", "“million euros” belongs to the number, which is quoted whole: it stays. Put it back or use [brackets]."),
        ("we had -5 degrees", "We had 5 degrees.", "“-” belongs to the number, which is quoted whole: it stays. Put it back or use [brackets]."),
        ("they can pay", "They could pay.", "“could” stands where “can” was said. Use “can”, mark an omission with …, or use [brackets]."),
        ("they paid us", "They gladly paid us.", "“gladly” was not said here. Take it out, or use [brackets]."),
        ("we saw Nvidia chips", "We saw [Intel] chips.", "[Intel] may not stand for “Nvidia”: brackets replace a pronoun or a declared name. Declare the name first, or use “Nvidia”."),
    ],
)  # fmt: skip
def test_a_refusal_names_the_word_and_why(raw, quote, sentence):
    (problem,) = check_quote(said(raw), quote).problems

    assert explain(problem) == sentence


@pytest.mark.parametrize(
    ("raw", "quote"),
    [
        ("it rains if we go home", "It rains we go home."),
        ("they can not pay now", "They can a pay now."),
        ("we had forty euros then", "We had fifty euros then."),
        ("we quietly sold every old boat", "We sold every quietly old boat."),
        ("we sold but the old boat", "We sold the but old boat."),
        ("we sold the old boat", "We sold about the old boat."),
        ("it runs on about forty volts", "It runs on forty volts."),
    ],
)
def test_what_is_explained_is_offered(raw, quote):
    result = check_quote(said(raw), quote)

    ways = ways_out(said(raw), quote, result)

    for place, problem in enumerate(result.problems):
        kinds = {way.kind for way in ways if way.problem == place}
        sentence = explain(problem)
        assert ("with …" in sentence) == (WayKind.ELLIPSIS in kinds), sentence
        assert ("[brackets]" in sentence) == (WayKind.BRACKET in kinds), sentence


def test_of_many_problems_the_first_are_served():
    words = said("the " * 60)
    quote = "the dog " * 30

    result = check_quote(words, quote)

    assert len(result.problems) == 30
    assert {way.problem for way in ways_out(words, quote, result)} == set(range(12))
