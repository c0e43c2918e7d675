"""The table of quotes, and all tables by name."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from episodes.models import Origin
from episodes.tables import TABLES as EPISODE_TABLES, time
from publishing.content import Content
from publishing.tables.columns import CellFault, choice, item, items, moment, parent, text
from publishing.tables.importing import Table

from .marks import heard_of, words_key


def _complete(values: Content, cells: dict[str, str]) -> Content:
    """Refuse times that run backwards, and put the mark of who heard these words together."""
    start, end = values.get("start_ms"), values.get("end_ms")
    if start is not None and end is not None and end <= start:
        raise CellFault(_("end: the quote must end after it starts."))
    by, at = values.pop("heard_by", ""), values.pop("heard_on", "")
    if bool(by) != bool(at):
        raise CellFault(_("heard_by and heard_on: say both, or neither."))
    return values | {"heard": {"by": by, "at": at, "of": words_key(values)}} if by else values


def _take_apart(contents: Sequence[Content]) -> list[Content]:
    """Return contents with who heard the words as they stand, and when."""
    marks = [heard_of(content) or {} for content in contents]
    return [
        content | {"heard_by": mark.get("by", ""), "heard_on": mark.get("at", "")}
        for content, mark in zip(contents, marks, strict=True)
    ]


TABLES = EPISODE_TABLES | {
    "quotes": Table(
        "quote",
        {
            "episode": parent("episode", "episode"),
            "slug": text("slug"),
            "speaker": item("speaker", "guest"),
            "claim": text("claim"),
            "claim_origin": choice("claim_origin", Origin.values),
            "context": text("context"),
            "text": text("text"),
            "start": time("start_ms"),
            "end": time("end_ms"),
            "topics": items("topics", "topic", "topic"),
            "heard_by": text("heard_by"),
            "heard_on": moment("heard_on"),
            "related": items("related", "quote", "related", is_own_kind=True),
        },
        needed=("episode", "claim"),
        complete=_complete,
        take_apart=_take_apart,
    ),
}
