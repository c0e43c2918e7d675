import csv
import io
import json
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings as hypothesis, strategies as st

from episodes.models import MediaFile, Topic
from publishing.acts import retire
from publishing.models import Item, Revision
from publishing.tables import exporting
from publishing.tables.columns import join, split
from publishing.tables.formulas import guard, unguard
from publishing.text import clean_line
from quotes.tables import TABLES
from tests.factories import (
    edit,
    make_audio,
    make_episode,
    make_guest,
    make_quote,
    make_show,
    make_topic,
)

pytestmark = pytest.mark.django_db

FORMATS = ["csv", "jsonl"]
WILD = "=1+1; \"two\", \\three\n-four\n\n@five;=six;'=seven;\\;eight\n'+nine"
LINE = clean_line(WILD)


@pytest.fixture
def write(tmp_path, capsys):
    """Export a table and return its bytes; what was said besides is in ``write.told``."""

    def run(table: str, format_name: str = "csv", **options) -> bytes:
        path = tmp_path / f"{table}.{format_name}"
        call_command("export_table", table, format=format_name, output=str(path), **options)
        run.told = capsys.readouterr().err
        return path.read_bytes()

    return run


@pytest.fixture
def load(tmp_path, capsys):
    def run(table: str, data: bytes, **options) -> str:
        path = tmp_path / "table"
        path.write_bytes(data)
        call_command("import_table", table, str(path), **options)
        return capsys.readouterr().out

    return run


def records(data: bytes) -> list[dict]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def objects(data: bytes) -> list[dict]:
    return [json.loads(line) for line in data.decode().splitlines()]


def make_wild_site() -> None:
    """Make one thing of each kind with text that a table could trip over, and others with nothing filled in."""
    show = make_show(title=f"+ {LINE}"[:200], description=WILD, website="https://s.example.org/?a=1,2;3")
    make_show(title="Bare", live=False)
    ada = make_guest(name="Ada; Okafor", bio=WILD, aliases=[LINE[:120], "-A;B\\", "'=x", "\\;"])
    tom = make_guest(name="@tom", live=False)
    topic = make_topic(name="Grid | storage", description=WILD, aliases=["=cmd|' /C calc'!A0"])
    make_topic(name="🚀")
    video = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    same = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    people = [
        {"guest": ada.pk, "role": "guest", "credit": "Engineer; | \\ of =1"},
        {"guest": tom.pk, "role": "host", "credit": ""},
        {"guest": ada.pk, "role": "producer", "credit": "-"},
    ]
    episode = make_episode(
        show=show, title="-peak", summary=WILD, summary_origin="feed", duration_ms=6_082_017, guests=people,
        topics=[{"topic": topic.pk}], media=[{"media": video.pk}],
    )  # fmt: skip
    make_episode(show=show, media=[{"media": same.pk}], aired_at=None, summary="", live=False)
    make_episode(show=show, media=[{"media": make_audio().pk}, {"media": video.pk}])
    said = {"episode": episode, "speaker": ada}
    first = make_quote(**said, claim="=SUM(A1)", text=WILD, context=LINE[:500], claim_origin="machine", topics=[{"topic": topic.pk}])  # fmt: skip
    second = make_quote(**said, related=[{"related": first.pk}], heard=None, live=False)
    make_quote(**said, start_ms=None, end_ms=None, related=[{"related": second.pk}, {"related": first.pk}])
    edit(first, related=[{"related": second.pk}])
    edit(topic, name="Grid, edited since")


@pytest.mark.parametrize("format_name", FORMATS)
def test_what_is_written_reads_as_nothing_new(write, load, format_name):
    make_wild_site()

    for table in TABLES:
        data = write(table, format_name)

        count = Item.objects.of_kind(TABLES[table].kind).count()
        told = load(table, data, dry_run=True).strip()
        assert told.endswith(f": Would come to: {count} unchanged."), told


