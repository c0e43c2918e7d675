import re

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from episodes.models import FeedEntry, FeedSource, Transcript
from episodes.transcripts.current import original_of
from episodes.transcripts.readers.door import FORMATS
from episodes.transcripts.readers.names import FORMAT_NAMES
from episodes.transcripts.script import script_of
from episodes.transcripts.service import correct, name_speakers
from publishing.jobs import work_through
from publishing.models import Job
from tests.episodes.transcripts.making import LINES, add, make_transcript, text_of, vtt
from tests.factories import edit, make_audio, make_episode, make_guest, make_quote, make_user
from tests.server import reply
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db

SAID = "We put the battery where the buses sleep, uh, in the depot."


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def draft_episode(editor):
    return make_episode(live=False)


def path(episode, rest="") -> str:
    return f"/admin/episodes/episode/{episode.pk}/transcripts/{rest}"


def upload(data: bytes, name: str = "one.vtt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def look(client, episode, data: bytes, **fields):
    return client.post(path(episode, "add/"), {"file": upload(data), **fields})


def sealed_in(answer) -> str:
    return re.search(r'name="sealed" value="([^"]+)"', answer.content.decode())[1]


def bring_in(client, episode, data: bytes, **fields):
    sealed = sealed_in(look(client, episode, data, **fields))
    return client.post(path(episode, "add/"), {"sealed": sealed}, follow=True)


def text(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


# Upload


def test_a_file_is_looked_at_before_anything_is_written(editor_client, draft_episode):
    before = dump_tables()

    answer = look(editor_client, draft_episode, vtt(("Ada", "Not quite <i>this</i>."), *LINES), engine="Whisper")

    said = text(answer)
    after = dump_tables()
    assert [name for name in after if after[name] != before[name]] == ["publishing.StoredFile"]  # the file waits
    assert "Read as WebVTT: 38 words in 6 parts, in the language en." in said
    assert "The episode has no quotes yet." in said
    assert "Ada: unsure" in said
    assert "Nobody asked for permission" in said


def test_one_part_is_a_part(editor_client, draft_episode):
    said = text(look(editor_client, draft_episode, vtt(("Ada", "Nobody asked."))))

    assert "Read as WebVTT: 2 words in 1 part, in the language en." in said


def test_every_format_has_a_name():
    assert set(FORMATS) == set(FORMAT_NAMES)


def test_what_was_looked_at_is_brought_in(editor_client, draft_episode):
    said = text(bring_in(editor_client, draft_episode, vtt(), engine="Whisper", made_on="2026-05-01", automated="yes"))

    kept = original_of(draft_episode.pk)
    assert "It is transcript 1 now. It holds." in said
    assert (kept.engine, str(kept.made_on), kept.is_automated) == ("Whisper", "2026-05-01", True)
    assert (kept.original_name, kept.created_by.username) == ("one.vtt", "ines")
    assert default_storage.listdir("imports")[1] == []


def test_a_look_confirmed_twice_is_one_transcript(editor_client, draft_episode):
    sealed = sealed_in(look(editor_client, draft_episode, vtt()))

    editor_client.post(path(draft_episode, "add/"), {"sealed": sealed})
    again = editor_client.post(path(draft_episode, "add/"), {"sealed": sealed}, follow=True)

    assert Transcript.objects.count() == 1
    assert "was brought in already" in text(again)


def test_a_look_is_for_whoever_took_it_and_for_its_episode(client, editor_client, draft_episode, publisher):
    sealed = sealed_in(look(editor_client, draft_episode, vtt()))
    other = make_episode(live=False)

    assert editor_client.post(path(other, "add/"), {"sealed": sealed}).status_code == 403
    assert editor_client.post(path(draft_episode, "add/"), {"sealed": sealed + "x"}).url == path(draft_episode, "add/")
    client.force_login(publisher)
    assert client.post(path(draft_episode, "add/"), {"sealed": sealed}).status_code == 403
    assert not Transcript.objects.exists()


def test_an_editors_file_for_a_live_episode_waits(editor_client, editor):
    episode = make_episode()
    holding = make_transcript(episode)

    looked = look(editor_client, episode, vtt(("Ada", "Other words.")))
    said = text(editor_client.post(path(episode, "add/"), {"sealed": sealed_in(looked)}, follow=True))

    assert "it waits until a publisher makes it hold" in text(looked)
    assert "It waits: another one holds" in said
    assert "Make this one hold" not in said
    assert original_of(episode.pk) == holding


def test_a_publisher_may_let_it_wait(publisher_client):
    episode = make_episode()
    sealed = sealed_in(look(publisher_client, episode, vtt()))

    publisher_client.post(path(episode, "add/"), {"sealed": sealed, "_wait": ""})

    assert original_of(episode.pk) is None
    assert Transcript.objects.count() == 1


BAD_FILES = {
    "binary": (bytes(range(256)) * 40, "one.vtt"),
    "empty": (b"", "one.vtt"),
    "zero bytes": (b"\0" * 500, "one.vtt"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(200)) * 9, "one.png"),
    "other JSON": (b'{"name": "x", "items": [1, 2]}', "one.json"),
    "broken JSON": (b'{"segments": [', "one.json"),
    "no words": (b"WEBVTT\n\n00:00.000 --> 00:01.000\n-\n", "one.vtt"),
    "XML": (b'<?xml version="1.0"?><rss><channel/></rss>', "feed.xml"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_what_is_no_transcript_is_refused_in_words(editor_client, draft_episode, name):
    make_transcript(draft_episode)
    before = dump_tables()
    data, filename = BAD_FILES[name]

    answer = editor_client.post(path(draft_episode, "add/"), {"file": upload(data, filename), "language": "en"})

    assert answer.status_code == 422
    assert "Nothing was brought in. Every transcript of the episode is as it was." in text(answer)
    assert re.search(r'class="errorlist"[^>]*>\s*<li>[A-Z“].{8,}', answer.content.decode())
    assert dump_tables() == before
    assert not default_storage.exists("imports")


def test_a_large_file_is_refused_with_its_size(editor_client, draft_episode):
    data = b"WEBVTT\n\n" + b"00:00.000 --> 00:01.000\nword\n\n" * 1_750_000

    answer = editor_client.post(path(draft_episode, "add/"), {"file": upload(data)})

    assert answer.status_code == 422
    assert "The file has 50 MB; a transcript may have 20 MB at most." in text(answer)


FILM = b"1\r\n00:00:01,000 --> 00:00:03,000\r\n<i>{\\an8}Where <b>were</b> you?</i>\r\n\r\n2\r\n00:00:04,000 --> 00:00:05,000\r\n<font color='red'>Out.</font>"
BACKWARDS = b"WEBVTT\n\n00:09.000 --> 00:08.000\nLater.\n\n00:01.000 --> 00:02.000\nEarlier.\n"
NASTY_FILES = {
    "wrong encoding": ("WEBVTT\n\n00:01.000 --> 00:02.000\nDas Gerät läuft.\n".encode("cp1252"), "Das Gerät läuft."),
    "zero bytes within": (b"WEBVTT\n\n00:01.000 --> 00:02.000\nGo\0od words.\n", "words"),
    "film": (FILM, "Where were you?"),
    "backwards": (BACKWARDS, "Earlier."),
    "script": (b"WEBVTT\n\n00:01.000 --> 00:02.000\n&lt;script&gt;alert(1)&lt;/script&gt; Hello.\n", "Hello."),
}


@pytest.mark.parametrize("name", NASTY_FILES)
def test_what_can_be_read_is_read(editor_client, draft_episode, name):
    data, said = NASTY_FILES[name]

    looked = look(editor_client, draft_episode, data)
    bring_in(editor_client, draft_episode, data)
    page = editor_client.get(path(draft_episode, "1/"))

    assert looked.status_code == page.status_code == 200
    assert said in text(looked)
    assert said in text(page)
    assert b"<script>alert" not in looked.content + page.content


def test_messages_of_the_reader_have_their_lines(editor_client, draft_episode):
    data = b"WEBVTT\n\n00:01.000 --> 00:02.000\nOne.\n\nlost words\n\n00:03.000 --> 00:04.000\nTwo.\n"

    looked, kept = look(editor_client, draft_episode, data), bring_in(editor_client, draft_episode, data)

    assert re.search(r"To know Line \d+: ", text(looked))
    assert re.search(r"What the reader said of the file Line \d+: ", text(kept))


def test_another_episodes_file_is_doubted(editor_client, draft_episode):
    edit(draft_episode, duration_ms=60_000)

    said = text(look(editor_client, draft_episode, vtt(start=7200)))

    assert "Its last words are at 2:00:16, but the episode ends at 1:00. Is it another episode&#x27;s?" in said


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"language": "klingon!"}, "Use a code such as en"),
        ({"made_on": "yesterday"}, "Enter a valid date"),
        ({"made_on": "0001-01-01"}, "too far away"),
        ({"automated": "perhaps"}, "Select a valid choice"),
        ({"engine": "x" * 101}, "at most 100 characters"),
    ],
)
def test_what_is_said_of_a_file_is_checked(editor_client, draft_episode, fields, said):
    answer = look(editor_client, draft_episode, vtt(), **fields)

    assert answer.status_code == 422
    assert said in text(answer)


