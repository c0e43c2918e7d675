"""Export, import into an empty site, export again: the same bytes, the same pages."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core.files.storage import default_storage
from django.core.management import call_command

from episodes.models import Image
from publishing.archive.contents import EXPORTED
from publishing.groups import make_groups
from publishing.models import Event, Item
from publishing.revisions import remove
from tests.factories import make_quote, make_topic
from tests.tables import dump_tables

from .conftest import seen_at
from .making import empty_site

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def imported(exported, media, db):
    call_command("import_site", str(exported.path), verbosity=0)
    return exported


def export_to(target: Path, **options) -> bytes:
    call_command("export_site", str(target), verbosity=0, **options)
    return target.read_bytes()


def test_the_site_of_these_tests_has_a_row_of_every_table(exported):
    assert [label for label, rows in exported.rows.items() if not rows] == []


def test_what_was_imported_is_exported_as_the_same_bytes(imported, tmp_path):
    assert export_to(tmp_path / "again.zip") == imported.path.read_bytes()


def test_the_same_site_is_the_same_bytes_each_time(imported, tmp_path):
    assert export_to(tmp_path / "one.zip") == export_to(tmp_path / "two.zip")


def test_every_row_is_as_it_was(imported):
    assert dump_tables(*EXPORTED) == imported.rows


def test_readers_get_the_same_bytes(imported):
    seen = {path: seen_at(path) for path in imported.pages}

    assert {path for path, found in seen.items() if found != imported.pages[path]} == set()
    assert {found[0] for found in seen.values()} == {200, 302}


def test_files_are_where_they_were(imported):
    with zipfile.ZipFile(imported.path) as archive:
        held = {
            name.removeprefix("files/"): archive.read(name) for name in archive.namelist() if name.startswith("files/")
        }

    assert len(held) == Image.objects.count() + 3  # the sound, the transcript, the logo
    assert {name: default_storage.open(name).read() for name in held} == held


def test_people_come_without_what_they_could_log_in_with(imported):
    petra = User.objects.get(username="petra")

    assert not petra.has_usable_password()
    assert not petra.is_superuser
    assert (petra.first_name, petra.email, petra.is_staff) == ("Petra", "", True)
    assert {group.name for group in petra.groups.all()} == {"Publisher", "Deleters"}
    assert petra.has_perm("publishing.delete_item")
    assert Event.objects.filter(actor_id=petra.pk, actor_name="petra").exists()
    assert not User.objects.get(username="gone").is_active


def test_addresses_of_people_come_only_where_they_are_asked_for(imported, tmp_path):
    User.objects.filter(username="petra").update(email="petra@example.org")

    with_emails = export_to(tmp_path / "with.zip", with_emails=True)
    without = export_to(tmp_path / "without.zip")

    with zipfile.ZipFile(tmp_path / "with.zip") as archive:
        assert b"petra@example.org" in archive.read("tables/auth.User.jsonl")
    assert without == imported.path.read_bytes()
    assert with_emails != without


def test_addresses_of_people_come_in(imported, tmp_path, media):
    User.objects.filter(username="petra").update(email="petra@example.org")
    export_to(tmp_path / "with.zip", with_emails=True)
    empty_site()

    call_command("import_site", str(tmp_path / "with.zip"), verbosity=0)

    assert User.objects.get(username="petra").email == "petra@example.org"


def test_groups_are_those_of_the_archive(exported, media, db):
    make_groups(apps)
    Group.objects.get(name="Author").permissions.clear()
    Group.objects.create(name="Of this site")

    call_command("import_site", str(exported.path), verbosity=0)

    assert set(Group.objects.values_list("name", flat=True)) == {"Author", "Editor", "Publisher", "Deleters"}
    assert Group.objects.get(name="Author").permissions.count() == 2


def test_work_goes_on_after_the_import(imported):
    highest = Item.objects.latest("pk").pk

    topic = make_topic(name="Something new")
    quote = make_quote()

    assert topic.pk > highest
    assert quote.visible


def test_a_number_that_was_given_is_never_given_again(imported, media, tmp_path):
    topic = make_topic(live=False, name="Deleted before the export")
    given = topic.pk
    remove(topic.item, actor=None)
    first = export_to(tmp_path / "first.zip")
    empty_site()

    call_command("import_site", str(tmp_path / "first.zip"), verbosity=0)

    assert export_to(tmp_path / "second.zip") == first
    assert make_topic(live=False).pk > given


def test_a_folder_holds_what_a_zip_file_holds(imported, tmp_path):
    call_command("export_site", str(tmp_path / "folder"), verbosity=0)

    with zipfile.ZipFile(imported.path) as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    found = {
        path.relative_to(tmp_path / "folder").as_posix(): path.read_bytes()
        for path in (tmp_path / "folder").rglob("*")
        if path.is_file()
    }
    assert found == packed


def test_a_folder_comes_in_as_a_zip_file_does(exported, folder, media, db, tmp_path):
    call_command("import_site", str(folder), verbosity=0)

    assert export_to(tmp_path / "again.zip") == exported.path.read_bytes()


def test_two_commands_carry_a_site_to_a_machine_of_its_own(exported, tmp_path):
    """The honest way: other processes, another database (SQLite, whatever this one is), another folder."""
    data = tmp_path / "data"
    settings = {"SECRET_KEY": "x", "DATA_DIR": str(data), "DATABASE_URL": f"sqlite:///{data / 'other.sqlite3'}"}
    settings |= {"CACHE_URL": "dbcache://publishing_cache"}  # not the one that other tests use

    def manage(*arguments: str) -> str:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(command, cwd=ROOT, env=os.environ | settings, capture_output=True, text=True)  # noqa: S603
        assert done.returncode == 0, done.stderr
        return done.stdout

    manage("migrate", "-v0")
    said = manage("import_site", str(exported.path))
    manage("export_site", str(tmp_path / "again.zip"))

    assert (tmp_path / "again.zip").read_bytes() == exported.path.read_bytes()
    assert "All of it is here now." in said
    assert "2 accounts have no password" in said
