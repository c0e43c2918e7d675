import re
from uuid import NAMESPACE_URL, uuid5

import pytest
from django.conf import settings
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from episodes.models import Episode, FeedSource
from publishing.jobs import work_through
from publishing.models import Heartbeat, Item, Job
from tests.episodes.feeds import ADDRESS, feed_xml, item_xml
from tests.factories import make_episode, make_show, make_topic, make_user
from tests.server import redirect, reply
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db

FEED = "/admin/import/feed/"
TABLE = "/admin/import/table/"
GROUPS = {"ines": "Editor", "other": "Editor", "petra": "Publisher", "paul": "Publisher"}


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
            {"file": feed_xml(item_xml("One"), channel="<podcast:locked>yes</podcast:locked>"), "feed_url": ADDRESS},
            "Tick that the owner agrees",
        ),
        ({"file": feed_xml(), "show": "No such show"}, "Nothing here is called"),
        ({"file": feed_xml(item_xml("One"))}, "Say where the file came from, or into which show it goes"),
        ({"file": feed_xml(), "feed_url": f"https://example.org/{'ü' * 1500}"}, "longer than any that works"),
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
    looked = editor_client.post(FEED, {"file": upload(feed_xml(item_xml("One"))), "feed_url": ADDRESS, "publish": "on"})
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
    sealed = sealed_in(editor_client.post(FEED, {"file": upload(feed_xml(item_xml("One"))), "feed_url": ADDRESS}))
    client.force_login(publisher)

    assert client.post(FEED, {"sealed": sealed}).status_code == 403
    assert client.post(FEED, {"sealed": sealed[:-3] + "abc"}).url == FEED
    assert not Job.objects.exists()


def test_a_preview_of_one_page_is_none_of_the_other(editor_client):
    feed = sealed_in(editor_client.post(FEED, {"file": upload(feed_xml(item_xml("One"))), "feed_url": ADDRESS}))
    table = sealed_in(editor_client.post(TABLE, {"table": "topics", "file": upload("name\nGrid\n")}))

    assert editor_client.post(TABLE, {"sealed": feed}).url == TABLE
    assert editor_client.post(FEED, {"sealed": table}).url == FEED
    assert not Job.objects.exists()


def test_import_pressed_twice_is_one_job(editor_client):
    sealed = sealed_in(editor_client.post(TABLE, {"table": "topics", "file": upload("name\nGrid\n")}))

    first = editor_client.post(TABLE, {"sealed": sealed})
    work_through()
    second = editor_client.post(TABLE, {"sealed": sealed})

    assert first.url == second.url
    assert Job.objects.get().state == "done"


def start_upload(client, xml: str, **fields) -> str:
    """Upload a feed named ``feed.xml``, confirm it, work; returns what the preview said."""
    looked = client.post(FEED, {"file": upload(xml), **fields})
    client.post(FEED, {"sealed": sealed_in(looked)})
    work_through()
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
    return looked.content.decode()


@pytest.mark.parametrize(
    "known_by",
    [
        lambda name: (f"<podcast:guid>{uuid5(NAMESPACE_URL, name)}</podcast:guid>", {}),
        lambda name: (
            f'<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://{name}.example.org/"/>',
            {},
        ),
        lambda name: ("", {"show": f"Show {name}"}),
    ],
    ids=["guid", "self", "show"],
)
def test_two_files_of_one_name_are_two_feeds_and_each_continues_itself(editor_client, known_by):
    for name in ("a", "b"):
        make_show(title=f"Show {name}")

    for title in ("One", "One, corrected"):
        for name in ("a", "b"):
            channel, fields = known_by(name)
            start_upload(
                editor_client, feed_xml(item_xml(f"{title} of {name}", guid="1"), channel=channel, title=name), **fields
            )

    episodes = Episode.objects.select_related("item").order_by("pk")
    assert [str(episode) for episode in episodes] == ["One, corrected of a", "One, corrected of b"]
    assert len({episode.show_id for episode in episodes}) == 2


