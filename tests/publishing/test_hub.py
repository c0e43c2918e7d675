"""WebSub: feeds name their hub, and the hub is told once of what changed."""

from urllib.parse import parse_qsl

import pytest
from django.db import transaction
from django.utils import timezone

from publishing.acts import publish, retire
from publishing.feeds.hub import LONGEST_ACT, PAUSE
from publishing.jobs import work_through
from publishing.models import Item, Job
from tests.factories import edit, make_corrections, make_episode, make_quote, make_show
from tests.server import reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def hub(server, settings):
    settings.WEBSUB_HUB = f"{server.url}/hub"
    server.answers["/hub"] = reply(status="204 No Content")
    return server


def work_now() -> None:
    Job.objects.filter(state=Job.State.READY).update(run_after=timezone.now())
    work_through()


def told(server) -> list[str]:
    """Return the addresses that the hub was told of, in order."""
    bodies = [request.partition("\r\n\r\n")[2] for request in server.requests]
    fields = [field for body in bodies for field in parse_qsl(body)]
    assert {value for name, value in fields if name == "hub.mode"} <= {"publish"}
    return [value for name, value in fields if name == "hub.url"]


def test_the_hub_is_told_of_every_feed_that_shows_what_changed(hub):
    quote = make_quote(episode=make_episode(show=make_show(slug="signal-path")))
    work_now()

    addresses = told(hub)

    for path in ("feed.rss", "episodes/feed.atom", "quotes/feed.json", "shows/signal-path/feed.rss"):
        assert f"https://example.org/{path}" in addresses
    assert f"https://example.org/guests/{quote.speaker.slug}/quotes/feed.rss" in addresses
    assert len(addresses) == len(set(addresses))


def test_a_retired_show_is_told_too_and_nothing_twice(hub):
    show, other = make_show(slug="signal-path"), make_show(slug="other")
    work_now()
    hub.requests.clear()
    Job.objects.filter(kind="ping-hub").update(key="before")
    Item.objects.filter(pk=other.pk).update(changed_at=timezone.now() - LONGEST_ACT - PAUSE)

    retire(Item.objects.get(pk=show.pk), actor=None, reason="Gone.")
    work_now()

    assert "https://example.org/shows/signal-path/feed.rss" in told(hub)
    assert f"https://example.org/shows/{other.slug}/feed.rss" not in told(hub)


def test_a_hub_that_is_down_is_told_later(hub):
    hub.answers["/hub"] = reply(status="503 Service Unavailable")
    make_episode()
    work_now()

    job = Job.objects.get(kind="ping-hub")

    assert (job.state, job.attempts) == (Job.State.READY, 1)
    assert "The hub was not told" in job.last_error


def test_without_a_hub_nobody_is_told(settings):
    publish(edit(make_show(), title="Another"), actor=None)

    assert not Job.objects.filter(kind="ping-hub").exists()


@pytest.mark.parametrize("format", ["rss", "atom"])
def test_a_feed_names_its_hub(client, settings, format):
    settings.WEBSUB_HUB = "https://hub.example.org/"
    make_episode(show=make_show(slug="signal-path"))

    answer = client.get(f"/shows/signal-path/feed.{format}?utm=x")

    own = f"https://example.org/shows/signal-path/feed.{format}"
    assert answer["Link"] == f'<https://hub.example.org/>; rel="hub", <{own}>; rel="self"'
    assert b'rel="hub" href="https://hub.example.org/"' in answer.content


def test_a_json_feed_names_its_hub(client, settings):
    settings.WEBSUB_HUB = "https://hub.example.org/"

    assert client.get("/feed.json").json()["hubs"] == [{"type": "WebSub", "url": "https://hub.example.org/"}]


def test_what_a_long_act_changed_is_told_when_it_ends(hub):
    make_show(slug="other")
    work_now()
    hub.requests.clear()
    Job.objects.filter(kind="ping-hub").update(key="before")

    late = make_show(slug="late")
    Item.objects.filter(pk=late.pk).update(changed_at=timezone.now() - LONGEST_ACT + PAUSE)
    work_now()

    assert "https://example.org/shows/late/feed.rss" in told(hub)


def test_the_hub_is_told_after_every_act_of_the_pause_has_ended(settings):
    settings.WEBSUB_HUB = "https://hub.example.org/"
    make_show()

    job = Job.objects.get(kind="ping-hub")

    end_of_pause = (int(job.key.partition(":")[2]) + 1) * PAUSE.total_seconds()
    assert job.run_after.timestamp() == end_of_pause + PAUSE.total_seconds()


def test_a_correction_is_told_to_those_who_follow_corrections(hub):
    show = make_show()
    work_now()
    assert "https://example.org/corrections/feed.rss" not in told(hub)

    Job.objects.filter(kind="ping-hub").update(key="before")
    make_corrections(show)
    publish(edit(show, title="Another"), actor=None)
    work_now()

    assert "https://example.org/corrections/feed.rss" in told(hub)


def test_a_draft_and_what_was_rolled_back_are_told_to_nobody(client, settings):
    show = make_show(slug="signal-path")
    etag = client.get("/shows/signal-path/feed.rss")["ETag"]
    settings.WEBSUB_HUB = "https://hub.example.org/"

    edit(show, title="A draft")
    with transaction.atomic():
        publish(edit(show, title="Another"), actor=None)
        transaction.set_rollback(True)
    settings.WEBSUB_HUB = ""

    assert not Job.objects.filter(kind="ping-hub").exists()
    assert client.get("/shows/signal-path/feed.rss")["ETag"] == etag


@pytest.mark.parametrize("address", ["http://127.0.0.1/hub", "http://[::1]/hub", "http://10.0.0.1/hub"])
def test_a_hub_in_a_private_network_is_not_asked(settings, address):
    settings.WEBSUB_HUB = address
    make_show()
    work_now()

    job = Job.objects.get(kind="ping-hub")

    assert (job.state, job.attempts) == (Job.State.READY, 1)
    assert "is not a public site" in job.last_error
