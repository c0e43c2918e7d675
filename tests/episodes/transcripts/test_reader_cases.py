"""What real and hostile files do to the readers: encodings, damage, limits, doubt."""

import codecs
import io
import json
import re
import zipfile

import pytest
from hypothesis import given, settings, strategies as st

from episodes.transcripts.parsed import UnreadableTranscript
from episodes.transcripts.readers import read_transcript
from episodes.transcripts.readers.door import FORMATS
from episodes.transcripts.readers.limits import MAX_BYTES

from .test_readers import ROLLING, SRT, TEXTS, VTT, timed

ONE_CUE = "WEBVTT\n\n00:01.000 --> 00:02.000\n{text}\n"


def read_vtt(text):
    return read_transcript(ONE_CUE.format(text=text).encode())


def segments(*times):
    items = [{"start": start, "end": end, "text": f"Words {place}."} for place, (start, end) in enumerate(times)]
    return read_transcript(json.dumps({"segments": items}).encode())


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8-sig", "Grüße"),
        ("utf-16", "Grüße"),
        ("utf-16-le", "Grüße aus Wien"),
        ("utf-16-be", "Grüße aus Wien"),
        ("utf-32", "Grüße"),
        ("cp1252", "Grüße – “schön”, café, señor"),
        ("gb18030", "我们今天谈谈新的节目，大家好。"),
        ("big5", "我們今天談談新的節目，大家好。"),
        ("cp932", "こんにちは、今日は新しい番組です。"),
        ("euc_jp", "こんにちは、今日は新しい番組です。"),
        ("euc_kr", "안녕하세요 오늘은 새로운 방송입니다"),
        ("cp1251", "Добрый день, это новый выпуск нашей программы"),
        ("koi8_r", "Добрый день, это новый выпуск нашей программы"),
    ],
)
def test_encodings(encoding, text):
    parsed = read_transcript(ONE_CUE.format(text=text).encode(encoding))

    assert parsed.cues[0].text == text
    assert bool(parsed.messages) == (not encoding.startswith("utf"))


def test_declared_encoding():
    source = '<?xml version="1.0" encoding="iso-8859-2"?><transcript><text start="0" dur="1">Żółw</text></transcript>'

    assert read_transcript(source.encode("iso-8859-2")).cues[0].text == "Żółw"


def test_half_a_letter_does_not_change_the_encoding():
    parsed = read_transcript("WEBVTT\n\n00:01.000 --> 00:02.000\nGrüße über Größe, schö".encode()[:-1])

    assert parsed.cues[0].text == "Grüße über Größe, sch\ufffd"
    assert len(parsed.messages) == 1