def test_no_file_is_no_transcript(editor_client, draft_episode):
    assert editor_client.post(path(draft_episode, "add/"), {"language": "en"}).status_code == 422


def test_the_look_tells_what_becomes_of_quotes(editor_client, draft_episode):
    ada = make_guest(name="Ada")
    edit(draft_episode, guests=[{"guest": ada.pk, "role": "guest", "credit": ""}])
    make_transcript(draft_episode)
    times = {"start_ms": 4_000, "end_ms": 8_000}
    kept = {"claim": "It stays", "text": "Nobody asked for permission, and nobody complained.", "start_ms": 8_000}
    make_quote(live=False, episode=draft_episode, speaker=ada, claim="It goes", text="where the buses sleep", **times)
    make_quote(live=False, episode=draft_episode, speaker=ada, **kept | {"end_ms": 12_000})
    changed = [(label, said.replace("buses", "trams")) for label, said in LINES]

    said = text(look(editor_client, draft_episode, vtt(*changed)))

    assert "1 quote still holds." in said
    assert "1 quote would lose its proof It goes" in said


def test_a_translation_does_nothing_to_quotes(editor_client, draft_episode):
    make_transcript(draft_episode)
    make_quote(live=False, episode=draft_episode)

    said = text(look(editor_client, draft_episode, vtt(("Ada", "Wir stellten sie ins Depot.")), language="de"))

    assert "Nothing: quotes are checked against the transcript in the language that was spoken" in said


