"""Each rule of the quote check on sentences of our own."""

import pytest

from quotes.check import Reason, Verdict, WarningKind, Why, check_quote

from .said import said, talk


def kinds(result):
    return [(run.kind.value, " ".join(run.words)) for run in result.removed]


def faults(result):
    return [
        (problem.kind.value, " ".join(problem.quote_words), " ".join(problem.raw_words)) for problem in result.problems
    ]


SAME = [
    ("the river rose by twelve inches", "The river rose by 12 inches."),
    ("it holds three million five hundred thousand litres", "It holds 3,500,000 liters."),
    ("we grew sixty five percent", "We grew 65%."),
    ("we grew 65 per cent", "We grew 65%."),
    ("it cost $2 million", "It cost two million dollars."),
    ("it cost two million dollars", "It cost $2 million."),
    ("they paid €300 back", "They paid 300 euros back."),
    ("some 40k people watched", "Some 40,000 people watched."),
    ("we met in nineteen ninety nine", "We met in 1999."),
    ("we met in twenty oh five", "We met in 2005."),
    ("on the twenty first floor", "On the 21st floor."),
    ("zero point two five grams", "0.25 grams."),
    ("the third attempt", "The 3rd attempt."),
    ("more than 10+ times", "More than ten plus times."),
    ("four and a half years", "4.5 years."),
    ("salt & pepper", "Salt and pepper."),
    ("the A P I is slow", "The API is slow."),
    ("our web site went down", "Our website went down."),
    ("it's alright vs that", "It’s all right versus that."),
    ("dont look", "Don’t look."),
    ("the U.S. grid", "The US grid."),
    ("uh-huh we did", "Uh-huh, we did."),
    ("it is ﬁne", "It is fine."),
    ("[applause] we are back (laughs) at last *sighs* now", "We are back at last now."),
    ("we [upbeat music] won", "We won."),
    ("minus 5 degrees", "-5 degrees."),
    ("they made 3 million 500 thousand of them", "They made 3,500,000 of them."),
    ("one thousand, two hundred came", "1,200 came."),
    ("the non-violent men", "The nonviolent men."),
    ("10² is 100 there", "10^2 is 100 there."),
]


@pytest.mark.parametrize(("raw", "quote"), SAME)
def test_the_same_words_written_another_way_are_verbatim(raw, quote):
    result = check_quote(said(raw), quote)

    assert (result.verdict, faults(result), kinds(result)) == (Verdict.VERBATIM, [], [])


DIFFERENT = [
    ("we were there", "We’re there."),
    ("they found a part of it", "They found apart of it."),
    ("there was no body left", "There was nobody left."),
    ("it may be late today", "It maybe late today."),
    ("we cannot see", "We can not see."),
    ("we have twenty one seats", "We have 21st seats."),
    ("it fell by 5 degrees to there", "It fell by -5 degrees to there."),
    ("it costs .5 euros a day", "It costs 5 euros a day."),
    ("it grew ten percent", "It grew ten dollars."),
    ("they are their friends now", "They are there friends now."),
    ("it is the biggest dam", "It is a biggest dam."),
    ("we lost 20 5 of them died", "We lost 25 of them died."),
    ("we had two hundred, fifty left", "We had 250 left."),
    ("it holds 10² of them", "It holds 102 of them."),
    ("it takes 5½ cups of it", "It takes 51⁄2 cups of it."),
    ("a [ __ ] good plan", "A very good plan."),
    ("a [ __ ] good plan", "A good plan."),
]


@pytest.mark.parametrize(("raw", "quote"), DIFFERENT)
def test_other_words_are_altered(raw, quote):
    assert check_quote(said(raw), quote).verdict is Verdict.ALTERED