def zipped(name):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, "x")
    return file.getvalue()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7 ...", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "picture"),
        (b"ID3\x04\x00", "MP3"),
        (b"\x00\x00\x00\x20ftypM4A ", "MP4"),
        (b"RIFF\x00\x00\x00\x00WAVE", "WAV"),
        (zipped("word/document.xml"), "Word document"),
        (zipped("a.txt"), "ZIP"),
        (b"{\\rtf1 hello}", "RTF"),
        (bytes(range(1, 32)) * 50, "not a text file"),
        (b"", "empty"),
        (b" \n\xef\xbb\xbf", "empty"),
        (b"<html><body><p>Contact us</p></body></html>", "web page"),
        (b"<?xml version='1.0'?><rss/>", "XML"),
        (b'{"segments": [', "cut off"),
        (b'{"a": 1, "quotes": []}', "“quotes”"),
        (b"[]", "no keys"),
        (b"?!\n--", "no words"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_files_are_refused_by_name(data, kind):
    with pytest.raises(UnreadableTranscript, match=kind):
        read_transcript(data)


def test_a_file_too_large_is_refused():
    with pytest.raises(UnreadableTranscript, match="20 MB"):
        read_transcript(b"a" * (MAX_BYTES + 1))


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_deep_json_is_refused(bracket):
    with pytest.raises(UnreadableTranscript):
        read_transcript((bracket * 100_000).encode(), filename="a.json")


def test_too_many_cues_are_refused():
    with pytest.raises(UnreadableTranscript, match="100,000 cues"):
        read_transcript(b"00:01 --> 00:02\na\n" * 100_001)


def test_too_many_words_are_refused():
    with pytest.raises(UnreadableTranscript, match="400,000 words"):
        read_transcript(b"00:01 --> 00:02\n" + b"a " * 400_001)


def test_entities_are_not_expanded():
    source = (
        b'<?xml version="1.0"?><!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/hostname"><!ENTITY y "yyyy">]>'
        b'<transcript><text start="0" dur="1">a &x; &y; b</text></transcript>'
    )

    assert read_transcript(source).cues[0].text == "a b"


@pytest.mark.parametrize(
    "source",
    [
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<v " * 300_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n<v" + " " * 1_000_000,
        "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "<script>" * 100_000,
        "WEBVTT\n\n" + "1" * 1_000_000 + " --> 1",
        "00:01 --> 00:02\n" + "{\\" * 300_000,
        "00:01 --> 00:02\n" + "\n1\n" * 100_000,
        "**A" + "*" * 500_000,
        "[" * 500_000,
        "Ada: " + "[00:01] " * 100_000,
        "A " * 300_000 + ":",
        "&" * 1_000_000,
        "<p data-m='1'>" + "<div>" * 50_000,
        "<cite>" * 50_000,
        "<tt><body>" + "<div begin='1s'>" * 50_000,
        "[00:00:01]" * 50_000,
        " " * 1_000_000 + "a",
    ],
    ids=lambda source: source[:24].strip() or "spaces",
)
def test_hostile_files_take_time_in_proportion_to_their_size(source):
    only_reads_or_refuses(source.encode())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("<script>alert(1)</script>Hello", "Hello"),
        ("<style>b {}</style>Hello", "Hello"),
        ("Hello<script>alert(1)", "Hello"),
        ("<font color='red'>Hello</font>", "Hello"),
        ("<img src=x onerror=alert(1)>Hello", "Hello"),
        ("&lt;script&gt;Hello", "<script>Hello"),
        ("&amp;lt;Hello", "&lt;Hello"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a\x00b\x07c\u2028d", "abc\nd"),
    ],
)
def test_text_is_plain(source, text):
    assert read_vtt(source).cues[0].text == text


def test_text_without_a_time_is_said():
    parsed = read_transcript(b"WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\nTwo is lost\n\nsoon --> later\nThree")

    assert [cue.text for cue in parsed.cues] == ["One"]
    assert [(message.line, "Two is lost" in message.text) for message in parsed.messages] == [(6, True), (8, False)]


def test_a_numbered_cue_without_a_time_is_said():
    parsed = read_transcript(
        b"1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\nTwo\n\n3\n00:00:03,000 --> 00:00:04,000\nThree"
    )

    assert [cue.text for cue in parsed.cues] == ["One", "Three"]
    assert [(message.line, "“Two”" in message.text) for message in parsed.messages] == [(5, True)]


def test_text_after_an_empty_line_stays_in_its_cue():
    parsed = read_transcript(
        b"1\n00:00:01,000 --> 00:00:02,000\nOne\n\nand more\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo"
    )

    assert [cue.text for cue in parsed.cues] == ["One\nand more", "Two"]
    assert [message.line for message in parsed.messages] == [5]


def test_many_messages_of_one_kind_become_one():
    source = "WEBVTT\n\n" + "lost\n\n" * 332 + "00:01.000 --> 00:02.000\nOne"

    messages = read_transcript(source.encode()).messages

    assert len(messages) == 21
    assert "312 more" in messages[-1].text


