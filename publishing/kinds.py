"""The kinds of publishable things, told by the apps that hold them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from .content import ContentForm
    from .models import Publishable


@dataclass(frozen=True)
class Kind:
    """A publishable type: its public model and the form that declares its content."""

    name: str
    model: "type[Publishable]"
    form: "type[ContentForm]"


_kinds: dict[str, Kind] = {}
FormType = TypeVar("FormType", bound="type[ContentForm]")


def content_form(form: FormType) -> FormType:
    """Register a content form under the kind of its model (a class decorator)."""
    _kinds[form.model.kind] = Kind(form.model.kind, form.model, form)
    return form


def get_kind(name: str) -> Kind:
    return _kinds[name]


def all_kinds() -> list[Kind]:
    """Return the kinds, parents before the children that hang on them."""
    ordered: list[Kind] = []
    waiting = list(_kinds.values())
    while waiting:
        placed = {kind.model for kind in ordered}
        ready = [kind for kind in waiting if parent_models(kind.model) <= placed]
        ordered += ready
        waiting = [kind for kind in waiting if kind not in ready]
    return ordered


def parent_models(model: "type[Publishable]") -> "set[type[Publishable]]":
    return {model.parent_model(name) for name in model.parents}


def children_of(model: "type[Publishable]") -> Iterable[tuple[Kind, str]]:
    """Yield each kind that hangs on the model, with the name of its foreign key."""
    for kind in all_kinds():
        for name in kind.model.parents:
            if kind.model.parent_model(name) is model:
                yield kind, name
