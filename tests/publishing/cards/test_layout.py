import pytest
from hypothesis import given, settings, strategies as st

from publishing.cards.layout import fit, one_line, split_atoms

from .drawing import setting

SIZES = range(28, 73)
WORDS = "We put it where the buses sleep and it settles the evening peak"


def lines(text: str, width: int = 600, height: int = 300, **options) -> list[str]:
    return fit(setting(text), width, height, SIZES, **options).lines


def test_short_text_is_as_large_as_it_gets():
    assert fit(setting("Own the wire."), 1000, 300, SIZES).size == SIZES[-1]


def test_long_text_is_smaller_and_whole():
    block = fit(setting(WORDS * 4), 900, 300, SIZES)

    assert SIZES[0] < block.size < SIZES[-1]
    assert " ".join(block.lines) == WORDS * 4


def test_what_fits_in_no_size_ends_after_a_word():
    block = fit(setting(f"{WORDS} " * 30), 600, 120, SIZES)

    assert (block.size, block.is_cut) == (SIZES[0], True)
    whole, end = " ".join(block.lines)[:-1], block.lines[-1][-1]
    assert end == "…"
    assert f"{WORDS} {WORDS} {WORDS}".startswith(whole)
    assert whole.rpartition(" ")[2] in WORDS.split()


def test_a_cut_leaves_no_comma_before_it_and_keeps_the_closing_mark():
    block = fit(setting("Nobody, nobody, nobody, nobody, nobody noticed it."), 330, 40, [30], marks=("“", "”"))

    assert block.lines == ["Nobody, nobody…”"]


def test_marks_close_the_text():
    assert lines("Own the wire.", marks=("“", "”")) == ["Own the wire.”"]


def test_lines_are_about_as_long_as_each_other():
    block = fit(setting(WORDS), 900, 400, [60])

    widths = [block.setting.width(line, block.size) for line in block.lines]
    assert len(widths) == 2
    assert min(widths) > 0.75 * max(widths)


def test_a_word_wider_than_the_box_is_broken_in_the_smallest_size():
    block = fit(setting("Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"), 300, 300, SIZES)

    assert block.size == SIZES[0]
    assert "".join(block.lines) == "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"


def test_one_line_is_one_line():
    block = one_line(setting(WORDS), 300, 24)

    assert len(block.lines) == 1
    assert block.lines[0].endswith("…")
    assert block.width <= 300


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("one two", ["one", "two"]),
        ("a well-known and/or thing—really", ["a", "well-", "known", "and/", "or", "thing—", "really"]),
        ("-5 to -6", ["-5", "to", "-6"]),
        ("電池を、置く。", ["電", "池", "を、", "置", "く。"]),
        ("「電池」だ", ["「電", "池」", "だ"]),
        ("ちょっと待って", ["ちょっ", "と", "待っ", "て"]),
        ("東京2024年", ["東", "京", "2024", "年"]),
        ("ไปที่นี่", ["ไป", "ที่", "นี่"]),
        ("one\u200btwo", ["one", "two"]),
        ("", []),
    ],
)
def test_lines_end_where_they_may(text, atoms):
    assert [atom.text for atom in split_atoms(text)] == atoms


@given(text=st.text(max_size=400), width=st.integers(60, 1000), height=st.integers(30, 400), most=st.integers(1, 6))
@settings(max_examples=100, deadline=None)
def test_lines_never_leave_the_box(text, width, height, most):
    block = fit(setting(text), width, height, [28, 40, 60], most_lines=most, marks=("“", "”"))

    assert len(block.lines) <= most
    assert block.height <= max(height, block.leading)
    assert all(
        block.setting.width(line, block.size) <= width + 1 or len(line) <= 3 for line in block.lines
    )  # one letter, an ellipsis and a mark may be wider than a box of 60 pixels
