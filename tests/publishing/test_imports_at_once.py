"""Two imports at the same moment, on real connections of their own."""

import pytest

from episodes.importing.reader import read_feed
from episodes.importing.service import Options, import_feed
from episodes.models import FeedEntry, FeedSource
from publishing.models import Item, TableEntry
from publishing.tables.importing import TableOptions, import_table
from quotes.tables import TABLES
from tests.episodes.feeds import feed_xml, item_xml
from tests.publishing.test_two_at_once import at_once

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 5


def import_xml(address: str, xml: str, **options):
    return import_feed(read_feed(xml.encode(), feed_url=address), address, Options(**options))


def refused(results: list) -> list:
    return [result for result in results if isinstance(result, Exception)]


def test_two_feeds_that_name_one_new_person_make_one_guest():
    for number in range(ROUNDS):
        xml = feed_xml(item_xml("One", person=f"Ada Okafor {number}"))
        addresses = [f"https://{name}.example.org/{number}" for name in "ab"]

        results = at_once(*[lambda address=address, xml=xml: import_xml(address, xml) for address in addresses])

        assert refused(results) == []
        assert Item.objects.of_kind("guest").filter(working_title=f"Ada Okafor {number}").count() == 1


@pytest.mark.parametrize("publish", [False, True])
def test_one_feed_twice_at_once_is_imported_once(settings, publish):
    settings.IMPORT_CHUNK_SIZE = 2
    for number in range(ROUNDS):
        xml = feed_xml(*[item_xml(f"{number}-{one}", person="Ada Okafor") for one in range(5)], title=f"Show {number}")
        address = f"https://feeds.example.org/{number}"

        results = at_once(
            *[lambda address=address, xml=xml: import_xml(address, xml, publish=publish) for _time in range(2)]
        )

        assert refused(results) == []
        assert sum(len(report.made) for report in results) == 5
        assert FeedEntry.objects.filter(source__address=address).count() == 5
    assert FeedSource.objects.count() == Item.objects.of_kind("show").count() == ROUNDS
    assert Item.objects.of_kind("guest").count() == 1


def test_one_table_twice_at_once_is_imported_once():
    for number in range(ROUNDS):
        data = "".join(["name\n", *[f"Topic {number} {one}\n" for one in range(5)], "🚀\n"]).encode()

        results = at_once(
            *[lambda data=data: import_table(TABLES["topics"], data, TableOptions(publish=True)) for _time in range(2)]
        )

        assert refused(results) == []
    assert Item.objects.count() == TableEntry.objects.count() == 5 * ROUNDS + 1


def test_a_dry_run_beside_an_import_waits_for_it():
    for number in range(ROUNDS):
        xml = feed_xml(*[item_xml(f"{number}-{one}", person=f"Ada {number}-{one}") for one in range(4)])

        results = at_once(
            lambda xml=xml: import_xml("https://a.example.org/", xml),
            lambda xml=xml: import_xml("https://a.example.org/", xml, dry_run=True),
        )

        assert refused(results) == []
    assert Item.objects.of_kind("episode").count() == 4 * ROUNDS
