"""Each format, in the smallest file that shows what is particular to it."""

import json

import pytest

from episodes.transcripts.readers import read_transcript

VTT = """WEBVTT Pilot
Kind: captions
Language: en

NOTE
Not spoken: 00:00:01.000

STYLE
::cue { color: red }

intro
00:01.000 --> 00:00:02.500 align:start position:0%
<v.loud Ada Lovelace>Good <i>morning</i> &amp; welcome.</v>

00:00:02.500 --> 00:00:04.000
<v Bob>Thank
you.
"""

ROLLING = """WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.000 align:start position:0%
\x20
so<00:00:00.480><c> this</c><00:00:00.800><c> is</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
so this is
\x20

00:00:02.010 --> 00:00:04.000 align:start position:0%
so this is
so<00:00:02.400><c> long</c>
"""

SRT = """1
00:00:01,000 --> 00:00:02,000
Ada: <i>Good morning,</i>

2
00:00:02,000 --> 00:00:03,500
{\\an8}dear listeners.

3
00:00:03,500 --> 00:00:05,000
Bob: Hello. Note: it rains."""


def timed(cue):
    return cue.start_ms, cue.end_ms, cue.speaker, cue.text


def word_times(parsed):
    return [(word.text, word.start_ms, word.end_ms) for word in parsed.words]


def segments_of(data):
    return data["segments"] if isinstance(data, dict) else data


def read_json(data, **options):
    return read_transcript(json.dumps(data).encode(), **options)


def test_webvtt():
    parsed = read_transcript(VTT.encode())

    assert (parsed.format, parsed.language, parsed.word_timed) == ("webvtt", "en", False)
    assert [timed(cue) for cue in parsed.cues] == [
        (1000, 2500, "Ada Lovelace", "Good morning & welcome."),
        (2500, 4000, "Bob", "Thank\nyou."),
    ]
    assert parsed.messages == ()


def test_webvtt_shares_a_cue_among_its_words():
    parsed = read_transcript(b"WEBVTT\n\n00:01.000 --> 00:02.000\nOne - three")

    assert word_times(parsed) == [("One", 1000, 1400), ("three", 1400, 2000)]
    assert all(word.estimated for word in parsed.words)


def test_webvtt_with_times_as_hosts_write_them():
    parsed = read_transcript(b"WEBVTT\n\n0.5 --> 1:01.25\nHello\n\n1:01,25 --> 1:0:00.000\nyou")

    assert [timed(cue)[:2] for cue in parsed.cues] == [(500, 61_250), (61_250, 3_600_000)]
    assert [message.line for message in parsed.messages] == [3, 6]


def test_rolling_captions_say_each_word_once():
    parsed = read_transcript(ROLLING.encode())

    assert [cue.text for cue in parsed.cues] == ["so this is", "", "so long"]
    assert [(word.text, word.start_ms, word.cue) for word in parsed.words] == [
        ("so", 160, 0),
        ("this", 480, 0),
        ("is", 800, 0),
        ("so", 2010, 2),
        ("long", 2400, 2),
    ]
    assert (parsed.word_timed, parsed.automatic, parsed.engine) == (True, True, "YouTube")


def test_empty_cues_can_be_left_out():
    parsed = read_transcript(ROLLING.encode()).without_empty_cues()

    assert [cue.text for cue in parsed.cues] == ["so this is", "so long"]
    assert [word.cue for word in parsed.words] == [0, 0, 0, 1, 1]


def test_two_voices_in_a_cue_become_two_cues():
    parsed = read_transcript(b"WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>Yes!</v> <v Bob>No!!</v>")

    assert [timed(cue) for cue in parsed.cues] == [(0, 1000, "Ada", "Yes!"), (1000, 2000, "Bob", "No!!")]
    assert [message.line for message in parsed.messages] == [3]


def test_srt():
    parsed = read_transcript(SRT.encode())

    assert parsed.format == "srt"
    assert [timed(cue) for cue in parsed.cues] == [
        (1000, 2000, "Ada", "Good morning,"),
        (2000, 3500, "Ada", "dear listeners."),
        (3500, 5000, "Bob", "Hello. Note: it rains."),
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.replace(",000", ".000"),
        lambda text: text.replace("\n\n", "\n"),
        lambda text: text.replace("1\n00", "00").replace("2\n00", "00").replace("3\n00", "00"),
        lambda text: text + "\n\n\n",
    ],
    ids=["mark", "crlf", "cr", "dots", "no empty lines", "no numbers", "empty lines at the end"],
)
def test_srt_in_disorder(change):
    parsed = read_transcript(change(SRT).encode())

    assert parsed.cues == read_transcript(SRT.encode()).cues


