"""Followed feeds that are read again: what a server can answer by and by, and what comes of it."""

import json
import re
from datetime import timedelta
from email.utils import format_datetime

import pytest
import time_machine
from django.conf import settings
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from episodes.desk import feeds_that_need_a_look, news_from_feeds
from episodes.importing import polling, source as feed_source
from episodes.importing.following import (
    LONGEST_PAUSE,
    Wish,
    asked_pause,
    change_following,
    pause_after,
    pause_between,
)
from episodes.importing.polling import MOST_A_TICK, ask_to_read, key_of, plan_reads
from episodes.importing.runs import KEPT, MOST_FAILURES, MOST_LINES
from episodes.models import Episode, FeedRun, FeedSource, Guest, Show
from publishing import fetch, jobs
from publishing.jobs import work_through
from publishing.models import Event, Item, Job
from publishing.schedule import plan_jobs
from publishing.worker import run_worker
from tests.episodes.feeds import feed_xml, item_xml
from tests.episodes.test_import_address import bomb, drip, paged
from tests.factories import edit, make_show, make_user
from tests.publishing.test_two_at_once import at_once
from tests.server import redirect, reply
from tests.tables import PUBLIC, dump_tables

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ONE = item_xml("One")
MANY = [item_xml(f"{number}", guid=f"guid-{number}") for number in range(6)]
# What reading a feed in vain may write: how it is followed, its report, its job, the log of following.
KEPT_OF_POLLS = ("episodes.FeedSource", "episodes.FeedRun", "publishing.Job", "publishing.Event")


def serve(server, *items: str, path: str = "/feed", channel: str = "", **headers) -> str:
    server.answers[path] = reply(feed_xml(*items, channel=channel).encode(), **headers)
    return f"{server.url}{path}"


def follow(server, *items: str, path: str = "/feed", channel: str = "", actor=None, publish_first=False, **wish):
    """Import a feed, follow it from then on, and have its time come; the server's requests are forgotten."""
    address = serve(server, *items, path=path, channel=channel)
    call_command("import_feed", address, publish=publish_first, owner_agrees=bool(wish.get("owner_agrees")))
    source = change_following(FeedSource.objects.get(address=address).pk, Wish(True, **wish), actor=actor)
    server.requests.clear()
    return source


def poll() -> None:
    """Let the time of all followed feeds come, and a worker do its part."""
    FeedSource.objects.followed().update(next_read_at=timezone.now() - timedelta(seconds=1))
    plan_reads()
    work_through()


def the_source() -> FeedSource:
    return FeedSource.objects.get()


def titles() -> list[str]:
    return sorted(str(item) for item in Item.objects.of_kind("episode"))


def contents() -> dict:
    """Return all of ours but what is kept of polls themselves."""
    return {label: rows for label, rows in dump_tables().items() if label not in KEPT_OF_POLLS}


def seen() -> dict:
    """Return what readers may see; the rows of drafts are hidden and empty."""
    return {
        label: [row for row in rows if dict(row).get("visible", True)] for label, rows in dump_tables(*PUBLIC).items()
    }


# What comes


def test_what_is_new_becomes_a_draft_and_what_nobody_edited_follows(server):
    follow(server, item_xml("One", description="Old."), item_xml("Two"), item_xml("Left"))
    edit(Episode.objects.get(guid="Two"), title="Our title")

    serve(server, item_xml("One", description="New."), item_xml("Two, corrected"), item_xml("Three"))
    poll()

    assert titles() == ["Left", "One", "Our title", "Three"]
    assert Episode.objects.get(guid="One").item.head.content["summary"] == "New."
    assert not Episode.objects.live().exists()
    run = FeedRun.objects.get()
    assert (run.outcome, run.status, run.made, run.updated, run.unchanged, run.clashes) == ("read", 200, 1, 1, 1, 1)
    assert ("Made", ["Three"]) in run.sections()
    assert ("Left alone, because edited here since", ["Two, corrected: Title"]) in run.sections()


def test_by_default_nothing_changes_in_public(server):
    follow(server, item_xml("One", description="Old.", person="Ada"), publish_first=True)
    before = seen()

    serve(
        server, item_xml("One", description="New.", person="Ben"), item_xml("Two"), channel="<link>https://e.org</link>"
    )
    poll()

    assert seen() == before
    assert Episode.objects.get(guid="One").item.has_draft
    assert titles() == ["One", "Two"]


def test_reading_twice_changes_nothing_more(server):
    follow(server, ONE)
    serve(server, ONE, item_xml("Two", person="Ada"))
    poll()
    before = contents()

    poll()

    assert contents() == before
    assert FeedRun.objects.count() == 1
    assert the_source().quiet_reads == 1


def test_what_the_show_says_of_itself_follows_and_is_told(server):
    follow(server, ONE)

    serve(server, ONE, channel="<itunes:author>Tomas Lund</itunes:author>")
    poll()

    assert Show.objects.get().item.head.content["author"] == "Tomas Lund"
    assert "Of the show itself, what follows the feed now: Made by." in FeedRun.objects.get().report["warnings"]


