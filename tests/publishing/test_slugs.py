import pytest

from publishing.models import Item
from tests.factories import make_episode, make_show, make_topic

pytestmark = pytest.mark.django_db


def working_slug(row) -> str:
    return Item.objects.get(pk=row.pk).working_slug


@pytest.mark.parametrize("live", [False, True])
def test_a_title_may_have_the_same_slug_in_each_show(live):
    slugs = [working_slug(make_episode(show=make_show(), title="The peak", live=live)) for _show in range(2)]

    assert slugs == ["the-peak", "the-peak"]


@pytest.mark.parametrize("live", [False, True])
def test_in_one_show_the_second_gives_way(live):
    show = make_show()

    first, second = (working_slug(make_episode(show=show, title="The peak", live=live)) for _time in range(2))

    assert (first, second.startswith("the-peak-")) == ("the-peak", True)


def test_a_kind_whose_address_stands_under_nothing_is_looked_at_whole():
    first, second = (working_slug(make_topic(name="Grid")) for _time in range(2))

    assert (first, second.startswith("grid-")) == ("grid", True)


def test_queries_do_not_grow_with_the_batch(django_assert_num_queries):
    from publishing.slugs import assign_slugs

    show = make_show()
    items = [make_episode(show=show, live=False).item for _number in range(8)]

    # Where each stands, the heads and the live rows that have the slugs.
    for size in (1, 8):
        with django_assert_num_queries(3):
            assign_slugs([(item, {"title": "The peak", "slug": ""}) for item in items[:size]])