@pytest.mark.parametrize("options", [{}, {"which": "live"}], ids=["heads", "live"])
@pytest.mark.parametrize("format_name", FORMATS)
def test_a_new_site_filled_from_the_tables_writes_the_same_bytes(write, load, format_name, options):
    make_wild_site()
    before = {table: write(table, format_name, **options) for table in TABLES}

    connection.check_constraints()  # PostgreSQL empties no table that it still has to check
    call_command("flush", interactive=False, verbosity=0, inhibit_post_migrate=True)
    for table, data in before.items():
        load(table, data)

    assert {table: write(table, format_name) for table in TABLES} == before
    assert len({len(data.splitlines()) for data in before.values()}) > 1  # they hold something


def test_every_column_is_filled_somewhere(write):
    make_wild_site()
    edit(make_show(live=False), youtube="https://www.youtube.com/@signal")

    for table in TABLES:
        filled = {name for record in records(write(table)) for name, cell in record.items() if cell}
        assert filled == set(TABLES[table].columns), table


def test_a_csv_file_is_one_that_excel_reads(write):
    make_topic(name="Grün", slug="grid", description='Two\n"lines"')

    assert write("topics") == (b'\xef\xbb\xbfslug,name,description,aliases\r\ngrid,Gr\xc3\xbcn,"Two\n""lines""",\r\n')


def test_json_lines_have_lists_where_a_column_holds_several(write):
    guest = make_guest(name="Ada", aliases=["A; B", "=C"])
    make_episode(guests=[{"guest": guest.pk, "role": "guest", "credit": "Engineer"}])

    assert objects(write("guests", "jsonl")) == [
        {"slug": "ada", "name": "Ada", "bio": "", "aliases": ["A; B", "=C"]},
    ]
    assert objects(write("episodes", "jsonl"))[0]["guests"] == ["ada|guest|Engineer"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "'=", "''-"])
def test_no_cell_begins_as_a_formula_does(write, start):
    make_topic(name=f"{start}1", description=f"{start}HYPERLINK(1)\n{start}2", aliases=["A", f"{start}3"])

    cells = [cell for record in records(write("topics")) for cell in record.values()]

    assert [part for cell in cells for part in cell.replace(";", "\n").split("\n") if part and part[0] in "=+-@"] == []


@given(st.text(alphabet="ab';=+-@\t\r\n \\|,\"", max_size=12))
@hypothesis(database=None)
def test_a_guarded_cell_reads_as_it_was(cell):
    guarded = guard(cell)

    assert unguard(guarded) == cell
    assert guarded[:1] not in {"=", "+", "-", "@", "\t", "\r"}


@given(st.lists(st.text(alphabet="ab;\\|'", min_size=1, max_size=6)))
@hypothesis(database=None)
def test_a_list_is_taken_apart_as_it_was_put_together(parts):
    assert split(join(parts)) == parts


def test_live_is_what_readers_see(write):
    make_wild_site()
    hidden = make_guest(name="Canary")
    episode = make_episode(guests=[{"guest": hidden.pk, "role": "guest", "credit": ""}], title="Shown")
    retire(Item.objects.get(pk=hidden.pk), actor=None, reason="Withdrawn.")
    retire(Item.objects.get(pk=make_quote(claim="Canary", episode=episode).pk), actor=None, reason="Withdrawn.")
    edit(episode, title="Canary", summary="Canary")

    tables = {table: write(table, which="live").decode() for table in TABLES}

    assert [table for table, text in tables.items() if "canary" in text.lower()] == []
    assert "Shown" in tables["episodes"]
    assert "Grid | storage" in tables["topics"]
    assert "@tom" not in tables["guests"] + tables["episodes"]


def test_drafts_are_what_readers_do_not_see_as_it_is(write):
    make_topic(name="Live")
    make_topic(name="Never", live=False)
    edit(make_topic(name="Before"), name="After")

    assert [record["name"] for record in records(write("topics", which="drafts"))] == ["Never", "After"]
    assert len(records(write("topics"))) == 3


@pytest.mark.parametrize("options", [{}, {"which": "live"}], ids=["heads", "live"])
@pytest.mark.parametrize("table", list(TABLES))
def test_queries_grow_by_the_chunk_and_not_by_the_row(write, monkeypatch, table, options):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            write(table, **options)
        return len(queries)

    make_wild_site()
    few = count()
    for _number in range(3):
        make_wild_site()
    many = count()
    monkeypatch.setattr(exporting, "CHUNK", 2)
    whole = write(table, **options)
    monkeypatch.undo()

    assert few == many <= 16
    assert whole == write(table, **options)