# Versions


def test_the_list_names_each_version_with_its_acts(publisher_client):
    episode = make_episode()
    first = make_transcript(episode, engine="Own ears", is_automated=True)
    correct(first, actor=None, words={0: "And"})
    make_transcript(episode, ("Ada", "Other words."), make_it_current=False)

    answer = publisher_client.get(path(episode))

    said = text(answer)
    assert "Transcript 3 waits" in said
    assert "Transcript 2 holds original" in said
    assert "Corrected: 1 word" in said
    assert "Own ears · automated" in said
    assert said.count("Make this one hold") == 2
    assert said.count("Withdraw…") == 1


def test_what_was_put_aside_does_not_wait(publisher_client):
    episode = make_episode()
    first = make_transcript(episode)
    make_transcript(episode, ("Ada", "Other words."))

    publisher_client.post(path(episode, "1/hold/"))

    assert original_of(episode.pk) == first
    assert " waits" not in text(publisher_client.get(path(episode)))


def test_a_version_is_made_to_hold_and_withdrawn(publisher_client):
    episode = make_episode()
    make_transcript(episode)
    waiting = make_transcript(episode, ("Ada", "Other words."), make_it_current=False)

    held = publisher_client.post(path(episode, "2/hold/"), follow=True)
    assert "Transcript 2 holds now." in text(held)
    assert original_of(episode.pk) == waiting

    refused = publisher_client.post(path(episode, "2/withdraw/"), {"reason": " "})
    assert (refused.status_code, "Say why" in text(refused)) == (422, True)
    withdrawn = publisher_client.post(path(episode, "2/withdraw/"), {"reason": "Another episode's."}, follow=True)
    assert "Transcript 2 does not hold any more. It is kept." in text(withdrawn)
    assert original_of(episode.pk) is None
    assert " waits" not in text(publisher_client.get(path(episode)))


def test_a_translation_is_made_the_original(publisher_client):
    episode = make_episode()
    make_transcript(episode)
    german = make_transcript(episode, ("Ada", "Wir stellten sie ins Depot."), language="de")
    assert "Make it the original" in text(publisher_client.get(path(episode)))

    publisher_client.post(path(episode, "2/hold/"), {"original": "1"})

    assert original_of(episode.pk) == german


def test_changes_name_the_time_and_both_texts(editor_client, draft_episode):
    make_transcript(draft_episode)
    changed = [(label, said.replace("the buses", "all trams")) for label, said in LINES]
    make_transcript(draft_episode, *changed)

    said = text(editor_client.get(path(draft_episode, "2/changes/")))

    assert "From transcript 1 to transcript 2. 1 change of words." in said
    assert "0:05 put the battery where the buses all trams sleep, uh, in the" in said
    assert "It is the first of its language." in text(editor_client.get(path(draft_episode, "1/changes/")))