# Publishing what is new


def test_what_is_new_is_published_and_nothing_that_was_here(server, publisher):
    follow(server, item_xml("One", description="Old."), publish_first=True)
    serve(server, item_xml("One", description="Old."), item_xml("Draft of before"))
    poll()
    change_following(the_source().pk, Wish(True, publishes_new=True), actor=publisher)

    serve(
        server,
        item_xml("One", description="New."),
        item_xml("Draft of before"),
        item_xml("Two", person="Ada Okafor"),
        item_xml("Undated", date=""),
    )
    poll()

    assert sorted(str(episode.title) for episode in Episode.objects.live()) == ["One", "Two"]
    assert Episode.objects.get(guid="One").summary == "Old."
    assert Episode.objects.get(guid="One").item.has_draft
    assert Guest.objects.live().get().name == "Ada Okafor"
    assert Event.objects.filter(what="episode.publish", actor_name="petra").count() == 1
    run = FeedRun.objects.order_by("-pk")[0]
    assert run.report["published"] == ["Ada Okafor", "Two"]
    assert run.report["kept_draft"] == ["Undated: missing: Aired"]


def test_under_a_show_that_is_not_live_what_is_new_stays_a_draft_with_the_reason(server, publisher):
    follow(server, ONE, actor=publisher, publishes_new=True)

    serve(server, ONE, item_xml("Two"))
    poll()

    assert not Episode.objects.live().exists()
    assert not Show.objects.live().exists()
    assert FeedRun.objects.get().report["kept_draft"][0].startswith("Two: ")


def test_whoever_may_not_publish_cannot_turn_it_on_but_take_it_back(server, editor, publisher):
    source = follow(server, ONE)

    with pytest.raises(PermissionDenied):
        change_following(source.pk, Wish(True, publishes_new=True), actor=editor)
    change_following(source.pk, Wish(True, publishes_new=True), actor=publisher)
    change_following(source.pk, Wish(True, every_hours=24, publishes_new=True), actor=editor)
    assert the_source().publisher == publisher
    change_following(source.pk, Wish(True, every_hours=24), actor=editor)

    assert the_source().publisher is None


def test_turned_off_and_on_again_nothing_is_published_by_itself(server, publisher):
    source = follow(server, ONE, actor=publisher, publishes_new=True)

    change_following(source.pk, Wish(False, publishes_new=True), actor=publisher)

    assert (the_source().publisher, the_source().next_read_at) == (None, None)


@pytest.mark.parametrize("loss", ["group", "inactive", "deleted"])
def test_the_right_to_publish_is_looked_at_when_it_is_used(server, publisher, loss):
    follow(server, ONE, publish_first=True, actor=publisher, publishes_new=True)
    if loss == "deleted":
        publisher.delete()
    elif loss == "inactive":
        publisher.is_active = False
        publisher.save()
    else:
        publisher.groups.clear()

    serve(server, ONE, item_xml("Two"))
    poll()

    assert Episode.objects.live().count() == 1
    assert titles() == ["One", "Two"]
    told = [line for line in FeedRun.objects.get().report["warnings"] if "petra" in line and "may not publish" in line]
    assert len(told) == (0 if loss == "deleted" else 1)


def test_new_drafts_are_theirs_who_turned_it_on_or_the_systems(server, editor):
    follow(server, ONE, actor=editor)
    serve(server, ONE, item_xml("Two"))
    poll()
    editor.groups.clear()
    serve(server, ONE, item_xml("Two"), item_xml("Three"))
    poll()

    owners = {str(item): item.owner for item in Item.objects.of_kind("episode")}
    assert (owners["Two"], owners["Three"]) == (editor, None)


def test_an_author_may_not_follow(server):
    source = follow(server, ONE)

    with pytest.raises(PermissionDenied):
        change_following(source.pk, Wish(True), actor=make_user("ana", "Author"))


def test_what_came_as_a_file_cannot_be_followed():
    source = FeedSource.objects.create(show=make_show(), address="file:///feed.xml")

    with pytest.raises(ValidationError):
        change_following(source.pk, Wish(True), actor=None)


def test_who_follows_what_is_logged(server, editor):
    source = follow(server, ONE, actor=editor)
    change_following(source.pk, Wish(True), actor=editor)
    change_following(source.pk, Wish(False), actor=editor)

    assert list(Event.objects.filter(what__contains="follow").order_by("pk").values_list("what", "actor_name")) == [
        ("show.follow", "ines"),
        ("show.unfollow", "ines"),
    ]


# Asking only for what changed


def test_the_site_is_asked_only_for_what_changed(server):
    follow(server, ONE)
    serve(server, ONE, item_xml("Two"), ETag='"v2"', Last_Modified="Tue, 02 Jan 2024 00:00:00 GMT")
    poll()
    reported = FeedRun.objects.get().at
    before = contents()
    server.answers["/feed"] = reply(status="304 Not Modified")

    poll()
    poll()

    assert 'If-None-Match: "v2"' in server.requests[1]
    assert "If-Modified-Since: Tue, 02 Jan 2024 00:00:00 GMT" in server.requests[1]
    assert contents() == before
    source = the_source()
    assert FeedRun.objects.count() == 1
    assert (source.quiet_reads, source.etag) == (2, '"v2"')
    assert source.read_at > reported
    assert source.next_read_at >= source.read_at + 6 * HOUR


