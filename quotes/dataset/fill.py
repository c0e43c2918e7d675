"""Write a data set into an empty database, straight into the tables.

``create_items()`` and ``publish_many()`` look at the database for each batch: what is
locked, linked, taken and shown where. That is right for people, and takes an hour for
120,000 quotes. Here all rows are known beforehand, so they are written in bulk; what
decides a column is asked of the same content forms and models. A test saves and
publishes the same contents through the services and finds the same rows. The log of
events stays empty: nobody did these things.
"""

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from random import Random

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model, OuterRef, Subquery

from episodes.models import Episode, MediaFile, Show
from publishing.acts import bump_version
from publishing.addresses import path_of
from publishing.content import hash_content
from publishing.kinds import get_kind
from publishing.models import Address, Item, ItemLink, Publishable, Revision
from publishing.models.item import SHORT_ID_LETTERS
from publishing.revisions import fixed_parents

from .contents import EPOCH, Contents, Draft
from .plan import Size, make_plan
from .texts import rng_of

EPISODES_AT_ONCE = 200
ROWS_AT_ONCE = 2_000
Progress = Callable[[int, int], None]


class NotEmpty(Exception):
    """Raised where the database holds something already."""


def make_dataset(size: Size, progress: Progress = lambda done, of: None) -> int:
    """Fill the database; returns how many items were made. Raises NotEmpty, with nothing written."""
    if Item.objects.exists() or MediaFile.objects.exists():
        raise NotEmpty
    with transaction.atomic():
        contents = Contents(make_plan(size))
        writer = _Writer(contents.size.seed)
        writer.write(contents.of_things())
        count = contents.size.episodes
        for start in range(0, count, EPISODES_AT_ONCE):
            numbers = range(start, min(start + EPISODES_AT_ONCE, count))
            _write_media(contents, numbers)
            writer.write(chain.from_iterable(contents.of_episode(number) for number in numbers))
            progress(numbers.stop, count)
        written_at = Item.objects.filter(pk=OuterRef("item")).values("touched_at")
        Revision.objects.update(created_at=Subquery(written_at))  # auto_now_add knows only now
        MediaFile.objects.update(created_at=EPOCH)
        bump_version(contents.aired_at(count))
        _reset_sequences()
    analyze()
    return Item.objects.count()


class _Writer:
    """Turns drafts into rows: each item is live as its first revision, which has the item's number."""

    def __init__(self, seed: int):
        self.seed = seed
        self.shows: dict[int, Publishable] = {}
        self.episodes: dict[int, Publishable] = {}

    def write(self, drafts: Iterable[Draft]) -> None:
        rows: dict[type[Model], list] = defaultdict(list)
        for draft in drafts:
            for row in self._rows_of(draft):
                rows[type(row)].append(row)
        for model, found in rows.items():  # keys that point ahead are checked at the end of the transaction
            model._base_manager.bulk_create(found, batch_size=ROWS_AT_ONCE)

    def _rows_of(self, draft: Draft) -> Iterator[Model]:
        item = self._item(draft)
        row = self._public_row(draft, item)
        yield item
        yield Revision(
            pk=draft.pk,
            item=item,
            number=1,
            content=draft.content,
            content_hash=hash_content(draft.content),
            schema=get_kind(draft.kind).form.schema,
        )
        yield row
        yield Address(path=path_of(row), item=item, first_public_at=draft.at)
        yield from self._links(draft, item)
        for name, table in get_kind(draft.kind).form.links.items():
            yield from table.build(row, draft.content[name])

    def _item(self, draft: Draft) -> Item:
        form, rng = get_kind(draft.kind).form, rng_of(self.seed, "item", draft.pk)
        return Item(
            pk=draft.pk,
            uid=_uuid(rng),
            short_id="".join(rng.choices(SHORT_ID_LETTERS, k=8)),
            kind=draft.kind,
            live_id=draft.pk,
            head_id=draft.pk,
            first_published_at=draft.at,
            published_at=draft.at,
            changed_at=draft.at,
            touched_at=draft.at,
            working_title=form.title_of(draft.content)[:300],
            working_slug=draft.content["slug"],
            working_date=form.date_of(draft.content),
            working_text=form.text_of(draft.content),
        )

    def _public_row(self, draft: Draft, item: Item) -> Publishable:
        kind = get_kind(draft.kind)
        row = kind.model(item=item, **kind.model.first_columns(item), **self._parents(draft))
        if isinstance(row, Show):
            row.podcast_guid = _uuid(rng_of(self.seed, "podcast", draft.pk))
            self.shows[draft.pk] = row
        if isinstance(row, Episode):
            self.episodes[draft.pk] = row
        kind.form.write_columns(row, draft.content)
        row.visible = True
        row.first_published_at = draft.at
        return row

    def _parents(self, draft: Draft) -> dict[str, Publishable]:
        held = {"show": self.shows, "episode": self.episodes}
        return {name: held[name][pk] for name, pk in draft.parents.items()}

    def _links(self, draft: Draft, item: Item) -> Iterator[ItemLink]:
        form = get_kind(draft.kind).form
        for name in fixed_parents(form):
            yield ItemLink(source=item, role=name, position=0, target_id=draft.parents[name])
        for role, place, target in form.links_of(draft.content):
            yield ItemLink(source=item, role=role, position=place, target_id=target)


def _uuid(rng: Random) -> uuid.UUID:
    return uuid.UUID(int=rng.getrandbits(128), version=4)


def _write_media(contents: Contents, numbers: Iterable[int]) -> None:
    MediaFile.objects.bulk_create(
        [
            MediaFile(
                pk=number + 1,
                kind=MediaFile.Kind.AUDIO,
                address=contents.media_address(number),
                mime="audio/mpeg",
                bytes=16 * contents.duration_ms(number),  # at 128 kbit a second
                duration_ms=contents.duration_ms(number),
            )
            for number in numbers
        ]
    )


def _reset_sequences() -> None:
    """Let the database number on after the keys given here."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [Item, Revision, MediaFile]):
            cursor.execute(statement)


def analyze() -> None:
    """Tell the database's planner what it holds now, as it would find out by itself in time."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