def test_changes_of_a_whole_other_text_are_bounded(editor_client, draft_episode):
    make_transcript(draft_episode, *[("Ada", f"word{n} and then some more {n}") for n in range(900)])
    make_transcript(draft_episode, *[("Ada", f"word{n} and now some more {n}") for n in range(900)])

    answer = editor_client.get(path(draft_episode, "2/changes/"))

    assert "900 changes of words." in text(answer)
    assert "Only the first 200 are shown." in text(answer)


def test_the_file_comes_back_as_it_came(editor_client, draft_episode):
    data = vtt(("Ada", "<b>Bold</b> words."))
    add(draft_episode, data, filename="evil\r\n.html")

    answer = editor_client.get(path(draft_episode, "1/file/"))

    assert b"".join(answer.streaming_content) == data
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_file_that_is_lost_is_not_found(editor_client, draft_episode):
    kept = make_transcript(draft_episode)
    default_storage.delete(kept.original.name)

    assert editor_client.get(path(draft_episode, "1/file/")).status_code == 404


# Reading and correcting


def test_the_text_is_read_in_pages_and_searched_as_a_whole(editor_client, draft_episode):
    lines = [("Ada", f"Part {n}.") for n in range(450)] + [("Ada", "The café-owner’s only remark.")]
    make_transcript(draft_episode, *lines)

    first = editor_client.get(path(draft_episode, "1/"))
    last = editor_client.get(path(draft_episode, "1/?page=3"))
    found = editor_client.get(path(draft_episode, "1/"), {"q": "CAFE owner"})

    assert "Part 199." in text(first)
    assert "Part 200." not in text(first)
    assert "Page 3 of 3" in text(last)
    assert "“CAFE owner” stands in 1 place 30:00 Ada" in text(found)
    assert 'href="?page=3#c450"' in found.content.decode()


@pytest.mark.parametrize("query", ["zebra", "   ", "—", "<script>", "x" * 500])
def test_any_search_is_answered(editor_client, draft_episode, query):
    make_transcript(draft_episode)

    answer = editor_client.get(path(draft_episode, "1/"), {"q": query})

    assert answer.status_code == 200
    assert b"<script>" not in answer.content.split(b"transcript__find")[1].split(b"<ol")[0]


def test_hits_are_bounded(editor_client, draft_episode):
    make_transcript(draft_episode, *[("Ada", "again and again") for _ in range(300)])

    assert "stands in 100 places or more" in text(editor_client.get(path(draft_episode, "1/"), {"q": "again"}))


def test_a_cue_is_corrected_word_by_word(editor_client, draft_episode):
    raw = make_transcript(draft_episode)
    page = editor_client.get(path(draft_episode, "1/cues/1/"))

    answer = editor_client.post(
        path(draft_episode, "1/cues/1/"),
        {"line": "We put the new battery where buses sleep, in the tram depot.", "label": "Ada"},
        follow=True,
    )

    made = original_of(draft_episode.pk)
    assert "As read: We put the battery where the buses sleep, uh, in the depot." in text(page)
    assert made.corrections == {"words": {"7": "the new", "10": "", "13": "", "15": "the tram"}}
    assert "Saved as transcript 2: Corrected: 4 words." in text(answer)
    assert f"As read: {SAID}" in text(answer)
    assert text_of(raw).count("uh,") == 1
    assert answer.redirect_chain[-1][0] == path(draft_episode, "2/?page=1#c1")


def test_a_line_brought_back_leaves_no_correction(editor_client, draft_episode):
    make_transcript(draft_episode)
    editor_client.post(path(draft_episode, "1/cues/1/"), {"line": "We put the battery in a depot.", "label": "Ada"})

    editor_client.post(path(draft_episode, "2/cues/1/"), {"line": SAID, "label": "Ada"})

    assert original_of(draft_episode.pk).corrections == {}


def test_a_line_left_as_it_is_makes_nothing(editor_client, draft_episode):
    make_transcript(draft_episode)

    answer = editor_client.post(path(draft_episode, "1/cues/1/"), {"line": f" {SAID} — ", "label": "Ada"}, follow=True)

    assert "Nothing changed." in text(answer)
    assert Transcript.objects.count() == 1