@pytest.mark.parametrize(
    ("times", "read", "said"),
    [
        ([(5, 6), (1, 2)], [(1000, 2000), (5000, 6000)], "moved up"),
        ([(1, 0.5), (2, 3)], [(1000, 2000), (2000, 3000)], "ends before"),
        ([(1, None), (2, 3)], [(1000, 2000), (2000, 3000)], ""),
        ([(-3, 1), (2, 3)], [(0, 1000), (2000, 3000)], "before the start"),
        ([(1, 200_000), (2, 3)], [(1000, 2000), (2000, 3000)], "48 hours"),
        ([(1, 5), (2, 3)], [(1000, 5000), (2000, 3000)], "overlaps"),
        ([(1, 1), (2, 3)], [(1000, 1000), (2000, 3000)], "no length"),
        ([(1, float("nan")), (2, 10**400)], [(1000, 2000), (2000, None)], ""),
    ],
)
def test_times_are_repaired_and_said(times, read, said):
    parsed = segments(*times)

    assert [timed(cue)[:2] for cue in parsed.cues] == read
    assert any(said in message.text for message in parsed.messages) or not said
    assert bool(parsed.messages) == bool(said)


def test_a_word_that_lasts_too_long_is_said():
    words = [{"word": "So", "start": 0, "end": 9}]

    parsed = read_transcript(json.dumps({"segments": [{"start": 0, "end": 9, "text": "So", "words": words}]}).encode())

    assert (parsed.words[0].start_ms, parsed.words[0].end_ms) == (0, 9000)
    assert [message.text for message in parsed.messages] == [
        "Segment 1: “So” at 0:00 lasts 9.0 seconds; its time is in doubt."
    ]


def test_an_empty_transcript_is_read_and_said():
    parsed = read_transcript(b'{"text": "", "segments": [], "language": "fr"}', filename="a.words.json")

    assert (parsed.format, parsed.cues, parsed.words) == ("whisper_timestamped", (), ())
    assert len(parsed.messages) == 1


def test_a_label_too_long_is_cut_and_said():
    parsed = read_vtt(f"<v {'A' * 300}>Hello")

    assert parsed.cues[0].speaker == "A" * 200
    assert len(parsed.messages) == 1


@pytest.mark.parametrize(
    "speech",
    [
        "At 12:30 we met, and then: nothing.",
        "12:30 was when we met.",
        "Note: this is speech.",
        "https://example.org is our address.",
        "so here is what I thought: nothing.",
        "He said: I do not know.",
        "Remember: always test.",
    ],
)
def test_speech_with_a_colon_is_no_label(speech):
    parsed = read_transcript(SRT.replace("dear listeners.", speech).encode())

    assert timed(parsed.cues[1])[2:] == ("Ada", speech)


@pytest.mark.parametrize(
    "label", ["Ada", "ADA", "Ada Lovelace", "Ludwig van Beethoven", "Speaker 1", "SPEAKER_00", "Dr. No", "张三"]
)
def test_names_are_labels(label):
    parsed = read_transcript(SRT.replace("Ada", label).encode())

    assert parsed.speakers == (label, "Bob")


def test_times_of_day_in_speech_are_no_time_marks():
    parsed = read_transcript(b"00:00:01 We met at\n12:30 on a day.\n\n00:00:09 And at 9:15 again.\n\n00:00:12 Yes.")

    assert [(cue.start_ms, cue.text) for cue in parsed.cues] == [
        (1000, "We met at\n12:30 on a day."),
        (9000, "And at 9:15 again."),
        (12_000, "Yes."),
    ]


def test_a_change_without_a_name_ends_the_label():
    parsed = read_transcript(SRT.replace("dear", ">> Dear").encode())

    assert [timed(cue)[2:] for cue in parsed.cues[:2]] == [("Ada", "Good morning,"), ("", "Dear listeners.")]
    assert [message.line for message in parsed.messages] == [6]


def test_the_filename_decides_only_what_content_leaves_open():
    assert read_transcript(SRT.encode(), filename="a.vtt").format == "srt"
    assert read_transcript(VTT.encode(), filename="a.srt").format == "webvtt"
    assert read_transcript(b"00:01.000 --> 00:02.000\nHi", filename="a.vtt").format == "webvtt"
    assert read_transcript(b"00:01.000 --> 00:02.000\nHi").format == "srt"