def test_validators_of_a_feed_that_was_not_read_whole_are_not_kept(server):
    follow(server, ONE)
    serve(server, ONE, ETag='"v1"')
    poll()
    server.answers["/feed"] = reply(b"<rss><channel>", ETag='"v2"')
    poll()
    assert the_source().etag == '"v1"'

    server.answers["/feed"] = reply(paged("One", "/older"), ETag='"v3"')
    poll()
    poll()

    assert (the_source().etag, the_source().last_modified) == ("", "")
    assert "If-None-Match" not in server.requests[-2]
    assert [
        line
        for line in FeedRun.objects.order_by("-pk")[0].report["repaired"]
        if "older episodes may be missing" in line
    ]


def test_an_import_of_some_episodes_only_keeps_no_validators(server):
    serve(server, ONE, item_xml("Two"), ETag='"v1"')

    call_command("import_feed", f"{server.url}/feed", limit=1)

    assert the_source().etag == ""


def test_a_validator_too_long_to_keep_is_not_cut(server):
    follow(server, ONE)
    serve(server, ONE, ETag=f'"{"x" * 400}"')

    poll()

    assert the_source().etag == ""


def test_not_modified_without_having_been_asked_is_no_answer(server):
    follow(server, ONE)
    server.answers["/feed"] = reply(status="304 Not Modified")

    poll()

    assert (the_source().failures, FeedRun.objects.get().status) == (1, 304)


def test_a_site_that_hands_out_page_after_page_slowly_is_left(server, monkeypatch):
    monkeypatch.setattr(feed_source, "MOST_PAGE_SECONDS", -1)
    follow(server, ONE)
    server.answers["/feed"] = reply(paged("One", "/2"))
    server.answers["/2"] = reply(paged("Two", "/3"))

    poll()

    assert len(server.requests) == 1
    assert titles() == ["One"]


# Moved and gone


@pytest.mark.parametrize("status", ["301 Moved Permanently", "308 Permanent Redirect"])
def test_a_feed_that_moved_for_good_is_read_there_from_then_on(server, status):
    follow(server, ONE)
    server.answers["/feed"] = redirect("/new", status)
    serve(server, ONE, item_xml("Two"), path="/new", ETag='"v1"')

    poll()
    poll()

    assert (the_source().address, the_source().etag) == (f"{server.url}/new", '"v1"')
    assert any("moved for good" in line for line in FeedRun.objects.get().report["warnings"])
    assert [request.split()[1] for request in server.requests] == ["/feed", "/new", "/new"]
    assert titles() == ["One", "Two"]


def test_a_move_counts_only_once_the_feed_was_read_there(server):
    follow(server, ONE)
    server.answers["/feed"] = redirect("/new", "301 Moved Permanently")
    server.answers["/new"] = reply(b"<html></html>")

    poll()

    assert the_source().address == f"{server.url}/feed"


def test_a_passing_redirect_is_no_move(server):
    follow(server, ONE)
    server.answers["/feed"] = redirect("/new")
    serve(server, ONE, path="/new")

    poll()

    assert the_source().address == f"{server.url}/feed"


def test_a_feed_that_moved_to_where_another_is_read_stays_its_own(server):
    first = follow(server, ONE)
    second = follow(server, item_xml("Other"), path="/other")
    change_following(second.pk, Wish(False), actor=None)
    server.answers["/feed"] = redirect("/other", "301 Moved Permanently")

    poll()

    first.refresh_from_db()
    assert first.address == f"{server.url}/feed"
    assert any("read for" in line for line in first.runs.get().report["warnings"])
    assert Episode.objects.filter(show=second.show).count() == 1


def test_a_feed_that_is_gone_is_followed_no_more_and_stands_on_the_desk(server, publisher):
    follow(server, ONE, actor=publisher, publishes_new=True)
    server.answers["/feed"] = reply(status="410 Gone")
    before = contents()

    poll()

    source = the_source()
    assert (source.is_followed, source.next_read_at, source.publisher) == (False, None, None)
    assert contents() == before
    row = feeds_that_need_a_look(publisher).rows[0]
    assert "gone for good (410). It is not looked for any more." in row.note
    assert row.act_url == ""
    change_following(source.pk, Wish(False), actor=publisher)
    assert feeds_that_need_a_look(publisher).rows == []


# Failures