def test_the_words_of_a_cue_can_be_heard_while_they_are_corrected(editor_client, draft_episode):
    make_transcript(draft_episode)
    edit(draft_episode, media=[{"media": make_audio("https://media.example.org/one.mp3", offset_ms=1_500).pk}])

    page = editor_client.get(path(draft_episode, "1/cues/2/")).content.decode()

    assert (
        '<audio class="transcript__hear" controls preload="none" src="https://media.example.org/one.mp3#t=9.5,13.5"'
        in page
    )
    assert "It plays on" not in page


def test_where_a_file_is_only_roughly_known_the_words_play_on(editor_client, draft_episode):
    make_transcript(draft_episode)
    edit(draft_episode, media=[{"media": make_audio("https://media.example.org/one.mp3", offset_ms=None).pk}])

    page = editor_client.get(path(draft_episode, "1/cues/2/")).content.decode()

    assert 'src="https://media.example.org/one.mp3#t=8"' in page
    assert "It plays on" in page


def test_a_cue_without_a_time_or_a_file_has_no_player(editor_client, draft_episode):
    add(draft_episode, b"Mae: So how did it begin?\n\nAda: By night.\n")
    assert "transcript__hear" not in editor_client.get(path(draft_episode, "1/cues/1/")).content.decode()

    edit(draft_episode, media=[{"media": make_audio().pk}])
    assert "transcript__hear" not in editor_client.get(path(draft_episode, "1/cues/1/")).content.decode()


def test_a_cue_gets_another_speaker_or_a_new_one(editor_client, draft_episode):
    make_transcript(draft_episode)

    editor_client.post(path(draft_episode, "1/cues/3/"), {"line": "Nobody at all?", "label": "Ada"})
    editor_client.post(
        path(draft_episode, "2/cues/0/"), {"line": "So how did it begin?", "label": "Mae", "new_label": " Host "}
    )

    made = original_of(draft_episode.pk)
    assert [cue.label for cue in script_of(made).cues] == ["Host", "Ada", "Ada", "Ada", "Ada"]
    assert "Read as said by Mae" in text(editor_client.get(path(draft_episode, "3/")))


def test_who_said_what_is_saved_for_a_page_at_once(editor_client, draft_episode):
    make_transcript(draft_episode)

    answer = editor_client.post(
        path(draft_episode, "1/"),
        {"label-0": "Ada", "label-2": "Mae", "label-3": "Mae", "label-4": "Stranger"},
        follow=True,
    )

    assert "Saved as transcript 2: Corrected: 2 speakers." in text(answer)
    assert [cue.label for cue in script_of(original_of(draft_episode.pk)).cues] == ["Ada", "Ada", "Mae", "Mae", "Ada"]


def test_a_correction_that_clashes_keeps_what_was_typed(editor_client, draft_episode):
    raw = make_transcript(draft_episode)
    correct(raw, actor=None, words={11: "trams"})

    seen = editor_client.get(path(draft_episode, "1/cues/1/"))
    answer = editor_client.post(
        path(draft_episode, "1/cues/1/"), {"line": SAID.replace("buses", "trains"), "label": "Ada"}
    )

    assert "transcript 2 is the newest of these words" in text(seen)
    assert answer.status_code == 422
    assert "Somebody else made it “trams” meanwhile" in text(answer)
    assert "where the trains sleep" in text(answer)


@pytest.mark.parametrize(
    ("line", "said"),
    [("x" * 5_000, "too long"), ("word " * 400, "too long"), ("“" * 50, None)],
)
def test_any_line_is_answered(editor_client, draft_episode, line, said):
    make_transcript(draft_episode)

    answer = editor_client.post(path(draft_episode, "1/cues/0/"), {"line": line, "label": "Mae"})

    assert answer.status_code == (422 if said else 302)
    assert said is None or said in text(answer)


def test_the_quotes_of_a_cue_are_told_before_and_after(editor_client, draft_episode):
    ada = make_guest(name="Ada")
    edit(draft_episode, guests=[{"guest": ada.pk, "role": "guest", "credit": ""}])
    make_transcript(draft_episode)
    quote = {"text": "where the buses sleep", "start_ms": 4_000, "end_ms": 8_000}
    make_quote(live=False, episode=draft_episode, speaker=ada, claim="Buses sleep", **quote)

    before = editor_client.get(path(draft_episode, "1/cues/1/"))
    elsewhere = editor_client.get(path(draft_episode, "1/cues/2/"))
    reading = editor_client.get(path(draft_episode, "1/"))
    after = editor_client.post(
        path(draft_episode, "1/cues/1/"), {"line": SAID.replace("buses", "trams"), "label": "Ada"}, follow=True
    )

    assert "1 quote rests on these words and is checked again when you save Buses sleep" in text(before)
    assert "rests on these words" not in text(elsewhere)
    assert "quoted Buses sleep" in text(reading)
    assert "Saved as transcript 2: Corrected: 1 word." in text(after)


