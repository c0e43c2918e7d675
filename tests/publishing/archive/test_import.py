"""Where import_site brings an archive in, what it says, and how earlier versions are read."""

import subprocess
import sys

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from publishing.archive import importing, manifest, versions
from publishing.archive.contents import EXPORTED
from publishing.archive.versions import Upgrade
from publishing.models import Heartbeat, Item, Job, SiteSettings
from tests.factories import make_topic
from tests.tables import dump_tables

from .making import change_row, empty_site, manifest_of, packed, put_rows, rows_of, take_away, write_manifest
from .test_round_trip import ROOT, export_to

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]


def refusal(source, **options) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("import_site", str(source), verbosity=0, **options)
    return str(refused.value)


FILLED = [
    (lambda: make_topic(live=False), "it has items"),
    (lambda: User.objects.create_superuser("admin"), "it has users"),
    (lambda: SiteSettings.objects.create(pk=1), "it has site settings"),
]


@pytest.mark.parametrize(("fill", "why"), FILLED)
def test_a_site_with_anything_of_its_own_is_left_alone(exported, media, fill, why):
    fill()
    before = dump_tables()

    said = refusal(exported.path)

    assert why in said
    assert "Give an empty database with DATABASE_URL" in said
    assert dump_tables() == before
    assert not media.exists()


def test_a_site_whose_worker_runs_already_is_empty_all_the_same(exported):
    Heartbeat.objects.create(name="one", beat_at="2026-05-14T10:00:00Z")
    Job.objects.create(kind="x", key="x")

    call_command("import_site", str(exported.path), verbosity=0)

    assert Item.objects.exists()


def test_twice_is_once(exported):
    call_command("import_site", str(exported.path), verbosity=0)
    before = dump_tables()

    assert "This site is not empty" in refusal(exported.path)
    assert dump_tables() == before


def test_a_site_that_is_filled_meanwhile_is_left_alone(exported, monkeypatch, media):
    """Somebody adds a topic after the first look, while the files land."""
    monkeypatch.setattr(importing, "_lock", lambda held: make_topic(live=False))

    assert "This site is not empty" in refusal(exported.path)
    assert not Item.objects.exists()
    assert [path for path in media.rglob("*") if path.is_file()] == []


def test_a_dry_run_does_nothing(exported, media, capsys):
    call_command("import_site", str(exported.path), dry_run=True)

    assert "All of it can be read. Nothing was imported." in capsys.readouterr().out
    assert not any(rows for rows in dump_tables(*EXPORTED).values())
    assert not media.exists()


def test_a_dry_run_looks_at_a_copy_of_a_site_that_is_in_use(exported):
    make_topic()

    call_command("import_site", str(exported.path), dry_run=True, verbosity=0)


def test_it_says_what_it_did(exported, capsys):
    call_command("import_site", str(exported.path))
    said = capsys.readouterr().out

    assert f"{Item.objects.count()} items" in said
    assert "2 accounts have no password that anybody knows" in said
    assert len(said.splitlines()) == 3


def test_it_tells_how_far_it_is_where_asked(exported, capsys):
    call_command("import_site", str(exported.path), verbosity=2)
    said = capsys.readouterr().out

    assert "tables/publishing.Item.jsonl: written" in said
    assert "images/artwork.jpg" in said


def test_whatever_fails_at_the_end_takes_all_of_it_back(exported, monkeypatch, media):
    def refuse(archive, table):
        raise DatabaseError("The disk is full")

    monkeypatch.setattr(importing, "_number_on", refuse)

    assert "The database refuses: The disk is full" in refusal(exported.path)
    assert not any(rows for rows in dump_tables(*EXPORTED).values())
    assert not User.objects.exists()
    assert [path for path in media.rglob("*") if path.is_file()] == []


