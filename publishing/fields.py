"""Form fields whose value is a link to an item, or an ordered list of small rows."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.formsets import DELETION_FIELD_NAME, BaseFormSet, formset_factory
from django.utils.translation import gettext as _

from .content import dump_value, load_value, references_of
from .permissions import Actor
from .references import resolve_references, write_references

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

SPARE_ROWS = 3  # empty rows for those without JavaScript
MOST_ROWS = 300  # in one list


class ItemWidget(forms.TextInput):
    """A text input that a script turns into a search over the items of one kind."""

    template_name = "publishing/widgets/item.html"

    def __init__(self, kind: str, narrow: str = ""):
        narrowed = {"data-item-narrow": narrow} if narrow else {}
        super().__init__(attrs={"autocomplete": "off", "data-item-kind": kind, **narrowed})

    def format_value(self, value):
        return write_references([value])[value] if isinstance(value, int) else value


class ItemField(forms.CharField):
    """A link to an item, typed as its title or ``Title (#12)``; the value is the item's id.

    ``narrow`` keeps the suggestions to items of one parent: ``speaker:speaker`` is the
    speaker that the field of that name holds, ``speaker:self`` the item being edited.
    """

    def __init__(self, kind: str, *, narrow: str = "", **kwargs):
        super().__init__(widget=ItemWidget(kind, narrow), max_length=400, empty_value=None, **kwargs)
        self.kind = kind
        self.deferred = False  # in a row: the list resolves all its rows at once

    def clean(self, value):
        text = super().clean(value)
        if text is None or self.deferred:
            return text
        resolved = resolve_references(self.kind, [text])[text]
        if resolved.problem:
            raise ValidationError(resolved.problem, code="reference")
        return resolved.item_id

    def dump(self, value: int | None) -> int | None:
        return value

    def load(self, stored: int | None) -> int | None:
        return stored

    def run_validators(self, value):
        if isinstance(value, str):
            super().run_validators(value)

    def references(self, stored: int | None) -> list[int]:
        return [stored] if stored else []

    def without(self, stored: int | None, gone: set[int]) -> int | None:
        return None if stored in gone else stored

    def display(self, stored: int | None, labels: dict[int, str]) -> str:
        return labels.get(stored, _("deleted")) if stored else ""


class RowForm(forms.Form):
    """One row of a card list; a subclass names the fields that tell two rows apart."""

    unique: tuple[str, ...] = ()

    @classmethod
    def enrich(cls, rows: list[dict]) -> list[dict]:
        """Return the rows with what showing them needs; one query for all of them."""
        return rows

    @classmethod
    def check_together(cls, rows: list[forms.Form]) -> None:
        """Add errors that need a look into the database; one query for all rows."""

    def __init__(self, *args, uploader: Actor = None, **kwargs):
        kwargs.setdefault("label_suffix", "")
        super().__init__(*args, **kwargs)
        self.uploader = uploader


class CardFormSet(BaseFormSet):
    """The rows of one list, checked together: order, removal, references, repeats."""

    def add_fields(self, form, index):
        super().add_fields(form, index)
        form.fields["ORDER"].label = _("Position")
        form.fields["DELETE"].label = _("Remove")

    def kept_forms(self) -> list[forms.Form]:
        """Return the rows that hold something, in the order the editor gave."""
        kept = [form for form in self.forms if form.has_changed() and not _is_removed(form)]
        filled = [form for form in kept if set(form.changed_data) - {"ORDER"}]
        return sorted(
            filled, key=lambda form: (form.cleaned_data.get("ORDER") is None, form.cleaned_data.get("ORDER") or 0)
        )

    def clean(self):
        if any(form.errors for form in self.forms if not _is_removed(form)):
            return
        for name, field in self.form.base_fields.items():
            if isinstance(field, ItemField):
                self._resolve(name, field)
        if len(self.kept_forms()) > MOST_ROWS:
            raise ValidationError(_("At most %(most)s rows."), "many", {"most": MOST_ROWS})
        self.form.check_together(self.kept_forms())
        self._refuse_repeats()

    def _resolve(self, name: str, field: ItemField) -> None:
        forms_with = [form for form in self.kept_forms() if form.cleaned_data.get(name) is not None]
        resolved = resolve_references(field.kind, [form.cleaned_data[name] for form in forms_with])
        for form in forms_with:
            answer = resolved[form.cleaned_data[name].strip()]
            if answer.problem:
                form.add_error(name, ValidationError(answer.problem, code="reference"))
            else:
                form.cleaned_data[name] = answer.item_id

    def _refuse_repeats(self) -> None:
        seen = set()
        for form in self.kept_forms():
            key = tuple(form.cleaned_data.get(name) for name in self.form.unique)
            if self.form.unique and key in seen:
                form.add_error(
                    self.form.unique[0], ValidationError(_("This is listed twice. Remove one."), code="repeat")
                )
            seen.add(key)


def _is_removed(form: forms.Form) -> bool:
    """Tell whether the editor ticked a row of a checked formset away."""
    return form.cleaned_data.get(DELETION_FIELD_NAME, False)


class CardListWidget(forms.Widget):
    """Draw a list as cards: a plain formset that a script makes draggable."""

    template_name = "publishing/widgets/card_list.html"
    sent: BaseFormSet | None = None  # checked and shown as one, since checking it may keep an upload

    def __init__(self, field: "CardListField"):
        super().__init__()
        self.field = field

    def value_from_datadict(self, data, files, name):
        if self.sent is None or self.sent.data is not data:
            self.sent = self.field.formset(data, files, prefix=name, form_kwargs={"uploader": self.field.uploader})
        return self.sent

    def value_omitted_from_data(self, data, files, name):
        return f"{name}-TOTAL_FORMS" not in data

    def use_required_attribute(self, initial):
        return False

    def id_for_label(self, id_):
        return ""

    def get_context(self, name, value, attrs):
        context = super().get_context(name, None, attrs)
        formset = value if isinstance(value, CardFormSet) else self.field.unbound(value or [], name)
        for form in [*formset.forms, formset.empty_form]:
            form.fields["ORDER"].widget.attrs["min"] = 1
        context["widget"].update(formset=formset, label=self.field.label, add_label=self.field.add_label)
        return context


class CardListField(forms.Field):
    """An ordered list of small rows as one value: a list of dicts, dumped row by row."""

    uploader: Actor = None  # set by the form

    def __init__(self, row_form: type[RowForm], *, add_label: "StrOrPromise", **kwargs):
        self.row_form = row_form
        self.add_label = add_label
        for field in row_form.base_fields.values():
            if isinstance(field, ItemField):
                field.deferred = True
        self.formset = formset_factory(
            row_form,
            formset=CardFormSet,
            can_order=True,
            can_delete=True,
            extra=SPARE_ROWS,
            max_num=MOST_ROWS + SPARE_ROWS,
            validate_max=True,
            absolute_max=MOST_ROWS + SPARE_ROWS,
        )
        super().__init__(widget=CardListWidget(self), **kwargs)
        self.empty_value: list = []

    def __deepcopy__(self, memo):
        copied = super().__deepcopy__(memo)
        copied.widget.field = copied
        return copied

    def unbound(self, rows: list[dict], name: str) -> BaseFormSet:
        """Return the formset for showing rows, their labels read in one query."""
        ids = {
            pk
            for key, field in self.row_form.base_fields.items()
            if isinstance(field, ItemField)
            for pk in self._ids(rows, key)
        }
        texts = write_references(ids)
        initial = [
            {key: texts.get(value, value) if self._is_item(key) else value for key, value in row.items()}
            for row in self.row_form.enrich(rows)
        ]
        return self.formset(initial=initial, prefix=name)

    def clean(self, value):
        formset = value if isinstance(value, CardFormSet) else None
        if formset is None:
            return value or []
        if not formset.is_valid():
            listed = formset.non_form_errors() or [_("One of the rows below needs another look.")]
            raise ValidationError(list(listed), code="rows")
        return [{key: form.cleaned_data.get(key) for key in self.row_form.base_fields} for form in formset.kept_forms()]

    def has_changed(self, initial, data):
        return True

    def dump(self, value: list[dict] | None) -> list[dict]:
        return [self._each(row, dump_value) for row in value or []]

    def load(self, stored: list[dict] | None) -> list[dict]:
        return [self._each(row, load_value) for row in stored or []]

    def references(self, stored: list[dict] | None) -> list[int]:
        fields = self.row_form.base_fields.items()
        return [pk for row in stored or [] for key, field in fields for pk in references_of(field, row.get(key))]

    def without(self, stored: list[dict] | None, gone: set[int]) -> list[dict]:
        """Return the rows that link to nothing that is gone."""
        items = [key for key, field in self.row_form.base_fields.items() if isinstance(field, ItemField)]
        return [row for row in stored or [] if not any(row.get(key) in gone for key in items)]

    def display(self, stored: list[dict] | None, labels: dict[int, str]) -> str:
        """Return the list as numbered lines for a difference."""
        return "\n".join(
            f"{place}. {self._display_row(row, labels)}" for place, row in enumerate(stored or [], start=1)
        )

    def run_validators(self, value):
        problems = []
        for place, row in enumerate(value or [], start=1):
            for key, field in self.row_form.base_fields.items():
                try:
                    field.run_validators(row.get(key))
                except ValidationError as refused:
                    problems += [f"{place}. {field.label}: {message}" for message in refused.messages]
        if problems:
            raise ValidationError(problems)

    def _each(self, row: dict, convert: Callable[[forms.Field, Any], Any]) -> dict:
        return {key: convert(field, row.get(key)) for key, field in self.row_form.base_fields.items()}

    def _display_row(self, row: dict, labels: dict[int, str]) -> str:
        shown = [display_value(field, row.get(key), labels) for key, field in self.row_form.base_fields.items()]
        return " · ".join(text for text in shown if text)

    def _is_item(self, key: str) -> bool:
        return isinstance(self.row_form.base_fields.get(key), ItemField)

    @staticmethod
    def _ids(rows: list[dict], key: str) -> list[int]:
        return [row[key] for row in rows if row.get(key)]


def display_value(field: forms.Field, stored: Any, labels: dict[int, str]) -> str:
    """Return a stored value as an editor reads it in a difference."""
    if hasattr(field, "display"):
        return field.display(stored, labels)
    if stored in (None, "", []):
        return ""
    if isinstance(stored, bool):
        return _("yes") if stored else _("no")
    if isinstance(field, forms.ChoiceField):
        labels_of = dict(field.choices)  # type: ignore[arg-type]  # read back, choices are pairs whatever was given
        return str(labels_of.get(stored, stored))
    return str(stored)
