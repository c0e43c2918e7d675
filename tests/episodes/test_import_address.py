"""Importing from an address: what a server can answer, and what comes of it."""

import gzip
import zlib

import pytest
from django.core.management import CommandError, call_command

from episodes.models import Episode, FeedSource
from publishing import fetch
from publishing.models import Item
from tests.episodes.feeds import feed_xml, item_xml
from tests.server import redirect, reply
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db

XML = feed_xml(item_xml("One")).encode()


def test_a_feed_is_fetched_and_asked_for_again_with_its_validators(server, capsys):
    server.answers["/feed"] = reply(
        XML, Content_Type="application/rss+xml", ETag='"v1"', Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT"
    )
    call_command("import_feed", f"{server.url}/feed")
    server.answers["/feed"] = reply(status="304 Not Modified")

    call_command("import_feed", f"{server.url}/feed")

    assert "has not changed" in capsys.readouterr().out
    assert 'If-None-Match: "v1"' in server.requests[1]
    assert Episode.objects.count() == 1


def test_a_permanent_redirect_moves_the_feed_we_know(server):
    server.answers["/old"] = reply(XML)
    call_command("import_feed", f"{server.url}/old")
    server.answers["/old"] = redirect("/new", "301 Moved Permanently")
    server.answers["/new"] = reply(XML)

    call_command("import_feed", f"{server.url}/old")

    assert FeedSource.objects.get().address == f"{server.url}/new"
    assert Item.objects.of_kind("show").count() == 1


def test_a_passing_redirect_is_followed_and_not_kept(server):
    server.answers["/old"] = redirect("/new")
    server.answers["/new"] = reply(XML)

    call_command("import_feed", f"{server.url}/old")

    assert FeedSource.objects.get().address == f"{server.url}/old"


def paged(title: str, following: str) -> bytes:
    link = f'<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="next" href="{following}"/>'
    return feed_xml(item_xml(title), channel=link).encode()


def test_further_pages_are_read_until_they_go_round(server):
    server.answers["/1"] = reply(paged("One", "/2"))
    server.answers["/2"] = reply(paged("Two", "/3"))
    server.answers["/3"] = reply(paged("Three", "/1"))

    call_command("import_feed", f"{server.url}/1")

    assert sorted(str(episode) for episode in Episode.objects.all()) == ["One", "Three", "Two"]
    assert len(server.requests) == 3


def test_a_page_that_is_missing_is_told_and_the_rest_imported(server, capsys):
    server.answers["/1"] = reply(paged("One", "/gone"))

    call_command("import_feed", f"{server.url}/1")

    assert "older episodes may be missing" in capsys.readouterr().out
    assert Episode.objects.count() == 1


def test_an_address_named_inside_the_file_is_shown_and_not_followed(server, capsys):
    moved = f"<itunes:new-feed-url>{server.url}/elsewhere</itunes:new-feed-url>"
    server.answers["/feed"] = reply(feed_xml(item_xml("One"), channel=moved).encode())

    call_command("import_feed", f"{server.url}/feed")

    assert "/elsewhere" in capsys.readouterr().out
    assert len(server.requests) == 1


def bomb() -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join(packer.compress(b" " * 1024 * 1024) for _block in range(300)) + packer.flush()


def drip(connection):
    import time

    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    for _second in range(50):
        connection.sendall(b"x")
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (reply(status="404 Not Found"), "404"),
        (reply(status="500 Internal Server Error"), "500"),
        (reply(b"<!doctype html><html></html>"), "web page"),
        (reply(b""), "empty"),
        (reply(XML[:-40]), "cut off"),
        (reply(gzip.compress(XML)[:-9], Content_Encoding="gzip"), ""),
        (reply(bomb(), Content_Encoding="gzip"), "20 MB"),
        (reply(b"x", Content_Length=100 * 1024 * 1024), ""),
        (redirect("http://10.0.0.1/feed"), "public"),
        (redirect("http://localhost:22/"), ""),
        (redirect("/feed"), ""),
        (drip, "long"),
    ],
    ids=[
        "404",
        "500",
        "html",
        "empty",
        "cut-off",
        "cut-gzip",
        "bomb",
        "short",
        "private-redirect",
        "port-redirect",
        "loop",
        "slow",
    ],
)
def test_what_goes_wrong_is_said_in_a_sentence_and_nothing_is_made(server, monkeypatch, answer, said):
    monkeypatch.setattr(fetch, "DEADLINE_SECONDS", 1)
    monkeypatch.setitem(fetch.fetch.__kwdefaults__, "deadline_s", 1)
    server.answers["/feed"] = answer
    before = dump_tables()

    with pytest.raises(CommandError) as refused:
        call_command("import_feed", f"{server.url}/feed")

    sentence = str(refused.value)
    assert said in sentence
    assert sentence.endswith(".")
    assert "Traceback" not in sentence
    assert dump_tables() == before
