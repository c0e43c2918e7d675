import re

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from episodes.models import Episode
from publishing.jobs import work_through
from publishing.models import Heartbeat, Item, Job
from tests.episodes.feeds import ADDRESS, feed_xml, item_xml
from tests.factories import make_show, make_topic, make_user
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db

FEED = "/admin/import/feed/"
TABLE = "/admin/import/table/"


def upload(text: str | bytes, name: str = "feed.xml") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def sealed_in(answer) -> str:
    return re.search(r'name="sealed" value="([^"]+)"', answer.content.decode())[1]


def test_a_feed_is_looked_at_then_imported_by_the_worker(editor_client):
    xml = feed_xml(item_xml("One", person="Ada Okafor"), item_xml("Two"))

    looked = editor_client.post(FEED, {"file": upload(xml), "feed_url": ADDRESS})
    assert not Item.objects.exists()
    started = editor_client.post(FEED, {"sealed": sealed_in(looked)})
    waiting = editor_client.get(started.url).content.decode()
    work_through()
    done = editor_client.get(started.url).content.decode()

    assert "2 new episodes" in looked.content.decode()
    assert "Ada Okafor" in looked.content.decode()
    assert "Look again" in waiting
    assert "2 made" in done
    assert "Look again" not in done
    assert Episode.objects.count() == 2
    assert Item.objects.filter(owner__username="ines").count() == 4
    assert not default_storage.exists(Job.objects.get().payload["file"])


def test_a_known_feed_is_told_apart(editor_client):
    first = editor_client.post(FEED, {"file": upload(feed_xml(item_xml("One"))), "feed_url": ADDRESS})
    editor_client.post(FEED, {"sealed": sealed_in(first)})
    work_through()

    again = editor_client.post(
        FEED, {"file": upload(feed_xml(item_xml("One"), item_xml("Two"))), "feed_url": ADDRESS}
    ).content.decode()

    assert "1 new episodes, 1 known ones" in again


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "Give an address or a file"),
        ({"address": "http://127.0.0.1/feed.xml"}, "address"),
        ({"address": "http://10.0.0.1/feed.xml"}, "address"),
        ({"file": "<html><body>Sign in</body></html>"}, "web page"),
        ({"file": "words"}, "XML"),
        (
            {"file": feed_xml(item_xml("One"), channel="<podcast:locked>yes</podcast:locked>")},
            "Tick that the owner agrees",
        ),
        ({"file": feed_xml(), "show": "No such show"}, "Nothing here is called"),
    ],
)
def test_what_cannot_be_imported_is_said_and_nothing_written(editor_client, data, said):
    before = dump_tables()
    if "file" in data:
        data = data | {"file": upload(data["file"])}

    answer = editor_client.post(FEED, data)

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert dump_tables() == before


def test_only_a_publisher_may_publish_by_import(editor_client, publisher, client):
    page = editor_client.get(FEED).content.decode()
    looked = editor_client.post(FEED, {"file": upload(feed_xml(item_xml("One"))), "publish": "on"})
    editor_client.post(FEED, {"sealed": sealed_in(looked)})
    work_through()

    assert 'name="publish"' not in page
    assert not Episode.objects.live().exists()
    client.force_login(publisher)
    looked = client.post(FEED, {"file": upload(feed_xml(item_xml("One"))), "feed_url": ADDRESS, "publish": "on"})
    client.post(FEED, {"sealed": sealed_in(looked)})
    work_through()
    assert Episode.objects.live().count() == 1


def test_a_preview_cannot_be_used_by_another_or_forged(editor_client, publisher, client):
    sealed = sealed_in(editor_client.post(FEED, {"file": upload(feed_xml(item_xml("One")))}))
    client.force_login(publisher)

    assert client.post(FEED, {"sealed": sealed}).status_code == 403
    assert client.post(FEED, {"sealed": sealed[:-3] + "abc"}).url == FEED
    assert not Job.objects.exists()


@pytest.mark.parametrize("group", ["Author", None])
@pytest.mark.parametrize("page", [FEED, TABLE])
def test_the_pages_are_closed_to_others(client, group, page):
    client.force_login(make_user("oscar", group))

    assert client.get(page).status_code == 403


def test_a_table_is_looked_at_then_imported(editor_client):
    make_topic(slug="grid", name="Grid")

    looked = editor_client.post(
        TABLE, {"table": "topics", "file": upload("slug,name\ngrid,Grid\npeak,Peak\n", "t.csv")}
    )
    started = editor_client.post(TABLE, {"sealed": sealed_in(looked)})
    work_through()

    assert "2 lines are right; 1 of them are known" in looked.content.decode()
    assert "1 made" in editor_client.get(started.url).content.decode()


def test_a_table_with_faults_names_them(editor_client):
    make_show(slug="signal")

    answer = editor_client.post(
        TABLE, {"table": "episodes", "file": upload("show,title\nsignal,One\nnowhere,Two\n", "t.csv")}
    )

    assert answer.status_code == 422
    assert "Line 3: show: no show is called “nowhere”" in answer.content.decode()
    kept = editor_client.post(
        TABLE,
        {"table": "episodes", "keep_good": "on", "file": upload("show,title\nsignal,One\nnowhere,Two\n", "t.csv")},
    )
    assert "1 lines are right" in kept.content.decode()


def test_a_given_up_job_says_why_and_can_be_tried_again(editor_client):
    looked = editor_client.post(FEED, {"file": upload(feed_xml(item_xml("One"))), "feed_url": ADDRESS})
    started = editor_client.post(FEED, {"sealed": sealed_in(looked)})
    default_storage.delete(Job.objects.get().payload["file"])
    Job.objects.update(attempts=5)
    work_through()

    page = editor_client.get(started.url).content.decode()
    editor_client.post(started.url)

    assert "Try again" in page
    assert Job.objects.get().state == "ready"


def test_the_desk_lists_drafts_and_says_when_the_worker_is_silent(editor_client):
    make_topic(live=False, name="A draft of ours")

    silent = editor_client.get("/admin/").content.decode()
    Heartbeat.objects.create(name="w", beat_at=timezone.now())
    alive = editor_client.get("/admin/").content.decode()

    assert "A draft of ours" in silent
    assert "No worker has been heard of" in silent
    assert "No worker has been heard of" not in alive
