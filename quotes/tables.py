"""The table of quotes, and all tables by name."""

from episodes.tables import TABLES as EPISODE_TABLES, time
from publishing.tables.columns import item, items, parent, text
from publishing.tables.importing import Table

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
    ),
}
