import io
import sys

import pytest
from django.core.management import CommandError, call_command

from episodes.models import Transcript
from episodes.transcripts.current import original_of
from publishing.models import Event, Item
from tests.episodes.transcripts.making import vtt
from tests.factories import edit, make_episode, make_guest, make_quote, make_show
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def file(tmp_path):
    held = tmp_path / "one.vtt"
    held.write_bytes(vtt())
    return held


def run(*args, **options) -> str:
    out = io.StringIO()
    call_command("import_transcript", *map(str, args), stdout=out, **options)
    return out.getvalue()


def test_a_file_is_brought_in_and_told_of(file):
    episode = make_episode(title="The grid", live=True)

    said = run(episode.pk, file, "--engine", "Whisper", "--made-on", "2026-05-01", "--automated")

    kept = original_of(episode.pk)
    assert said.splitlines() == [
        "“The grid”, transcript 1 (webvtt, en).",
        "  35 words in 5 parts; speakers: Mae, Ada",
        "  not sure who is who: Mae, Ada",
        "  It holds. No quote rests on it.",
    ]
    assert (kept.engine, str(kept.made_on), kept.is_automated) == ("Whisper", "2026-05-01", True)
    assert (kept.original_name, kept.created_by) == ("one.vtt", None)
    assert Event.objects.get(what="episode.add-transcript").actor_name == ""


def test_the_same_file_twice_is_nothing_new(file):
    episode = make_episode()
    run(episode.pk, file)
    before = dump_tables()

    said = run(episode.pk, file)

    assert "Nothing new: the same words are here already." in said
    assert "It holds." in said
    assert dump_tables() == before


def test_quotes_are_told_with_what_was_found(file, tmp_path):
    ada = make_guest(name="Ada")
    episode = make_episode()
    edit(episode, guests=[{"guest": ada.pk, "role": "guest", "credit": ""}])
    words = {"start_ms": 8_000, "end_ms": 12_000}
    make_quote(episode=episode, speaker=ada, claim="Fine", text="Nobody asked for permission", **words)
    make_quote(episode=episode, speaker=ada, claim="Not so", text="Everybody asked for permission", **words)

    said = run(episode.pk, file)

    assert "It holds. 2 quotes were checked; 1 does not hold: “Not so”." in said
    assert "    “Not so”: " in said


def test_every_message_has_its_line(tmp_path):
    held = tmp_path / "lost.vtt"
    held.write_bytes(b"WEBVTT\n\n00:01.000 --> 00:02.000\nOne.\n\nlost words\n\n00:03.000 --> 00:04.000\nTwo.\n")

    assert "  Line 6: " in run(make_episode().pk, held)


@pytest.mark.parametrize("way", ["number", "short id", "path", "address", "slugs"])
def test_an_episode_goes_by_many_names(file, way):
    episode = make_episode(show=make_show(slug="signal"), slug="the-grid")
    item = Item.objects.get(pk=episode.pk)
    names = {
        "number": item.pk,
        "short id": item.short_id,
        "path": "/shows/signal/the-grid",
        "address": "https://example.org/shows/signal/the-grid/",
        "slugs": "signal/the-grid",
    }

    run(names[way], file)

    assert original_of(episode.pk)


def test_a_draft_goes_by_its_slugs(file):
    episode = make_episode(show=make_show(slug="signal"), slug="the-grid", live=False)

    run("signal/the-grid", file)

    assert original_of(episode.pk)


@pytest.mark.parametrize(
    "name", ["999999", "zzzzzzzz", "/shows/none/none/", "signal/none", "a/b/c", "", "99999999999999999999"]
)
def test_what_is_no_episode_is_said(file, name):
    with pytest.raises(CommandError, match="No episode is called “"):
        run(name, file)


def test_a_show_is_no_episode(file):
    with pytest.raises(CommandError, match="No episode"):
        run(make_show().pk, file)


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (b"\x00\x01\x02" * 400, (), "one.vtt: "),
        (b"", (), "one.vtt: The file is empty."),
        (b"WEBVTT\n\n00:01.000 --> 00:02.000\n-\n", (), "one.vtt: "),
        (vtt(), ("--format", "papyrus"), "one.vtt: The format “papyrus” is not known."),
        (vtt(), ("--made-on", "May"), "is not a day such as"),
    ],
)
def test_what_cannot_be_read_is_said_with_the_file(file, data, options, said):
    file.write_bytes(data)

    with pytest.raises(CommandError, match=said):
        run(make_episode().pk, file, *options)

    assert not Transcript.objects.exists()


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(CommandError, match="missing.vtt cannot be opened: No such file"):
        run(make_episode().pk, tmp_path / "missing.vtt")


def test_it_reads_what_comes_in(monkeypatch):
    episode = make_episode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(vtt())))

    run(episode.pk, "-")

    assert original_of(episode.pk).word_count == 35


def test_a_draft_waits(file):
    episode = make_episode()

    said = run(episode.pk, file, "--as-draft", "--not-automated", "--language", "de")

    assert "It waits: make it hold" in said
    assert original_of(episode.pk) is None
    assert (Transcript.objects.get().language, Transcript.objects.get().is_automated) == ("de", False)


def test_many_messages_are_cut(tmp_path, monkeypatch):
    monkeypatch.setattr("episodes.management.commands.import_transcript.MOST_LINES", 5)
    held = tmp_path / "many.vtt"
    lost = b"".join(b"lost words %d\n\n00:%02d.000 --> 00:%02d.500\nWords.\n\n" % (n, n, n) for n in range(8))
    held.write_bytes(b"WEBVTT\n\n00:00.000 --> 00:00.500\nWords.\n\n" + lost)
    episode = make_episode()

    short, long = run(episode.pk, held), run(episode.pk, held, verbosity=2)

    assert short.count("  Line ") == 5
    assert "… and 3 more; --verbosity 2 shows them" in short
    assert long.count("  Line ") == 8
