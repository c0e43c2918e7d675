import io
import wave
from collections import Counter

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import override_settings
from django.utils.html import escape

from episodes.models import Episode, Guest, MediaFile, Topic
from publishing.badges import badge_of
from publishing.kinds import all_kinds
from publishing.models import Event, Item, Revision
from quotes.demo.load import load_demo
from quotes.models import Quote


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker, tmp_path_factory):
    """The demo, loaded once for this module and rolled back after it."""
    media = override_settings(MEDIA_ROOT=tmp_path_factory.mktemp("media"))
    with django_db_blocker.unblock(), media, transaction.atomic():
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

    assert counts == {"show": 2, "episode": 8, "guest": 8, "topic": 10, "quote": 35}


def test_quotes_stand_in_every_state(demo):
    badges = Counter(badge_of(quote).name for quote in Quote.objects.select_related("item__head", "item__live"))

    assert badges == {"editing": 4, "retired": 2, "differs": 2, "live": 27}


def test_summaries_have_the_length_that_the_form_asks_for(demo):
    lengths = {episode.title: len(episode.summary.split()) for episode in Episode.objects.live()}

    assert {title: words for title, words in lengths.items() if not 120 <= words <= 160} == {}
    assert len(lengths) == 8


def test_every_live_page_answers(demo, client):
    answers = {row.get_absolute_url(): client.get(row.get_absolute_url()).status_code for row in live_rows()}

    assert {address: status for address, status in answers.items() if status != 200} == {}
    assert len(answers) == 57


def test_retired_pages_say_why(demo, client):
    retired = Quote.objects.filter(item__retired_at__isnull=False).select_related("item")

    answers = [client.get(quote.get_absolute_url()) for quote in retired]

    assert [answer.status_code for answer in answers] == [410, 410]
    for quote, answer in zip(retired, answers, strict=True):
        assert escape(quote.item.retired_reason) in answer.content.decode()


def test_own_sounds_play(demo, client):
    sounds = [media for media in MediaFile.objects.all() if media.file]

    for media in sounds:
        data = client.get(media.url).getvalue()
        with wave.open(io.BytesIO(data)) as file:
            assert (file.getframerate(), file.getnchannels(), file.getnframes()) == (16_000, 1, 12 * 16_000)
        assert len(data) < 400_000
    assert len(sounds) == 2


def test_covers_what_lists_must_bear(demo):
    assert Quote.objects.live().filter(start_ms__gt=100 * 60_000).count() >= 3
    assert Guest.objects.live().filter(portrait=None).count() == 1
    assert Topic.objects.live().filter(quotes=None).count() == 1
    assert Episode.objects.live().filter(title__contains="⚡").count() == 1
    assert Episode.objects.live().filter(title__contains="[").count() == 1
    verdicts = {row["verdict"] for quote in Quote.objects.live() for row in quote.assessments}
    assert verdicts == set(Quote.Verdict.values)


def test_loading_again_changes_nothing(demo, capsys):
    before = (Item.objects.count(), Revision.objects.count(), Event.objects.count(), MediaFile.objects.count())

    call_command("load_demo")

    assert (Item.objects.count(), Revision.objects.count(), Event.objects.count(), MediaFile.objects.count()) == before
    assert capsys.readouterr().out.count("\n") == 1