# Speakers


def test_the_script_that_finds_guests_runs_once(editor_client, draft_episode):
    make_transcript(draft_episode)

    page = editor_client.get(path(draft_episode, "1/speakers/")).content.decode()

    assert page.count("js/item-picker.js") == 1


def test_the_file_of_another_episode_proposes_nobody_for_those_who_speak_after_the_end(editor_client):
    mae = make_guest(name="Mae")
    episode = make_episode(live=False, guests=[{"guest": mae.pk, "role": "host", "credit": ""}])
    make_transcript(episode, ("Mae", "That is all for today."))

    strangers = [("Alban", "And so on."), ("Kevin", "And on.")] * 20
    said = text(look(editor_client, episode, vtt(*strangers, start=0)))

    assert "Alban: unsure" in said
    assert "Kevin: unsure" in said


def test_speakers_are_named(editor_client, draft_episode):
    ada = make_guest(name="Ada Okafor")
    make_transcript(draft_episode)
    page = text(editor_client.get(path(draft_episode, "1/speakers/")))
    rows = original_of(draft_episode.pk).speakers

    places = {row["label"]: place for place, row in enumerate(rows)}
    answer = editor_client.post(
        path(draft_episode, "1/speakers/"),
        {
            f"guest-{places['Ada']}": "Ada Okafor",
            f"state-{places['Ada']}": "sure",
            f"guest-{places['Mae']}": "Ada Okafor",
            f"state-{places['Mae']}": "nobody",
        },
        follow=True,
    )

    assert "Ada 27 words, 77 % of all. 0:04 “We put the battery" in page
    assert "Saved as transcript 2." in text(answer)
    assert {row["label"]: (row["guest"], row["state"]) for row in original_of(draft_episode.pk).speakers} == {
        "Mae": (None, "nobody"),
        "Ada": (ada.pk, "sure"),
    }


def test_all_that_is_proposed_is_confirmed_by_one_button(editor_client, draft_episode):
    ada = make_guest(name="Ada Okafor")
    edit(draft_episode, guests=[{"guest": ada.pk, "role": "guest", "credit": ""}])
    make_transcript(draft_episode)
    page = text(editor_client.get(path(draft_episode, "1/speakers/")))

    editor_client.post(path(draft_episode, "1/speakers/"), {"_confirm": ""})

    assert "Confirm the proposed one" in page
    assert {row["label"]: (row["guest"], row["state"]) for row in original_of(draft_episode.pk).speakers} == {
        "Mae": (None, "unsure"),
        "Ada": (ada.pk, "sure"),
    }


@pytest.mark.parametrize(
    ("guest", "state", "said"),
    [
        ("Nobody Here", "unsure", "Nothing here is called “Nobody Here”"),
        ("Gone (#999999)", "sure", "is no longer here"),
        ("", "sure", "Choose who this is"),
        ("", "perhaps", "is no state of a speaker"),
    ],
)
def test_a_speaker_whom_we_do_not_know_is_refused(editor_client, draft_episode, guest, state, said):
    make_transcript(draft_episode)

    answer = editor_client.post(path(draft_episode, "1/speakers/"), {"guest-0": guest, "state-0": state})

    assert answer.status_code == 422
    assert said in text(answer)
    assert guest in text(answer) or guest in answer.content.decode()
    assert Transcript.objects.count() == 1


def test_who_named_a_speaker_meanwhile_is_told(editor_client, draft_episode):
    raw = make_transcript(draft_episode)
    ada, bea = make_guest(name="Ada Okafor"), make_guest(name="Bea Lund")
    place = next(place for place, row in enumerate(raw.speakers) if row["label"] == "Ada")
    name_speakers(raw, {"Ada": (ada.pk, "sure")}, actor=None)

    answer = editor_client.post(
        path(draft_episode, "1/speakers/"), {f"guest-{place}": "Bea Lund", f"state-{place}": "sure"}
    )

    assert answer.status_code == 422
    assert "Somebody else said meanwhile who “Ada” is" in text(answer)
    assert bea.name in answer.content.decode()


# Names