def test_a_file_that_is_there_with_the_same_bytes_stays(exported, folder, monkeypatch):
    """As after an import that was killed, or where the folder of media was copied before."""
    name = "episodes/sound.mp3"
    default_storage.save(name, ContentFile((folder / "files" / name).read_bytes()))
    monkeypatch.setattr(importing, "_number_on", lambda archive, table: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        call_command("import_site", str(exported.path), verbosity=0)
    monkeypatch.undo()
    assert default_storage.exists(name)

    call_command("import_site", str(exported.path), verbosity=0)

    assert default_storage.listdir("episodes")[1] == ["sound.mp3"]


def test_another_file_of_the_name_is_kept_and_named(exported):
    default_storage.save("episodes/sound.mp3", ContentFile(b"mine"))

    assert "holds another file as episodes/sound.mp3. Move that away" in refusal(exported.path)
    assert default_storage.open("episodes/sound.mp3").read() == b"mine"
    assert not default_storage.exists("images/artwork.jpg")


def test_a_site_without_its_files_comes_in_and_says_so(exported, tmp_path, capsys, media):
    call_command("import_site", str(exported.path), verbosity=0)
    call_command("export_site", str(tmp_path / "bare.zip"), without_files=True, verbosity=0)
    empty_site()
    bare = (tmp_path / "bare.zip").read_bytes()

    call_command("import_site", str(tmp_path / "bare.zip"))

    assert "5 files were left out of the archive" in capsys.readouterr().out
    call_command("export_site", str(tmp_path / "again.zip"), without_files=True, verbosity=0)
    assert (tmp_path / "again.zip").read_bytes() == bare


def test_nothing_stays_in_the_cache_of_what_was_before(exported):
    cache.set("seen", "an empty site")

    call_command("import_site", str(exported.path), verbosity=0)

    assert cache.get("seen") is None


def test_an_archive_of_an_empty_site_can_be_read(tmp_path):
    call_command("export_site", str(tmp_path / "site.zip"), verbosity=0)

    call_command("import_site", str(tmp_path / "site.zip"), verbosity=0)

    assert not Item.objects.exists()


# Versions


@pytest.fixture
def next_version(monkeypatch):
    """A release that calls topics' names titles, and has a table more than the one before."""

    def upgrade(table, row):
        return (
            {"name" if name == "title" else name: value for name, value in row.items()}
            if table == "episodes.Topic"
            else row
        )

    monkeypatch.setattr(versions, "UPGRADES", {1: Upgrade(upgrade, frozenset({"publishing.TableEntry"}))})
    for module in (versions, manifest):
        monkeypatch.setattr(module, "VERSION", 2)


def of_the_release_before(folder):
    """Have an archive as that release would have written it."""
    topics = [
        {"title" if name == "name" else name: value for name, value in row.items()}
        for row in rows_of(folder, "episodes.Topic")
    ]
    put_rows(folder, "episodes.Topic", topics)
    take_away(folder, "tables/publishing.TableEntry.jsonl")
    said = manifest_of(folder)
    del said["tables"]["publishing.TableEntry"]
    write_manifest(folder, said)


def test_rows_of_an_earlier_version_are_brought_up_to_this_one(exported, folder, next_version, tmp_path):
    of_the_release_before(folder)

    call_command("import_site", str(packed(folder, tmp_path / "site.zip")), verbosity=0)

    rows = dump_tables(*EXPORTED)
    assert rows.pop("publishing.TableEntry") == []
    assert rows == {label: found for label, found in exported.rows.items() if label != "publishing.TableEntry"}


def test_what_a_row_of_this_version_must_not_have_is_refused_in_it(folder, next_version):
    change_row(folder, "episodes.Topic", lambda row: row.update(title=row.pop("name")))
    write_manifest(folder, manifest_of(folder) | {"version": 2})

    assert "tables/episodes.Topic.jsonl, line 1: The row lacks name." in refusal(folder)


def test_a_database_without_tables_is_told_to_be_migrated(exported, tmp_path):
    command = [sys.executable, "manage.py", "import_site", str(exported.path)]
    settings = {"SECRET_KEY": "x", "DATA_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path / 'x.sqlite3'}"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True)  # noqa: S603 - our own command

    assert done.returncode == 1
    assert "Is it migrated?" in done.stderr
    assert "Traceback" not in done.stderr


def test_bytes_are_the_same_whichever_way_it_was_packed(exported, folder, tmp_path):
    call_command("import_site", str(packed(folder, tmp_path / "site.zip")), verbosity=0)

    assert export_to(tmp_path / "again.zip") == exported.path.read_bytes()
