"""The one merge: by field, lists whole."""

from dataclasses import dataclass
from typing import Any

from .content import Content


@dataclass(frozen=True)
class Clash:
    """A field that both sides changed since the base, each in another way."""

    name: str
    base: Any
    mine: Any
    theirs: Any


def merge(base: Content, mine: Content, theirs: Content) -> tuple[Content, list[Clash]]:
    """Return both sides' changes since ``base``, and the fields where they clash.

    A clashing field holds *mine* in the returned content, so nothing typed is lost.
    The fields are those of ``mine``, which is the newest shape of the content.
    """
    merged: Content = {}
    clashes = []
    for name, my_value in mine.items():
        base_value, their_value = base.get(name), theirs.get(name, base.get(name))
        if my_value == their_value or their_value == base_value:
            merged[name] = my_value
        elif my_value == base_value:
            merged[name] = their_value
        else:
            merged[name] = my_value
            clashes.append(Clash(name, base_value, my_value, their_value))
    return merged, clashes


def changed_fields(before: Content, after: Content) -> list[str]:
    """Return the names of the fields whose values differ."""
    return [name for name in after if after[name] != before.get(name)]
