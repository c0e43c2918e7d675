from django import forms
from django.utils.text import capfirst

from ..content import Content, ContentForm, dump_value
from ..fields import ItemField
from ..references import write_references
from ..revisions import fixed_parents


class AddingForm(forms.Form):
    """Identity only: the parents that are fixed for good, and the title."""

    content_class: type[ContentForm]

    def __init__(self, *args, initial: dict | None = None, **kwargs):
        known = {name: value for name, value in (initial or {}).items() if name in self.base_fields}
        numbers = {name: int(value) for name, value in known.items() if name in self.parent_names() and value.isdigit()}
        texts = write_references(numbers.values())
        super().__init__(
            *args, initial=known | {name: texts[pk] for name, pk in numbers.items()}, label_suffix="", **kwargs
        )

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
    for name in fixed_parents(form):
        parent = form.model._meta.get_field(name)
        fields[name] = ItemField(parent.related_model.kind, label=capfirst(parent.verbose_name), required=True)
    fields[form.title_field] = form.base_fields[form.title_field]
    return type("AddingForm", (AddingForm,), fields)
