"""The rows of one model, out of the database and into it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.db import connection
from django.db.models import AutoField, BigAutoField, Field, Model
from django.utils.translation import gettext as _

from .columns import Column
from .lines import Row
from .refusals import RowRefused, shown

ROWS_READ = 100  # at once; transcripts of hours take some 250 kB each


class Table:
    """All columns of a model, or some; ``given`` makes the values of others that a new row needs."""

    given: Sequence[tuple[Field, Callable[[], Any]]] = ()

    def __init__(self, model: type[Model], names: Sequence[str] | None = None):
        fields = [field for field in model._meta.concrete_fields if names is None or field.name in names]
        self.model = model
        self.label = model._meta.label
        self.member = f"tables/{self.label}.jsonl"
        self.columns = [Column(field) for field in fields]
        self.names = {column.name for column in self.columns}
        self.file_places = [place for place, column in enumerate(self.columns) if column.rule]

    @property
    def is_numbered(self) -> bool:
        """Tell whether the database gives its rows their numbers."""
        return isinstance(self.model._meta.pk, AutoField | BigAutoField)

    def rows(self) -> Iterator[Row]:
        """Yield every row by key, in its neutral form, however many there are."""
        names = [column.field.attname for column in self.columns]
        found = self.model._base_manager.order_by("pk").values_list(*names)
        for values in found.iterator(chunk_size=ROWS_READ):
            yield {column.name: column.dump(value) for column, value in zip(self.columns, values, strict=True)}

    def load(self, row: Row) -> tuple:
        """Return the values that ``write()`` takes. Raises RowRefused with a sentence."""
        if row.keys() != self.names:
            raise RowRefused(self._other_columns(row))
        return tuple(column.load(row[column.name]) for column in self.columns)

    def files_of(self, loaded: Any) -> list[str]:
        """Return the names of the files that a row has."""
        return [loaded[place] for place in self.file_places if loaded[place]]

    def make_room(self) -> None:
        """Take away what a new site has before anything is written to it."""

    def write(self, rows: Sequence[Any]) -> None:
        """Insert rows just as they are, keys and moments too."""
        fields = [column.field for column in self.columns] + [field for field, _make in self.given]
        quote = connection.ops.quote_name
        columns = ", ".join(quote(str(field.column)) for field in fields)
        marks = ", ".join(["%s"] * len(fields))
        statement = f"INSERT INTO {quote(self.model._meta.db_table)} ({columns}) VALUES ({marks})"  # noqa: S608 - our own names
        prepared = [
            [field.get_db_prep_save(value, connection) for field, value in zip(fields, self._full(row), strict=True)]
            for row in rows
        ]
        with connection.cursor() as cursor:
            cursor.executemany(statement, prepared)

    def _full(self, row: tuple) -> tuple:
        return (*row, *(make() for _field, make in self.given))

    def _other_columns(self, row: Row) -> str:
        missing, unknown = sorted(self.names - row.keys()), sorted(row.keys() - self.names)
        parts = []
        if missing:
            parts.append(_("The row lacks %(names)s.") % {"names": shown(", ".join(missing))})
        if unknown:
            parts.append(_("%(table)s has no %(names)s.") % {"table": self.label, "names": shown(", ".join(unknown))})
        return " ".join(parts)
