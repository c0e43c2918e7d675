"""More from the speaker."""

import pytest

from publishing.acts import publish, retire
from publishing.models import Item
from quotes.models import Quote
from quotes.more import more_from_speaker
from tests.factories import REASON, edit, make_episode, make_guest, make_quote

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada():
    return make_guest(name="Ada Okafor")


def claims_after(quote: Quote) -> list[str]:
    return [found.claim for found in more_from_speaker(Quote.objects.get(pk=quote.pk))]


def test_the_quotes_own_list_comes_first_then_the_guests_then_the_newest(ada):
    quote, *others = [make_quote(speaker=ada, claim=f"c{number}") for number in range(9)]
    publish(edit(quote, related=[{"related": others[1].pk}, {"related": others[0].pk}]), actor=None, reason=REASON)
    publish(
        edit(
            ada, quotes=[{"quote": others[3].pk}, {"quote": others[1].pk}, {"quote": quote.pk}, {"quote": others[2].pk}]
        ),
        actor=None,
    )

    assert claims_after(quote) == ["c2", "c1", "c4", "c3", "c8", "c7"]


def test_no_moment_comes_twice(ada):
    episode = make_episode()
    quote = make_quote(speaker=ada, episode=episode, start_ms=1_000, end_ms=2_000, claim="this")
    make_quote(speaker=ada, episode=episode, start_ms=1_000, end_ms=9_000, claim="the same moment, longer")
    make_quote(speaker=ada, episode=episode, start_ms=5_000, end_ms=6_000, claim="older of two")
    make_quote(speaker=ada, episode=episode, start_ms=5_000, end_ms=7_000, claim="newer of two")
    make_quote(speaker=ada, start_ms=1_000, end_ms=2_000, claim="another episode")
    make_quote(speaker=ada, episode=episode, start_ms=None, end_ms=None, claim="no time")
    make_quote(speaker=ada, episode=episode, start_ms=None, end_ms=None, claim="no time either")

    assert claims_after(quote) == ["no time either", "no time", "another episode", "newer of two"]


def test_only_live_quotes_of_the_same_speaker_follow(ada):
    quote, gone, misheard = (make_quote(speaker=ada) for _number in range(3))
    draft = make_quote(speaker=ada, live=False)
    publish(edit(quote, related=[{"related": one.pk} for one in (draft, misheard, gone)]), actor=None, reason=REASON)
    publish(edit(misheard, speaker=make_guest().pk), actor=None, reason=REASON)
    retire(Item.objects.get(pk=gone.pk), actor=None, reason="Wrong words.")

    assert claims_after(quote) == []


@pytest.mark.parametrize("count", [1, 20])
def test_it_takes_three_queries(ada, count, django_assert_num_queries):
    quote = Quote.objects.select_related("speaker").get(pk=make_quote(speaker=ada).pk)
    episode = make_episode()
    for _number in range(count):
        make_quote(speaker=ada, episode=episode)

    with django_assert_num_queries(3):
        [found.headline for found in more_from_speaker(quote)]