@pytest.mark.parametrize(
    "answer",
    [
        reply(status="401 Unauthorized"),
        reply(status="403 Forbidden"),
        reply(status="404 Not Found"),
        reply(status="429 Too Many Requests"),
        reply(status="500 Internal Server Error"),
        reply(status="503 Service Unavailable"),
        reply(b"<!doctype html><html></html>"),
        reply(b""),
        reply(feed_xml(ONE).encode()[:-40]),
        reply(bomb(), Content_Encoding="gzip"),
        reply(b"x", Content_Length=100 * 1024 * 1024),
        redirect("http://10.0.0.1/feed"),
        redirect("/feed"),
        drip,
    ],
    ids=[
        "401",
        "403",
        "404",
        "429",
        "500",
        "503",
        "html",
        "empty",
        "cut-off",
        "bomb",
        "short",
        "private",
        "loop",
        "slow",
    ],
)
def test_what_goes_wrong_is_reported_and_nothing_changed(server, monkeypatch, answer):
    monkeypatch.setitem(fetch.fetch.__kwdefaults__, "deadline_s", 1)
    follow(server, ONE)
    serve(server, item_xml("Other"), path="/other")
    before, started = contents(), timezone.now()
    server.answers["/feed"] = answer

    poll()

    source = the_source()
    assert contents() == before
    assert source.problem.endswith(".")
    assert (source.failures, source.waits_for_editor, source.is_followed) == (1, False, True)
    assert HOUR <= source.next_read_at - started < 1.2 * HOUR
    run = FeedRun.objects.get()
    assert (run.outcome, run.problem) == ("failed", source.problem)


def test_one_that_fails_does_not_keep_others_from_being_read(server):
    follow(server, ONE, path="/first")
    follow(server, item_xml("Two"), path="/second")
    server.answers["/first"] = reply(status="500 Oh")
    serve(server, item_xml("Two"), item_xml("Three"), path="/second")

    poll()

    assert titles() == ["One", "Three", "Two"]


def test_pauses_grow_from_an_hour_to_a_week():
    pauses = [pause_after(failures) for failures in range(1, 40)]

    assert pauses[:5] == [HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR]
    assert pauses == sorted(pauses)
    assert pauses[8] == pauses[-1] == 7 * DAY


def test_a_feed_is_left_alone_for_longer_each_time_and_then_stands_on_the_desk(server, editor):
    follow(server, ONE, actor=editor)
    server.answers["/feed"] = reply(status="404 Not Found")
    gaps, moment = [], timezone.now() + timedelta(minutes=1)

    for failure in range(MOST_FAILURES):
        with time_machine.travel(moment):
            FeedSource.objects.update(next_read_at=timezone.now()) if not failure else None
            plan_reads()
            work_through()
            gaps.append((the_source().next_read_at - moment) / HOUR)
            assert the_source().waits_for_editor is (failure == MOST_FAILURES - 1)
            moment = the_source().next_read_at - timedelta(minutes=1)
        with time_machine.travel(moment):
            plan_reads()
            assert work_through() == 0
        moment += timedelta(minutes=2)

    assert len(server.requests) == MOST_FAILURES
    assert [round(gap / 2**place, 0) for place, gap in enumerate(gaps)] == [1] * MOST_FAILURES
    assert FeedRun.objects.count() == 1
    row = feeds_that_need_a_look(editor).rows[0]
    assert (row.title, row.note) == ("The Long Signal", "There is nothing at this address (404).")


def test_a_read_that_works_makes_good_all_that_failed(server, editor):
    source = follow(server, ONE, actor=editor)
    FeedSource.objects.update(failures=7, problem="Nothing there.", waits_for_editor=True)

    ask_to_read(source)
    work_through()

    source = the_source()
    assert (source.failures, source.problem, source.waits_for_editor) == (0, "", False)
    assert source.next_read_at > timezone.now() + 5 * HOUR
    assert feeds_that_need_a_look(editor).rows == []


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("7200", 2 * HOUR, 2.2 * HOUR),
        ("in a while", HOUR, 1.2 * HOUR),
        ("-5", HOUR, 1.2 * HOUR),
        ("9" * 5000, 7 * DAY, 7.8 * DAY),
        ("²", HOUR, 1.2 * HOUR),
        ("10", HOUR, 1.2 * HOUR),
    ],
    ids=["seconds", "words", "negative", "huge", "superscript", "short"],
)
def test_a_site_that_says_when_to_come_back_is_heeded(server, header, least, most):
    follow(server, ONE)
    server.answers["/feed"] = reply(status="503 Service Unavailable", Retry_After=header)
    started = timezone.now()

    poll()

    assert least <= the_source().next_read_at - started <= most + timedelta(seconds=10)


def test_a_date_to_come_back_at_is_read_and_bounded():
    now = timezone.now().replace(microsecond=0)

    assert asked_pause(format_datetime(now + 3 * DAY, usegmt=True), now) == 3 * DAY
    assert asked_pause(format_datetime(now - 3 * DAY, usegmt=True), now) == timedelta(0)
    assert asked_pause(format_datetime(now + 300 * DAY, usegmt=True), now) == LONGEST_PAUSE
    assert asked_pause("Mon, 99 Foo 2024 25:61:00 GMT", now) == timedelta(0)
    assert asked_pause(None, now) == timedelta(0)