def test_media_that_a_column_cannot_hold_is_left_out(write):
    video = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    make_episode(title="Both", media=[{"media": make_audio().pk}, {"media": video.pk}])
    make_episode(title="Video", media=[{"media": video.pk}])

    told = {record["title"]: record["youtube_id"] for record in records(write("episodes"))}

    assert told == {"Both": "", "Video": "dQw4w9WgXcQ"}


def test_where_a_text_comes_from_is_kept(write, load):
    make_episode(summary_origin="machine")
    Revision.objects.update(kind=Revision.Kind.IMPORT)  # so that what a table says next is taken over
    data = write("episodes")

    load("episodes", data)

    assert Item.objects.of_kind("episode").get().head.content["summary_origin"] == "machine"
    with pytest.raises(CommandError, match="Line 2: summary_origin: “robot” is none of its words. Use one of: editor"):
        load("episodes", data.replace(b"machine", b"robot"))


def test_two_drafts_of_one_address_are_told(write):
    make_topic(slug="grid", live=False)
    make_topic(slug="grid", live=False)
    make_episode(slug="one", live=False)
    make_episode(slug="one", live=False)  # of another show, so another address

    write("topics")
    assert "More than one draft has the address grid;" in write.told
    write("episodes")
    assert "More than one" not in write.told


def test_a_file_is_replaced_whole_or_not_at_all(write, monkeypatch, tmp_path):
    make_topic(name="Grid")
    before = write("topics")

    def fall_over(*args, **kwargs):
        yield b"half"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("quotes.management.commands.export_table.export_table", fall_over)
    with pytest.raises(CommandError, match="No space left on device"):
        write("topics")

    assert (tmp_path / "topics.csv").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["topics.csv"]


def test_the_table_goes_to_the_standard_output_too(tmp_path, capfdbinary):
    make_topic(name="Grün")

    call_command("export_table", "topics", verbosity=0)

    written = capfdbinary.readouterr().out
    call_command("export_table", "topics", output=str(tmp_path / "topics.csv"), verbosity=0)
    assert written == (tmp_path / "topics.csv").read_bytes()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('["name"]', "this is no JSON object"),
        ('{"name": "Grid"', "this is no JSON object"),
        ("[" * 100_000, "this is no JSON object"),
        ('{"name": "A", "NAME": "B"}', "the table does not have NAME"),
        ('{"name": "A", "name": "B"}', "one of its names stands there twice"),
        ('{"name": "A", "colour": "red"}', "the table does not have colour. It can have: aliases"),
        ('{"name": ["A"]}', "name: give a text or a number"),
        ('{"name": true}', "name: give a text or a number"),
        ('{"name": "A", "aliases": ["A", [1]]}', "aliases: give a list of texts"),
        ('{"name": "A", "aliases": {"A": 1}}', "aliases: give a list of texts"),
        ('{"slug": "a"}', "the cell name is empty"),
        (json.dumps({"name": "A" * 200_001}), "name: this is longer than 200,000 characters"),
    ],
)
def test_a_line_that_is_not_right_is_named(load, line, said):
    with pytest.raises(CommandError, match="Line 3: ") as refused:
        load("topics", f'{{"name": "Good"}}\n\n{line}\n'.encode())

    assert said in str(refused.value)
    assert not Topic.objects.exists()


def test_numbers_texts_and_nothing_read_as_cells_do(load):
    make_episode(show=make_show(slug="signal"), slug="peak")

    load("quotes", b'{"episode": "signal/peak", "claim": 1.50, "start": 725.5, "end": 730, "text": null, "topics": []}')

    content = Item.objects.of_kind("quote").get().head.content
    assert (content["claim"], content["start_ms"], content["end_ms"]) == ("1.50", 725_500, 730_000)


def test_the_document_names_the_columns_of_each_table():
    said = (Path(settings.BASE_DIR) / "docs/tables.md").read_text(encoding="utf-8")

    for name, table in TABLES.items():
        columns = ", ".join(f"{column}*" if table.columns[column].is_list else column for column in table.columns)
        assert f"| {name} | {columns} |" in said