REMOVED = [
    ("we um planted uhh trees", "We planted trees.", [("filler", "um"), ("filler", "uhh")]),
    ("we planted, mhm, trees", "We planted trees.", [("filler", "mhm,")]),
    ("my my brother sings", "My brother sings.", []),
    ("and my my brother sings", "And my brother sings.", [("stutter", "my")]),
    ("and my, you know, my brother sings", "And my brother sings.", [("stutter", "my,"), ("discourse_marker", "you know,")]),
    ("it was w wonderful there", "It was wonderful there.", [("stutter", "w")]),
    ("it was won- wonderful there", "It was wonderful there.", [("stutter", "won-")]),
    ("and he, he's late", "And he’s late.", [("stutter", "he,")]),
    ("they saw that, that dog", "They saw that dog.", [("stutter", "that,")]),
    ("and she went to she went to Rome", "And she went to Rome.", [("repetition", "she went to")]),
    ("but he never he never asked", "But he never asked.", [("repetition", "he never")]),
    ("and they all lea- they left", "And they all they left.", [("false_start", "lea-")]),
    ("then I would tr- I tried", "Then I tried.", None),
    ("so in the… in the end it held", "So in the end it held.", [("repetition", "in the…")]),
    ("but we could… there was no way", "But there was no way.", None),
    ("and we sold, um, we leased it", "And we leased it.", [("false_start", "we sold,"), ("filler", "um,")]),
    ("and that's a that's the plan", "And that’s the plan.", [("false_start", "that's a")]),
    ("and it's a, this plan", "And it’s this plan.", [("false_start", "a,")]),
    ("it is, you know, cold", "It is cold.", [("discourse_marker", "you know,")]),
    ("it is cold, I mean, freezing", "It is cold, freezing.", [("discourse_marker", "I mean,")]),
    ("and it was his, his dog", "And it was his dog.", [("stutter", "his,")]),
    ("we went to the. The house", "We went to the house.", [("stutter", "the.")]),
    ("We won. Right. Right. They left", "We won. Right. They left.", [("stutter", "Right.")]),
    ("and the, um, un- unhappy men", "And the, unhappy men.", [("filler", "um,"), ("stutter", "un-")]),
    ("We won. So is it true", "We won. Is it true?", [("discourse_marker", "So")]),
    ("they came, like, nobody stayed", "They came, nobody stayed.", [("discourse_marker", "like,")]),
    ("it is in like every room", "It is in every room.", None),
    ("We stopped. Okay, now we run.", "We stopped. Now we run.", [("discourse_marker", "Okay,")]),
    ("we stopped, right? and then ran", "We stopped and then ran.", [("discourse_marker", "right?")]),
    ("she's the bra- sorry, the brightest", "She’s the brightest.", [("false_start", "the bra-"), ("discourse_marker", "sorry,")]),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "quote", "expected"), REMOVED)
def test_disfluencies_may_go(raw, quote, expected):
    result = check_quote(said(raw), quote)

    if expected is None:  # one of the words that look like a disfluency is protected or is none
        assert result.verdict in (Verdict.CLEANED, Verdict.ALTERED)
        return
    assert (faults(result), kinds(result)) == ([], expected)
    assert result.verdict is (Verdict.CLEANED if expected else Verdict.VERBATIM)


KEPT = [
    ("they have really really good bread", "They have really good bread.", "really"),
    ("and he had had enough", "And he had enough.", "had"),
    ("it cost like thirty francs", "It cost thirty francs.", "like"),
    ("it cost like um thirty francs", "It cost thirty francs.", "like"),
    ("she was, like, tired", "She was tired.", "like,"),
    ("it looks, like, tired", "It looks tired.", "like,"),
    ("and so do you know them all", "And so do them all.", "you know"),
    ("what I mean, is this", "What is this.", "I mean,"),
    ("We lost. So many left early.", "We lost. Many left early.", "So"),
    ("we lost because we slept", "We lost we slept.", "because"),
    ("it is actually cold", "It is cold.", "actually"),
    ("I guess it is, I think, cold", "I guess it is cold.", "I think,"),
    ("she paid, she never paid them", "She never paid them.", None),
    ("he is, he just is not sure", "And he just is not sure.", None),
    ("that is a um great idea", "That is great idea.", "a"),
    ("we all came back", "We came back.", "all"),
    ("a half full glass", "A full glass.", "half"),
    ("they can not- they can swim", "They can they can swim.", "not-"),
    ("the MIT mitigates it", "The mitigates it.", "MIT"),
    ("the 5 mm gap there", "The 5 gap there.", "mm"),
    ("we took the ER there", "We took the there.", "ER"),
    ("we saw Jo Johnson there", "We saw Johnson there.", "Jo"),
    ("the un- happy men", "The happy men.", "un-"),
    ("it was il- legal there", "It was legal there.", "il-"),
    ("so I did it. It was good", "So I did. It was good.", "it."),
    ("I chose the mayor. The mayor lied", "I chose the mayor lied.", "the mayor."),
    ("and we won. Uh, we left", "And we left.", "we won."),
    ("and we won um. we left", "And we left.", "we won"),
    ("talk about it and it looks good", "Talk about it looks good.", "it and"),
    ("is that right? I said", "Is that I said.", "right?"),
    ("are you okay? she asked", "Are you she asked.", "okay?"),
    ("we turn right? no left", "We turn no left.", "right?"),
    ("We won. Right wing parties lost", "We won. Wing parties lost.", "Right"),
    ("We won. Well educated men lost", "We won. Educated men lost.", "Well"),
    ("We won. Now is the time", "We won. Is the time.", "Now"),
]


