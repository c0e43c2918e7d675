"""The table of quotes, and all tables by name."""

from django.utils.translation import gettext as _

from episodes.tables import TABLES as EPISODE_TABLES, time
from publishing.content import Content
from publishing.tables.columns import CellFault, item, items, parent, text
from publishing.tables.importing import Table


def _check_times(values: Content, cells: dict[str, str]) -> Content:
    start, end = values.get("start_ms"), values.get("end_ms")
    if start is not None and end is not None and end <= start:
        raise CellFault(_("end: the quote must end after it starts."))
    return values


TABLES = EPISODE_TABLES | {
    "quotes": Table(
        "quote",
        {
            "episode": parent("episode", "episode"),
            "slug": text("slug"),
            "speaker": item("speaker", "guest"),
            "claim": text("claim"),
            "context": text("context"),
            "text": text("text"),
            "start": time("start_ms"),
            "end": time("end_ms"),
            "topics": items("topics", "topic", "topic"),
            "related": items("related", "quote", "related", is_own_kind=True),
        },
        needed=("episode", "claim"),
        complete=_check_times,
    ),
}