def test_srt_without_a_final_line_break_keeps_its_last_times():
    assert timed(read_transcript(SRT.encode()).cues[-1])[:2] == (3500, 5000)


def test_podcast_json():
    segments = [
        {"speaker": "Ada", "startTime": 0.5, "endTime": 2, "body": "Good morning."},
        {"startTime": "2", "endTime": 2.9995, "body": "Hello <b>you</b>."},
    ]

    parsed = read_json({"version": "1.0.0", "segments": segments})

    assert (parsed.format, parsed.word_timed) == ("podcast_json", False)
    assert timed(parsed.cues[0]) == (500, 2000, "Ada", "Good morning.")
    assert timed(parsed.cues[1]) == (2000, 3000, "", "Hello <b>you</b>.")


def test_podcast_json_of_single_words_times_them():
    segments = [
        {"startTime": place, "endTime": place + 0.5, "body": body} for place, body in enumerate(["Hi", ",", "you"])
    ]

    parsed = read_json({"version": "1.0.0", "segments": segments})

    assert parsed.word_timed
    assert word_times(parsed) == [("Hi", 0, 500), ("you", 2000, 2500)]


def test_podcast_html():
    page = (
        "<html lang='en'><body><script>alert(1)</script><cite>Ada:</cite><time>0:01</time><p>Good<br>morning</p>"
        "<cite>Bob:</cite><time>1:00:05</time><p>Hello &lt;you&gt;</p></body></html>"
    )

    parsed = read_transcript(page.encode())

    assert (parsed.format, parsed.language) == ("podcast_html", "en")
    assert [timed(cue) for cue in parsed.cues] == [
        (1000, 3_605_000, "Ada", "Good\nmorning"),
        (3_605_000, None, "Bob", "Hello <you>"),
    ]


WHISPER_SEGMENT = {"id": 0, "start": 1.0, "end": 2.0, "text": " So it goes."}


@pytest.mark.parametrize(
    ("data", "format"),
    [
        ({"text": "", "segments": [WHISPER_SEGMENT], "language": "en"}, "whisper"),
        (
            {"segments": [{**WHISPER_SEGMENT, "words": [{"word": " So", "start": 1, "end": 1.5, "probability": 0.5}]}]},
            "whisper",
        ),
        (
            {"segments": [{**WHISPER_SEGMENT, "words": [{"text": "So", "start": 1, "end": 1.5, "confidence": 0.5}]}]},
            "whisper_timestamped",
        ),
        (
            {"segments": [{**WHISPER_SEGMENT, "words": [{"word": "So", "start": 1, "end": 1.5, "score": 0.5}]}]},
            "whisperx",
        ),
        ([WHISPER_SEGMENT], "faster_whisper"),
        ({"segments": [WHISPER_SEGMENT], "info": {"language": "de"}}, "faster_whisper"),
    ],
)
def test_whisper_and_its_relatives(data, format):
    parsed = read_json(data)

    assert (parsed.format, parsed.automatic) == (format, True)
    assert timed(parsed.cues[0]) == (1000, 2000, "", "So it goes.")
    assert parsed.word_timed == any("words" in segment for segment in segments_of(data))


def test_whisper_words_in_a_list_of_their_own():
    words = [{"word": word, "start": start, "end": start + 0.5} for start, word in enumerate(["So", "it", "goes"])]
    segments = [{"start": 0, "end": 2, "text": "So it"}, {"start": 2, "end": 3, "text": "goes."}]

    parsed = read_json({"task": "transcribe", "language": "english", "words": words, "segments": segments})

    assert [(word.text, word.start_ms, word.cue) for word in parsed.words] == [
        ("So", 0, 0),
        ("it", 1000, 0),
        ("goes", 2000, 1),
    ]


def test_whisperx_words_without_times_are_estimated_between_their_neighbours():
    words = [
        {"word": "In", "start": 1.0, "end": 1.5, "score": 0.9, "speaker": "SPEAKER_01"},
        {"word": "1984"},
        {"word": "it", "start": 2.0, "end": 2.5, "score": 0.9},
    ]
    segment = {"start": 1.0, "end": 2.5, "text": "In 1984 it", "words": words, "speaker": "SPEAKER_01"}

    parsed = read_json({"segments": [segment], "word_segments": words})

    assert word_times(parsed) == [("In", 1000, 1500), ("1984", 1500, 2000), ("it", 2000, 2500)]
    assert [word.estimated for word in parsed.words] == [False, True, False]
    assert parsed.speakers == ("SPEAKER_01",)
    assert "“1984”" in parsed.messages[0].text