@pytest.mark.parametrize(("raw", "quote", "word"), [row for row in KEPT if row[2]])
def test_words_with_a_meaning_stay(raw, quote, word):
    result = check_quote(said(raw), quote)

    assert faults(result) == [("meaningful_deletion", "", word)]


def test_a_restart_may_not_bring_a_protected_word():
    words = said("and she paid, uh, she never paid them")

    result = check_quote(words, "And she never paid them.")

    assert faults(result) == [("meaningful_deletion", "", "she paid,")]


def test_of_two_copies_only_one_goes():
    words = said("he asked them to leave them… to leave him out")

    result = check_quote(words, "He asked to leave him out.")

    assert result.verdict is Verdict.ALTERED


@pytest.mark.parametrize(
    ("raw", "quote", "change"),
    [
        ("we're gonna win", "We’re going to win.", ("gonna", "going to")),
        ("we are going to win", "We are gonna win.", ("going to", "gonna")),
        ("we saw 'em run", "We saw them run.", ("'em", "them")),
        ("it is kinda late", "It is kind of late.", ("kinda", "kind of")),
    ],
)
def test_spoken_short_forms_are_respelled(raw, quote, change):
    result = check_quote(said(raw), quote)

    assert result.verdict is Verdict.CLEANED
    assert [(respelled.raw, respelled.quote) for respelled in result.respelled] == [change]


def test_the_table_of_spellings_can_be_extended():
    words = said("we met Zelenskyy there")

    assert check_quote(words, "We met Zelensky there.").verdict is Verdict.ALTERED
    assert (
        check_quote(words, "We met Zelensky there.", spellings=[("Zelensky", "Zelenskyy")]).verdict is Verdict.VERBATIM
    )


# Brackets

NAMES = [{"heard": "eye dog", "name": "Aidoc"}]


def test_a_declared_name_may_stand_in_a_bracket():
    result = check_quote(said("and we called eye dog, um, twice"), "And we called [Aidoc] twice.", names=NAMES)

    assert result.verdict is Verdict.BRACKETED
    assert kinds(result) == [("correction", "eye dog,"), ("filler", "um,")]
    assert result.brackets == ("Aidoc",)


@pytest.mark.parametrize("quote", ["[Aidoc] called us.", "We like [Aidoc]."])
def test_a_declared_name_may_stand_at_the_edge(quote):
    raw = "because we like eye dog because they" if quote.startswith("We") else "because eye dog called us because"

    result = check_quote(said(raw), quote, names=NAMES)

    assert (result.verdict, kinds(result)) == (Verdict.BRACKETED, [("correction", "eye dog")])


def test_a_pronoun_at_the_edge_may_be_explained():
    result = check_quote(said("and then they told us"), "[The old judges] told us.")

    assert (result.verdict, kinds(result)) == (Verdict.BRACKETED, [("correction", "they")])
    assert (result.first_word, result.start_ms) == (2, 800)


@pytest.mark.parametrize(
    ("raw", "quote"),
    [
        ("we trust them now", "We trust [nobody] now."),
        ("we trust them now", "We [do not] trust them now."),
        ("we trust them now", "We trust them [about five times] now."),
        ("we trust them now", "We trust them [very much indeed my friend] now."),
        ("so they trust him", "[Nobody] trust him."),
        ("so rich men trust him", "[Poor] men trust him."),
        ("it is safe now", "It is [un] safe now."),
        ("it is safe now", "It is [un-]safe now."),
        ("it is active now", "It is [in-]active now."),
        ("it works well", "It [a b c] [d e f] works well."),
        ("they trust rich men always", "They trust rich [women]."),
        ("we called eye dog", "We called [Aidoc]."),
        ("we called I dog no more", "We called [Aidoc] more."),
        ("it is well, right, done now", "It is well [wrong] done now."),
    ],
)
def test_a_bracket_may_not_change_what_was_said(raw, quote):
    assert check_quote(said(raw), quote).verdict is Verdict.ALTERED


