"""Content forms: the one declaration of what a type holds.

From a content form come the admin page, the difference, the merge, imports and the
public row. Its ``dump`` turns cleaned data into JSON that is the same for the same
meaning, and ``load`` turns that JSON back into ``initial``.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field as data_field
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from .made_files import CARDS, forget
from .models import Item, LinkTable, Publishable, Revision
from .permissions import Actor
from .text import clean_line, clean_text

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Content = dict[str, Any]


@dataclass
class Objections:
    """Sentences on why items should not be published, by id: never, or only with a written reason."""

    firm: dict[int, list[str]] = data_field(default_factory=dict)
    waivable: dict[int, list[str]] = data_field(default_factory=dict)


def dump_moment(moment: datetime) -> str:
    """Return an aware moment in UTC to the second, such as ``2026-05-14T10:00:00Z``."""
    return moment.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def dump_value(field: forms.Field, value: Any) -> Any:
    """Return a cleaned value as JSON; fields of ours bring their own ``dump``."""
    if hasattr(field, "dump"):
        return field.dump(value)
    if isinstance(value, datetime):
        return dump_moment(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        is_long = isinstance(field.widget, forms.Textarea)
        return clean_text(value) if is_long else clean_line(value)
    return value


def load_value(field: forms.Field, stored: Any) -> Any:
    """Return stored JSON as the field's ``initial``."""
    if hasattr(field, "load"):
        return field.load(stored)
    if isinstance(field, forms.DateTimeField) and stored:
        return parse_datetime(stored)
    if isinstance(field, forms.DateField) and stored:
        return parse_date(stored)
    return stored


def references_of(field: forms.Field, stored: Any) -> list[int]:
    """Return the ids of items that a stored value names, in order."""
    return field.references(stored) if hasattr(field, "references") else []


def hash_content(content: Content) -> str:
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


