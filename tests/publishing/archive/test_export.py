"""What export_site writes, where, and what it does when it cannot."""

import json
import os
import stat
import threading
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from episodes.models import Image
from publishing.archive import exporting
from publishing.archive.exporting import ExportOptions, export_site
from publishing.archive.refusals import ArchiveRefused
from publishing.jobs import enqueue
from publishing.models import Item
from tests.factories import make_quote, make_topic
from tests.public import make_file, make_image

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]


def refusal(target, **options) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("export_site", str(target), verbosity=0, **options)
    assert str(refused.value).endswith("Nothing was exported.")
    return str(refused.value)


def test_manifest_tells_what_there_is(exported):
    with zipfile.ZipFile(exported.path) as archive:
        names, manifest = archive.namelist(), json.loads(archive.read("manifest.json"))

    assert (manifest["format"], manifest["version"], manifest["with_emails"]) == ("pullquote-site", 1, False)
    assert {*manifest["members"], "manifest.json"} == set(names)
    counts = {
        label: facts["rows"] for label, facts in manifest["tables"].items() if label not in {"auth.User", "auth.Group"}
    }
    assert counts == {label: len(rows) for label, rows in exported.rows.items()}


def test_nothing_in_it_depends_on_when_or_where(exported):
    with zipfile.ZipFile(exported.path) as archive:
        facts = {(about.date_time, about.create_system, about.external_attr) for about in archive.infolist()}
        assert facts == {((1980, 1, 1, 0, 0, 0), 3, (stat.S_IFREG | 0o600) << 16)}
        lines = [
            line for name in archive.namelist() if name.endswith(".jsonl") for line in archive.read(name).splitlines()
        ]

    for line in lines:
        row = json.loads(line)
        assert line == json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def test_rows_stand_by_key(exported):
    with zipfile.ZipFile(exported.path) as archive:
        keys = [json.loads(line)["id"] for line in archive.read("tables/publishing.Revision.jsonl").splitlines()]

    assert keys == sorted(keys)


def test_no_secret_is_in_it(exported, tmp_path):
    with zipfile.ZipFile(exported.path) as archive:
        text = b"".join(archive.read(name) for name in archive.namelist())

    assert b"md5$" not in text
    assert b"petra@example.org" not in text


@pytest.mark.parametrize("name", ["site.zip", "site"])
def test_only_the_operator_may_read_it(tmp_path, name):
    target = tmp_path / name
    call_command("export_site", str(target), verbosity=0)

    assert stat.S_IMODE(target.stat().st_mode) & 0o077 == 0


def test_what_is_there_is_not_written_over(tmp_path):
    (tmp_path / "site.zip").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.txt").write_text("Keep me")
    (tmp_path / "link.zip").symlink_to(tmp_path / "nowhere")

    for name in ("site.zip", "folder", "link.zip"):
        assert f"{name} is there already" in refusal(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == ["folder", "link.zip", "site.zip"]
    assert os.listdir(tmp_path / "folder") == ["notes.txt"]


def test_an_empty_folder_is_filled(tmp_path):
    (tmp_path / "folder").mkdir()

    call_command("export_site", str(tmp_path / "folder"), verbosity=0)

    assert (tmp_path / "folder" / "manifest.json").is_file()


def test_a_folder_that_is_missing_is_named(tmp_path):
    assert f"There is no folder {tmp_path / 'none'}" in refusal(tmp_path / "none" / "site.zip")


@pytest.mark.parametrize("name", ["site.zip", "site"])
def test_what_breaks_off_leaves_nothing(tmp_path, monkeypatch, name):
    make_topic()

    def full_disk(row):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exporting, "dump_line", full_disk)

    assert "No space left on device" in refusal(tmp_path / name)
    assert os.listdir(tmp_path) == []


def test_files_that_are_gone_are_named(tmp_path):
    image, sound = make_image("images/artwork.jpg"), make_file("episodes/sound.mp3")
    for row in (image, sound):
        default_storage.delete(row.file.name)

    said = refusal(tmp_path / "site.zip")

    assert "2 files that rows name are gone: episodes/sound.mp3, images/artwork.jpg. Put them back" in said
    assert not (tmp_path / "site.zip").exists()


def test_files_that_are_gone_may_be_left_out(tmp_path):
    default_storage.delete(make_file("episodes/sound.mp3").file.name)
    make_file("episodes/other.mp3")

    call_command("export_site", str(tmp_path / "site"), skip_missing_files=True, verbosity=0)

    manifest = json.loads((tmp_path / "site" / "manifest.json").read_bytes())
    assert manifest["files_left_out"] == ["episodes/sound.mp3"]
    assert (tmp_path / "site" / "files/episodes/other.mp3").is_file()


def test_a_file_that_two_rows_name_is_there_once(tmp_path):
    image = make_image("images/artwork.jpg")
    Image.objects.create(file=image.file.name, width=9, height=9, focal_x=1, content_hash="x")

    call_command("export_site", str(tmp_path / "site.zip"), verbosity=0)

    with zipfile.ZipFile(tmp_path / "site.zip") as archive:
        assert archive.namelist().count("files/images/artwork.jpg") == 1


def test_a_row_with_a_file_that_no_site_would_take_is_named(tmp_path):
    Image.objects.create(file=default_storage.save("images/x.html", ContentFile(b"")), width=1, height=1)

    assert "Row 1 of episodes.Image cannot be written: 'images/x.html' is no file" in refusal(tmp_path / "site.zip")


def test_it_says_what_it_did(tmp_path, capsys):
    make_file("episodes/sound.mp3")
    enqueue("nothing", "nothing")

    call_command("export_site", str(tmp_path / "one.zip"))
    said = capsys.readouterr().out
    call_command("export_site", str(tmp_path / "two.zip"), verbosity=2)

    assert "0 items" in said
    assert "1 file (10\xa0bytes)" in said
    assert "1 job waits or runs; it is not in it." in said
    assert len(said.splitlines()) == 2
    assert "tables/episodes.MediaFile.jsonl: 1 rows" in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_all_tables_are_of_one_moment_and_nobody_waits(tmp_path):
    """Somebody publishes while the first table is written."""
    make_quote()
    before = Item.objects.count()

    def publish_elsewhere():
        make_quote()
        connection.close()

    def tell(line):
        if line.startswith("tables/auth.Group"):
            Item.objects.count()
            thread = threading.Thread(target=publish_elsewhere)
            thread.start()
            thread.join(timeout=10)
            assert not thread.is_alive()

    exported = export_site(tmp_path / "site.zip", ExportOptions(), tell)

    assert Item.objects.count() > before
    assert exported.manifest.tables["publishing.Item"].rows == before
    assert exported.manifest.tables["publishing.Revision"].rows == before


@pytest.mark.django_db(transaction=True)
def test_the_database_is_as_it_was_after_a_failure(tmp_path):
    with pytest.raises(ArchiveRefused):
        export_site(tmp_path / "none" / "site.zip", ExportOptions(), print)
    with pytest.raises(ZeroDivisionError):
        export_site(tmp_path / "site.zip", ExportOptions(), lambda line: 1 // 0)

    make_topic()
    assert not connection.in_atomic_block