def test_a_bracket_that_holds_what_was_said_is_marked_but_no_problem():
    result = check_quote(said("we trust old maps"), "We trust [old] maps.")

    assert (result.verdict, faults(result), kinds(result)) == (Verdict.BRACKETED, [], [])


def test_a_bracket_in_a_word_changes_only_its_capital():
    assert check_quote(said("and the maps lie"), "[T]he maps lie.").verdict is Verdict.BRACKETED
    assert check_quote(said("and the maps lie"), "The maps lie[d].").verdict is Verdict.ALTERED


# Ellipses


def test_an_omission_is_declared():
    result = check_quote(
        said("The roof leaked all spring. It had been old. We fixed it."), "The roof leaked all spring. … We fixed it."
    )

    assert (result.verdict, kinds(result)) == (Verdict.CLEANED, [("ellipsis", "It had been old.")])


def test_an_ellipsis_over_disfluencies_gives_them_their_kinds():
    result = check_quote(said("the roof um um leaked badly"), "The roof … leaked badly.")

    assert kinds(result) == [("filler", "um"), ("filler", "um")]


@pytest.mark.parametrize(
    ("raw", "quote", "hidden"),
    [
        ("they can without any doubt win", "They can … win.", "without"),
        ("They win only. That is fun. We did not go.", "They win … go.", "only. not"),
        ("They win. Never say so. We go.", "They win. … We go.", None),
        ("They win. Never say so", "They win. … say so", "Never"),
        ("They win un- fair games", "They win … games", "un-"),
    ],
)
def test_an_ellipsis_hides_no_negation_of_its_sentences(raw, quote, hidden):
    result = check_quote(said(raw), quote)

    expected = [("meaningful_deletion", "", hidden)] if hidden else []
    assert faults(result) == expected


def test_a_full_stop_of_an_abbreviation_ends_no_sentence():
    result = check_quote(said("we asked Dr. Low not to tell Dr. Ray and left"), "We asked … and left.")

    assert [problem.why for problem in result.problems] == [Why.HIDDEN]


def test_a_long_omission_is_two_quotes():
    middle = " ".join(f"item{chr(97 + place % 26)}{chr(97 + place // 26)}" for place in range(76))

    result = check_quote(
        said(f"First the dams broke. {middle}. Then the rain came."), "First the dams broke. … Then the rain came."
    )

    assert [problem.why for problem in result.problems] == [Why.LONG_ELLIPSIS]


def test_an_omission_longer_than_half_a_minute_is_two_quotes():
    words = said("First the dams broke. Much more was said. Then the rain came.")
    for word in words[8:]:
        word["start_ms"] += 40_000
        word["end_ms"] += 40_000
    words[7]["end_ms"] += 40_000

    result = check_quote(words, "First the dams broke. … Then the rain came.")

    assert [problem.why for problem in result.problems] == [Why.LONG_ELLIPSIS]


# Numbers are one unit


@pytest.mark.parametrize(
    ("raw", "quote", "missing"),
    [
        ("after forty five days", "Five days.", "forty"),
        ("it took two hundred", "It took two.", "hundred"),
        ("it fell ten percent then", "It fell ten.", "percent"),
        ("some 10+ dogs", "Some 10 dogs.", "10+"),
        ("it cost $5 there", "It cost 5 there.", "$5"),
        ("we had -5 degrees", "We had 5 degrees.", "-"),
        ("we had -5 degrees", "5 degrees.", "-"),
        ("we need three point five cups", "Five cups.", "three point"),
        ("we have two uh hundred acres", "We have two.", "hundred"),
    ],
)
def test_a_number_is_not_quoted_in_part(raw, quote, missing):
    result = check_quote(said(raw), quote)

    assert [(problem.why, " ".join(problem.raw_words)) for problem in result.problems] == [
        (Why.PART_OF_NUMBER, missing)
    ]


def test_the_span_covers_the_whole_number():
    result = check_quote(said("after forty five days off"), "Five days off.")

    assert (result.first_word, result.start_ms) == (1, 400)