# Locked feeds, and feeds that are no longer the same show


LOCKED = "<podcast:locked>yes</podcast:locked>"


def test_a_locked_feed_is_imported_once_somebody_has_said_that_the_owner_agrees(server, editor):
    source = follow(server, ONE, actor=editor)
    serve(server, ONE, item_xml("Two"), channel=LOCKED)
    before = contents()

    poll()

    assert contents() == before
    assert "Tick on the feed's page that the owner agrees." in feeds_that_need_a_look(editor).rows[0].note
    change_following(source.pk, Wish(True, owner_agrees=True), actor=editor)
    poll()
    serve(server, ONE, item_xml("Two"), item_xml("Three"), channel=LOCKED)
    poll()
    assert titles() == ["One", "Three", "Two"]


def test_who_confirmed_at_the_import_is_not_asked_again(server):
    serve(server, ONE, channel=LOCKED)
    call_command("import_feed", f"{server.url}/feed", owner_agrees=True)
    serve(server, ONE, item_xml("Two"), channel=LOCKED)

    call_command("import_feed", f"{server.url}/feed")

    assert titles() == ["One", "Two"]


GUIDS = [f"<podcast:guid>00000000-0000-5000-8000-00000000000{number}</podcast:guid>" for number in range(2)]


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (([ONE], GUIDS[0]), ([ONE, item_xml("Casino")], GUIDS[1])),
        ((MANY, ""), ([item_xml("Casino"), item_xml("Poker")], "")),
        ((MANY, ""), ([], "")),
    ],
    ids=["guid", "episodes", "empty"],
)
def test_what_looks_like_another_show_is_not_imported(server, editor, then, now):
    follow(server, *then[0], channel=then[1], actor=editor)
    serve(server, *now[0], channel=now[1])
    before = contents()

    poll()

    assert contents() == before
    assert FeedRun.objects.get().outcome == "refused"
    assert "looks like another show" in feeds_that_need_a_look(editor).rows[0].note
    assert the_source().etag == ""


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (([ONE], GUIDS[0]), ([ONE], "")),
        (([ONE], ""), ([ONE], GUIDS[1])),
        (([ONE, item_xml("Two")], ""), ([item_xml("Three")], "")),
        ((MANY, ""), ([item_xml("New"), MANY[3]], "")),
        (
            (MANY, ""),
            ([item_xml("0", guid="other", enclosure="https://media.example.org/guid-0.mp3?token=b")], ""),
        ),
    ],
    ids=["guid-left", "guid-came", "few", "one-known", "enclosure"],
)
def test_what_is_still_the_same_show_is_imported(server, then, now):
    follow(server, *then[0], channel=then[1])
    serve(server, *now[0], channel=now[1])

    poll()

    assert FeedRun.objects.get().outcome == "read"


def test_sounds_told_apart_by_their_query_only_prove_nothing(server):
    def items(names):
        return [item_xml(name, guid=name, enclosure=f"https://cdn.example.org/play?id={name}") for name in names]

    follow(server, *items("abcdefg"))
    serve(server, *items("xyz"))

    poll()

    assert FeedRun.objects.get().outcome == "refused"


def test_the_same_show_under_new_names_goes_on_after_an_import_by_hand(server, editor_client, editor):
    follow(server, *MANY, channel=GUIDS[0], actor=editor)
    serve(server, item_xml("New"), channel=GUIDS[1])
    poll()
    page = editor_client.get(feeds_that_need_a_look(editor).rows[0].url).content.decode()
    by_hand = re.search(r'href="([^"]*import/feed/[^"]*address[^"]*)"', page)[1].replace("&amp;", "&")
    form = editor_client.get(by_hand).content.decode()
    assert f'value="{server.url}/feed"' in form

    looked = editor_client.post("/admin/import/feed/", {"address": f"{server.url}/feed"})
    sealed = re.search(r'name="sealed" value="([^"]+)"', looked.content.decode())[1]
    editor_client.post("/admin/import/feed/", {"sealed": sealed})
    work_through()
    assert feeds_that_need_a_look(editor).rows == []
    serve(server, item_xml("New"), item_xml("Newer"), channel=GUIDS[1])
    poll()

    assert "Newer" in titles()
    assert the_source().podcast_guid.endswith("1")


# The report


def test_reports_are_bounded(server, monkeypatch):
    follow(server, ONE)
    old = [FeedRun(source=the_source(), at=timezone.now(), outcome="read") for _number in range(KEPT + 5)]
    FeedRun.objects.bulk_create(old)

    serve(server, *[item_xml(f"{number} {'x' * 400}", guid=f"n{number}") for number in range(50)], ONE)
    poll()

    run = FeedRun.objects.order_by("-pk")[0]
    assert FeedRun.objects.count() == KEPT
    assert run.made == 50
    assert len(run.report["made"]) == MOST_LINES
    assert len(json.dumps(run.report)) < 20_000


