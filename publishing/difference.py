"""What differs between two states of an item, field by field, in words an editor reads."""

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .content import Content, ContentForm
from .fields import display_value
from .references import item_labels

TOKEN = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")
MOST_PAIRS = 60_000  # equal tokens on both sides, each with each: what comparing costs


@dataclass(frozen=True)
class Part:
    """A run of text that is the ``same``, ``added`` or ``removed``."""

    kind: str
    text: str


@dataclass(frozen=True)
class FieldDifference:
    name: str
    label: str
    before: str
    after: str
    parts: list[Part]


def differences(form: type[ContentForm], before: Content, after: Content) -> list[FieldDifference]:
    """Return the fields that differ, in the form's order. One query for all names of items."""
    names = [name for name in form.base_fields if before.get(name) != after.get(name)]
    ids = {target for content in (before, after) for _role, _place, target in form.links_of(content)}
    labels = item_labels(ids) if names else {}
    return [_difference(form, name, before, after, labels) for name in names]


def _difference(form, name, before, after, labels) -> FieldDifference:
    field = form.base_fields[name]
    old = display_value(field, before.get(name), labels)
    new = display_value(field, after.get(name), labels)
    return FieldDifference(name, str(field.label), old, new, compare(old, new))


def compare(before: str, after: str) -> list[Part]:
    """Return the texts' common and differing runs: by word, else by line, else as a whole, as costs allow.

    The common start and end are set aside first, and difflib's popularity heuristic is
    off: with it, one changed word in a long summary marks nearly everything.
    """
    old, new = TOKEN.findall(before), TOKEN.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    middle = _compare_middle(old[start : len(old) - end], new[start : len(new) - end])
    parts = [Part("same", "".join(old[:start])), *middle, Part("same", "".join(old[len(old) - end :]))]
    return [part for part in parts if part.text]


def _compare_middle(old: list[str], new: list[str]) -> list[Part]:
    if _pairs(old, new) <= MOST_PAIRS:
        return list(_runs(old, new))
    before, after = "".join(old), "".join(new)
    old_lines, new_lines = before.splitlines(keepends=True), after.splitlines(keepends=True)
    if _pairs(old_lines, new_lines) <= MOST_PAIRS:
        return list(_runs(old_lines, new_lines))
    return [Part("removed", before), Part("added", after)]


def _pairs(old: list[str], new: list[str]) -> int:
    counts = Counter(new)
    return sum(counts[token] for token in old)


def _common(old: list[str], new: list[str]) -> int:
    for index, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return index
    return min(len(old), len(new))


def _runs(old: list[str], new: list[str]) -> Iterator[Part]:
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Part("same", "".join(old[a:b]))
            continue
        yield Part("removed", "".join(old[a:b]))
        yield Part("added", "".join(new[c:d]))
