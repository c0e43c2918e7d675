import pytest

from quotes.check import check_headline

NOTES = [
    ("the depot battery covers 40% of the peak", "It covers forty percent of the peak at the depot.", []),
    ("the depot battery covers 40% of the peak", "It covers forty of the peaks.", [("number", "40%")]),
    ("twelve plants will close", "Eleven plants will close.", [("number", "twelve")]),
    ("no one plant is enough", "No single plant is enough.", []),
    ("Oslo wants Texas power", "Texas power is what we want.", []),
    ("power from Texas is late", "Power is late.", [("name", "Texas")]),
    ("OpenAI is late", "They are late.", [("name", "OpenAI")]),
    ("Grids Will Fail In Every Town", "Grids will fail in every town.", []),
    ("Nvidia's chips in Oslo", "Nvidia chips went to Oslo.", []),
    ("transformers cannot be bought", "You can't buy transformers.", []),
    ("nobody noticed", "No one noticed.", [("negation", "nobody")]),
    ("the grid never fails", "The grid fails.", [("negation", "never")]),
    ("the biggest dam holds", "The dam holds.", [("superlative", "biggest")]),
    ("the dam is of interest", "The dam matters.", []),
    ("the first dam holds", "The dam holds.", [("superlative", "first")]),
    ("prices will fall", "Prices might fall.", [("hedge", "might")]),
    ("prices may fall", "Prices might fall.", []),
    ("prices will fall", "I think prices will fall.", [("hedge", "think")]),
    ("forty homes lost power", "About forty homes lost power.", [("hedge", "about")]),
    ("homes lost power", "About forty homes lost power.", []),
    ("China is ahead", "They are ahead.", [("name", "China")]),
    ("Nvidia’s chips are late", "The chips are late.", [("name", "Nvidia’s")]),
    ("Spelling is a treaty", "It is a treaty, this spelling.", []),
    ("5M homes lost power", "Five million homes lost power.", []),
    ("$3 billion lost", "Three billion dollars were lost.", []),
    ("No. 1 in Europe", "Number one in Europe.", []),
    ("no 1 in Europe", "Number one in Europe.", [("negation", "no")]),
    ("everyone waits", "People wait.", [("superlative", "everyone")]),
    ("frequency is freedom", "If the bus comes you do not run. Frequency is freedom.", []),
    ("silence is measured", "Silence is measured, and if you found it you would hear it.", []),
    ("the mill had it", "The mill had it, because they are the only ones.", []),
    ("prices will fall", "Prices will fall if rates do.", [("hedge", "if")]),
    ("prices will fall", "It is true: prices will fall, unless rates rise.", [("hedge", "unless")]),
    ("we must talk of power", "We must talk about power.", []),
]


@pytest.mark.parametrize(("claim", "quote", "expected"), NOTES)
def test_what_the_quote_does_not_bear_is_noted(claim, quote, expected):
    notes = check_headline(claim, quote)

    assert [(note.kind.value, note.word) for note in notes] == expected
    assert all(note.word in note.message for note in notes)


def test_the_speakers_own_name_need_not_be_quoted():
    assert check_headline("what Okafor wants is power", "I want power.", speaker="Ada Okafor") == []


@pytest.mark.parametrize("claim", ["", "…", "[ ]", "40", "$"])
def test_any_claim_can_be_checked(claim):
    check_headline(claim, "")
