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


def take_over(base: Content, head: Content, values: Content) -> tuple[Content, list[str]]:
    """Return the head with what the outside changed since, and the fields that both changed: ours stay."""
    merged, clashes = merge(base, {name: head[name] for name in values}, values)
    return head | merged, [clash.name for clash in clashes]


def fill_gaps(blank: Content, head: Content, values: Content) -> tuple[Content, list[str]]:
    """Return the head with values from outside where nobody has written anything, and the fields where ours stay."""
    gaps = {name: value for name, value in values.items() if head[name] == blank[name]}
    kept = [name for name, value in values.items() if name not in gaps and head[name] != value]
    return head | gaps, kept