def test_what_is_refused_anew_is_told_once(server):
    follow(server, ONE)
    serve(server, ONE, item_xml("Text").replace("audio/mpeg", "image/png").replace(".mp3", ".png"))

    poll()
    poll()

    run = FeedRun.objects.get()
    assert (run.made, run.skipped) == (0, 1)
    assert run.report["skipped"] == ["Text: what it carries is neither sound nor video"]
    assert the_source().quiet_reads == 1


def test_the_first_read_that_works_after_one_that_did_not_is_told(server):
    follow(server, ONE)
    server.answers["/feed"] = reply(status="500 Oh")
    poll()
    serve(server, ONE)

    poll()

    assert list(FeedRun.objects.order_by("pk").values_list("outcome", flat=True)) == ["failed", "read"]


def test_the_desk_tells_what_feeds_brought(server, editor):
    follow(server, ONE, actor=editor)
    serve(server, ONE, item_xml("Two"))
    poll()

    row = news_from_feeds(editor).rows[0]
    assert row.title == "The Long Signal"
    assert row.note.endswith(": 1 new, 0 changed, 0 edited here")
    assert news_from_feeds(make_user("ana", "Author")).rows == []


# When


def test_feeds_that_were_turned_on_together_drift_apart(server):
    source = follow(server, ONE)

    moments = {pause_between(source) for _feed in range(100)}

    assert len({int(moment.total_seconds()) for moment in moments}) > 60
    assert min(moments) >= 6 * HOUR
    assert max(moments) <= 6.6 * HOUR


def make_sources(count: int, **columns) -> list[FeedSource]:
    show = make_show()
    defaults = {"is_followed": True, "next_read_at": timezone.now()}
    addresses = [f"http://10.0.0.1/{show.pk}/{number}" for number in range(count)]
    return FeedSource.objects.bulk_create(
        [FeedSource(show=show, address=address, **defaults | columns) for address in addresses]
    )


def test_a_tick_asks_for_some_of_many_and_the_next_for_more():
    make_sources(MOST_A_TICK + 5)

    plan_jobs()
    assert Job.objects.count() == MOST_A_TICK
    plan_jobs()

    assert Job.objects.count() == MOST_A_TICK + 5


def test_nothing_is_asked_that_is_not_due_or_not_followed():
    make_sources(1, next_read_at=timezone.now() + timedelta(seconds=20))
    FeedSource.objects.create(show=make_show(), address="http://10.0.0.1/x", next_read_at=timezone.now())

    plan_reads()

    assert not Job.objects.exists()


def test_planning_takes_as_many_queries_for_many_as_for_one():
    make_sources(1)
    with CaptureQueriesContext(connection) as one:
        plan_reads()
    FeedSource.objects.all().delete()
    make_sources(MOST_A_TICK)
    with CaptureQueriesContext(connection) as many:
        plan_reads()

    assert len(one) == len(many) <= 7


def test_the_desk_takes_as_many_queries_for_many_as_for_one(editor):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            feeds_that_need_a_look(editor)
            news_from_feeds(editor)
        return len(queries)

    make_sources(1, waits_for_editor=True, problem="Nothing there.")
    count()
    one = count()
    for source in FeedSource.objects.all():
        source.runs.create(at=timezone.now(), outcome="read", made=1)
    shows = [make_show() for _number in range(8)]
    more = FeedSource.objects.bulk_create(
        [FeedSource(show=show, address=f"http://10.0.0.2/{show.pk}", waits_for_editor=True) for show in shows]
    )
    FeedRun.objects.bulk_create([FeedRun(source=source, at=timezone.now(), outcome="read", made=1) for source in more])

    assert count() == one
    assert len(feeds_that_need_a_look(editor).rows) == 9


def test_what_was_turned_off_meanwhile_is_not_read(server):
    source = follow(server, ONE)
    ask_to_read(source)
    change_following(source.pk, Wish(False), actor=None)

    work_through()

    assert server.requests == []


def test_a_feed_that_kills_each_worker_counts_as_one_that_failed(server, settings, editor):
    settings.JOB_MAX_ATTEMPTS = 2
    source = follow(server, ONE, actor=editor)
    ask_to_read(source)
    for _time in range(2):
        assert jobs.claim(key_of(source.pk))
        Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    work_through()
    assert Job.objects.get().state == "failed"

    plan_reads()
    plan_reads()

    assert (the_source().failures, the_source().problem) == (1, "The worker died each time.")
    assert the_source().next_read_at > timezone.now() + timedelta(minutes=50)
    assert work_through() == 0
    poll()
    assert the_source().failures == 0


class Killed(BaseException):
    """Stands in for SIGKILL: nothing of ours catches it."""


@pytest.mark.parametrize("at", ["import_feed", "record"])
@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_between_fetch_and_write_leaves_all_as_it_was(server, monkeypatch, at):
    follow(server, ONE)
    serve(server, ONE, item_xml("Two"), ETag='"v2"')
    FeedSource.objects.update(next_read_at=timezone.now())
    plan_reads()
    before = dump_tables()

    def die(*args, **options):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(polling, at, die)
        with pytest.raises(Killed):
            work_through()

    if at == "import_feed":
        now = dump_tables()
        assert {label: rows for label, rows in now.items() if label != "publishing.Job"} == {
            label: rows for label, rows in before.items() if label != "publishing.Job"
        }
    assert the_source().etag == ""
    assert work_through() == 0
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    work_through()
    assert titles() == ["One", "Two"]
    assert (the_source().etag, the_source().failures) == ('"v2"', 0)


