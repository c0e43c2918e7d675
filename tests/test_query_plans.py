"""No public page sorts or scans a table, however much there is: what the databases plan to do, asked of both.

The plans are read on a small data set. On PostgreSQL, where a small table is best read
whole, reading whole and sorting are made so dear that a plan has them only where no
index would do.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.db.models import Count
from django.test.utils import CaptureQueriesContext

from episodes.models import Episode, Guest, Show, Topic
from quotes.dataset.fill import analyze, make_dataset
from quotes.dataset.plan import Size
from quotes.models import Quote
from tests.factories import make_corrections, make_transcript
from tests.public import PAGED, Site, addresses

MOST_QUERIES = 17
STATISTICS = Path(__file__).parent / "data" / "sqlite_stat1.json"
TINY = {"publishing_sitesettings", "publishing_contentversion"}
# Sorts of the few rows that one page or one thing shows, told by the end of the query.
LINKED_FROM = (
    r'(?:"episodes_episode(?:guest|topic|media)"\."episode_id"|"episodes_guestquote"\."guest_id"|"episodes_showperson"\."show_id"|'
    r'"quotes_(?:quotetopic|relatedquote)"\."quote_id")'
)
BOUNDED_SORTS = {
    "what one thing or the things of one page link to, in the editor's order": re.compile(
        rf'{LINKED_FROM} (?:= \d+|IN \([\d, ]+\)).*ORDER BY "\w+"\."position" ASC(?: LIMIT 1)?$'
    ),
    "the topics of one guest, by name": re.compile(
        r'"episodes_topic"\."item_id" IN \(SELECT .*"speaker_id" = \d+ .*ORDER BY "episodes_topic"\."name" ASC LIMIT \d+$'
    ),
    "the quotes of one episode, or of the episodes of one feed, as they are said": re.compile(
        r'"quotes_quote"\."episode_id" (?:= \d+|IN \([\d, ]+\)).*'
        r'ORDER BY "quotes_quote"\."start_ms" ASC(?: NULLS LAST)?, "quotes_quote"\."item_id" ASC(?: LIMIT \d+)?$'
    ),
}


def forget_statistics() -> None:
    """Leave the planner without statistics, as in a database that nobody has analysed."""


def take_large_statistics() -> None:
    """Analyse; on SQLite let the planner believe that these are ten thousand episodes.

    It plans by ``sqlite_stat1`` alone. The file holds that of ``make_dataset``'s default
    size: ``SELECT tbl, idx, stat FROM sqlite_stat1``. An index that it does not know is
    planned for as it is here.
    """
    analyze()
    if connection.vendor == "sqlite":
        measured = json.loads(STATISTICS.read_text())
        with connection.cursor() as cursor:
            for table, index, stat in measured:
                cursor.execute(
                    "UPDATE sqlite_stat1 SET stat = %s WHERE tbl = %s AND idx IS NOT DISTINCT FROM %s",
                    [stat, table, index],
                )
            cursor.execute("ANALYZE sqlite_schema")


@pytest.fixture(scope="module", params=[forget_statistics, take_large_statistics])
def filled(request, django_db_setup, django_db_blocker):
    """A small data set, made once for this module and rolled back after it."""
    with django_db_blocker.unblock(), transaction.atomic(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("quotes.dataset.fill.analyze", request.param)
        make_dataset(Size(episodes=320, quotes_per_episode=5, shows=26, guests=60, topics=40))
        yield
        transaction.set_rollback(True)


@pytest.fixture
def big_site(filled, db, settings, tmp_path):
    """The largest of each kind, so that every list has several pages; one quote is proved by a transcript."""
    settings.MEDIA_ROOT = tmp_path
    shows = Show.objects.live().annotate(n=Count("episodes")).order_by("-n")
    guests = Guest.objects.live().annotate(n=Count("quotes")).order_by("-n")
    topics = Topic.objects.live().annotate(n=Count("episodes")).order_by("-n")
    quotes = Quote.objects.live().select_related("item").filter(speaker=guests[0])
    related = quotes.filter(related_quotes__isnull=False)
    episodes = Episode.objects.live().select_related("item", "show")
    newest, proved = episodes.newest_first()[0], related[0]
    said = [(0, "S1", "Why do you say that?"), (proved.start_ms, "S2", proved.text)]
    make_transcript(proved.episode, said, who={"S2": proved.speaker})
    make_transcript(newest)
    chapters = [{"start_ms": 0, "title": "Welcome", "url": "", "image": ""}]
    Episode.objects.filter(pk__in=[newest.pk, proved.episode_id]).update(chapters=chapters)
    for row in (proved, newest, shows[0], guests[0], topics[0]):
        make_corrections(row, 10)
    return Site(
        shows=[shows[0]],
        guests=[guests[0], Guest.objects.live().filter(guest_quotes__isnull=False)[0]],
        topics=[topics[0], Topic.objects.live().filter(parent__isnull=False)[0]],
        episodes=[newest, proved.episode],
        quotes=[proved, quotes.exclude(pk__in=related)[0]],
    )


def faults_of(sql: str) -> set[str]:
    """Return what in the plan of a query is the reading of a whole table, or a sort that nothing bounds."""
    found = set(_sqlite_faults(sql) if connection.vendor == "sqlite" else _postgresql_faults(sql))
    is_bounded = any(words.search(sql) for words in BOUNDED_SORTS.values())
    return {fault for fault in found if "SCAN" in fault.upper() or not is_bounded} - _read_by_key(sql)


def _read_by_key(sql: str) -> set[str]:
    """Return the scans that are as good as a search: by the keys of one page, of a table hardly larger than that."""
    return {f"SCAN {table}" for table in re.findall(r'"(\w+)"\."item_id" IN \(\d[\d, ]*\)\)*$', sql)}


def _sqlite_faults(sql: str) -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        details = [row[-1] for row in cursor.fetchall()]
    names = dict(re.findall(r'"(\w+)" (U?[A-Z]\d+)\b', sql))
    for detail in details:
        scanned = re.fullmatch(r"SCAN (\w+)", detail)
        if scanned and scanned[1] not in TINY | {"_rows"} | {alias for name, alias in names.items() if name in TINY}:
            yield detail
        if detail.startswith("USE TEMP B-TREE FOR") and "ORDER BY" in detail:
            yield detail


def _postgresql_faults(sql: str) -> Iterator[str]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {sql}")
        found = cursor.fetchone()[0]
        cursor.execute("SET LOCAL enable_seqscan = on; SET LOCAL enable_sort = on")
    plan = json.loads(found) if isinstance(found, str) else found
    waiting = [plan[0]["Plan"]]
    while waiting:
        node = waiting.pop()
        waiting += node.get("Plans", [])
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] not in TINY:
            yield f"Seq Scan on {node['Relation Name']}"
        if node["Node Type"] in {"Sort", "Incremental Sort"}:
            yield f"{node['Node Type']} by {', '.join(node['Sort Key'])}"


def ask(client, path: str) -> tuple[list[str], list[str]]:
    """Return the queries of a public address, and the second and last page of what it lists."""
    with CaptureQueriesContext(connection) as captured:
        response = client.get(path)
    is_unmade = response.status_code == 404 and "/clip" in path  # the data set has no files to cut
    assert response.status_code in {200, 302} or is_unmade, path
    page = response.context.get("page") if response.context and "?" not in path else None
    others = sorted({2, page.paginator.num_pages}) if page and page.has_next() else []
    return [query["sql"] for query in captured], [f"{path}?page={number}" for number in others]


def test_pages_neither_sort_nor_scan(big_site, client):
    names = addresses(big_site)
    waiting = list(names)
    counts: dict[str, int] = {}
    paged: set[str] = set()
    faults: dict[str, set[str]] = {}
    while waiting:
        path = waiting.pop()
        queries, others = ask(client, path)
        waiting += others
        paged |= {names[path]} if others else set()
        counts[path] = len(queries)
        for sql in queries:
            found = faults_of(sql) if sql.startswith("SELECT") else set()
            if found:
                faults.setdefault(sql, {path}).update(found)

    assert not faults, "\n\n".join(f"{sql}\n  {sorted(found)}" for sql, found in faults.items())
    assert {path: count for path, count in counts.items() if count > MOST_QUERIES} == {}
    assert paged == set(PAGED)


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT "claim" FROM "quotes_quote" ORDER BY "claim"',
        'SELECT "claim" FROM "quotes_quote" WHERE "text" = \'x\'',
        'SELECT "title" FROM "episodes_episode" INNER JOIN "episodes_guest" ON "title" = "name"',
    ],
)
def test_sorts_and_scans_are_found(filled, db, sql):
    assert faults_of(sql) != set()
