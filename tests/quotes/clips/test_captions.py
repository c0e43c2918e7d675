import re

import pytest

from quotes.clips import Word
from quotes.clips.captions import MOST_LETTERS, Caption, ass_file, captions_of, escape


def said(text, start_ms=1000, pause_at=None):
    """Return words of 300 ms, one every 400 ms, with two seconds of silence before one of them."""
    words = []
    for place, word in enumerate(text.split()):
        begin = start_ms + 400 * place + (2000 if pause_at is not None and place >= pause_at else 0)
        words.append(Word(word, begin, begin + 300))
    return words


def test_captions_follow_each_other_in_the_time_of_the_clip():
    words = said("We put it where the buses sleep. Nobody noticed until the peak was gone.")

    assert captions_of(words, 850, 6950) == [
        Caption("We put it where the buses sleep.", 150, 2950),
        Caption("Nobody noticed until the peak was gone.", 2950, 6050),
    ]


def test_a_pause_ends_a_caption():
    first, second = captions_of(said("We put it there", pause_at=2), 1000, 9000)

    assert (first.text, second.text) == ("We put", "it there")
    assert first.end_ms < second.start_ms


def test_a_caption_fits_on_two_lines():
    captions = captions_of(said("word " * 200), 0, 90_000)

    assert all(len(caption.text) <= MOST_LETTERS for caption in captions)
    assert " ".join(caption.text for caption in captions).split() == ["word"] * 200


def test_a_short_sentence_stays_with_the_next():
    assert [caption.text for caption in captions_of(said("No. We put it there."), 0, 9000)] == ["No. We put it there."]


def test_words_outside_of_the_clip_are_not_shown():
    assert captions_of(said("We put it there"), 8000, 9000) == []
    assert captions_of([], 0, 9000) == []


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain, 100 %: 'it' [x];", "plain, 100 %: 'it' [x];"),
        (r"{\b1}loud", "\\{\\\u2060b1\\}loud"),
        (r"C:\new\Next", "C:\\\u2060new\\\u2060Next"),
        ("two\nlines\tand\x00nothing", "two lines andnothing"),
        ("日本語 العربية 🎧", "日本語 العربية 🎧"),
    ],
)
def test_no_text_is_a_command(text, escaped):
    assert escape(text) == escaped


def test_an_event_stays_on_its_line():
    text, _fonts = ass_file([Caption("a\r\nDialogue: 0,b", 0, 3_661_230)])

    (event,) = [line for line in text.splitlines() if line.startswith("Dialogue")]
    assert event == "Dialogue: 0,0:00:00.00,1:01:01.23,Words,,0,0,0,,{\\fnNewsreader 16pt\\fs66}a Dialogue: 0,b"


def test_each_writing_is_set_in_a_font_of_ours():
    text, fonts = ass_file([Caption("Hello العالم again", 0, 1000)])

    assert re.sub(r"\\fs\d+", "", text.splitlines()[-1]).endswith(
        r",{\fnNewsreader 16pt}Hello {\fnNoto Sans Arabic}العالم {\fnNewsreader 16pt}again"
    )
    assert len(fonts) == 2


def test_what_no_font_has_is_a_gap_and_no_box():
    text, _fonts = ass_file([Caption("\U00012000 said \ufdd0no 🎧", 0, 1000)])

    assert text.endswith("}… said no\n")