def test_whisper_cpp_puts_tokens_together():
    def token(text, start, end):
        return {"text": text, "offsets": {"from": start, "to": end}, "p": 0.5}

    tokens = [token("[_BEG_]", 0, 0), token(" un", 0, 200), token("likely", 200, 500), token(".", 500, 600)]
    segment = {
        "offsets": {"from": 0, "to": 600},
        "text": " unlikely.",
        "tokens": [*tokens, token("[_TT_30]", 600, 600)],
    }

    parsed = read_json({"result": {"language": "en"}, "transcription": [segment]})

    assert (parsed.format, parsed.language, parsed.word_timed) == ("whisper_cpp", "en", True)
    assert word_times(parsed) == [("unlikely.", 0, 500)]


def test_whisper_cpp_without_tokens():
    segment = {"timestamps": {"from": "00:00:01,000", "to": "00:00:02,000"}, "text": " Hi."}

    parsed = read_json({"transcription": [segment]})

    assert timed(parsed.cues[0]) == (1000, 2000, "", "Hi.")
    assert not parsed.word_timed


def test_youtube_json3():
    events = [
        {"tStartMs": 0, "dDurationMs": 9000, "id": 1},
        {
            "tStartMs": 100,
            "dDurationMs": 2000,
            "segs": [{"utf8": "so", "acAsrConf": 255}, {"utf8": " it", "tOffsetMs": 300}],
        },
        {"tStartMs": 900, "aAppend": 1, "segs": [{"utf8": "\n"}]},
    ]

    parsed = read_json({"wireMagic": "pb3", "events": events})

    assert parsed.format == "youtube_json3"
    assert [timed(cue) for cue in parsed.cues] == [(100, 2100, "", "so it")]
    assert word_times(parsed) == [("so", 100, None), ("it", 400, None)]
    assert parsed.words[0].confidence == 1


DEEPGRAM_WORDS = [
    {"word": "yes", "punctuated_word": "Yes.", "start": 0.41915998, "end": 0.8, "confidence": 0.9, "speaker": 0},
    {"word": "no", "punctuated_word": "No.", "start": 1.0, "end": 1.2, "confidence": 0.8, "speaker": 1},
]


def test_deepgram_utterances():
    utterance = {"start": 0.41915998, "end": 1.2, "transcript": "Yes. No.", "words": DEEPGRAM_WORDS, "speaker": 0}
    channels = [{"alternatives": [{"transcript": "Yes. No.", "words": DEEPGRAM_WORDS}]}]

    parsed = read_json({"metadata": {}, "results": {"channels": channels, "utterances": [utterance]}})

    assert (parsed.format, parsed.automatic) == ("deepgram", True)
    assert [timed(cue) for cue in parsed.cues] == [(419, 1200, "0", "Yes. No.")]
    assert [word.confidence for word in parsed.words] == [0.9, 0.8]


def test_deepgram_without_utterances_makes_a_cue_for_each_speaker():
    channels = [{"alternatives": [{"transcript": "Yes. No.", "words": DEEPGRAM_WORDS}]}]

    parsed = read_json({"metadata": {}, "results": {"channels": channels}})

    assert [timed(cue) for cue in parsed.cues] == [(419, 800, "0", "Yes."), (1000, 1200, "1", "No.")]


@pytest.mark.parametrize("key", ["utterances", "words"])
def test_assemblyai(key):
    words = [{"text": "Yes.", "start": 170, "end": 718, "confidence": 0.9, "speaker": "A"}]
    utterances = [{"text": "Yes.", "start": 170, "end": 718, "speaker": "A", "words": words}]
    data = {"language_code": "en", "words": words, "utterances": utterances if key == "utterances" else None}

    parsed = read_json(data)

    assert (parsed.format, parsed.language) == ("assemblyai", "en")
    assert [timed(cue) for cue in parsed.cues] == [(170, 718, "A", "Yes.")]
    assert word_times(parsed) == [("Yes.", 170, 718)]


