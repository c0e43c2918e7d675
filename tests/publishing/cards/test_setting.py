import pytest

from publishing.cards.bidi import levels_of, reordered
from publishing.cards.clusters import language_of, main_script, split_clusters
from publishing.cards.fonts import Font, find_fonts
from publishing.cards.setting import GAP, is_readable
from publishing.cards.sfnt import NoFont, read_font

from .drawing import fonts, setting


def fonts_of(text: str, language: str = "") -> list[str]:
    made = setting(text, language=language)
    return [run.font.path.name.partition("[")[0] for run in made.runs(made.text)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("We put it there", ["Newsreader"]),
        ("Мы её поставили 40 раз.", ["SourceSerif4"]),
        ("Ένα καλώδιο", ["SourceSerif4"]),
        ("הסוללה, 40 בתים.", ["FrankRuhlLibre"] * 3),
        ("البطارية لنحو 40 ألف.", ["NotoSansArabic"] * 3),
        ("बसें 40", ["NotoSans"]),
        ("รถเมล์ 40", ["NotoSansThai"]),
        ("a → b", ["Newsreader", "SourceSerif4", "Newsreader"]),
    ],
)
def test_the_main_font_draws_what_writings_share(text, named):
    assert fonts_of(text) == named


@pytest.mark.parametrize(
    "text", ["We put it there 🔋", "𝗕𝗼𝗹𝗱", "ᚠᚢᚦ", "a\u0489\u20dd", "電池", "\ue000\uffff", "½ × é — ①"]
)
def test_only_what_a_font_has_is_drawn(text):
    made = setting(text)

    assert all(run.font.covers(run.text) for run in made.runs(made.text))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("Cafe\u0301", "Café"),
        ("so\xadft \u200bspace", "soft \u200bspace"),
        ("a  b\n c", "a b c"),
        ("\u202eturned\u202c", "turned"),
        ("𝗕𝗼𝗹𝗱 Ａ", "Bold A"),
        ("fun 🎉 and 👩‍👩‍👧 so", "fun and so"),
        ("rune ᚠᚢᚦ here", f"rune {GAP} here"),
        ("a\u20e4\ufe0f", "a"),
    ],
)
def test_text_is_drawn_as_far_as_there_are_fonts(text, drawn):
    assert setting(text).text == drawn


@pytest.mark.parametrize(("text", "readable"), [("Own it", True), (f"one word {GAP}", True), (GAP, False), ("", False)])
def test_what_is_mostly_gaps_cannot_be_read(text, readable):
    assert is_readable(text) is readable


def test_widths_grow_with_the_size():
    made = setting("We put it where the buses sleep")

    drawn = sum(made.run_width(run, 31) for run in made.runs(made.text))
    assert made.width(made.text, 31) == pytest.approx(drawn, rel=0.01)


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("ab", ["a", "b"]),
        ("e\u0301x", ["e\u0301", "x"]),
        ("👨‍👩‍👧!", ["👨‍👩‍👧", "!"]),
        ("👍🏽👍", ["👍🏽", "👍"]),
        ("🇳🇬🇩🇪", ["🇳🇬", "🇩🇪"]),
        ("1️⃣2", ["1️⃣", "2"]),
        ("❤️❤", ["❤️", "❤"]),
        ("क्ष", ["क्", "ष"]),
    ],
)
def test_characters_that_belong_together_stay_so(text, clusters):
    assert split_clusters(text) == clusters


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("", "LATIN"),
        ("123", "LATIN"),
        ("Café", "LATIN"),
        ("iPhone و البطارية", "ARABIC"),
        ("JR東日本の電池", "CJK"),
        ("電池", "CJK"),
    ],
)
def test_the_main_writing_is_that_of_most_letters(text, script):
    assert main_script(text) == script


@pytest.mark.parametrize(
    ("text", "hint", "language"),
    [
        ("電池を", "", "ja"),
        ("배터리", "zh", "ko"),
        ("电池", "", "zh"),
        ("電池", "zh-TW", "zh-hant"),
        ("電池", "ja-JP", "ja"),
        ("x", "de", "zh"),
    ],
)
def test_ideographs_take_the_shapes_of_a_language(text, hint, language):
    assert language_of(text, hint) == language


# Text as it is read, whether the line runs to the left, and text from left to right, as python-bidi 0.6.12 says.
@pytest.mark.parametrize(
    ("text", "rtl", "seen"),
    [
        ("", True, ""),
        ("abc.", True, ".abc"),
        ("abc (\u05d0\u05d1) 12.", False, "abc (\u05d1\u05d0) 12."),
        ("a \u05d0\u05d1 (\u05d2\u05d3) b", False, "a )\u05d3\u05d2( \u05d1\u05d0 b"),
        ("\u05d0\u05d1! ", True, " !\u05d1\u05d0"),
        ("\u05d0\u05d1\u05d2 40,000 \u05d3\u05d4.", True, ".\u05d4\u05d3 40,000 \u05d2\u05d1\u05d0"),
        ("\u05e2\u05d1\u05e8 (Depot One), \u05e9\u05dd", True, "\u05dd\u05e9 ,)Depot One( \u05e8\u05d1\u05e2"),
        ("\u05dc\u05e0\u05d7\u05d5 1-2 \u05e9\u05dc", True, "\u05dc\u05e9 1-2 \u05d5\u05d7\u05e0\u05dc"),
        (
            "\u0627\u0644\u0633\u0639\u0631 40% \u0627\u0644\u0622\u0646",
            True,
            "\u0646\u0622\u0644\u0627 %40 \u0631\u0639\u0633\u0644\u0627",
        ),
    ],
)
def test_lines_run_as_the_bidirectional_algorithm_says(text, rtl, seen):
    assert "".join(text[place] for place in reordered(levels_of(text, rtl=rtl))) == seen


def test_fonts_come_from_packages_and_from_given_paths(tmp_path):
    ours = fonts()
    house = tmp_path / "House-Serif.ttf"
    house.write_bytes(ours.sans[0].path.read_bytes())
    (tmp_path / "notes.txt").write_text("no font")

    found = find_fonts([tmp_path], folders=())

    assert [font.path for font in found.serif if font not in ours.serif and font.path.parent == tmp_path] == [house]
    assert found.serif[0].path.name.startswith("Newsreader")
    assert found.fingerprint != ours.fingerprint
    assert ours.emoji is None


@pytest.mark.parametrize("data", [b"", b"no font", b"ttcf\0\1\0\0\0\0\0\1\0\0\0\x0c", b"\0\1\0\0\0\x09" + b"\0" * 20])
def test_a_file_that_is_no_font_is_told(tmp_path, data):
    path = tmp_path / "odd.ttf"
    path.write_bytes(data)

    with pytest.raises(NoFont):
        read_font(path)
    assert not Font(path).covers("a")


def test_a_font_says_what_it_has():
    characters, axes = read_font(fonts().serif[0].path)

    assert {ord("a"), ord("é"), ord("”")} <= characters
    assert ord("я") not in characters
    assert set(axes) == {"wght", "opsz"}
