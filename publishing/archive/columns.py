"""One column in a neutral form: what either database holds, as JSON, and back."""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import models
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy

from .file_rules import refuse_name, rule_of
from .lines import HIGHEST_NUMBER
from .refusals import RowRefused, shown

LARGEST_INTEGER = 2**63

_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_DECIMAL = re.compile(r"-?\d{1,100}(\.\d{1,100})?", re.ASCII)


@dataclass(frozen=True)
class Form:
    """How values of one kind stand in an archive; ``load`` raises ValueError or TypeError for what is none."""

    said: str | Promise  # what a value must be
    dump: Callable[[Any], Any]
    load: Callable[[Any], Any]


def _only(wanted: type) -> Callable[[Any], Any]:
    """Return a check for JSON's own types, for which true is no number."""

    def load(value: Any) -> Any:
        if type(value) is not wanted:
            raise TypeError
        return value

    return load


def _integer(value: Any) -> int:
    if type(value) is not int or not -LARGEST_INTEGER <= value < LARGEST_INTEGER:
        raise ValueError
    return value


def _written(pattern: re.Pattern[str], read: Callable[[str], Any]) -> Callable[[Any], Any]:
    def load(value: Any) -> Any:
        if not pattern.fullmatch(value):
            raise ValueError
        return read(value)

    return load


def _dump_moment(value: datetime) -> str:
    return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _as_it_is(value: Any) -> Any:
    return value


_TEXT = Form(gettext_lazy("text"), str, _only(str))
# A class before those it inherits from.
FORMS: list[tuple[type[models.Field], Form]] = [
    (models.BooleanField, Form(gettext_lazy("true or false"), bool, _only(bool))),
    (models.IntegerField, Form(gettext_lazy("a whole number"), int, _integer)),
    (
        models.DateTimeField,
        Form(
            gettext_lazy("a moment such as 2026-05-14T10:00:00.000000Z"),
            _dump_moment,
            _written(_MOMENT, datetime.fromisoformat),
        ),
    ),
    (
        models.DateField,
        Form(gettext_lazy("a day such as 2026-05-14"), date.isoformat, _written(_DAY, date.fromisoformat)),
    ),
    (models.UUIDField, Form(gettext_lazy("a UUID in small letters"), str, _written(_UUID, UUID))),
    (
        models.DecimalField,
        Form(gettext_lazy("a decimal number as text"), lambda value: format(value, "f"), _written(_DECIMAL, Decimal)),
    ),
    (
        models.BinaryField,
        Form(
            gettext_lazy("bytes as Base64"),
            lambda value: base64.b64encode(value).decode(),
            lambda value: base64.b64decode(value, validate=True),
        ),
    ),
    (models.JSONField, Form(gettext_lazy("JSON"), _as_it_is, _as_it_is)),
    (models.CharField, _TEXT),
    (models.TextField, _TEXT),
    (models.FileField, _TEXT),
]


def form_of(field: models.Field) -> Form:
    """Return the neutral form of a column. Raises TypeError for a kind that archives have none for yet."""
    meant = field
    while isinstance(meant, models.ForeignKey):  # the key of an episode is that of its item
        meant = meant.target_field
    for kind, form in FORMS:
        if isinstance(meant, kind):
            return form
    raise TypeError(f"Archives have no form for {field!r}; add one to FORMS and to docs/archive-format.md.")


class Column:
    """A concrete field of a model, under its name."""

    def __init__(self, field: models.Field):
        self.field = field
        self.name = field.name
        self.form = form_of(field)
        self.rule = rule_of(field) if isinstance(field, models.FileField) else None
        self.is_address = isinstance(field, models.URLField)
        # What feeds name as an address is looser than Django's own check; its scheme is what pages rely on.
        self.validators = [check for check in field.validators if not isinstance(check, URLValidator)]
        self.choices = {value for value, _label in field.flatchoices}

    def dump(self, value: Any) -> Any:
        if value is None:
            return None
        dumped = self.form.dump(value)
        if self.rule and dumped:
            refuse_name(self.rule, dumped)
        return dumped

    def load(self, value: Any) -> Any:
        """Return the value that the database takes. Raises RowRefused with a sentence."""
        if value is None:
            if not self.field.null:
                raise RowRefused(_("“%(name)s” may not be null.") % {"name": self.name})
            return None
        try:
            loaded = self.form.load(value)
        except (TypeError, ValueError):
            message = _("“%(name)s” must be %(said)s, not %(value)s.")
            raise RowRefused(
                message % {"name": self.name, "said": self.form.said, "value": shown(repr(value))}
            ) from None
        self._check(loaded)
        return loaded

    def _check(self, value: Any) -> None:
        if value in self.field.empty_values:
            return
        if self.rule:
            refuse_name(self.rule, value)
        if self.field.primary_key and not 0 < value <= HIGHEST_NUMBER:
            message = _("“%(name)s” must be a key from 1 to %(most)s, not %(value)s.")
            raise RowRefused(message % {"name": self.name, "most": HIGHEST_NUMBER, "value": value})
        if self.choices and value not in self.choices:
            message = _("“%(name)s” is %(value)s, which is none of its choices.")
            raise RowRefused(message % {"name": self.name, "value": shown(repr(value))})
        if self.is_address and value.partition(":")[0].lower() not in URLValidator.schemes:
            message = _("“%(name)s” must be a web address, not %(value)s.")
            raise RowRefused(message % {"name": self.name, "value": shown(repr(value))})
        for validator in self.validators:
            try:
                validator(value)
            except ValidationError as refused:
                sentence = " ".join(refused.messages)
                raise RowRefused(f"“{self.name}”: {shown(sentence)}") from None