def aws_item(text, start=None, end=None):
    kind = {"type": "punctuation"} if start is None else {"type": "pronunciation", "start_time": start, "end_time": end}
    return {**kind, "alternatives": [{"content": text, "confidence": None if start is None else "0.9"}]}


def test_aws_transcribe_joins_words_and_speakers_by_time():
    items = [aws_item("Yes", "0.1", "0.4"), aws_item("."), aws_item("No", "1.0", "1.2")]
    segments = [
        {"start_time": "0.1", "end_time": "0.5", "speaker_label": "spk_0"},
        {"start_time": "1.0", "end_time": "1.5", "speaker_label": "spk_1"},
    ]
    results = {"transcripts": [], "items": items, "speaker_labels": {"segments": segments}}

    parsed = read_json({"jobName": "x", "results": results})

    assert parsed.format == "aws_transcribe"
    assert [timed(cue) for cue in parsed.cues] == [(100, 500, "spk_0", "Yes."), (1000, 1500, "spk_1", "No")]
    assert word_times(parsed) == [("Yes.", 100, 400), ("No", 1000, 1200)]


@pytest.mark.parametrize(
    "wrap",
    [
        lambda results: {"results": results},
        lambda results: {"done": True, "response": {"results": results}},
        lambda results: {"results": {"gs://bucket/a.wav": {"transcript": {"results": results}}}},
    ],
)
def test_google_speech(wrap):
    words = [
        {"startTime": "1.400s", "endTime": "1.800s", "word": "Yes"},
        {"startOffset": "2s", "endOffset": "2.5s", "word": "no"},
    ]
    results = [
        {"alternatives": [{"transcript": "Yes no", "words": words}], "languageCode": "en-us", "resultEndTime": "3s"}
    ]

    parsed = read_json(wrap(results))

    assert (parsed.format, parsed.language) == ("google_speech", "en-us")
    assert [timed(cue) for cue in parsed.cues] == [(1400, 2500, "", "Yes no")]
    assert word_times(parsed) == [("Yes", 1400, 1800), ("no", 2000, 2500)]


def test_google_speech_counts_words_once_that_it_repeats_with_speakers():
    word = {"startTime": "0.1s", "endTime": "0.5s", "word": "Yes"}
    results = [
        {"alternatives": [{"transcript": "Yes", "words": [word]}]},
        {"alternatives": [{"words": [{**word, "speakerTag": 2}]}]},
    ]

    parsed = read_json({"results": results})

    assert [timed(cue) for cue in parsed.cues] == [(100, 500, "2", "Yes")]


def test_rev_json():
    elements = [
        {"type": "text", "value": "Yes", "ts": 0.3, "end_ts": 0.5, "confidence": 1.0},
        {"type": "punct", "value": ","},
        {"type": "punct", "value": " "},
        {"type": "text", "value": "no", "ts": 0.6, "end_ts": 0.7},
        {"type": "punct", "value": " - "},
    ]

    parsed = read_json({"speakers": [{"id": 0, "name": "Ada"}], "monologues": [{"speaker": 0, "elements": elements}]})

    assert parsed.format == "rev_json"
    assert [timed(cue) for cue in parsed.cues] == [(300, 700, "Ada", "Yes, no -")]
    assert word_times(parsed) == [("Yes,", 300, 500), ("no", 600, 700)]


def test_youtube_srv1():
    source = b'<?xml version="1.0"?><transcript><text start="1.5" dur="2">it&amp;#39;s &lt;i&gt;so&lt;/i&gt;</text></transcript>'

    parsed = read_transcript(source)

    assert parsed.format == "youtube_srv1"
    assert [timed(cue) for cue in parsed.cues] == [(1500, 3500, "", "it's so")]


def test_youtube_srv3():
    source = (
        b'<timedtext format="3"><head/><body><w t="0" id="1"/><p t="100" d="2000"><s ac="255">so</s><s t="300"> it</s></p>'
        b'<p t="900" d="10" a="1">\n</p></body></timedtext>'
    )

    parsed = read_transcript(source)

    assert (parsed.format, parsed.word_timed) == ("youtube_srv3", True)
    assert [timed(cue) for cue in parsed.cues] == [(100, 2100, "", "so it")]
    assert word_times(parsed) == [("so", 100, None), ("it", 400, None)]


