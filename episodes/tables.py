"""The tables of shows, guests, topics and episodes."""

import re
from collections.abc import Sequence
from decimal import Decimal

from django.db.models import Min
from django.utils.translation import gettext as _

from publishing.content import Content
from publishing.tables.columns import (
    CellFault,
    Column,
    Named,
    Names,
    References,
    choice,
    items,
    join,
    moment,
    parent,
    split,
    text,
    words,
)
from publishing.tables.importing import Table

from .models import MediaFile, Origin, Role
from .timecodes import MAX_MS, format_timecode_exact, parse_timecode
from .youtube import YOUTUBE_ID, youtube_id_of

SECONDS = re.compile(r"\d{1,12}(\.\d{1,12})?", re.ASCII)


def time(field_name: str) -> Column:
    """A time as ``1:41:50.0``, ``h:mm:ss``, ``mm:ss`` or seconds; stored in milliseconds."""

    def read(cell: str, references: References) -> int:
        try:
            ms = int(Decimal(cell) * 1000) if SECONDS.fullmatch(cell) else parse_timecode(cell)
        except ValueError:
            raise CellFault(_("“%(cell)s” is no time. Write 1:41:50, 12:05 or seconds.") % {"cell": cell}) from None
        if ms > MAX_MS:
            raise CellFault(_("“%(cell)s” is longer than 24 days.") % {"cell": cell})
        return ms

    return Column(field_name, read, lambda ms, names: "" if ms is None else format_timecode_exact(ms))


def _people_named(cell: str) -> list[Named]:
    return [("guest", part.split("|")[0].strip()) for part in split(cell)]


def _read_people(cell: str, references: References) -> list[dict]:
    """Read ``slug|role|credit;…``; role and credit may be left out."""
    rows = []
    for part in split(cell):
        name, role, credit = [*(piece.strip() for piece in part.split("|", 2)), "", ""][:3]
        if role and role not in Role.values:
            raise CellFault(
                _("“%(role)s” is no role. Use one of: %(roles)s.") % {"role": role, "roles": ", ".join(Role.values)}
            )
        rows.append({"guest": references.one("guest", name), "role": role or Role.GUEST.value, "credit": credit})
    return rows


def _write_people(rows: list[dict] | None, names: Names) -> str:
    shown = [row for row in rows or [] if row["guest"] in names]
    return join("|".join([names[row["guest"]], row["role"], *filter(None, [row["credit"]])]) for row in shown)


def _complete_episode(values: Content, cells: dict[str, str]) -> Content:
    """Turn a YouTube id or address into a media row, and a summary given into one written here."""
    completed = {name: value for name, value in values.items() if name != "youtube_id"}
    if values.get("youtube_id"):
        completed["media"] = [{"media": _youtube_media(values["youtube_id"])}]
    if values.get("summary"):
        completed["summary_origin"] = values.get("summary_origin", Origin.EDITOR.value)
    return completed


def _take_episodes_apart(contents: Sequence[Content]) -> list[Content]:
    """Return contents with the YouTube id of those that play nothing else. One query."""
    alone = {content["media"][0]["media"] for content in contents if len(content["media"]) == 1}
    wanted = MediaFile.objects.filter(kind=MediaFile.Kind.YOUTUBE)
    addresses = wanted.filter(pk__in=alone).values("address")
    firsts = wanted.filter(address__in=addresses).values_list("address").annotate(first=Min("pk"))
    videos = {pk: address for address, pk in firsts if YOUTUBE_ID.fullmatch(address)}
    return [content | _apart(content, videos) for content in contents]


def _apart(content: Content, videos: dict[int, str]) -> Content:
    played = [row["media"] for row in content["media"]]
    return {
        "youtube_id": videos.get(played[0], "") if len(played) == 1 else "",
        "summary_origin": content["summary_origin"] if content["summary"] else "",
    }


def _youtube_media(written: str) -> int:
    video = youtube_id_of(written) or written
    if not YOUTUBE_ID.fullmatch(video):
        raise CellFault(_("youtube_id: “%(written)s” is no YouTube id or address.") % {"written": written})
    columns = {"kind": MediaFile.Kind.YOUTUBE.value, "address": video}
    held = MediaFile.objects.filter(**columns).order_by("pk").first()
    return (held or MediaFile.objects.create(**columns, offset_ms=None)).pk


TABLES = {
    "shows": Table(
        "show",
        {name: text(name) for name in ("slug", "title", "description", "website", "youtube")},
        needed=("title",),
    ),
    "guests": Table(
        "guest",
        {"slug": text("slug"), "name": text("name"), "bio": text("bio"), "aliases": words("aliases")},
        needed=("name",),
    ),
    "topics": Table(
        "topic",
        {"slug": text("slug"), "name": text("name"), "description": text("description"), "aliases": words("aliases")},
        needed=("name",),
    ),
    "episodes": Table(
        "episode",
        {
            "show": parent("show", "show"),
            "slug": text("slug"),
            "title": text("title"),
            "aired_at": moment("aired_at"),
            "duration": time("duration_ms"),
            "summary": text("summary"),
            "summary_origin": choice("summary_origin", Origin.values),
            "youtube_id": text("youtube_id"),
            "guests": Column("guests", _read_people, _write_people, _people_named, is_list=True),
            "topics": items("topics", "topic", "topic"),
        },
        needed=("show", "title"),
        complete=_complete_episode,
        take_apart=_take_episodes_apart,
    ),
}
