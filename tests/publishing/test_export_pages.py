import csv
import io
import json
import os
import re
import time
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from publishing.admin import exporting
from publishing.jobs import work_through
from publishing.models import Event, Job, SiteSettings
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic, make_user

pytestmark = pytest.mark.django_db

TOPICS = "/admin/episodes/topic/"
EPISODES = "/admin/episodes/episode/"


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def ask(client: Client, path: str, action: str = "export_csv", **data):
    """Press Go under a list; rows that are ticked go by ``_selected_action``."""
    return client.post(path, {"action": action, "index": "0", "select_across": "0"} | data)


def export(client: Client, path: str, **data) -> bytes:
    """Export a list and return the file."""
    started = ask(client, path, **data)
    work_through()
    return fetch(client, started.url)


def fetch(client: Client, page: str) -> bytes:
    return b"".join(client.get(f"{page}file/").streaming_content)


def names(data: bytes, column: str = "name") -> list[str]:
    return [row[column] for row in csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))]


def test_the_whole_list_is_exported_where_nothing_is_ticked(editor_client):
    for number in range(60):  # more than a page
        make_topic(name=f"Topic {number}")

    listed = editor_client.get(TOPICS).content.decode()
    started = ask(editor_client, TOPICS)
    waiting = editor_client.get(started.url).content.decode()
    work_through()
    page = editor_client.get(started.url).content.decode()
    answer = editor_client.get(f"{started.url}file/")

    assert 'value="export_jsonl"' in listed
    assert 'value="delete_selected"' not in listed
    assert "Look again" in waiting
    assert "Download 60 rows" in page
    assert names(b"".join(answer.streaming_content)) == [f"Topic {number}" for number in range(60)]
    assert {"private", "no-store"} <= set(answer["Cache-Control"].split(", "))
    assert re.fullmatch(r'attachment; filename="topics-\d{4}-\d\d-\d\d.csv"', answer["Content-Disposition"])


def test_it_is_the_file_that_an_import_reads(editor_client, capsys, tmp_path):
    make_episode(title="=One", guests=[{"guest": make_guest().pk, "role": "host", "credit": "A; B"}])

    data = export(editor_client, EPISODES, action="export_jsonl")
    (tmp_path / "episodes.jsonl").write_bytes(data)
    call_command("import_table", "episodes", str(tmp_path / "episodes.jsonl"), dry_run=True)

    assert json.loads(data)["title"] == "=One"
    assert "1 unchanged" in capsys.readouterr().out


def test_what_is_ticked_is_exported_alone(editor_client):
    kept, _other, also = (make_topic(name=name) for name in ("Kept", "Other", "Also"))
    elsewhere = make_show()

    data = export(editor_client, TOPICS, _selected_action=[kept.pk, also.pk, elsewhere.pk, "no number"])

    assert names(data) == ["Kept", "Also"]


def test_ticks_across_all_pages_mean_the_whole_list(editor_client):
    first, _second = make_topic(name="First"), make_topic(name="Second")

    assert names(export(editor_client, TOPICS, _selected_action=[first.pk], select_across="1")) == ["First", "Second"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?q=the+grid", ["The grid"]),
        ("?state=live&o=-1&p=1", ["The grid", "Live one"]),
        ("?state=draft", ["A draft"]),
        ("?show=Signal+Path", ["The grid"]),
        ("?show=nowhere", []),
        ("?guests=Ada", ["The grid"]),
        ("?from=2026-06-02", ["Live one"]),
        ("?to=2026-06-01&state=live", ["The grid"]),
    ],
)
def test_filters_and_search_hold(editor_client, query, found):
    SiteSettings.objects.create(pk=1, time_zone="Europe/Berlin")
    ada = make_guest(name="Ada")
    make_episode(
        title="The grid", show=make_show(title="Signal Path"), guests=[{"guest": ada.pk, "role": "guest", "credit": ""}]
    )
    make_episode(title="Live one", aired_at="2026-06-01T22:30:00Z")  # in Berlin it is the next day already
    make_episode(title="A draft", live=False)

    listed = editor_client.get(EPISODES + query).context["cl"].queryset

    assert sorted(str(row) for row in listed) == sorted(found)
    assert names(export(editor_client, EPISODES + query), "title") == found


def test_a_page_and_an_order_are_no_filters(editor_client):
    ask(editor_client, f"{TOPICS}?state=live&o=-1&p=1&q=x")

    assert Job.objects.get().payload["query"] == "state=live&q=x"


def test_it_is_the_list_as_it_is_when_the_work_is_done(editor_client):
    topic = make_topic(name="Before")

    started = ask(editor_client, TOPICS)
    edit(topic, name="After")
    make_topic(name="Later")
    work_through()

    assert names(fetch(editor_client, started.url)) == ["After", "Later"]


def test_an_author_exports_their_own(client):
    author = make_user("ada", "Author")
    own, others = make_quote(live=False, claim="Own"), make_quote(live=False, claim="Others")
    own.item.owner = author
    own.item.save(update_fields=["owner"])
    client.force_login(author)

    path = reverse("admin:quotes_quote_changelist")
    ticked = [own.pk, others.pk]

    assert names(export(client, path), "claim") == ["Own"]
    assert names(export(client, path, _selected_action=ticked), "claim") == ["Own"]