def test_the_preview_names_the_show_that_the_import_goes_into(editor_client):
    show = make_show(title="Known by its guid")
    make_episode(show=show, guid="One")
    xml = feed_xml(item_xml("One"), item_xml("Two"), channel=f"<podcast:guid>{show.podcast_guid}</podcast:guid>")
    make_show(title="Chosen instead")

    by_guid = editor_client.post(FEED, {"file": upload(xml), "feed_url": ADDRESS}).content.decode()
    chosen = editor_client.post(
        FEED, {"file": upload(xml), "feed_url": ADDRESS, "show": "Chosen instead"}
    ).content.decode()

    assert "<h2>Known by its guid</h2>" in by_guid
    assert "A show that is here already" in by_guid
    assert "1 new episodes, 1 known ones" in by_guid
    assert "<h2>Chosen instead</h2>" in chosen
    assert "2 new episodes" in chosen


def test_a_feed_that_moved_for_good_goes_into_the_show_it_was_read_for(editor_client, server):
    server.answers["/old"] = reply(feed_xml(item_xml("One")).encode())
    start_address(editor_client, f"{server.url}/old")
    server.answers["/old"] = redirect("/new", "301 Moved Permanently")
    server.answers["/new"] = reply(feed_xml(item_xml("One"), item_xml("Two")).encode())

    said = start_address(editor_client, f"{server.url}/old")

    assert "1 new episodes, 1 known ones" in said
    assert FeedSource.objects.get().address == f"{server.url}/new"
    assert Item.objects.of_kind("show").count() == 1


def start_address(client, address: str) -> str:
    looked = client.post(FEED, {"address": address})
    client.post(FEED, {"sealed": sealed_in(looked)})
    work_through()
    return looked.content.decode()


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
    work_through()

    page = editor_client.get(started.url).content.decode()
    editor_client.post(started.url)

    assert "The file is no longer here" in page
    assert str(settings.DATA_DIR) not in page
    assert "Try again" in page
    assert Job.objects.get().state == "ready"


@pytest.mark.parametrize(
    ("starter", "publishes", "may"),
    [
        ("ines", False, {"ines"}),
        ("petra", True, {"petra", "paul"}),
        (None, False, set(GROUPS)),
        (None, True, {"petra", "paul"}),
    ],
)
def test_a_failed_import_is_tried_again_only_by_who_may(client, starter, publishes, may):
    users = {name: make_user(name, group) for name, group in GROUPS.items()}
    payload = {"publish": publishes} | ({"actor": users[starter].pk} if starter else {})

    for name, user in users.items():
        job = Job.objects.create(kind="import-feed", key=name, state="failed", payload=payload)
        client.force_login(user)
        page = client.get(f"/admin/jobs/{job.pk}/").content.decode()
        status = client.post(f"/admin/jobs/{job.pk}/").status_code
        job.refresh_from_db()

        assert ("Try again" in page, status, job.state) == (
            (True, 302, "ready") if name in may else (False, 403, "failed")
        )


def test_a_job_whose_starter_is_gone_says_so(editor_client, editor):
    looked = editor_client.post(TABLE, {"table": "topics", "file": upload("name\nGrid\n")})
    started = editor_client.post(TABLE, {"sealed": sealed_in(looked)})
    Job.objects.update(payload=Job.objects.get().payload | {"actor": 0})

    work_through()

    assert "no longer here" in editor_client.get(started.url).content.decode()


def test_the_desk_lists_drafts_and_says_when_the_worker_is_silent(editor_client):
    make_topic(live=False, name="A draft of ours")

    silent = editor_client.get("/admin/").content.decode()
    Heartbeat.objects.create(name="w", beat_at=timezone.now())
    alive = editor_client.get("/admin/").content.decode()

    assert "A draft of ours" in silent
    assert "No worker has been heard of" in silent
    assert "No worker has been heard of" not in alive
