import csv
import gzip
import hashlib
import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from episodes.models import Transcript
from episodes.transcripts.service import correct
from publishing.acts import publish, retire
from publishing.corrections import Change, Choice
from publishing.housekeeping import do_chores
from publishing.jobs import claim, do, work_through
from publishing.models import Item, Job, SiteSettings
from publishing.schedule import plan_jobs
from quotes import export_files, exports
from quotes.export_files import FILES, KEY, DataSet, write_table
from tests.factories import REASON, edit, make_episode, make_guest, make_quote, make_show, make_topic
from tests.public import make_exports, make_site, text_of
from tests.test_visibility import add

pytestmark = pytest.mark.django_db

ALL = ["/exports/", "/exports/index.json", *(f"/exports/{name}" for name in FILES)]
QUOTES = "/exports/quotes.jsonl"
CORRECTION = Change(Choice.CORRECTION, kind="misquote", note="We misheard it.")


@pytest.fixture(autouse=True)
def wanted(settings, tmp_path):
    settings.PUBLIC_EXPORTS = True
    settings.MEDIA_ROOT = tmp_path


def body(client, path: str, **headers) -> bytes:
    response = client.get(path, headers=headers)
    assert response.status_code in {200, 206}, response.status_code
    return b"".join(response.streaming_content) if response.streaming else response.content


def rows(client, table: str = "quotes") -> list[dict]:
    return [json.loads(line) for line in body(client, f"/exports/{table}.jsonl").decode().splitlines()]


def stored_files() -> set[str]:
    folders = default_storage.listdir("dataset")[0] if default_storage.exists("dataset") else []
    return {
        f"dataset/{folder}/{name}" for folder in folders for name in default_storage.listdir(f"dataset/{folder}")[1]
    }


def test_there_is_nothing_unless_the_operator_wants_it(client, settings):
    make_site()
    make_exports()
    assert "/exports/" in client.get("/feeds/").content.decode()

    settings.PUBLIC_EXPORTS = False

    assert {path: client.get(path).status_code for path in ALL} == dict.fromkeys(ALL, 404)
    assert "/exports/" not in client.get("/feeds/").content.decode()
    do_chores()
    assert not Job.objects.filter(key=KEY).exists()
    assert stored_files() == set()
    plan_jobs()
    assert not Job.objects.filter(key=KEY).exists()


def test_there_is_no_file_of_another_name(client):
    make_exports()

    for name in ("quotes", "quotes.xml", "drafts.jsonl", "quotes.jsonl.gz.gz", ".."):
        assert client.get(f"/exports/{name}").status_code == 404


def test_until_they_are_made_the_files_are_to_come(client):
    make_site()

    assert "are being made" in client.get("/exports/").content.decode()
    for path in ALL[1:]:
        answer = client.get(path)
        assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "300", "no-store")

    plan_jobs()
    work_through()
    assert {client.get(path).status_code for path in ALL} == {200}


def test_a_row_of_a_quote(client):
    site = make_site()
    quote, episode, show, guest, topic = (rows[0] for rows in (site.quotes, site.episodes, site.shows, site.guests, site.topics))  # fmt: skip
    source = {"verdict": "partly", "summary": "A report agrees in part.", "checked_on": "2026-05-20", "assessed_by": "Ines", "title": "Report", "url": "https://r.example.org/", "publisher": "Office"}  # fmt: skip
    publish(edit(quote, assessments=[source]), actor=None, reason=REASON)
    publish(edit(show, licence="CC BY 4.0, Signal Path"), actor=None)
    make_exports()
    item = Item.objects.get(pk=quote.pk)

    assert rows(client) == [
        {
            "id": str(item.uid),
            "url": f"https://example.org{quote.get_absolute_url()}",
            "short_url": f"https://example.org/q/{item.short_id}",
            "claim": "one battery settles the peak",
            "text": quote.text,
            "speaker": "Ada Okafor",
            "speaker_id": str(guest.item.uid),
            "speaker_url": "https://example.org/guests/ada-okafor/",
            "speaker_credit": "Grid engineer",
            "context": "Ada Okafor, then a grid engineer, talks about depot batteries.",
            "episode": "The grid nobody sees",
            "episode_id": str(episode.item.uid),
            "episode_url": "https://example.org/shows/signal-path/the-grid-nobody-sees/",
            "show": "Signal Path",
            "show_id": str(show.item.uid),
            "show_url": "https://example.org/shows/signal-path/",
            "language": "en",
            "aired_at": "2026-05-14T10:00:00Z",
            "start_ms": quote.start_ms,
            "end_ms": quote.end_ms,
            "check": "verbatim",
            "provenance": "quote is from the automated transcript: nothing is removed, nothing is rephrased. "
            "names can be misheard (the editor reads the context, assessments check outside sources).",
            "topics": [{"id": str(topic.item.uid), "name": "Grid storage", "url": "https://example.org/topics/grid-storage/"}],
            "assessments": [source],
            "published_at": f"{item.first_published_at:%Y-%m-%dT%H:%M:%SZ}",
            "changed_at": f"{item.changed_at:%Y-%m-%dT%H:%M:%SZ}",
            "licence": "CC BY 4.0, Signal Path",
        }
    ]  # fmt: skip
    page = text_of(client.get(quote.get_absolute_url()))
    assert rows(client)[0]["provenance"].split(".")[0] in page