def test_numbers_side_by_side_are_two():
    assert check_quote(said("in twenty sixteen, forty people came"), "Forty people came.").verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    ("raw", "quote", "missing"),
    [
        ("the non-violent men", "Violent men.", "non"),
        ("the non -violent men", "Violent men.", "non"),
        ("it is a no-brainer", "Brainer.", "no"),
    ],
)
def test_a_word_is_not_quoted_without_its_negation(raw, quote, missing):
    result = check_quote(said(raw), quote)

    assert [(problem.why, " ".join(problem.raw_words)) for problem in result.problems] == [(Why.NEGATION, missing)]


def test_a_dash_joins_no_words():
    assert check_quote(said("I did not—and will—go"), "And will go.").verdict is Verdict.VERBATIM


# Other speakers


def test_listeners_words_may_go():
    words = talk(("A", "we built"), ("B", "yeah right"), ("A", "the dam"))

    assert kinds(check_quote(words, "We built the dam.", speaker="A")) == [("other_speaker", "yeah right")]


def test_a_longer_remark_needs_an_ellipsis():
    words = talk(("A", "we built"), ("B", "you did what"), ("A", "the dam"))

    silent = check_quote(words, "We built the dam.", speaker="A")
    declared = check_quote(words, "We built … the dam.", speaker="A")

    assert [problem.why for problem in silent.problems] == [Why.OTHER_SPEAKER]
    assert kinds(declared) == [("ellipsis", "you did what")]


def test_words_of_another_speaker_are_not_quoted():
    words = talk(("A", "we built the dam"), ("B", "in three weeks flat"))

    assert check_quote(words, "In three weeks flat.", speaker="A").verdict is Verdict.ALTERED
    assert check_quote(words, "In three weeks flat.", speaker="B").verdict is Verdict.VERBATIM


# Problems


def test_a_sentence_that_was_not_said_has_no_span():
    result = check_quote(said("the dam was built in a year"), "Nobody ever asked why the dam leaked.")

    assert (result.start_ms, result.end_ms, result.first_word) == (None, None, None)
    assert [problem.why for problem in result.problems] == [Why.NOT_FOUND]
    assert result.problems[0].quote_words == ("Nobody", "ever", "asked", "why", "the", "dam", "leaked")


def test_moved_words_are_reordered():
    result = check_quote(said("we quietly sold every boat in town"), "We sold every boat in town quietly.")

    assert result.verdict is Verdict.ALTERED


def test_moved_phrases_are_found_in_the_region():
    words = said("in the old town we sold nearly every boat that year")

    result = check_quote(words, "We sold nearly every boat in the old that year.")

    assert faults(result) == [("reordered", "in the old", "in the old")]


def test_a_problem_tells_where_it_is():
    text = "The dam was poorly built."

    result = check_quote(said("so the dam was well built"), text)

    (problem,) = result.problems
    assert (text[slice(*problem.at)], problem.indices) == ("poorly", (4,))


def test_a_deletion_tells_where_the_word_goes():
    result = check_quote(said("It was dry. But it held."), "It was dry. It held.")

    (problem,) = result.problems
    assert (problem.at, problem.indices) == ((12, 12), (3,))


def test_words_as_spoken_are_marked():
    result = check_quote(said("and we uh we built [noise] the the dam"), "And we built the dam.")

    runs = [(run.text, run.kept, run.kind) for run in result.marked]
    assert runs == [
        ("and", True, ""),
        ("we", False, "stutter"),
        ("uh", False, "filler"),
        ("we built", True, ""),
        ("[noise]", True, "sound"),
        ("the", False, "stutter"),
        ("the dam", True, ""),
    ]


def test_a_part_of_a_word_is_marked():
    result = check_quote(said("it was w-wonderful then"), "It was wonderful then.")

    assert [(run.text, run.kept) for run in result.marked] == [
        ("it was", True),
        ("w-", False),
        ("wonderful then", True),
    ]


# Languages


