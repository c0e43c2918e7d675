"""Conditional requests for documents: what a reader has is not made again, and what is gone is not taken for it."""

import gzip
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

import pytest
import time_machine
from django.db import connection
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from publishing.acts import publish, retire
from publishing.documents import document_response
from publishing.models import ContentVersion, Item, SiteSettings
from publishing.version import bump_version
from tests.factories import edit, make_episode, make_quote, make_show

pytestmark = pytest.mark.django_db

FEED = "/shows/signal-path/feed.rss"
BODY = b"words " * 200


def ask(body, etag: str = "", path: str = "/feed.rss", **headers) -> HttpResponse:
    if etag:
        headers["if-none-match"] = etag
    return document_response(RequestFactory().get(path, headers=headers), body, "text/plain")


def refuse() -> bytes:
    raise AssertionError("It was made though the reader has it.")


def test_what_the_reader_has_of_the_present_state_is_not_made():
    etag = ask(BODY)["ETag"]

    answer = ask(refuse, etag)

    assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag)


def test_the_same_bytes_of_an_older_state_are_still_the_readers_own():
    etag = ask(BODY)["ETag"]
    ContentVersion.objects.create(pk=1, number=7)

    answer = ask(BODY, etag)

    assert (answer.status_code, answer["ETag"]) == (304, etag)
    assert ask(BODY)["ETag"] != etag


def test_other_bytes_are_sent():
    etag = ask(BODY)["ETag"]
    ContentVersion.objects.create(pk=1, number=7)

    assert ask(BODY + b"more", etag).status_code == 200


def test_an_etag_is_good_for_its_own_address_only():
    etag = ask(BODY, path="/a.rss")["ETag"]

    assert ask(b"other", etag, path="/b.rss").status_code == 200


def test_what_is_made_up_of_numbers_is_no_etag_of_ours():
    state = ask(BODY)["ETag"].partition("-")[0]

    assert ask(b"other", f'{state[:-1]}0-zzz"').status_code == 200


def test_a_document_is_compressed_after_its_etag_is_made():
    plain, packed = ask(BODY), ask(BODY, **{"accept-encoding": "gzip"})

    assert gzip.decompress(packed.content) == plain.content
    assert packed["ETag"] == f"W/{plain['ETag']}"
    assert (packed["Vary"], plain["Vary"]) == ("Accept-Encoding", "Accept-Encoding")
    assert ask(refuse, packed["ETag"]).status_code == 304


def test_a_feed_that_the_reader_has_takes_two_queries(client):
    SiteSettings.objects.create(pk=1)
    show = make_show(slug="signal-path")
    for _number in range(3):
        make_episode(show=show)
    etag = client.get(FEED)["ETag"]

    with CaptureQueriesContext(connection) as queries:
        answer = client.get(FEED, headers={"if-none-match": etag})

    assert (answer.status_code, len(queries)) == (304, 2)


@pytest.mark.parametrize("change", ["edit", "retire", "rename", "settings"])
def test_every_change_makes_another_feed(client, change):
    show = make_show(slug="signal-path", title="Signal")
    first, _second = make_episode(show=show), make_episode(show=show)
    before = client.get(FEED)
    SiteSettings.objects.create(pk=1, licence="CC BY", version=2) if change == "settings" else None
    {
        "edit": lambda: publish(edit(first, title="Another"), actor=None),
        "retire": lambda: retire(Item.objects.get(pk=first.pk), actor=None, reason="Gone."),
        "rename": lambda: publish(edit(show, title="Another"), actor=None),
        "settings": lambda: None,
    }[change]()

    answer = client.get(FEED, headers={"if-none-match": before["ETag"]})

    assert answer.status_code == 200
    assert answer["ETag"] != before["ETag"]


def test_a_feed_is_the_same_though_something_else_changed(client):
    make_episode(show=make_show(slug="signal-path"))
    etag = client.get(FEED)["ETag"]
    make_quote()

    assert client.get(FEED, headers={"if-none-match": etag}).status_code == 304


def test_what_was_retired_is_gone_whatever_the_reader_has(client):
    show = make_show(slug="signal-path")
    make_episode(show=show)
    etag = client.get(FEED)["ETag"]
    retire(Item.objects.get(pk=show.pk), actor=None, reason="Gone.")

    assert client.get(FEED, headers={"if-none-match": etag}).status_code == 410
    assert client.get(FEED, headers={"if-none-match": "*"}).status_code == 410


@pytest.mark.parametrize(
    ("accepted", "packed"),
    [("gzip", True), ("gzip;q=0", False), ("br, GZIP ; q=0.000", False), ("gzip;q=0.5", True), ("", False)],
)
def test_only_who_takes_gzip_gets_it(accepted, packed):
    assert ask(BODY, **{"accept-encoding": accepted}).has_header("Content-Encoding") == packed


def test_another_hub_makes_another_state(client, settings):
    etag = client.get("/feed.rss")["ETag"]
    settings.WEBSUB_HUB = "https://hub.example.org/"

    assert client.get("/feed.rss", headers={"if-none-match": etag}).status_code == 200


NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("began", [NOON + timedelta(milliseconds=500), NOON - timedelta(minutes=1)])
def test_who_knows_the_date_only_sees_every_act(began):
    bump_version(NOON)
    with time_machine.travel(NOON, tick=False):
        before = ask(BODY)["Last-Modified"]

    bump_version(began)

    with time_machine.travel(NOON + timedelta(minutes=5), tick=False):
        assert ask(BODY, **{"if-modified-since": before}).status_code == 200
        after = ask(BODY)["Last-Modified"]
        assert ask(BODY, **{"if-modified-since": after}).status_code == 304


def test_nothing_says_that_it_changes_in_the_future():
    for _act in range(5):
        bump_version(NOON)

    with time_machine.travel(NOON, tick=False):
        modified = ask(BODY)["Last-Modified"]

    assert parsedate_to_datetime(modified) == NOON


def test_what_changes_while_it_is_made_is_made_again():
    bump_version(NOON)

    def change() -> bytes:
        bump_version(NOON + timedelta(minutes=1))
        return b"half old"

    torn = ask(change)

    assert parsedate_to_datetime(torn["Last-Modified"]) == NOON
    assert ask(b"all new", torn["ETag"]).status_code == 200
    assert ask(b"all new", **{"if-modified-since": torn["Last-Modified"]}).status_code == 200


def test_a_number_that_comes_again_after_a_restore_is_another_state():
    ContentVersion.objects.create(pk=1, number=7, changed_at=NOON)
    etag = ask(BODY)["ETag"]
    ContentVersion.objects.update(changed_at=NOON + timedelta(hours=1))

    assert ask(b"other", etag).status_code == 200


def test_a_compressed_document_is_as_long_as_head_says(client):
    make_episode(show=make_show(slug="signal-path"))
    ContentVersion.objects.update(changed_at=NOON)  # the second of two acts at once counts as a later one
    packed = {"accept-encoding": "gzip"}

    answers = [client.get(FEED, headers=packed) for _number in range(5)]

    assert len({answer.content for answer in answers}) == 1
    assert dict(client.head(FEED, headers=packed).headers) == dict(answers[0].headers)