@pytest.mark.django_db(transaction=True)
def test_a_worker_reads_what_is_due_by_itself(server):
    follow(server, ONE)
    serve(server, ONE, item_xml("Two"))
    FeedSource.objects.update(next_read_at=timezone.now())

    run_worker(batch=True)

    assert titles() == ["One", "Two"]


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_read_once(server):
    follow(server, ONE)
    serve(server, ONE, item_xml("Two"))

    for number in range(3):
        server.requests.clear()
        FeedSource.objects.update(next_read_at=timezone.now())

        results = at_once(*[lambda: (plan_reads(), work_through()) for _worker in range(3)])

        assert [result for result in results if isinstance(result, Exception)] == []
        assert len(server.requests) == 1, number
    assert Job.objects.filter(kind="poll-feed").count() == 1
    assert titles() == ["One", "Two"]
    assert FeedRun.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_worker_that_lost_its_lease_reports_nothing(server, monkeypatch):
    follow(server, ONE)
    serve(server, ONE, item_xml("Two"), ETag='"v2"')
    read_again = polling.read_again

    def slowly(source):
        read = read_again(source)
        Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert jobs.claim(key_of(source.pk))
        return read

    monkeypatch.setattr(polling, "read_again", slowly)
    poll()

    assert not FeedRun.objects.exists()
    assert the_source().etag == ""


# The command


def test_the_command_reads_what_is_due_and_prints_a_line_each(server, capsys):
    follow(server, ONE, path="/one")
    follow(server, item_xml("Two"), path="/two")
    FeedSource.objects.filter(address__endswith="/one").update(next_read_at=timezone.now())
    serve(server, ONE, item_xml("Three"), path="/one")
    capsys.readouterr()

    call_command("poll_feeds")
    call_command("poll_feeds")

    assert capsys.readouterr().out == f"“The Long Signal” ({server.url}/one): 1 made, 1 unchanged.\n"
    assert len(server.requests) == 1


def test_the_command_reads_at_once_where_asked(server, capsys):
    source = follow(server, ONE)
    slug = source.show.item.working_slug
    server.answers["/feed"] = reply(status="500 Oh")
    capsys.readouterr()

    call_command("poll_feeds", slug)
    call_command("poll_feeds", slug, now=True)

    early, late = capsys.readouterr().out.splitlines()
    assert "not due before" in early
    assert late.endswith("The site has trouble of its own (500).")


def test_a_dry_run_tells_and_writes_nothing(server, capsys):
    follow(server, ONE)
    serve(server, ONE, item_xml("Two", person="Ada"), ETag='"v2"')
    before = dump_tables()
    capsys.readouterr()

    call_command("poll_feeds", now=True, dry_run=True)

    assert "Would come to: 1 made, 1 unchanged." in capsys.readouterr().out
    assert dump_tables() == before


def test_the_command_leaves_a_feed_to_the_worker_that_is_at_it(server, capsys):
    source = follow(server, ONE)
    ask_to_read(source)
    assert jobs.claim(key_of(source.pk))
    capsys.readouterr()

    call_command("poll_feeds", now=True)

    assert "a worker is reading it." in capsys.readouterr().out
    assert server.requests == []


def test_the_command_names_a_show_that_is_not_there_or_not_followed(server):
    source = follow(server, ONE)
    change_following(source.pk, Wish(False), actor=None)

    with pytest.raises(CommandError, match="No show has the slug"):
        call_command("poll_feeds", "nowhere")
    with pytest.raises(CommandError, match="“The Long Signal” is followed. Turn on"):
        call_command("poll_feeds", source.show.item.working_slug)


# The newsroom


def page_of(source: FeedSource) -> str:
    return f"/admin/episodes/show/{source.show_id}/feeds/{source.pk}/"


def test_an_editor_follows_a_feed_and_sees_what_came(server, editor_client, editor):
    serve(server, ONE)
    call_command("import_feed", f"{server.url}/feed")
    source = the_source()
    show_page = editor_client.get(f"/admin/episodes/show/{source.show_id}/change/").content.decode()

    answer = editor_client.post(page_of(source), {"is_followed": "on", "every_hours": "24"})
    serve(server, ONE, item_xml("Two"))
    looked = editor_client.post(f"{page_of(source)}look/")
    work_through()
    page = editor_client.get(page_of(source)).content.decode()

    assert page_of(source) in show_page
    assert "not followed" in show_page
    assert (answer.status_code, looked.status_code) == (302, 302)
    assert (the_source().every_hours, the_source().followed_by) == (24, editor)
    assert "1 new, 0 changed, 1 unchanged" in page
    assert "<li>Two</li>" in page
    assert "publishes_new" not in page


