from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeVar

from django.apps import apps
from django.db import models
from django.db.models import Prefetch, Q

from ..kinds import get_kind
from .item import Item

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

T = TypeVar("T")


def once_live(value: T | None) -> T:
    """Return what is null only before first publication, such as a column of a row that readers see.

    Raises ValueError where it is null: the row was never public.
    """
    if value is None:
        raise ValueError("Only what has been public has this.")
    return value


class PublishableQuerySet(models.QuerySet):
    def live(self):
        """Return the rows that the public may see: the one rule, written once."""
        return self.filter(visible=True)

    def slice_of(self, start: int, stop: int) -> list:
        """Return the rows from ``start`` to before ``stop``, in order. Two queries.

        Their keys are picked first, from an index alone. However far on they stand, no
        row before them is read, and no database can be led to sort by what is joined.
        """
        keys = list(self.values_list("pk", flat=True)[start:stop])
        rows = self.order_by().in_bulk(keys)
        return [rows[key] for key in keys if key in rows]

    def with_corrections(self):
        """Load ``item.told_corrections``: the notes that readers see, in no order."""
        told = apps.get_model("publishing.Correction").objects.live().only("item", "note", "published_at").order_by()
        return self.prefetch_related(Prefetch("item__corrections", queryset=told, to_attr="told_corrections"))

    def comes_by(self, table: type["LinkTable"]) -> bool:
        """Tell whether the rows are reached through a link table, whose own order then serves."""
        return any(join.table_name == table._meta.db_table for join in self.query.alias_map.values())


class Publishable(models.Model):
    """The public row of an item. Its columns are written by public acts only.

    Before first publication they are null or empty. ``parents`` names the foreign
    keys whose targets must be visible for this row to be.
    """

    kind: ClassVar[str]
    parents: ClassVar[tuple[str, ...]] = ()
    address_parents: ClassVar[tuple[str, ...]] = ()  # parents whose slug is part of the address
    when_removed: ClassVar["StrOrPromise"]  # what readers are told in place of the title of one that was removed

    item = models.OneToOneField(Item, primary_key=True, on_delete=models.CASCADE, related_name="%(class)s")
    visible = models.BooleanField(default=False, editable=False)
    slug = models.CharField(max_length=120, null=True, editable=False)  # noqa: DJ001 - null until live
    first_published_at = models.DateTimeField(null=True, editable=False)  # the item's, for indexes

    objects: ClassVar = PublishableQuerySet.as_manager()

    class Meta:
        abstract = True
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.item)

    def get_absolute_url(self) -> str:
        """Return the row's public path, quoted; only a row with a slug has one."""
        raise NotImplementedError

    @property
    def headline(self) -> str:
        """Return the name or title that readers know the row by."""
        return getattr(self, get_kind(self.kind).form.title_field)

    @classmethod
    def parent_model(cls, name: str) -> type["Publishable"]:
        """Return the model that one of the ``parents`` points at."""
        model = cls._meta.get_field(name).related_model
        if model is None or not issubclass(model, Publishable):
            raise TypeError(f"{cls.__name__}.{name} is no parent.")
        return model

    @classmethod
    def first_columns(cls, item: Item) -> dict:
        """Return columns that are set once, when the row is made."""
        return {}

    @classmethod
    def parents_visible(cls) -> Q:
        """Return the condition that every parent is visible."""
        return Q(**{f"{parent}__visible": True for parent in cls.parents})

    @classmethod
    def shown_on(cls, pks: Iterable[int]) -> list[models.QuerySet]:
        """Return querysets of the ids of live items whose pages show any of these rows."""
        return []


class LinkTable(models.Model):
    """A public link from one row to another, in order; written by public acts only."""

    source_field: ClassVar[str]
    copied: ClassVar[tuple[str, ...]] = ()  # the source's columns that links repeat: an index of theirs sorts by them

    position = models.PositiveIntegerField()

    objects: ClassVar[models.Manager]

    class Meta:
        abstract = True
        default_permissions = ()
        ordering = ["position"]

    @classmethod
    def build(cls, source: Publishable, rows: list[dict]) -> list["LinkTable"]:
        """Return unsaved rows for a content list whose keys are this table's fields."""
        names = {column.name: column.attname for column in cls._meta.concrete_fields}
        fixed = {f"{cls.source_field}_id": source.pk} | {name: getattr(source, name) for name in cls.copied}
        return [
            cls(position=position, **fixed, **{names[key]: value for key, value in row.items()})
            for position, row in enumerate(rows)
        ]
