"""A transcript as HTML: turns, times, anchors and the quotes in it."""

import time

import lxml.html
import pytest

from episodes.models import Transcript
from episodes.player import Player
from episodes.transcripts.body import Body, anchors_of
from episodes.transcripts.marks import QuoteMark
from episodes.transcripts.naming import SpeakerNames
from episodes.transcripts.page import MOST_CUES, make_page
from episodes.transcripts.parsed import Cue, Word
from episodes.transcripts.script import make_script

pytestmark = pytest.mark.django_db


def script_from(cues: list[tuple[int | None, str, str]]):
    """Return a script of cues of ``(start_ms, label, text)``, each five seconds long."""
    held = [Cue(start, None if start is None else start + 5_000, label, text) for start, label, text in cues]
    words = [
        Word(text, cue.start_ms, cue.end_ms, cue.speaker, None, True, place)
        for place, cue in enumerate(held)
        for text in cue.text.split()
    ]
    return make_script(Body(tuple(held), tuple(words), anchors_of(held, None)), {}, [])


def html_of(cues, quotes=()) -> str:
    return make_page(script_from(cues), SpeakerNames(Transcript(speakers=[])), Player(), quotes).html


def tree_of(html: str):
    return lxml.html.fragment_fromstring(html, create_parent="div")


def marked_in(html: str) -> list[str]:
    return [mark.text_content() for mark in tree_of(html).iter("mark")]


def test_what_one_speaker_says_in_a_row_is_one_turn():
    tree = tree_of(html_of([(0, "A", "One."), (5_000, "A", "Two."), (10_000, "B", "Three."), (15_000, "A", "Four.")]))

    turns = [(turn.find_class("turn__speaker")[0].text_content(), turn) for turn in tree.find_class("turn")]
    assert [name for name, _turn in turns] == ["A", "B", "A"]
    assert [cue.text_content() for cue in turns[0][1].find_class("cue")] == ["One.", "Two."]


def test_without_labels_there_are_no_names_and_still_times():
    tree = tree_of(html_of([(second * 5_000, "", f"Sentence {second}.") for second in range(60)]))

    assert tree.find_class("turn__speaker") == []
    assert [time.text_content() for time in tree.find_class("num")] == [
        "0:00", "0:45", "1:30", "2:15", "3:00", "3:45", "4:30",
    ]  # fmt: skip


def test_a_sentence_without_end_gets_a_time_too():
    tree = tree_of(html_of([(second * 5_000, "", "and so on") for second in range(60)]))

    assert [time.text_content() for time in tree.find_class("num")] == ["0:00", "1:30", "3:00", "4:30"]


def test_without_times_there_is_the_text():
    page = make_page(
        script_from([(None, "A", "One."), (None, "B", "Two.")]), SpeakerNames(Transcript(speakers=[])), Player()
    )

    assert tree_of(page.html).find_class("num") == []
    assert "One." in page.html


def test_text_is_text():
    evil = '<script>alert(1)</script> & "quotes" <img src=x onerror=alert(1)>'

    tree = tree_of(html_of([(0, "<b>A</b>", evil)], [QuoteMark(5, 6, '/q/?"><i>', "<i>title</i>")]))

    assert tree.xpath(".//script|.//img|.//i|.//b") == []
    assert evil in tree.text_content()
    assert "<b>A</b>" in tree.text_content()


def test_a_line_break_in_a_cue_is_a_space():
    assert "one two" in html_of([(0, "", "one\ntwo")])


def test_anchors_of_old_files_land_at_their_cue():
    old = [Cue(0, 4_000, "", "One."), Cue(4_000, 8_000, "", "Two.")]
    new = [Cue(100, 8_000, "", "One. Two.")]
    words = [Word(text, 100, 8_000, "", None, True, 0) for text in ("One.", "Two.")]
    body = Body(tuple(new), tuple(words), anchors_of(new, Body(tuple(old), (), anchors_of(old, None))))

    tree = tree_of(make_page(make_script(body, {}, []), SpeakerNames(Transcript(speakers=[])), Player()).html)

    assert [cue.get("id") for cue in tree.find_class("cue")] == ["t0"]
    assert [link.get("id") for link in tree.iter("a") if link.get("id")] == ["t4000"]


def test_a_cue_without_text_keeps_its_anchor():
    tree = tree_of(html_of([(0, "A", ""), (5_000, "A", "Two."), (10_000, "B", "")]))

    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert ids == ["t0", "t5000", "t10000"]
    assert len(tree.find_class("turn")) == 1


def test_a_page_has_a_bound():
    names = SpeakerNames(Transcript(speakers=[]))
    cues = [(second * 1_000, "A", "Words.") for second in range(MOST_CUES + 5)]

    whole, cut = (
        make_page(script_from(cues[:MOST_CUES]), names, Player()),
        make_page(script_from(cues), names, Player()),
    )
    huge = make_page(script_from([(0, "A", "x" * 900_000), (1, "A", "x" * 900_000)]), names, Player())

    assert (whole.is_cut, cut.is_cut, cut.cue_count) == (False, True, MOST_CUES)
    assert (huge.is_cut, huge.cue_count) == (True, 1)


def test_three_hours_are_quick():
    script = script_from(
        [
            (second * 3_600, f"S{second % 2}", "ten words that somebody says in three seconds or four")
            for second in range(3_000)
        ]
    )
    names = SpeakerNames(Transcript(speakers=[]))
    quotes = [QuoteMark(place * 300, place * 300 + 40, "/quotes/x/", "Somebody: something") for place in range(100)]

    start = time.process_time()
    page = make_page(script, names, Player(), quotes)

    assert time.process_time() - start < 1.5  # 0.15 on a quiet machine
    assert len(page.html) < 1_500_000


CUES = ((0, "A", "one, two three"), (5_000, "A", "four five (six)"), (10_000, "A", "seven eight"))


@pytest.mark.parametrize(
    ("spans", "marked"),
    [
        ([(1, 1)], ["two"]),
        ([(0, 2)], ["one, two three"]),
        ([(1, 4)], ["two three", "four five"]),
        ([(0, 7)], ["one, two three", "four five (six)", "seven eight"]),
        ([(5, 5)], ["(six)"]),
        ([(0, 0), (2, 2)], ["one,", "three"]),
        ([], []),
    ],
)  # fmt: skip
def test_just_the_words_are_marked(spans, marked):
    quotes = [QuoteMark(first, last, f"/q{first}/", "T") for first, last in spans]

    assert marked_in(html_of(CUES, quotes)) == marked


def test_quotes_may_overlap():
    html = html_of(CUES, [QuoteMark(0, 3, "/a/", "A"), QuoteMark(2, 6, "/b/", "B"), QuoteMark(1, 1, "/c/", "C")])
    tree = tree_of(html)

    assert " ".join(marked_in(html)).split() == ["one,", "two", "three", "four", "five", "(six)", "seven"]
    assert [link.get("href") for link in tree.find_class("transcript__quote")] == ["/c/", "/a/", "/b/"]
    assert tree.xpath(".//a//a|.//mark//mark") == []


def test_two_quotes_of_the_same_words_have_two_links():
    tree = tree_of(html_of(CUES, [QuoteMark(0, 1, "/a/", "A"), QuoteMark(0, 1, "/b/", "B")]))

    assert [link.get("href") for link in tree.find_class("transcript__quote")] == ["/a/", "/b/"]


def test_a_range_beyond_the_words_breaks_nothing():
    assert marked_in(html_of(CUES, [QuoteMark(6, 99, "/a/", "A")])) == ["seven eight"]