def test_rights_are_those_that_one_has_when_the_work_is_done(client):
    make_topic(name="Of others", live=False)
    editor = make_user("ines", "Editor")
    client.force_login(editor)
    started = ask(client, TOPICS)

    editor.groups.set([Group.objects.get(name="Author")])
    work_through()
    assert names(fetch(client, started.url)) == []

    again = ask(client, TOPICS)
    editor.groups.clear()
    work_through()
    assert Job.objects.get(pk=int(again.url.split("/")[-2])).last_error == "You may no longer see this list."


def test_rights_are_asked_again_at_the_download(client):
    make_topic(name="Of others", live=False)
    editor = make_user("ines", "Editor")
    client.force_login(editor)
    started = ask(client, TOPICS)
    work_through()
    assert names(fetch(client, started.url)) == ["Of others"]

    editor.groups.set([Group.objects.get(name="Author")])
    assert client.get(f"{started.url}file/").status_code == 403
    editor.groups.clear()
    assert client.get(started.url).status_code == 403
    assert client.get(f"{started.url}file/").status_code == 403


def test_only_who_asked_and_a_superuser_may_have_it(editor_client, publisher):
    make_topic(name="Secret", live=False)
    started = ask(editor_client, TOPICS)
    work_through()
    other, root, nobody = Client(), Client(), Client()
    other.force_login(publisher)
    root.force_login(User.objects.create_superuser("root"))

    for path in (started.url, f"{started.url}file/"):
        assert other.get(path).status_code == 403
        assert other.post(path).status_code in {403, 405}
        assert nobody.get(path).status_code == 302
        assert root.get(path).status_code == 200
    name = Job.objects.get().result["file"]
    assert default_storage.exists(name)
    assert nobody.get(f"/media/{name}").status_code == 404


def test_another_job_is_no_export(editor_client, editor):
    job = Job.objects.create(kind="import-table", key="other", payload={"actor": editor.pk})

    assert editor_client.get(reverse("admin:export", args=[job.pk])).status_code == 404
    assert editor_client.get(reverse("admin:export-file", args=[job.pk])).status_code == 404


def test_an_export_is_there_for_seven_days(editor_client):
    make_topic()
    started = ask(editor_client, TOPICS)
    work_through()
    name = Job.objects.get().result["file"]
    exporting.sweep()
    assert default_storage.exists(name)

    long_ago = timezone.now() - exporting.KEEP - timedelta(minutes=1)
    Job.objects.update(finished_at=long_ago, created_at=long_ago)
    assert editor_client.get(f"{started.url}file/").status_code == 404
    assert "no longer here" in editor_client.get(started.url).content.decode()
    os.utime(default_storage.path(name), (time.time(), long_ago.timestamp()))
    exporting.sweep()
    assert not default_storage.exists(name)


def test_a_file_that_is_gone_is_said_to_be(editor_client):
    started = ask(editor_client, TOPICS)
    work_through()
    default_storage.delete(Job.objects.get().result["file"])

    assert editor_client.get(f"{started.url}file/").status_code == 404


def test_too_long_a_list_is_refused_in_a_sentence(editor_client, monkeypatch):
    monkeypatch.setattr(exporting, "MOST_ROWS", 1)
    make_topic()
    make_topic()

    started = ask(editor_client, TOPICS)
    work_through()

    page = editor_client.get(started.url).content.decode()
    assert "The list has 2 rows, and 1 is what one export may have. Filter it first." in page
    assert "Try again" in page
    assert editor_client.get(f"{started.url}file/").status_code == 404
    monkeypatch.undo()
    editor_client.post(started.url)
    work_through()
    assert len(names(fetch(editor_client, started.url))) == 2


def test_pressed_twice_is_one_export_and_nobody_keeps_many(editor_client, monkeypatch):
    monkeypatch.setattr(exporting, "MOST_KEPT", 2)

    assert ask(editor_client, TOPICS).url == ask(editor_client, TOPICS).url
    assert ask(editor_client, EPISODES).url != TOPICS
    assert Job.objects.count() == 2
    refused = editor_client.get(ask(editor_client, f"{TOPICS}?q=x").url).content.decode()

    assert "You have 2 exports of the last 7 days." in refused
    assert Event.objects.filter(what="export", actor_name="ines").count() == Job.objects.count() == 2


@pytest.mark.parametrize(
    ("query", "said"),
    [(f"?q={'x' * 2_000}", "too long"), ("?nonsense=1", "mean nothing")],
)
def test_filters_that_cannot_be_kept_are_refused(editor_client, query, said):
    answer = ask(editor_client, TOPICS + query)

    assert said in editor_client.get(answer.url).content.decode()
    assert not Job.objects.exists()


def test_who_may_not_see_the_list_exports_nothing(client):
    client.force_login(make_user("nobody", None))

    assert ask(client, TOPICS).status_code == 403
    assert not Job.objects.exists()


def test_a_list_to_choose_from_has_no_actions(editor_client):
    make_topic()

    assert "export_csv" not in editor_client.get(f"{TOPICS}?_popup=1").content.decode()


def test_the_desk_lists_ones_own(editor_client, publisher, client):
    started = ask(editor_client, TOPICS)

    assert started.url in editor_client.get("/admin/").content.decode()
    client.force_login(publisher)
    assert started.url not in client.get("/admin/").content.decode()