def test_the_page_of_a_show_takes_as_many_queries_for_many_feeds_as_for_one(editor_client):
    def count(source: FeedSource) -> int:
        with CaptureQueriesContext(connection) as queries:
            editor_client.get(f"/admin/episodes/show/{source.show_id}/change/")
        return len(queries)

    one, many = make_sources(1)[0], make_sources(8)[0]
    count(one)

    assert count(one) == count(many)


def test_publishing_is_offered_to_publishers(server, publisher_client, publisher):
    source = follow(server, ONE)

    page = publisher_client.get(page_of(source)).content.decode()
    publisher_client.post(page_of(source), {"is_followed": "on", "every_hours": "6", "publishes_new": "on"})

    assert 'name="publishes_new"' in page
    assert the_source().publisher == publisher


@pytest.mark.parametrize("every", ["0", "5", "-1", "x", ""])
def test_how_often_is_one_of_the_choices(server, editor_client, every):
    source = follow(server, ONE)

    answer = editor_client.post(page_of(source), {"is_followed": "on", "every_hours": every})

    assert answer.status_code == 422
    assert the_source().every_hours == 6


def test_only_who_may_import_follows_or_looks(server, client):
    source = follow(server, ONE, actor=None)
    ana = make_user("ana", "Author")
    Item.objects.filter(pk=source.show_id).update(owner=ana)
    client.force_login(ana)

    assert client.get(page_of(source)).status_code == 200
    assert client.post(page_of(source), {"every_hours": "6"}).status_code == 403
    assert client.post(f"{page_of(source)}look/").status_code == 403
    assert client.get(f"{page_of(source)}look/").status_code == 405
    assert the_source().is_followed


def test_a_feed_of_another_show_is_not_found(server, editor_client):
    source = follow(server, ONE)
    other = make_show()

    assert editor_client.get(page_of(source).replace(f"/{source.show_id}/", f"/{other.pk}/")).status_code == 404
    assert editor_client.get(f"/admin/episodes/show/{source.show_id}/feeds/99999999999999999999/").status_code == 404


def test_the_desk_has_a_button_to_look_again(server, editor_client, editor):
    source = follow(server, ONE, actor=editor)
    FeedSource.objects.update(waits_for_editor=True, failures=5, problem="There is nothing at this address (404).")

    desk = editor_client.get("/admin/").content.decode()
    editor_client.post(f"{page_of(source)}look/")
    work_through()

    assert "There is nothing at this address (404)." in desk
    assert f'action="{page_of(source)}look/"' in desk
    assert "Look again now" in desk
    assert "Feeds that need a look" not in editor_client.get("/admin/").content.decode()


def import_by_page(client, **fields):
    looked = client.post("/admin/import/feed/", fields)
    sealed = re.search(r'name="sealed" value="([^"]+)"', looked.content.decode())[1]
    client.post("/admin/import/feed/", {"sealed": sealed})
    work_through()


def test_following_is_ticked_at_the_import(server, editor_client, editor):
    serve(server, ONE, ETag='"v1"')

    import_by_page(editor_client, address=f"{server.url}/feed", follow="on")

    source = the_source()
    assert (source.is_followed, source.every_hours, source.followed_by, source.publisher) == (True, 6, editor, None)
    assert source.next_read_at > timezone.now() + 5 * HOUR


def test_off_by_default(server, editor_client):
    serve(server, ONE)

    import_by_page(editor_client, address=f"{server.url}/feed")

    assert not the_source().is_followed


def test_a_file_alone_cannot_be_followed(editor_client):
    from tests.publishing.test_import_pages import upload

    answer = editor_client.post("/admin/import/feed/", {"file": upload(feed_xml(ONE)), "follow": "on"})

    assert answer.status_code == 422
    assert "A file alone cannot be looked at again" in answer.content.decode()


# Real feeds

FOLDER = settings.BASE_DIR.parent / "shared" / "data" / "feeds"


@pytest.mark.skipif(not FOLDER.exists(), reason="the shared collection of feeds is not beside this checkout")
def test_the_second_day_of_a_real_feed_updates_and_loses_nothing(server):
    expected = {feed["file"]: feed for feed in json.loads((FOLDER / "expected.json").read_text())["feeds"]}
    wanted = expected["news-day2.xml"]["expect_after"]
    server.answers["/news"] = reply((FOLDER / "news-day1.xml").read_bytes())
    call_command("import_feed", f"{server.url}/news")
    change_following(the_source().pk, Wish(True), actor=None)

    server.answers["/news"] = reply((FOLDER / "news-day2.xml").read_bytes())
    poll()

    run = FeedRun.objects.get()
    assert Episode.objects.count() == wanted["episodes_total"]
    assert (run.made, run.updated + run.unchanged) == (wanted["created"], wanted["updated_or_unchanged"])
    new = Episode.objects.get(guid="AU-20240314-1705-4100-A").item.head.content
    assert (new["title"], new["duration_ms"]) == ("Nachrichten", 300_000)
