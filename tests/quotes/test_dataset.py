import json

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from episodes.models import Episode, EpisodeGuest, EpisodeMedia, EpisodeTopic, GuestQuote, MediaFile, Show
from publishing.acts import publish_many
from publishing.kinds import all_kinds, get_kind
from publishing.models import Address, Event, Item, ItemLink, Revision
from publishing.revisions import save_revisions
from quotes.dataset.fill import make_dataset
from quotes.dataset.plan import Size
from quotes.models import Quote, QuoteTopic, RelatedQuote

LINK_TABLES = [EpisodeGuest, EpisodeMedia, EpisodeTopic, GuestQuote, QuoteTopic, RelatedQuote, ItemLink]
MOMENTS = {"published_at", "changed_at", "touched_at", "first_public_at"}
SMALL = Size(episodes=12, quotes_per_episode=5)


@pytest.fixture(scope="module")
def filled(django_db_setup, django_db_blocker):
    """A small data set, made once for this module and rolled back after it."""
    with django_db_blocker.unblock(), transaction.atomic():
        make_dataset(SMALL)
        yield
        transaction.set_rollback(True)


@pytest.fixture
def dataset(filled, db):
    pass


def rows_of(model, without=frozenset()) -> list[str]:
    """Return every row as text, in an order that does not depend on keys given by the database."""
    names = [field.attname for field in model._meta.concrete_fields if field.attname not in without]
    return sorted(json.dumps(row, default=str, sort_keys=True) for row in model.objects.values(*names))


def all_rows() -> dict[str, list[str]]:
    """Return the rows of every table that saving and publishing write, without when they did."""
    tables = {kind.model: MOMENTS for kind in all_kinds()} | {Item: MOMENTS, Revision: set()}
    tables |= {table: {"id"} for table in LINK_TABLES} | {Address: {"id", *MOMENTS}}
    return {model.__name__: rows_of(model, without) for model, without in tables.items()}


def forget_all_but_contents() -> None:
    """Leave items, revisions and rows as they are before the services have written anything."""
    for table in [*LINK_TABLES, Address]:
        table.objects.all().delete()
    Item.objects.update(head=None, working_title="", working_slug="", working_date=None, working_text="")
    for kind in all_kinds():
        empty = kind.model(item_id=0)
        kept = {"item", "first_published_at", "guid", "podcast_guid", *(set(kind.model.parents) - {"speaker"})}
        columns = [field for field in kind.model._meta.concrete_fields if field.name not in kept]
        kind.model.objects.update(**{field.name: getattr(empty, field.attname) for field in columns})


def test_rows_are_those_that_the_services_make(dataset):
    before = all_rows()
    items = list(Item.objects.select_related("live").order_by("pk"))
    contents = {item.pk: item.live.content for item in items}
    forget_all_but_contents()
    assert all_rows() != before

    items = list(Item.objects.order_by("pk"))
    saved = save_revisions([(item, contents[item.pk]) for item in items], actor=None)
    publish_many(items, actor=None, reason="No transcripts.")

    assert [one for one in saved if one.is_new] == []
    after = all_rows()
    assert {name: rows for name, rows in after.items() if rows != before[name]} == {}


def test_contents_are_as_the_forms_store_them(dataset):
    for revision in Revision.objects.select_related("item"):
        form = get_kind(revision.item.kind).form
        assert form.check_content(revision.content) == revision.content
        assert (revision.number, revision.schema, revision.kind) == (1, form.schema, "save")


def test_rows_hold_what_is_fixed_at_creation(dataset):
    for episode in Episode.objects.select_related("item"):
        assert episode.guid == str(episode.item.uid)
    assert Show.objects.values("podcast_guid").distinct().count() == Show.objects.count()
    assert Episode.objects.count() == MediaFile.objects.count() == SMALL.episodes
    assert Quote.objects.live().count() == SMALL.episodes * SMALL.quotes_per_episode
    assert Event.objects.count() == 0


def test_next_item_gets_a_number_of_its_own(dataset):
    item = Item.objects.create(kind="topic")
    revision = Revision.objects.create(item=item, number=1, content={}, content_hash="")

    assert item.pk > Quote.objects.latest("pk").pk
    assert revision.pk > Quote.objects.latest("pk").pk


def test_is_made_in_an_empty_database_only(dataset):
    before = Item.objects.count()

    with pytest.raises(CommandError, match="has content"):
        call_command("make_dataset", "--episodes", "1")
    assert Item.objects.count() == before