def test_a_row_of_an_episode(client):
    site = make_site()
    make_exports()
    item, guest = site.episodes[0].item, site.guests[0]

    row = rows(client, "episodes")[0]

    assert {name: row[name] for name in ("id", "short_url", "title", "show", "duration_ms", "season", "kind")} == {
        "id": str(item.uid),
        "short_url": f"https://example.org/e/{item.short_id}",
        "title": "The grid nobody sees",
        "show": "Signal Path",
        "duration_ms": 6_082_000,
        "season": None,
        "kind": "full",
    }
    assert row["guests"] == [
        {"id": str(guest.item.uid), "name": "Ada Okafor", "role": "guest", "credit": "Grid engineer", "url": "https://example.org/guests/ada-okafor/"}
    ]  # fmt: skip


def test_a_quote_that_nothing_proves_promises_nothing(client):
    make_quote()
    make_exports()

    row = rows(client)[0]
    assert (row["check"], row["provenance"]) == (
        "unchecked",
        "this quote has not been checked against a transcript.",
    )


def test_all_formats_say_the_same(client):
    make_site()
    make_quote(claim="=1+1", text="-1;=2\nTwo lines", topics=[{"topic": make_topic(name="@a; b").pk}])
    make_exports()
    told = {file["name"]: file for file in json.loads(body(client, "/exports/index.json"))["files"]}

    for table in ("quotes", "episodes"):
        plain = body(client, f"/exports/{table}.csv")
        listed = list(csv.reader(io.StringIO(plain.decode("utf-8-sig"), newline="")))
        found = rows(client, table)
        assert listed[0] == list(found[0]) == [column.name for column in getattr(exports, table.upper()).columns]
        assert [len(record) for record in listed] == [len(listed[0])] * (len(found) + 1)
        assert plain.startswith(b"\xef\xbb\xbfid,")
    for name, file in told.items():
        data = body(client, f"/exports/{name}")
        assert file["url"] == f"https://example.org/exports/{name}"
        assert (file["bytes"], file["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
        assert file["rows"] == len(rows(client, name.split(".")[0]))
        if name.endswith(".gz"):
            assert gzip.decompress(data) == body(client, f"/exports/{name[:-3]}")
    assert set(told) == set(FILES)
    last = list(csv.DictReader(io.StringIO(body(client, "/exports/quotes.csv").decode("utf-8-sig"), newline="")))[-1]
    assert (last["claim"], last["text"]) == ("'=1+1", "'-1;'=2\nTwo lines")
    assert json.loads(last["topics"])[0]["name"] == "@a; b"


def test_the_page_says_what_there_is_and_how_it_may_be_used(client):
    SiteSettings.objects.create(pk=1, name="The Long Signal", licence="CC BY 4.0")
    make_site()
    make_exports()

    page = client.get("/exports/").content.decode()
    index = json.loads(body(client, "/exports/index.json"))

    for table in exports.TABLES:
        assert set(index["columns"][table.name]) == {column.name for column in table.columns}
        for column in table.columns:
            assert f"<dt><code>{column.name}</code></dt>" in page
    for file in index["files"]:
        assert file["sha256"] in page
    assert (index["schema"], index["licence"]) == (1, "CC BY 4.0")
    assert "schema 1" in page
    assert "The Long Signal: Episodes and quotes. Data set of " in page
    assert "CC BY 4.0" in page.partition("<main")[2].partition("</main>")[0]


def test_machines_ask_again_cheaply_and_in_ranges(client):
    make_site()
    make_exports()
    whole = client.get(QUOTES)
    data = b"".join(whole.streaming_content)

    assert (whole["Access-Control-Allow-Origin"], whole["Cache-Control"]) == ("*", "public, max-age=300")
    assert whole["Content-Type"] == "application/jsonl; charset=utf-8"
    assert whole["Content-Disposition"] == 'attachment; filename="quotes.jsonl"'
    assert client.head(QUOTES)["Content-Length"] == str(len(data))
    for path in (QUOTES, "/exports/index.json"):
        first = client.get(path)
        for header in ({"if-none-match": first["ETag"]}, {"if-modified-since": first["Last-Modified"]}):
            again = client.get(path, headers=header)
            assert (again.status_code, again["ETag"], again["Access-Control-Allow-Origin"]) == (304, first["ETag"], "*")
    part = client.get(QUOTES, headers={"range": "bytes=10-19"})
    assert (part.status_code, b"".join(part.streaming_content)) == (206, data[10:20])
    assert client.get(QUOTES, headers={"range": f"bytes={len(data)}-"}).status_code == 416


def test_the_same_rows_are_the_same_bytes_and_tag(client):
    make_site()
    make_exports()
    before = {path: client.get(path)["ETag"] for path in ALL[2:]}
    first = stored_files()

    make_exports()

    assert {path: client.get(path)["ETag"] for path in ALL[2:]} == before
    assert not first & stored_files()  # a file that is served now is never that of another time


def make_canary(kind: str) -> int:
    """Make a quote and all it hangs on under one name; return the id of one of them."""
    quote = make_quote(claim="Canary", episode=make_episode(guests=[{"guest": make_guest(name="Canary").pk, "role": "guest", "credit": ""}]))  # fmt: skip
    publish(edit(quote, topics=[{"topic": make_topic(name="Canary").pk}]), actor=None, reason=REASON)
    make_exports()
    return {
        "quote": quote.pk,
        "speaker": quote.speaker_id,
        "episode": quote.episode_id,
        "show": quote.episode.show_id,
        "guest": quote.episode.guests.get().pk,
        "topic": quote.topics.get().pk,
    }[kind]


@pytest.mark.parametrize("kind", ["quote", "speaker", "episode", "show", "guest", "topic"])
def test_what_is_taken_down_is_in_no_file_from_that_moment(client, kind):
    make_site()
    pk = make_canary(kind)
    assert "Canary" in body(client, QUOTES).decode() + body(client, "/exports/episodes.jsonl").decode()
    before = {path: client.get(path) for path in ALL[1:]}

    retire(Item.objects.get(pk=pk), actor=None, reason="Withdrawn.", act="takedown")

    for path in ALL[1:]:
        assert client.get(path).status_code == 503
        assert client.get(path, headers={"if-none-match": before[path]["ETag"]}).status_code == 503
    Job.objects.update(run_after=timezone.now())
    work_through()
    assert client.get(QUOTES).status_code == 200
    texts = {name: body(client, f"/exports/{name}.jsonl").decode() for name in ("quotes", "episodes")}
    if kind in {"quote", "speaker", "episode", "show"}:
        assert "Canary" not in texts["quotes"].replace('"name":"Canary"', "")
    if kind in {"episode", "show", "guest"}:
        assert "Canary" not in texts["episodes"]
    if kind == "topic":
        assert '"name":"Canary"' not in texts["quotes"]
    assert len(stored_files()) == len(FILES)  # and the files that held it are gone


@pytest.mark.parametrize("is_wanted", [True, False])
def test_the_first_files_wait_for_what_is_taken_down(settings, is_wanted):
    settings.PUBLIC_EXPORTS = is_wanted

    retire(Item.objects.get(pk=make_quote().pk), actor=None, reason="Withdrawn.")

    waiting = Job.objects.filter(key=KEY, state="ready", run_after__gt=timezone.now())
    assert waiting.count() == is_wanted


def test_what_is_corrected_is_in_no_file_from_that_moment(client):
    quote = make_quote(text="Nine buses.")
    make_exports()

    publish(edit(quote, text="Ten buses."), actor=None, reason=REASON, change=CORRECTION)

    assert client.get(QUOTES).status_code == 503
    make_exports()
    assert rows(client)[0]["text"] == "Ten buses."


def test_what_is_added_or_updated_comes_with_the_next_day(client):
    quote = make_quote(claim="Before")
    make_exports()

    publish(edit(quote, claim="After"), actor=None, reason=REASON)
    make_quote()

    assert [row["claim"] for row in rows(client)] == ["Before"]


def test_a_mark_that_a_transcript_takes_away_is_in_no_file_from_that_moment(client):
    site = make_site()
    make_exports()
    assert rows(client)[0]["check"] == "verbatim"
    transcript = Transcript.objects.original().get(episode=site.episodes[0])

    note = {"note": "Heard again.", "actor": None}
    same = correct(transcript, words={0: "Whence"}, cues={}, **note)
    assert client.get(QUOTES).status_code == 200

    correct(same, words={7: "elsewhere"}, cues={}, **note)
    assert client.get(QUOTES).status_code == 503
    make_exports()
    assert rows(client)[0]["check"] == "unchecked"


def test_what_is_taken_down_while_files_are_made_is_in_none(client, monkeypatch):
    site = make_site()
    make_exports()

    def take_down_meanwhile(*args):
        count = write_table(*args)
        if Item.objects.get(pk=site.quotes[0].pk).is_live:
            retire(Item.objects.get(pk=site.quotes[0].pk), actor=None, reason="Withdrawn.")
        return count

    monkeypatch.setattr(export_files, "write_table", take_down_meanwhile)
    Job.objects.update(state="ready", run_after=timezone.now())
    assert do(claim(KEY)) is None  # another has the job now

    job = Job.objects.get(key=KEY)
    assert (job.state, job.result, job.token, job.run_after > timezone.now()) == ("ready", None, None, True)
    assert client.get(QUOTES).status_code == 503
    Job.objects.update(run_after=timezone.now())
    work_through()
    assert rows(client) == []


def test_a_failure_leaves_the_files_of_before(client, monkeypatch, settings):
    settings.JOB_MAX_ATTEMPTS = 1
    make_site()
    make_exports()
    make_quote()

    def fall_over(path, folder):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export_files, "_keep", fall_over)
    Job.objects.update(state="ready", run_after=timezone.now())
    do(claim(KEY))

    assert Job.objects.get(key=KEY).state == "failed"
    assert len(rows(client)) == 1
    plan_jobs()
    assert Job.objects.get(key=KEY).state == "failed"
    monkeypatch.undo()
    Job.objects.update(finished_at=timezone.now() - timedelta(hours=2))
    plan_jobs()
    work_through()
    assert len(rows(client)) == 2


def test_files_are_made_once_a_day_and_only_if_readers_see_something_else(client, time_machine):
    make_quote()
    plan_jobs()
    work_through()
    first = DataSet.current()
    assert first is not None

    make_quote()
    plan_jobs()
    assert work_through() == 0

    time_machine.move_to(timezone.now() + timedelta(days=1, minutes=1))
    plan_jobs()
    work_through()
    second = DataSet.current()
    assert second.version > first.version
    assert len(rows(client)) == 2

    time_machine.shift(timedelta(days=1, minutes=1))
    plan_jobs()
    assert Job.objects.get(key=KEY).state == "done"
    assert DataSet.current() == second


def test_another_schema_is_made_at_once(monkeypatch):
    make_exports()
    monkeypatch.setattr(export_files, "SCHEMA", 2)

    plan_jobs()
    work_through()

    assert DataSet.current().schema == 2


def test_what_an_attempt_left_behind_goes_after_a_day(time_machine):
    make_exports()
    served = stored_files()
    left = default_storage.save(f"dataset/{int(timezone.now().timestamp())}-left/half.csv", io.BytesIO(b"half"))

    do_chores()
    assert stored_files() == served | {left}
    time_machine.move_to(timezone.now() + timedelta(days=1, minutes=1))
    do_chores()
    assert stored_files() == served
    assert len(default_storage.listdir("dataset")[0]) == 1


def test_files_are_served_at_their_own_addresses_alone(client):
    make_site()
    make_exports()

    for name in stored_files():
        assert client.get(f"/media/{name}").status_code == 404


@pytest.mark.parametrize("table", exports.TABLES, ids=["episodes", "quotes"])
def test_queries_grow_by_the_chunk_and_not_by_the_row(table, tmp_path):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            write_table(table, tmp_path)
        return len(queries)

    site = make_site()
    few = count()
    everybody = [{"guest": site.guests[0].pk, "role": "guest", "credit": ""}]
    topics = [{"topic": site.topics[0].pk}, {"topic": make_topic().pk}]
    new = {"summary": "S.", "aired_at": "2025-01-01T00:00:00Z", "guests": everybody, "topics": topics}
    guids = [{"guid": f"many-{number}"} for number in range(20)]
    add("episode", [new | {"title": f"E {n}"} for n in range(20)], parents={"show": make_show().pk}, columns=guids)
    said = {"text": "Words.", "context": "C.", "speaker": site.guests[0].pk, "topics": topics}
    add("quote", [said | {"claim": f"C {n}"} for n in range(20)], parents={"episode": site.episodes[0].pk})

    assert count() == few <= 8


def test_the_document_names_the_columns_of_each_file(client):
    make_site()
    make_exports()
    said = (Path(settings.BASE_DIR) / "docs/tables.md").read_text(encoding="utf-8")

    for table in ("episodes", "quotes"):
        lists = {name for name, value in rows(client, table)[0].items() if isinstance(value, list)}
        columns = ", ".join(f"{name}*" if name in lists else name for name in rows(client, table)[0])
        assert f"| {table} | {columns} |" in said
