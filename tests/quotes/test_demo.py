from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import override_settings
from django.utils.html import escape

from episodes.ffmpeg import find_programs
from episodes.media import sniff
from episodes.models import Episode, Guest, GuestQuote, MediaFile, Topic
from publishing.badges import badge_of
from publishing.kinds import all_kinds
from publishing.models import Event, Item, Revision
from quotes.demo import speech, video
from quotes.demo.load import load_demo
from quotes.models import Quote
from tests.media import MediaMaker

VIDEO = b"\0\0\0\x20ftypisom" + bytes(100)  # as far as a browser's first look
RECORDED = {"hum": "Trailer: Ninety Seconds at Fifty Hertz", "ferry": "Postcard: A Ferry at Six"}


def video_bytes(folder: Path) -> bytes:
    """Return a short film in place of the long one; where nothing can look into it, what looks like one."""
    programs = find_programs()
    return MediaMaker(folder / "clip-media", programs.ffmpeg).get("25.mp4").read_bytes() if programs else VIDEO


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker, tmp_path_factory):
    """The demo, loaded once for this module and rolled back after it; its long video is not drawn."""
    media = override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("media"))
    with django_db_blocker.unblock(), media, transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        drawn = video_bytes(tmp_path_factory.getbasetemp())
        patch.setattr(video, "has_ffmpeg", lambda: True)
        patch.setattr(video, "make_video", lambda seconds: drawn)
        load_demo()
        yield
        transaction.set_rollback(True)


@pytest.fixture
def demo(loaded, db):
    pass


def live_rows():
    return [row for kind in all_kinds() for row in kind.model.objects.live().select_related(*kind.model.parents)]


def test_holds_every_kind(demo):
    counts = Counter(Item.objects.values_list("kind", flat=True))

    assert counts == {"show": 2, "episode": 8, "guest": 8, "topic": 10, "quote": 39}


def test_quotes_stand_in_every_state(demo):
    badges = Counter(badge_of(quote).name for quote in Quote.objects.select_related("item__head", "item__live"))

    assert badges == {"editing": 4, "retired": 2, "differs": 2, "live": 31}


def test_summaries_have_the_length_that_the_form_asks_for(demo):
    lengths = {episode.title: len(episode.summary.split()) for episode in Episode.objects.live()}

    assert {title: words for title, words in lengths.items() if not 120 <= words <= 160} == {}
    assert len(lengths) == 8


def test_nobody_assesses_what_has_not_aired(demo):
    quotes = Quote.objects.live().select_related("episode").exclude(assessments=[])

    early = [
        (quote.claim, source["checked_on"])
        for quote in quotes
        for source in quote.assessments
        if source["checked_on"] < quote.episode.aired_at.date().isoformat()
    ]

    assert quotes.count() > 10
    assert early == []


def test_every_live_page_answers(demo, client):
    answers = {row.get_absolute_url(): client.get(row.get_absolute_url()).status_code for row in live_rows()}

    assert {address: status for address, status in answers.items() if status != 200} == {}
    assert len(answers) == 61


def test_retired_pages_say_why(demo, client):
    retired = Quote.objects.filter(item__retired_at__isnull=False).select_related("item")

    answers = [client.get(quote.get_absolute_url()) for quote in retired]

    assert [answer.status_code for answer in answers] == [410, 410]
    for quote, answer in zip(retired, answers, strict=True):
        assert escape(quote.item.retired_reason) in answer.content.decode()


def words(text: str) -> list[str]:
    return [word.strip(".,:;?").lower() for word in text.split()]


def left_out(spoken: list[str], quoted: list[str]) -> list[tuple[str, list[str]]]:
    """Return each word that the quote leaves out, with what follows it; of equal copies the later one is kept."""
    missing: list[tuple[str, list[str]]] = []
    waiting = list(quoted)
    for place in reversed(range(len(spoken))):
        if waiting and waiting[-1] == spoken[place]:
            waiting.pop()
        else:
            missing.append((spoken[place], spoken[place + 1 : place + 6]))
    assert waiting == []
    return missing