def test_declared_mishearings_are_proposed_and_only_the_ticked_corrected(editor_client, draft_episode):
    york = make_guest(name="Ada York", mishearings=[{"heard": "work", "name": "York"}])
    edit(draft_episode, guests=[{"guest": york.pk, "role": "guest", "credit": ""}])
    make_transcript(draft_episode, ("Ada", "I am Ada work."), ("Mae", "You work in the depot."), ("Ada", "At work."))

    page = editor_client.get(path(draft_episode, "1/names/"))
    keys = re.findall(r'name="take" value="([^"]+)"', page.content.decode())
    none = editor_client.post(path(draft_episode, "1/names/"), {}, follow=True)
    assert Transcript.objects.count() == 1
    answer = editor_client.post(path(draft_episode, "1/names/"), {"take": [keys[0], "999|York", "junk"]}, follow=True)

    assert len(keys) == 3
    assert "Tick what shall be corrected" in text(none)
    assert "Saved as transcript 2." in text(answer)
    assert text_of(original_of(draft_episode.pk)) == "I am Ada York. You work in the depot. At work."


# The feed


@pytest.fixture
def offered(draft_episode, server):
    source = FeedSource.objects.create(show=draft_episode.show, address="https://example.org/feed.xml")
    links = [
        {"url": f"{server.url}/one.vtt", "type": "text/vtt", "language": "en", "rel": None},
        {"url": f"{server.url}/one.vtt", "type": "text/vtt", "language": "en", "rel": None},
        {"url": "javascript:alert(1)", "type": "text/vtt", "language": "", "rel": None},
    ]
    return FeedEntry.objects.create(
        source=source, episode=draft_episode, guid="1", extras={"transcripts": links}, read_at="2026-05-01T00:00Z"
    )


def start(client, episode) -> str:
    page = client.get(path(episode)).content.decode()
    assert page.count('name="link"') == 1
    key = re.search(r'name="link" value="([^"]+)"', page)[1]
    return client.post(path(episode, "fetch/"), {"link": key}).url


def test_the_transcript_that_the_feed_names_is_fetched(editor_client, draft_episode, offered, server):
    server.answers["/one.vtt"] = reply(vtt())

    job, again = start(editor_client, draft_episode), start(editor_client, draft_episode)
    work_through()

    assert job == again
    assert "transcript 1: 35 words in 5 parts (webvtt)" in text(editor_client.get(job))
    assert original_of(draft_episode.pk).created_by.username == "ines"
    assert start(editor_client, draft_episode) != job
    work_through()
    assert Transcript.objects.count() == 1


@pytest.mark.parametrize(
    ("answer", "state", "said"),
    [
        (reply(b"<html>nothing</html>"), "failed", "one.vtt"),
        (reply(b"", status="404 Not Found"), "failed", "nothing at this address"),
        (reply(b"", status="503 Busy"), "ready", "trouble of its own"),
    ],
)
def test_a_fetch_that_fails_says_why(editor_client, draft_episode, offered, server, answer, state, said):
    server.answers["/one.vtt"] = answer

    job = start(editor_client, draft_episode)
    work_through()

    assert Job.objects.get().state == state
    assert said in text(editor_client.get(job))
    assert not Transcript.objects.exists()


def test_what_an_editor_fetches_for_a_live_episode_waits(editor_client, draft_episode, offered, server):
    from publishing.acts import publish

    publish(draft_episode.item, actor=None)
    server.answers["/one.vtt"] = reply(vtt())

    job = start(editor_client, draft_episode)
    work_through()

    assert original_of(draft_episode.pk) is None
    assert "transcript 1 waits until it is made to hold" in text(editor_client.get(job))


def test_only_what_the_feed_names_is_fetched(editor_client, draft_episode, offered):
    answer = editor_client.post(path(draft_episode, "fetch/"), {"link": "https://example.org/other.vtt"}, follow=True)

    assert "does not name that transcript any more" in text(answer)
    assert not Job.objects.exists()


# Beside the episode's form


def test_the_box_beside_the_form_says_where_the_transcript_stands(editor_client, draft_episode):
    page = f"/admin/episodes/episode/{draft_episode.pk}/change/"
    none = text(editor_client.get(page))
    make_transcript(draft_episode, is_automated=True)
    make_transcript(draft_episode, ("Ada", "Other words."), make_it_current=False)

    box = text(editor_client.get(page))

    assert "None yet. Without one, no quote can be checked." in none
    assert "Transcript 1 holds 35 words, en, automated" in box
    assert "2 speakers are unsure." in box
    assert "Transcript 2 waits" in box