def test_ttml():
    source = """<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttm="http://www.w3.org/ns/ttml#metadata"
        xmlns:ttp="http://www.w3.org/ns/ttml#parameter" ttp:frameRate="25" xml:lang="en">
      <head><metadata><ttm:agent xml:id="a1"><ttm:name>Ada</ttm:name></ttm:agent></metadata></head>
      <body><div begin="10s">
        <p begin="00:00:01.000" end="00:00:02:05" ttm:agent="a1">Good<br/>morning</p>
        <p begin="3s" dur="500ms"><span>Hello</span></p>
      </div></body></tt>"""

    parsed = read_transcript(source.encode())

    assert (parsed.format, parsed.language) == ("ttml", "en")
    assert [timed(cue) for cue in parsed.cues] == [
        (11_000, 12_200, "Ada", "Good\nmorning"),
        (13_000, 13_500, "", "Hello"),
    ]


def test_hyperaudio_html():
    page = (
        "<!DOCTYPE html><html><body><script>var x = 1</script><article><section>"
        '<p><span class="speaker" data-m="0" data-d="0">[Ada] </span><span data-m="10" data-d="90">Good </span>'
        '<span data-m="100" data-d="200">morning. </span></p></section></article><p>Footer</p></body></html>'
    )

    parsed = read_transcript(page.encode())

    assert (parsed.format, parsed.word_timed) == ("hyperaudio_html", True)
    assert [timed(cue) for cue in parsed.cues] == [(10, 300, "Ada", "Good morning.")]
    assert word_times(parsed) == [("Good", 10, 100), ("morning.", 100, 300)]


TEXTS = {
    "speaker_time_text": ("[00:00:02] Ada: Good morning.\n\n[01:00:00] Bob: Hello.", ["Ada", "Bob"], [2000, 3_600_000]),
    "time_text": ("00:00:02 Good morning.\n\n00:00:09 Hello.", ["", ""], [2000, 9000]),
    "otter_txt": ("Ada  0:02  \nGood morning.\n\nBob Ray  1:00:00  \nHello.", ["Ada", "Bob Ray"], [2000, 3_600_000]),
    "speaker_time_md": (
        "---\ntitle: x\n---\nAda: 00:00:02\n\nGood morning.\n\nBob: 00:00:09\n\nHello.",
        ["Ada", "Bob"],
        [2000, 9000],
    ),
    "rev_txt": ("Ada (00:02):\nGood morning.\n\nBob (00:09):\nHello.", ["Ada", "Bob"], [2000, 9000]),
    "changelog_md": ("**Ada:** Good morning.\n\n**Bob:** Hello.", ["Ada", "Bob"], [None, None]),
    "speaker_text": ("Ada: Good morning.\n\nBob: Hello.", ["Ada", "Bob"], [None, None]),
    "text": ("Good morning.\n\nHello.", ["", ""], [None, None]),
}


@pytest.mark.parametrize("format", TEXTS)
def test_texts_for_people(format):
    source, speakers, starts = TEXTS[format]

    parsed = read_transcript(source.encode())

    assert parsed.format == format
    assert [cue.text for cue in parsed.cues] == ["Good morning.", "Hello."]
    assert [cue.speaker for cue in parsed.cues] == speakers
    assert [cue.start_ms for cue in parsed.cues] == starts
    assert [cue.end_ms for cue in parsed.cues] == [starts[1], None]


def test_a_time_within_a_turn_places_the_words_after_it():
    parsed = read_transcript(b"[00:00:01] Ada: One two. [00:00:05] Three\n\n[00:00:06] Bob: Yes.")

    assert parsed.cues[0].text == "One two. Three"
    assert word_times(parsed)[:3] == [("One", 1000, 2777), ("two.", 2777, 5000), ("Three", 5000, 6000)]


def test_a_turn_without_times_keeps_the_mark_for_one_word_only():
    parsed = read_transcript(
        b"**Ada:** One.\n\n\\[01:05\\] Two three [laughter].\n\n**Break:** \\[02:00\\]\n\n**Bob:** Yes."
    )

    assert [cue.text for cue in parsed.cues] == ["One.\nTwo three [laughter].", "Yes."]
    assert word_times(parsed) == [
        ("One.", None, None),
        ("Two", 65_000, None),
        ("three", None, None),
        ("Yes.", None, None),
    ]


def test_markdown_is_taken_out():
    parsed = read_transcript(
        b"**Ada:** See [our *site*](https://example.org/a_b), `code` and snake_case.\n\n**Bob:** Yes."
    )

    assert parsed.cues[0].text == "See our site, code and snake_case."