@pytest.mark.parametrize(
    ("language", "raw", "quote", "verdict"),
    [
        ("sv", "vi öh bygger nu", "Vi bygger nu.", "cleaned"),
        ("nl", "wij euh bouwen nu", "Wij bouwen nu.", "cleaned"),
        ("nl", "dan is er brood nu", "Dan is brood nu.", "altered"),
        ("pt", "eles vivem em casas", "Eles vivem casas.", "altered"),
        ("it", "noi ehm andiamo via", "Noi andiamo via.", "cleaned"),
        ("ja", "今日 は えーと 雨 です", "今日は雨です。", "cleaned"),
        ("ja", "今日は雨です", "今日は雪です", "altered"),
        ("und", "to hmm nie tak", "To nie tak.", "cleaned"),
        ("pl", "to uh nie tak", "To nie tak.", "altered"),
        ("de", "wir wir gehen, gehen heim", "Wir gehen heim.", "cleaned"),
        ("de", "es sind vierzig Leute da", "Es sind 40 Leute da.", "verbatim"),
        ("de", "es sind 40 Prozent hier", "Es sind 40% hier.", "verbatim"),
        ("de", "es sind 1.000 Leute da", "Es sind 1000 Leute da.", "verbatim"),
        ("de", "es sind 1.000 Leute da", "Es sind 1 Leute da.", "altered"),
        ("pl", "jest 1.000 osób tu", "Jest 1 osób tu.", "altered"),
        ("de", "es sind zehn Prozent", "Es sind zehn.", "altered"),
        ("fr", "il y a dix pour cent", "Il y a dix.", "altered"),
        ("fr", "il y a vingt et un chats", "Un chats.", "altered"),
        ("es", "hace treinta y cinco años", "Cinco años.", "altered"),
        ("pt", "faz trinta e cinco anos", "Cinco anos.", "altered"),
        ("ja", "二十三人がいる", "三人がいる", "altered"),
        ("ja", "今日は雨ではない日です", "今日は雨…です", "altered"),
        ("ja", "今日は雨です", "今日は雨[ではない]です", "altered"),
        ("ja", "今日はいい日です", "今日はい日です", "altered"),
        ("ja", "もう いろいろな日です", "もういろな日です", "altered"),
        ("ja", "今日 は、 は 雨 です", "今日は雨です", "cleaned"),
        ("zh", "我 看看书", "我看书", "altered"),
        ("de", "es war möglich hier", "Es war [un] möglich hier.", "altered"),
        ("de", "sie sind nicht nicht da", "Sie sind nicht da.", "altered"),
        ("fr", "on n'a … pas vu ça", "On n’a … vu ça.", "altered"),
        ("en-GB", "we um go home", "We go home.", "cleaned"),
        (None, "we hmm go home", "We go home.", "cleaned"),
    ],
)
def test_each_language_has_its_own_lists(language, raw, quote, verdict):
    assert check_quote(said(raw), quote, language=language).verdict == verdict


# Unchecked


@pytest.mark.parametrize(
    ("words", "quote", "given", "reason"),
    [
        ([], "We go.", {}, Reason.NO_WORDS),
        (said("[music] ♪"), "We go.", {}, Reason.NO_WORDS),
        (said("we go"), "We go.", {"start_ms": 90_000, "end_ms": 95_000}, Reason.NO_WORDS_IN_REGION),
        (said("ເຮົາ ໄປ"), "ເຮົາ ໄປ", {"language": "lo"}, Reason.LANGUAGE),
        (said("we go"), " … ", {}, Reason.NO_QUOTE),
    ],
)
def test_what_cannot_be_judged_is_unchecked(words, quote, given, reason):
    result = check_quote(words, quote, **given)

    assert (result.verdict, result.reason) == (Verdict.UNCHECKED, reason)


# Warnings


def warned(result):
    return {warning.kind: warning.words for warning in result.warnings}


def test_a_negation_before_the_edge_is_warned_of():
    words = said("it is not, um, true that they all left")

    assert warned(check_quote(words, "True that they all left."))[WarningKind.EDGE_NEGATION] == ("not,",)


def test_the_sentence_before_is_another():
    words = said("We could not. They all left.")

    assert WarningKind.EDGE_NEGATION not in warned(check_quote(words, "They all left."))


def test_a_condition_after_the_edge_is_warned_of():
    words = said("you can win unless it rains")

    assert warned(check_quote(words, "You can win."))[WarningKind.EDGE_QUALIFIER] == ("unless",)


def test_an_unsure_word_is_warned_of():
    words = said("the dam held", speaker="A")
    words[1]["confidence"] = 0.3

    assert warned(check_quote(words, "The dam held.", speaker="A")) == {WarningKind.LOW_CONFIDENCE: ("dam",)}


def test_unknown_and_mixed_speakers_are_warned_of():
    assert WarningKind.SPEAKER_UNKNOWN in warned(check_quote(said("the dam held"), "The dam held."))
    mixed = talk(("A", "the dam"), ("B", "held"))
    assert set(warned(check_quote(mixed, "The dam held."))) == {WarningKind.MIXED_SPEAKERS}