def test_a_summary_from_other_words_is_told(editor_client, draft_episode):
    page = f"/admin/episodes/episode/{draft_episode.pk}/change/"
    raw = make_transcript(draft_episode)
    edit(draft_episode, summary_transcript=1)
    name_speakers(raw, {"Ada": (None, "nobody")}, actor=None)
    same = text(editor_client.get(page))
    correct(raw, actor=None, words={0: "And"})

    assert "The transcript has changed since" not in same
    assert (
        "The transcript has changed since (1, now 3). Look at it; set “From transcript” to 3 once it still fits."
        in text(editor_client.get(page))
    )


def test_a_headline_from_other_words_is_told(editor_client, draft_episode):
    raw = make_transcript(draft_episode)
    quote = make_quote(live=False, episode=draft_episode, claim_transcript=1)
    correct(raw, actor=None, words={0: "And"})

    answer = editor_client.get(f"/admin/quotes/quote/{quote.pk}/change/")

    assert "The transcript has changed since (1, now 2)." in text(answer)


# Who may


PAGES = ("", "add/", "1/", "1/cues/0/", "1/changes/", "1/file/", "1/speakers/", "1/names/", "1/withdraw/")
ACTS = ("add/", "fetch/", "1/", "1/cues/0/", "1/hold/", "1/withdraw/", "1/speakers/", "1/names/")


@pytest.mark.parametrize("rest", PAGES)
def test_pages_are_closed_to_others(client, rest):
    episode = make_episode()
    make_transcript(episode)

    assert client.get(path(episode, rest)).status_code == 302
    client.force_login(make_user("oscar", "Author"))
    others = client.get(path(episode, rest))
    none = client.get(f"/admin/episodes/episode/999999/transcripts/{rest}")
    assert (others.status_code, none.status_code) == (404, 404)
    client.force_login(make_user("nobody", None))
    assert client.get(path(episode, rest)).status_code in (403, 404)


@pytest.mark.parametrize("rest", ACTS)
def test_nothing_of_a_live_episode_changes_by_an_editor(editor_client, rest):
    episode = make_episode()
    make_transcript(episode)
    before = dump_tables("episodes.Transcript", "episodes.CurrentTranscript")

    fields = {"label-0": "Ada", "line": "Other words.", "label": "Ada", "reason": "So.", "state-0": "nobody"}
    answer = editor_client.post(path(episode, rest), fields | {"take": "0|x"})

    assert answer.status_code in (302, 403, 422)
    assert dump_tables("episodes.Transcript", "episodes.CurrentTranscript") == before


@pytest.mark.parametrize("rest", ["fetch/", "1/hold/"])
def test_acts_are_no_links(publisher_client, rest):
    episode = make_episode()
    make_transcript(episode)

    assert publisher_client.get(path(episode, rest)).status_code == 405


def test_acts_need_a_token(publisher, client):
    from django.test import Client

    episode = make_episode()
    make_transcript(episode)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(publisher)

    assert {strict.post(path(episode, rest)).status_code for rest in ACTS} == {403}


@pytest.mark.parametrize("rest", ["9/", "9/hold/", "1/cues/99/", "99999999999999999999/", "1/changes/?from=9"])
def test_what_is_not_there_is_not_found(publisher_client, rest):
    episode = make_episode()
    make_transcript(episode)

    answer = publisher_client.post(path(episode, rest)) if "hold" in rest else publisher_client.get(path(episode, rest))

    assert answer.status_code == 404


# Queries


@pytest.mark.parametrize("rest", ["", "1/", "1/cues/1/", "1/changes/", "1/speakers/", "1/names/"])
def test_pages_take_a_constant_number_of_queries(
    editor_client, editor, django_assert_max_num_queries, django_assert_num_queries, rest
):
    counts = []
    for size in (3, 60):
        episode = make_episode(live=False)
        ada = make_guest(name=f"Ada {size}", mishearings=[{"heard": "buses", "name": "trams"}])
        edit(episode, guests=[{"guest": ada.pk, "role": "guest", "credit": ""}])
        lines = [(f"S{n}", f"Where the buses sleep {n}.") for n in range(size)]
        raw = make_transcript(episode, *lines)
        for number in range(size // 10):
            correct(raw, actor=editor, words={number: f"There{number}"})
            make_quote(live=False, episode=episode, speaker=ada, text=f"the buses sleep {number + 10}.")
        editor_client.get(path(episode, rest))
        with django_assert_max_num_queries(40) as taken:
            editor_client.get(path(episode, rest))
        counts.append(len(taken))

    assert counts[1] <= counts[0] + 2