@pytest.mark.parametrize("key", RECORDED)
def test_recordings_play_and_are_small(demo, client, key):
    media = MediaFile.objects.get(episode_media__episode__title=RECORDED[key])

    data = client.get(media.url).getvalue()

    assert data == speech.sound_of(key)
    assert media.mime == "audio/mpeg"
    assert 100_000 < len(data) < 400_000


@pytest.mark.parametrize("key", RECORDED)
def test_timed_words_follow_each_other_in_two_voices(demo, key):
    spoken = speech.words_of(key)
    episode = Episode.objects.get(title=RECORDED[key])

    assert all(word["start_ms"] < word["end_ms"] for word in spoken)
    assert all(word["end_ms"] <= following["start_ms"] for word, following in pairwise(spoken))
    assert 60_000 < spoken[-1]["end_ms"] < episode.duration_ms < 120_000
    assert {word["speaker"] for word in spoken} == {guest.name for guest in episode.guests.all()}


@pytest.mark.parametrize("key", RECORDED)
def test_quotes_of_recordings_are_the_plain_span_of_their_words(demo, key):
    quotes = Quote.objects.live().filter(episode__title=RECORDED[key]).select_related("speaker")

    for quote in quotes:
        span = [word for word in speech.words_of(key) if quote.start_ms <= word["start_ms"] < quote.end_ms]
        assert (span[0]["start_ms"], span[-1]["end_ms"]) == (quote.start_ms, quote.end_ms)
        assert {word["speaker"] for word in span} == {quote.speaker.name}
        missing = left_out(words(" ".join(word["w"] for word in span)), words(quote.text))
        assert missing, "a cleaned quote differs from what was said"
        assert [word for word, following in missing if word not in {"um", "uh", *following}] == []
    assert len(quotes) == 3


def test_long_video_stands_first_where_it_was_made(demo, client):
    episode = Quote.objects.live().filter(start_ms__gt=100 * 60_000)[0].episode
    media = [link.media for link in episode.episode_media.select_related("media")]

    assert [(one.kind, one.mime) for one in media] == [("video", "video/mp4"), ("youtube", "")]
    assert client.get(media[0].url).getvalue()[4:8] == b"ftyp"


@pytest.mark.django_db
def test_video_is_drawn_where_ffmpeg_is_there():
    if video.has_ffmpeg():
        assert sniff(video.make_video(3)[:64]).mime == "video/mp4"


def test_covers_what_lists_must_bear(demo):
    assert Quote.objects.live().filter(start_ms__gt=100 * 60_000).count() >= 3
    assert Guest.objects.live().filter(portrait=None).count() == 1
    assert Topic.objects.live().filter(quotes=None).count() == 1
    assert Episode.objects.live().filter(title__contains="⚡").count() == 1
    assert Episode.objects.live().filter(title__contains="[").count() == 1
    assert Quote.objects.live().exclude(related_quotes=None).count() >= 9
    assert GuestQuote.objects.values("guest").distinct().count() == 4


def test_tells_who_wrote_edited_and_assessed(demo):
    episodes, quotes = Episode.objects.live(), Quote.objects.live()
    assessments = [row for quote in quotes for row in quote.assessments]

    assert {row["verdict"] for row in assessments} == set(Quote.Verdict.values)
    assert all(row["assessed_by"] for row in assessments)
    assert {episode.summary_origin for episode in episodes} == {"editor", "feed", "machine"}
    assert all(episode.summary_by or episode.summary_edited_by for episode in episodes)
    assert quotes.exclude(claim_by="").exclude(claim_edited_by="").count() == 3
    assert quotes.filter(claim_origin="machine").count() == 2


def test_loading_again_changes_nothing(demo, capsys):
    before = (Item.objects.count(), Revision.objects.count(), Event.objects.count(), MediaFile.objects.count())

    call_command("load_demo")

    assert (Item.objects.count(), Revision.objects.count(), Event.objects.count(), MediaFile.objects.count()) == before
    assert capsys.readouterr().out.count("\n") == 1