class ContentForm(forms.Form):
    """A plain form with the fields of one type. Only the title is needed to save.

    ``uploader`` is whose quota its files count in.
    """

    model: ClassVar[type[Publishable]]
    title_field: ClassVar[str] = "title"
    date_field: ClassVar[str | None] = None
    search_fields: ClassVar[tuple[str, ...]] = ()
    required_to_publish: ClassVar[tuple[str, ...]] = ()
    links: ClassVar[dict[str, type[LinkTable]]] = {}
    soft_parents: ClassVar[tuple[str, ...]] = ()
    quotable: ClassVar[tuple[str, ...]] = ()  # of which a correction tells what was said and what is said now
    owed_a_word: ClassVar[tuple[str, ...]] = ()  # whose change, after a while, a publisher must call something
    sections: ClassVar["tuple[tuple[StrOrPromise, tuple[str, ...]], ...]"] = ()
    schema: ClassVar[int] = 1

    def __init__(self, *args, uploader: Actor = None, **kwargs):
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.required = name == self.title_field
            if hasattr(field, "uploader"):
                field.uploader = uploader

    @property
    def kind(self) -> str:
        return self.model.kind

    def clean(self):
        """Refuse a title of which cleaning leaves nothing."""
        title = self.cleaned_data.get(self.title_field)
        if title and not dump_value(self.fields[self.title_field], title):
            message = _("Nothing of this can be read. Type a title.")
            self.add_error(self.title_field, ValidationError(message, code="unreadable"))
        return super().clean()

    def dump(self) -> Content:
        """Return the cleaned data as canonical JSON."""
        return {name: dump_value(field, self.cleaned_data.get(name)) for name, field in self.fields.items()}

    @classmethod
    def load(cls, content: Content) -> dict[str, Any]:
        """Return a revision's content as ``initial``; fields it does not know get their own default."""
        return {
            name: load_value(field, content.get(name, cls.blank()[name])) for name, field in cls.base_fields.items()
        }

    @classmethod
    def blank(cls) -> Content:
        """Return the content of a thing that nobody has written yet."""
        return {name: dump_value(field, blank_value(field)) for name, field in cls.base_fields.items()}

    @classmethod
    def check_content(cls, content: Content) -> Content:
        """Return content from an import as an editor's own typing would have been stored.

        Raises ValidationError with the messages of every field that refused its value.
        """
        values = {
            name: dump_value(field, load_value(field, content.get(name))) for name, field in cls.base_fields.items()
        }
        problems: dict[str, list] = {}
        for name, field in cls.base_fields.items():
            try:
                field.run_validators(load_value(field, values[name]))
            except ValidationError as refused:
                problems[name] = refused.error_list
        if problems:
            raise ValidationError(problems)
        return values

    @classmethod
    def title_of(cls, content: Content) -> str:
        return content.get(cls.title_field) or ""

    @classmethod
    def date_of(cls, content: Content) -> datetime | None:
        stored = content.get(cls.date_field) if cls.date_field else None
        return parse_datetime(stored) if stored else None

    @classmethod
    def text_of(cls, content: Content) -> str:
        """Return what an editor may search for."""
        return "\n".join(str(content.get(name) or "") for name in (cls.title_field, *cls.search_fields))

    @classmethod
    def links_of(cls, content: Content) -> Iterator[tuple[str, int, int]]:
        """Yield ``(role, position, item id)`` for everything that the content links to."""
        for name, field in cls.base_fields.items():
            for position, target in enumerate(references_of(field, content.get(name))):
                yield name, position, target

    @classmethod
    def missing(cls, content: Content) -> list[str]:
        """Return the labels of what must be filled in before this can be published."""
        return [
            str(cls.base_fields[name].label) for name in cls.required_to_publish if content.get(name) in (None, "", [])
        ]

    @classmethod
    def problems(cls, row: Publishable, content: Content) -> list[str]:
        """Return sentences on why this cannot be published as it is, beyond what is missing."""
        return []

    @classmethod
    def problems_together(cls, contents: dict[int, Content]) -> dict[int, list[str]]:
        """Return, by item id, sentences that need a look at other items: one query for the whole batch."""
        return {}

    @classmethod
    def settle(cls, content: Content, before: Content, *, item: Item, actor: Actor) -> Content:
        """Return what an editor's save comes to, given the content it was written over."""
        return content

    @classmethod
    def saved(cls, revisions: dict[int, Revision]) -> None:
        """Note what follows from new heads, by item id, in the transaction that made them."""

    @classmethod
    def objections(cls, revisions: dict[int, Revision]) -> Objections:
        """Return what stands against publishing these, by item id, that neither content nor links tell."""
        return Objections()

    @classmethod
    def waive(cls, revisions: dict[int, Revision], *, reason: str, actor: Actor) -> None:
        """Keep that a publisher showed these to readers against an objection, and why."""

    @classmethod
    def shown(cls, pks: Sequence[int]) -> None:
        """Note what follows from rows that readers see now, in the transaction of the act."""

    @classmethod
    def hidden(cls, pks: Sequence[int]) -> None:
        """Note what follows from rows that readers no longer see, in the transaction of the act.

        What was drawn and cut of them goes at once; all of it can be made again.
        """
        forget(f"{CARDS}/{pk}" for pk in pks)
        for name, field in cls.base_fields.items():
            if hasattr(field, "hidden"):
                field.hidden(cls.model, name, pks)

    @classmethod
    def write_columns(cls, row: Publishable, content: Content) -> None:
        """Set the row's public columns; nothing is saved."""
        columns = {column.name: column for column in row._meta.concrete_fields}
        for name, field in cls.base_fields.items():
            if name not in cls.links:
                column = columns[name]
                value = (
                    load_value(field, content.get(name))
                    if isinstance(field, forms.fields.BaseTemporalField)
                    else content.get(name)
                )
                if value is None and not column.null:
                    value = column.get_default()
                setattr(row, column.attname, value)


def blank_value(field: forms.Field) -> Any:
    """Return what a field holds before anybody has written in it."""
    return field.initial if field.initial is not None else getattr(field, "empty_value", None)


def missing_message(labels: list[str]) -> str:
    return _("Before this can be published, fill in: %(fields)s.") % {"fields": ", ".join(labels)}
