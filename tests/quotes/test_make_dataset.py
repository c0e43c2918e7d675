import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from episodes.models import Guest, MediaFile, Show
from publishing.models import Item, ItemLink, Revision
from quotes.dataset.fill import make_dataset
from quotes.dataset.plan import Size
from quotes.models import Quote

pytestmark = pytest.mark.django_db


def made(size: Size) -> list[list[tuple]]:
    """Make a data set, return some of its tables whole, and take it back."""
    with transaction.atomic():
        make_dataset(size)
        tables = [
            list(model.objects.order_by("pk").values_list()) for model in (Item, Revision, Show, Quote, MediaFile)
        ]
        tables.append(sorted(ItemLink.objects.values_list("source", "role", "position", "target")))
        transaction.set_rollback(True)
    return tables


def test_same_numbers_make_the_same_rows():
    assert made(Size(episodes=4)) == made(Size(episodes=4))


def test_another_seed_makes_other_rows():
    assert all(one != other for one, other in zip(made(Size(episodes=4)), made(Size(episodes=4, seed=2)), strict=True))


def test_few_are_named_often_and_most_hardly_ever():
    make_dataset(Size(episodes=150, quotes_per_episode=2, guests=200))

    counts = sorted((guest.quotes.count() for guest in Guest.objects.all()), reverse=True)
    assert sum(counts[:20]) > sum(counts) / 3
    assert counts[0] > 8 * counts[100]


def test_command_tells_how_far_it_is(capsys):
    call_command("make_dataset", "--episodes", "250", "--quotes-per-episode", "1")

    assert capsys.readouterr().out.startswith("200 of 250 episodes\n250 of 250 episodes\nMade 5")


@pytest.mark.parametrize("options", [["--episodes", "0"], ["--guests", "-1"]])
def test_impossible_numbers_are_refused_in_words(options):
    with pytest.raises(CommandError, match="at least one episode"):
        call_command("make_dataset", *options)
