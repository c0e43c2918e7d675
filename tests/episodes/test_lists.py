"""Lists that come by links: ordered by the date that the links repeat, each thing once."""

import pytest

from episodes.models import Episode
from publishing.acts import publish
from quotes.models import Quote
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic

pytestmark = pytest.mark.django_db


def titles(rows) -> list[str]:
    return [row.title for row in rows]


def test_a_topic_lists_its_episodes_by_the_day_they_aired():
    topic = make_topic()
    for title, day in (("Middle", 2), ("Newest", 3), ("Oldest", 1)):
        make_episode(title=title, aired_at=f"2026-05-0{day}T10:00:00Z", topics=[{"topic": topic.pk}])

    assert titles(Episode.objects.live().about(topic).for_listing()) == ["Newest", "Middle", "Oldest"]


def test_an_episode_moves_in_the_list_when_another_day_is_published():
    topic = make_topic()
    first, _second = (
        make_episode(title=title, aired_at=f"2026-05-0{day}T10:00:00Z", topics=[{"topic": topic.pk}])
        for title, day in (("Moved", 1), ("Stays", 2))
    )

    publish(edit(first, aired_at="2026-05-03T10:00:00Z"), actor=None)

    assert titles(Episode.objects.live().about(topic).for_listing()) == ["Moved", "Stays"]


def test_a_guest_with_two_parts_in_an_episode_has_it_once():
    guest, other = make_guest(), make_guest()
    rows = [(other, "host"), (guest, "host"), (guest, "guest")]
    episode = make_episode(guests=[{"guest": who.pk, "role": role, "credit": ""} for who, role in rows])

    assert list(Episode.objects.live().with_guest(guest).for_listing()) == [episode]
    assert type(guest).objects.with_counts().get(pk=guest.pk).episode_count == 1


def test_a_topic_lists_its_quotes_newest_first():
    topic = make_topic()
    quotes = [make_quote(topics=[{"topic": topic.pk}]) for _number in range(3)]
    Quote.objects.filter(pk=quotes[1].pk).update(visible=False)

    assert list(topic.quotes.live().for_listing().newest_first()) == [quotes[2], quotes[0]]


@pytest.mark.parametrize(("start", "stop", "expected"), [(0, 2, [4, 3]), (3, 9, [1, 0]), (5, 9, []), (0, 0, [])])
def test_a_slice_is_in_the_order_of_its_list(start, stop, expected, django_assert_max_num_queries):
    show = make_show()
    episodes = [make_episode(show=show, aired_at=f"2026-05-0{day}T10:00:00Z") for day in range(1, 6)]

    with django_assert_max_num_queries(2):
        found = Episode.objects.live().for_listing().slice_of(start, stop)

    assert found == [episodes[place] for place in expected]
