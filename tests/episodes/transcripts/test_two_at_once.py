"""Transcripts of one episode from two sides at the same moment, on real connections."""

import pytest
from django.core.exceptions import ValidationError

from episodes.models import CurrentTranscript, Transcript
from episodes.transcripts.current import make_current, original_of
from episodes.transcripts.service import correct
from tests.episodes.transcripts.making import add, make_transcript, text_of, vtt
from tests.factories import make_episode
from tests.publishing.test_two_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 5


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def test_two_files_are_two_transcripts_and_one_holds():
    for _number in range(ROUNDS):
        episode = make_episode()

        results = at_once(
            lambda episode=episode: add(episode, vtt(("Ada", "One way."))),
            lambda episode=episode: add(episode, vtt(("Ada", "Another way."))),
        )

        assert sorted(added.transcript.number for added in results) == [1, 2]
        assert CurrentTranscript.objects.get(episode=episode).transcript.number == 2


def test_the_same_file_twice_is_one_transcript():
    for _number in range(ROUNDS):
        episode = make_episode()

        results = at_once(*[lambda episode=episode: add(episode)] * 2)

        assert sorted(added.is_new for added in results) == [False, True]
        assert episode.transcripts.count() == 1


def test_corrections_of_two_words_are_both_kept():
    for _number in range(ROUNDS):
        raw = make_transcript(make_episode())

        at_once(
            lambda raw=raw: correct(raw, actor=None, words={8: "accumulator"}),
            lambda raw=raw: correct(raw, actor=None, words={11: "trams"}),
        )

        assert "the accumulator where the trams" in text_of(original_of(raw.episode_id))


def test_of_two_corrections_of_one_word_one_is_refused():
    for _number in range(ROUNDS):
        raw = make_transcript(make_episode())

        results = at_once(
            lambda raw=raw: correct(raw, actor=None, words={8: "accumulator"}),
            lambda raw=raw: correct(raw, actor=None, words={8: "cell"}),
        )

        assert sorted(type(result) for result in results if isinstance(result, ValidationError)) == [ValidationError]
        assert Transcript.objects.filter(episode=raw.episode_id).count() == 2


def test_one_of_two_originals_wins():
    for _number in range(ROUNDS):
        episode = make_episode()
        english = make_transcript(episode)
        german = make_transcript(episode, ("Ada", "Wir stellten sie ins Depot."), language="de")

        at_once(
            lambda english=english: make_current(english, actor=None, is_original=True),
            lambda german=german: make_current(german, actor=None, is_original=True),
        )

        assert CurrentTranscript.objects.filter(episode=episode, is_original=True).count() == 1
