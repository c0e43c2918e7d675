from django import forms
from django.http import QueryDict
from django.utils.text import capfirst

from ..content import Content, ContentForm, dump_value
from ..fields import ItemField
from ..references import read_id, write_references
from ..revisions import fixed_parents


class AddingForm(forms.Form):
    """Identity only: the parents that are fixed for good, and the title."""

    content_class: type[ContentForm]

    def __init__(self, data: QueryDict | None = None, *, initial: dict | None = None):
        known = {name: value for name, value in (initial or {}).items() if name in self.base_fields}
        numbers = {name: pk for name in self.parent_names() if (pk := read_id(known.get(name)))}
        texts = write_references(numbers.values())
        known |= {name: texts[pk] for name, pk in numbers.items()}
        super().__init__(data, initial=known, label_suffix="")

    @classmethod
    def parent_names(cls) -> list[str]:
        return fixed_parents(cls.content_class)

    def content(self) -> Content:
        """Return the title as content."""
        name = self.content_class.title_field
        return {name: dump_value(self.fields[name], self.cleaned_data[name])}

    def parents(self) -> dict[str, int]:
        return {name: self.cleaned_data[name] for name in self.parent_names()}


def adding_form(form: type[ContentForm]) -> type[AddingForm]:
    """Return the form of a type's Add page."""
    fields: dict = {"content_class": form}
    labels = {column.name: column.verbose_name for column in form.model._meta.concrete_fields}
    for name in fixed_parents(form):
        fields[name] = ItemField(form.model.parent_model(name).kind, label=capfirst(labels[name]), required=True)
    fields[form.title_field] = form.base_fields[form.title_field]
    return type("AddingForm", (AddingForm,), fields)
