"""Each kind of column in its neutral form, and what is refused in its place."""

import json
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from django.db import models

from episodes.models import Episode, Image, MediaFile, Show, TranscriptBody
from publishing.archive.columns import Column
from publishing.archive.lines import MOST_LINE_BYTES, dump_line, load_line
from publishing.archive.refusals import RowRefused
from publishing.models import Item, Revision, SiteSettings

EAST = timezone(timedelta(hours=2))
PRICE = models.DecimalField(max_digits=9, decimal_places=2, name="price")


def column(model: type[models.Model], name: str) -> Column:
    return Column(model._meta.get_field(name))


KINDS = [
    (column(Item, "id"), 12, 12),
    (column(Item, "kind"), "quote", "quote"),
    (column(Item, "uid"), UUID(int=10), "00000000-0000-0000-0000-00000000000a"),
    (column(Item, "published_at"), None, None),
    (column(Item, "touched_at"), datetime(2026, 5, 14, 10, 0, 0, 5, UTC), "2026-05-14T10:00:00.000005Z"),
    (column(Item, "live"), 7, 7),
    (column(Episode, "item"), 3, 3),
    (column(Episode, "show"), 4, 4),
    (column(Episode, "summary_on"), date(2026, 5, 14), "2026-05-14"),
    (column(Episode, "explicit"), False, False),
    (column(Revision, "content"), {"b": [1, None, "ä"], "a": 0.5}, {"b": [1, None, "ä"], "a": 0.5}),
    (column(TranscriptBody, "data"), b"\x00\xff", "AP8="),
    (column(Image, "file"), "images/00ff.webp", "images/00ff.webp"),
    (column(MediaFile, "file"), "", ""),
    (Column(PRICE), Decimal("10.50"), "10.50"),
    (Column(PRICE), Decimal("-1E+3"), "-1000"),
]


@pytest.mark.parametrize(("held", "value", "written"), KINDS)
def test_a_value_goes_out_and_comes_back(held, value, written):
    assert held.dump(value) == written
    assert held.load(json.loads(json.dumps(written))) == value


def test_moments_are_written_in_utc():
    assert column(Item, "touched_at").dump(datetime(2026, 5, 14, 12, tzinfo=EAST)) == "2026-05-14T10:00:00.000000Z"


WRONG = [
    (column(Item, "id"), True),
    (column(Item, "id"), 1.0),
    (column(Item, "id"), 2**63),
    (column(Item, "id"), 2**53 + 1),
    (column(Item, "id"), 0),
    (column(Episode, "item"), -1),
    (column(Item, "id"), None),
    (column(Item, "kind"), 5),
    (column(Item, "kind"), "x" * 21),
    (column(Item, "uid"), "00000000-0000-0000-0000-00000000000A"),
    (column(Item, "uid"), "{00000000-0000-0000-0000-00000000000a}"),
    (column(Item, "touched_at"), "2026-05-14T10:00:00Z"),
    (column(Item, "touched_at"), "2026-02-30T10:00:00.000000Z"),
    (column(Item, "touched_at"), "2026-05-14T10:00:00.000000+02:00"),
    (column(Item, "touched_at"), 5),
    (column(Item, "live"), "7"),
    (column(Item, "live"), -(2**63) - 1),
    (column(Item, "draft_state"), "published"),
    (column(Episode, "summary_on"), "20260514"),
    (column(Episode, "explicit"), 1),
    (column(Episode, "season"), -1),
    (column(TranscriptBody, "data"), "AP8"),
    (column(TranscriptBody, "data"), "A P8="),
    (column(Image, "focal_x"), -1),
    (column(Show, "website"), "javascript:alert(1)"),
    (column(Show, "owner_email"), "nobody"),
    (column(SiteSettings, "time_zone"), "Mars/Olympus"),
    (column(SiteSettings, "feed_items"), 10_000),
    (Column(PRICE), 10.5),
    (Column(PRICE), "1e5"),
    (Column(PRICE), "NaN"),
]


@pytest.mark.parametrize(("held", "value"), WRONG)
def test_other_values_are_refused_by_name(held, value):
    with pytest.raises(RowRefused, match=f"“{held.name}”"):
        held.load(value)


NAMES = [
    *("images/x.html", "images/x.svg", "images/x.jpg.html", "images/x", "images/.jpg", "images/x.JPG", "x.jpg"),
    *("../x.jpg", "images/../x.jpg", "/images/x.jpg", "images//x.jpg", "images\\x.jpg", "C:/x.jpg", "images/x.jpg\0"),
    *("images/x.jpg\n", "images/a/x.jpg", "episodes/x.jpg", "site/x.jpg", "images/x y.jpg", "images/%2e.jpg"),
    *("images/ü.jpg", "images/x.mp3", "images/con\u202egpj.jpg", "images/" + "x" * 200 + ".jpg"),
]


@pytest.mark.parametrize("name", NAMES)
def test_names_that_the_storage_would_never_give_are_refused(name):
    with pytest.raises(RowRefused):
        column(Image, "file").load(name)


def test_such_names_are_not_exported_either():
    with pytest.raises(RowRefused, match="would keep there"):
        column(Image, "file").dump("images/x.html")


def test_a_sentence_holds_nothing_that_a_terminal_obeys():
    with pytest.raises(RowRefused) as refused:
        column(Item, "kind").load("\x1b[2J" + "x" * 500)

    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 250


def test_a_kind_of_column_without_a_form_is_a_fault_of_ours():
    with pytest.raises(TypeError, match="add one to FORMS"):
        Column(models.DurationField(name="length"))


def test_lines_are_written_one_way_only():
    assert dump_line({"b": 1, "a": "ä\n\u2028"}) == '{"a":"ä\\n\u2028","b":1}\n'.encode()


def test_half_a_surrogate_pair_comes_back():
    assert load_line(dump_line({"a": "\ud83d"})) == {"a": "\ud83d"}


def test_a_row_too_long_to_be_read_again_is_not_written():
    with pytest.raises(RowRefused, match="more than 32 MB"):
        dump_line({"a": "x" * MOST_LINE_BYTES})


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[]", b"1", b"\xff{}", b'{"a": NaN}', b'{"a": -Infinity}', b'{"a":' + b"[" * 100_000, b'{"a": 1}{"a": 2}', b'{"a": ' + b"9" * 5_000 + b"}"],
)  # fmt: skip
def test_what_is_no_line_of_ours_is_refused(line):
    with pytest.raises(RowRefused, match="no JSON"):
        load_line(line)