def test_a_format_can_be_asked_for():
    assert read_transcript(b"Ada: Hi.\n\nBob: Hi.", format="text").format == "text"
    with pytest.raises(UnreadableTranscript, match="“cards”"):
        read_transcript(b"Hi", format="cards")


def test_language_stands_in_only_where_the_file_names_none():
    assert read_transcript(VTT.encode(), language="de").language == "en"
    assert read_transcript(SRT.encode(), language="de").language == "de"


def only_reads_or_refuses(data, **options):
    try:
        parsed = read_transcript(data, **options)
    except UnreadableTranscript:
        return
    starts = [cue.start_ms for cue in parsed.cues if cue.start_ms is not None]
    assert starts == sorted(starts)
    assert all(0 <= word.cue < len(parsed.cues) for word in parsed.words)
    for text in [
        *(cue.text + cue.speaker for cue in parsed.cues),
        *(word.text + word.speaker for word in parsed.words),
        *(message.text for message in parsed.messages),
        parsed.language + parsed.engine,
    ]:
        assert "\0" not in text
        text.encode()


@given(st.binary(max_size=400), st.sampled_from([None, "a.vtt", "a.json"]), st.sampled_from([None, *FORMATS]))
@settings(max_examples=400, deadline=None)
def test_any_bytes_are_read_or_refused(data, filename, format):
    only_reads_or_refuses(data, filename=filename, format=format)


SAMPLES = [VTT, ROLLING, SRT, *(source for source, _, _ in TEXTS.values())]


@given(
    st.sampled_from(SAMPLES),
    st.lists(
        st.tuples(st.integers(0, 500), st.integers(0, 20), st.text("0:.,->\n<>v c/[]*&#A\0\ufeff", max_size=6)),
        max_size=6,
    ),
)
@settings(max_examples=400, deadline=None)
def test_damaged_texts_are_read_or_refused(sample, cuts):
    for place, length, instead in cuts:
        sample = sample[:place] + instead + sample[place + length :]

    only_reads_or_refuses(sample.encode())


KEY_NAMES = """segments words text start end body startTime endTime speaker word results channels alternatives transcript
    utterances items transcripts events segs utf8 tStartMs monologues elements transcription tokens offsets from to
    response metadata speaker_labels start_time content language info type value ts"""
KEYS = st.sampled_from(re.split(r"\s+", KEY_NAMES))
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["1.5s", "-1", "\ud800"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=30,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4) | st.lists(VALUES, max_size=3), st.sampled_from([None, *FORMATS]))
@settings(max_examples=600, deadline=None)
def test_any_json_is_read_or_refused(data, format):
    only_reads_or_refuses(json.dumps(data).encode(), filename="a.json", format=format)


TAGS = st.lists(
    st.sampled_from(
        [
            "<tt>",
            "<body>",
            "<p begin='1s' end='x'>",
            "</p>",
            "<transcript>",
            "<text start='1'>",
            "<timedtext>",
            "<s t='9'>",
        ]
        + [
            "<cite>",
            "<time>",
            "0:01",
            "<span data-m='5'>",
            "</div>",
            "<html>",
            "<br/>",
            "Hi",
            "&amp;",
            "<!--",
            "]]>",
            "\n",
        ]
    ),
    max_size=12,
)


@given(TAGS, st.sampled_from([None, "ttml", "podcast_html", "youtube_srv1", "youtube_srv3"]))
@settings(max_examples=300, deadline=None)
def test_any_markup_is_read_or_refused(tags, format):
    only_reads_or_refuses("".join(tags).encode(), format=format)


def test_byte_order_marks_are_not_text():
    assert read_transcript(codecs.BOM_UTF8 + b"Ada: Hi.\n\nBob: Hi.").speakers == ("Ada", "Bob")
