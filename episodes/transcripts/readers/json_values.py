"""Take values of one kind out of JSON that may hold any."""

from collections.abc import Iterator
from typing import Any

Object = dict[str, Any]


def objects(value: object) -> list[Object]:
    """Return the objects in a list, or none where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def numbered(value: object) -> Iterator[tuple[int, Object]]:
    """Yield the objects of a list with their positions, counted from 1."""
    if isinstance(value, list):
        for number, item in enumerate(value, 1):
            if isinstance(item, dict):
                yield number, item


def obj(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def text_in(item: Object, *keys: str) -> str:
    """Return the first of the keys that holds text."""
    return next((item[key] for key in keys if isinstance(item.get(key), str)), "")


def label_in(item: Object, *keys: str) -> str:
    """Return a speaker’s label, which engines write as a name or as a number."""
    for key in keys:
        value = item.get(key)
        if isinstance(value, str) and value:
            return value[:1000]
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9:
            return str(value)
        if isinstance(value, dict):
            return text_in(value, "name", "label", "id")[:1000]
    return ""


def share_in(item: Object, *keys: str) -> float | None:
    """Return a confidence from 0 to 1, also where it is written as text."""
    for key in keys:
        value = item.get(key)
        if isinstance(value, str):
            try:
                value = float(value[:40])
            except ValueError:
                continue
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1:
            return float(value)
    return None


def first_in(item: Object, *keys: str) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)
