"""Archives that somebody broke or built to harm: refused whole, in a sentence that names the place."""

import os
import re
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from publishing.archive.contents import EXPORTED
from publishing.archive.lines import MOST_LINE_BYTES
from tests.tables import dump_tables

from .making import (
    change_row,
    manifest_of,
    packed,
    picture,
    put,
    put_rows,
    rows_of,
    take_away,
    write_manifest,
)

pytestmark = pytest.mark.django_db

ITEMS = "tables/publishing.Item.jsonl"
REVISIONS = "tables/publishing.Revision.jsonl"


@pytest.fixture(autouse=True)
def _nothing_is_left(media):
    """Whatever an archive is, one that is refused leaves no row, no account and no file."""
    yield
    assert {label: rows for label, rows in dump_tables(*EXPORTED).items() if rows} == {}
    assert not User.objects.exists()
    assert [path for path in media.rglob("*") if path.is_file()] == []


def refusal(source: Path) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("import_site", str(source), verbosity=0)
    said = str(refused.value)
    assert said.endswith("Nothing was imported.")
    assert re.sub(r"\s", "", said).isprintable()
    return said


# The container


def test_nothing_there(tmp_path):
    assert "There is no" in refusal(tmp_path / "none.zip")


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"hello" * 100, b"PK\x05\x06" + b"\xff" * 18])
def test_no_zip_file(tmp_path, data):
    (tmp_path / "site.zip").write_bytes(data)

    assert "no zip file that can be read" in refusal(tmp_path / "site.zip")


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_zip_file_cut_short(exported, tmp_path, share):
    data = exported.path.read_bytes()
    (tmp_path / "site.zip").write_bytes(data[: int(len(data) * share)])

    assert "no zip file that can be read" in refusal(tmp_path / "site.zip")


def test_a_folder_of_something_else(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "notes.txt").write_text("Hello")

    assert "no manifest.json" in refusal(tmp_path / "folder")


def test_whichever_byte_is_another_the_answer_is_a_sentence(exported, tmp_path):
    """Some bytes say nothing, such as the time of a member; none may lead to anything but a refusal in words."""
    data = exported.path.read_bytes()
    places = [*range(0, len(data), len(data) // 50), *range(len(data) - 1_500, len(data), 11)]
    refused = 0
    for place in places:
        (tmp_path / "site.zip").write_bytes(data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :])
        try:
            call_command("import_site", str(tmp_path / "site.zip"), dry_run=True, verbosity=0)
        except CommandError:
            refused += 1

    assert refused > len(places) / 2


def test_a_link_in_a_folder(folder, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes((folder / ITEMS).read_bytes())
    (folder / ITEMS).unlink()
    (folder / ITEMS).symlink_to(secret)

    assert f"{ITEMS} is a link" in refusal(folder)


def test_a_linked_folder(folder, tmp_path):
    (folder / "files").rename(tmp_path / "elsewhere")
    (folder / "files").symlink_to(tmp_path / "elsewhere")

    assert "files is a link" in refusal(folder)


def test_a_pipe_in_a_folder(folder):
    (folder / ITEMS).unlink()
    os.mkfifo(folder / ITEMS)

    assert f"{ITEMS} is a link, or" in refusal(folder)


def test_folders_without_end(folder):
    deep = folder.joinpath(*["a"] * 500)
    deep.mkdir(parents=True)

    assert "a/a/a is a link, or a folder where none belongs" in refusal(folder)


def copied(archive: Path, target: Path, **changes) -> Path:
    """Copy a zip file member by member; ``add`` is called with the copy, ``alter`` with each member's facts."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for about in old.infolist():
            data = old.read(about)
            changes.get("alter", lambda about: None)(about)
            new.writestr(about, data)
        changes.get("add", lambda new: None)(new)
    return target


CLIMBING = [
    "../x",
    "/etc/x",
    "files/../../x",
    "C:\\x",
    "..\\x",
    "files/images/x.html",
    "tables/",
    "__MACOSX/x",
    ".DS_Store",
    "\x1b[2J",
]


@pytest.mark.parametrize("name", CLIMBING)
def test_members_of_which_the_manifest_does_not_know(exported, tmp_path, name):
    source = copied(exported.path, tmp_path / "site.zip", add=lambda new: new.writestr(name, b""))

    assert "which manifest.json does not name" in refusal(source)


@pytest.mark.parametrize("name", ["../x", "/etc/x", "files/../../x", "C:\\x", "files/images/x.html", "x\0.jsonl"])
def test_members_that_a_manifest_names_but_no_table_does(folder, tmp_path, name):
    manifest = manifest_of(folder)
    manifest["members"][name] = {"bytes": 0, "sha256": "0" * 64}
    write_manifest(folder, manifest)
    source = copied(
        packed(folder, tmp_path / "packed.zip"), tmp_path / "site.zip", add=lambda new: new.writestr(name, b"")
    )

    refusal(source)

    assert not (tmp_path / "x").exists()


def test_a_name_with_a_nul(exported, tmp_path):
    data = exported.path.read_bytes()
    name = b"tables/quotes.QuoteWaiver.jsonl"
    (tmp_path / "site.zip").write_bytes(data.replace(name, name[:-6] + b"\0.html"))

    assert "its name is not what it seems" in refusal(tmp_path / "site.zip")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_members_of_one_name(exported, tmp_path):
    source = copied(exported.path, tmp_path / "site.zip", add=lambda new: new.writestr(ITEMS, b"{}\n"))

    assert f"more than one member of the name {ITEMS}" in refusal(source)


def test_a_link_in_a_zip_file(exported, tmp_path):
    def alter(about):
        if about.filename == ITEMS:
            about.external_attr = (stat.S_IFLNK | 0o777) << 16

    assert f"{ITEMS} is not taken: it is a link" in refusal(copied(exported.path, tmp_path / "site.zip", alter=alter))


def test_an_encrypted_member(exported, tmp_path):
    data = bytearray(exported.path.read_bytes())
    central = data.index(b"PK\x01\x02")
    data[central + 8] |= 1
    (tmp_path / "site.zip").write_bytes(data)

    assert "it is encrypted" in refusal(tmp_path / "site.zip")


def test_a_member_packed_in_another_way(exported, tmp_path):
    def alter(about):
        about.compress_type = zipfile.ZIP_LZMA if about.filename == ITEMS else about.compress_type

    assert "packed in another way" in refusal(copied(exported.path, tmp_path / "site.zip", alter=alter))


def test_a_bomb(folder, tmp_path):
    put(folder, REVISIONS, b" " * 50_000_000)

    said = refusal(packed(folder, tmp_path / "site.zip"))

    assert f"{REVISIONS} is not taken: it would unpack to more than 200 times its size" in said


def test_a_bomb_of_many_small_members(tmp_path):
    def add(new):
        for number in range(100):
            new.writestr(f"files/images/{number}.jpg", b" " * 1_000_000, zipfile.ZIP_DEFLATED)

    said = refusal(copied(packed_small(tmp_path), tmp_path / "site.zip", add=add))

    assert "It would unpack to more than 200 times its size" in said


def packed_small(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "small.zip", "w") as archive:
        archive.writestr("manifest.json", "{}")
    return folder / "small.zip"


def test_a_bomb_that_lies_about_its_size(folder, tmp_path):
    """The directory of the zip file says 1,000 bytes; the member unpacks to 50 million."""
    put(folder, REVISIONS, b" " * 50_000_000)
    manifest = manifest_of(folder)
    manifest["members"][REVISIONS]["bytes"] = 1_000
    write_manifest(folder, manifest)
    source = packed(folder, tmp_path / "site.zip")
    data = source.read_bytes()
    source.write_bytes(data.replace(struct.pack("<L", 50_000_000), struct.pack("<L", 1_000)))

    assert f"{REVISIONS} is damaged" in refusal(source)


# The manifest


def test_a_member_is_missing(folder):
    (folder / REVISIONS).unlink()

    assert f"It lacks {REVISIONS}" in refusal(folder)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"bytes": 1}, "it is longer than manifest.json says"),
        ({"bytes": 10**9}, "it is shorter than manifest.json says"),
        ({"sha256": "0" * 64}, "its sum is not the one in manifest.json"),
    ],
)
@pytest.mark.parametrize("kind", ["tables/publishing.Revision", "files/images/"])
def test_a_member_is_not_what_the_manifest_says(folder, facts, why, kind):
    manifest = manifest_of(folder)
    name = next(name for name in manifest["members"] if name.startswith(kind))
    manifest["members"][name] |= facts
    write_manifest(folder, manifest)

    assert f"{name} is damaged or was changed: {why}" in refusal(folder)


@pytest.mark.parametrize("version", [2, 10**20])
def test_a_newer_version(folder, version):
    write_manifest(folder, {"format": "pullquote-site", "version": version, "of": "other things"})

    said = refusal(folder)

    assert f"version {version}; this program reads up to 1. Update Pullquote here" in said


def test_a_version_older_than_any_there_is_a_way_from(folder):
    write_manifest(folder, manifest_of(folder) | {"version": 0})

    assert "this program reads 1 to 1. Import it with the release that wrote it" in refusal(folder)


@pytest.mark.parametrize("version", [None, "1", True, 1.0, -1])
def test_no_version(folder, version):
    write_manifest(folder, manifest_of(folder) | {"version": version})

    assert "gives no version" in refusal(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, '{"format": "other"}', "\udcff"])
def test_a_manifest_of_something_else(folder, text):
    (folder / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))

    assert "does not say that this is an archive of a Pullquote site" in refusal(folder)


@pytest.mark.parametrize(
    "change",
    [
        {"members": []},
        {"members": {"tables/x": {}}},
        {"members": {"tables/x": {"bytes": -1, "sha256": "0" * 64}}},
        {"members": {"tables/x": {"bytes": True, "sha256": "0" * 64}}},
        {"members": {"tables/x": {"bytes": 1, "sha256": "X"}}},
        {"members": {"tables/x": None}},
        {"tables": None},
        {"tables": {"publishing.Item": 5}},
        {"tables": {"publishing.Item": {"rows": 1.5}}},
        {"tables": {"publishing.Item": {"rows": 1, "last_id": 2**62}}},
        {"with_emails": "yes"},
        {"files_left_out": {}},
        {"files_left_out": [None]},
    ],
)
def test_a_manifest_of_other_shape(folder, change):
    write_manifest(folder, manifest_of(folder) | change)

    assert re.search("is not as docs/archive-format.md says|It holds|It lacks", refusal(folder))


@pytest.mark.parametrize("table", ["auth.Permission", "publishing.Job", "quotes.Nothing", "../x"])
def test_a_table_that_is_none_of_an_archive(folder, table):
    manifest = manifest_of(folder)
    manifest["tables"][table] = {"rows": 0}
    write_manifest(folder, manifest)
    put(folder, "tables/x.jsonl", b"")

    assert f"other tables than this program has: {table}" in refusal(folder)


def test_a_table_is_missing(folder):
    take_away(folder, REVISIONS)
    manifest = manifest_of(folder)
    del manifest["tables"]["publishing.Revision"]
    write_manifest(folder, manifest)

    assert "other tables than this program has: publishing.Revision" in refusal(folder)


def test_a_member_without_its_table(folder):
    put(folder, "tables/x.jsonl", b"")

    assert "do not agree on tables/x.jsonl" in refusal(folder)


def test_other_counts(folder):
    manifest = manifest_of(folder)
    manifest["tables"]["publishing.Item"]["rows"] += 1
    write_manifest(folder, manifest)

    assert f"{ITEMS} has" in refusal(folder)


# Lines


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{", "This is no JSON in UTF-8"),
        (b"[1]", "This is no JSON object"),
        (b'{"id": NaN}', "This is no JSON in UTF-8"),
        (b"\xff", "This is no JSON in UTF-8"),
        (b"", "This is no JSON in UTF-8"),
        (b'{"a":' * 50_000, "This is no JSON in UTF-8"),
        (b"{}", "The row lacks"),
    ],
)
def test_a_line_that_is_none(folder, line, why):
    lines = (folder / ITEMS).read_bytes().splitlines()
    lines[2] = line
    put(folder, ITEMS, b"\n".join(lines) + b"\n")

    assert f"{ITEMS}, line 3: {why}" in refusal(folder)


def test_a_line_cut_off(folder):
    put(folder, ITEMS, (folder / ITEMS).read_bytes()[:-1])

    assert "The line is cut off" in refusal(folder)


def test_a_line_without_end(folder):
    put(folder, ITEMS, (folder / ITEMS).read_bytes() + b" " * (MOST_LINE_BYTES + 1))

    assert "The line is longer than 32 MB" in refusal(folder)


@pytest.mark.parametrize(
    ("label", "change", "why"),
    [
        ("publishing.Item", {"colour": "red"}, "publishing.Item has no colour"),
        ("publishing.Item", {"kind": 5}, "“kind” must be text, not 5"),
        ("publishing.Item", {"id": "1"}, "“id” must be a whole number"),
        ("publishing.Item", {"id": None}, "“id” may not be null"),
        ("publishing.Item", {"draft_state": "live"}, "none of its choices"),
        ("publishing.Item", {"uid": "x"}, "“uid” must be a UUID"),
        ("publishing.Item", {"touched_at": "yesterday"}, "“touched_at” must be a moment"),
        ("publishing.Item", {"kind": "sect"}, "Its kind is none that this program knows"),
        ("publishing.Item", {"live": 10**9}, "“live” is 1000000000, and there is no such row of publishing.Revision"),
        ("publishing.Item", {"owner": 10**9}, "there is no such row of auth.User"),
        ("publishing.Item", {"short_id": "x" * 9}, "at most 8 characters"),
        ("episodes.Show", {"visible": "yes"}, "“visible” must be true or false"),
        ("episodes.Show", {"website": "javascript:alert(1)"}, "“website” must be a web address"),
        ("episodes.Episode", {"show": 10**9}, "there is no such row of episodes.Show"),
        ("episodes.Image", {"focal_x": 101}, "image_focus_lies_in_the_picture"),
        ("episodes.Image", {"file": "images/page.html"}, "is no file that this site would keep there"),
        ("episodes.MediaFile", {"file": "episodes/page.svg"}, "is no file that this site would keep there"),
        ("episodes.MediaFile", {"file": "../sound.mp3"}, "is no file that this site would keep there"),
        ("episodes.TranscriptBody", {"data": "not base64"}, "“data” must be bytes as Base64"),
        ("auth.User", {"groups": "Publisher"}, "“groups” must be a list of texts"),
        ("auth.User", {"groups": ["Nobody"]}, "The archive has no group Nobody"),
        ("auth.User", {"password": "x"}, "auth.User has no password"),
        ("auth.User", {"is_superuser": True}, "auth.User has no is_superuser"),
        ("auth.User", {"email": "petra@example.org"}, "auth.User has no email"),
        ("auth.User", {"username": "a b"}, "“username”"),
        ("auth.Group", {"permissions": ["auth.rule_the_world"]}, "This site has no permission auth.rule_the_world"),
    ],
)  # fmt: skip
def test_a_row_that_is_not_as_it_should_be(folder, label, change, why):
    change_row(folder, label, lambda row: row.update(change))

    said = refusal(folder)

    assert f"tables/{label}.jsonl, line 1" in said
    assert why in said


@pytest.mark.parametrize("label", ["publishing.Item", "publishing.Address", "auth.User", "auth.Group"])
def test_the_same_row_twice(folder, label):
    rows = rows_of(folder, label)
    put_rows(folder, label, [*rows, rows[0]])

    assert f"tables/{label}.jsonl, line {len(rows) + 1}: " in refusal(folder)


def test_a_column_is_missing(folder):
    change_row(folder, "publishing.Item", lambda row: row.pop("uid"))

    assert "line 1: The row lacks uid." in refusal(folder)


def test_the_line_that_is_named_is_the_one_that_is_wrong(folder):
    rows = rows_of(folder, "publishing.Revision")
    change_row(folder, "publishing.Revision", lambda row: row.update(parent=10**9), place=len(rows) - 1)

    assert f"{REVISIONS}, line {len(rows)}: “parent” is 1000000000" in refusal(folder)


# What the database cannot hold by itself


def test_a_visible_thing_that_is_not_live(folder):
    draft = next(row for row in rows_of(folder, "publishing.Item") if row["live"] is None and row["kind"] == "topic")
    topics = rows_of(folder, "episodes.Topic")
    place = next(place for place, row in enumerate(topics) if row["item"] == draft["id"])
    change_row(folder, "episodes.Topic", lambda row: row.update(visible=True), place=place)

    assert f"tables/episodes.Topic.jsonl, line {place + 1}: It is visible, and may not be." in refusal(folder)


@pytest.mark.parametrize("parent", ["episodes.Show", "episodes.Guest"])
def test_a_visible_thing_under_a_hidden_parent(folder, parent):
    rows = rows_of(folder, parent)
    put_rows(folder, parent, [row | {"visible": False} for row in rows])

    assert "It is visible, and may not be." in refusal(folder)


@pytest.mark.parametrize(
    ("name", "why"), [("live", "Another item's revision is live"), ("head", "Another item's revision is its head")]
)
def test_an_item_with_another_items_revision(folder, name, why):
    change_row(folder, "publishing.Item", lambda row: row.update({name: rows_of(folder, "publishing.Item")[1][name]}))

    assert why in refusal(folder)


def test_an_item_without_its_row(folder):
    put_rows(folder, "publishing.TableEntry", [])
    rows = rows_of(folder, "episodes.Topic")
    put_rows(folder, "episodes.Topic", rows[:-1])

    assert "It has no row of its kind." in refusal(folder)


def test_an_item_of_another_kind_than_its_row(folder):
    topic = rows_of(folder, "episodes.Topic")[0]["item"]
    guest = rows_of(folder, "episodes.Guest")[0]
    put_rows(folder, "episodes.Guest", [*rows_of(folder, "episodes.Guest"), guest | {"item": topic}])

    assert "Its item is of another kind." in refusal(folder)


# Files


def image_of(folder: Path, extension: str) -> str:
    return next(row["file"] for row in rows_of(folder, "episodes.Image") if row["file"].endswith(extension))


@pytest.mark.parametrize(
    "data",
    [b"", b"<html><script>alert(1)</script></html>", b"<svg xmlns='http://www.w3.org/2000/svg'/>", picture("png"), b"\xff\xd8\xff\xe0JFIF"],
    ids=["empty", "html", "svg", "png", "cut"],
)  # fmt: skip
def test_a_picture_that_is_none_of_its_kind(folder, data):
    name = f"files/{image_of(folder, 'jpg')}"
    put(folder, name, data)

    assert f"{name} is no picture of the kind that its name says" in refusal(folder)


def test_a_picture_with_only_its_head_whole(folder):
    name = f"files/{image_of(folder, 'png')}"
    put(folder, name, picture("png")[:-20])

    assert f"{name} is no picture of the kind that its name says" in refusal(folder)


def test_a_picture_of_too_many_pixels(folder):
    name = f"files/{image_of(folder, 'png')}"
    header = struct.pack(">LLBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    data = bytearray(picture("png"))
    data[16:29] = header
    put(folder, name, bytes(data))

    assert f"{name} is no picture of the kind that its name says, or too large" in refusal(folder)


def test_a_file_that_no_row_names(folder):
    put(folder, "files/images/other.jpg", picture("jpg"))

    assert "No row names the file images/other.jpg" in refusal(folder)


@pytest.mark.parametrize("name", ["files/images/../../x.jpg", "files//etc/x.jpg", "files/images/x.html"])
def test_a_file_of_a_name_that_climbs(folder, name, tmp_path):
    manifest = manifest_of(folder)
    manifest["members"][name] = {"bytes": 0, "sha256": "0" * 64}
    write_manifest(folder, manifest)
    source = copied(packed(folder, tmp_path / "p.zip"), tmp_path / "site.zip", add=lambda new: new.writestr(name, b""))

    assert f"No row names the file {name.removeprefix('files/')}" in refusal(source)


def test_a_file_that_a_row_names_is_missing(folder):
    name = image_of(folder, "jpg")
    take_away(folder, f"files/{name}")

    assert f"Rows name the file {name}, which is not in the archive" in refusal(folder)


def test_names_that_a_disk_may_hold_to_be_one(folder):
    rows = rows_of(folder, "episodes.Image")
    put_rows(
        folder,
        "episodes.Image",
        [*rows, rows[0] | {"id": 10**6, "file": rows[0]["file"].replace("artwork", "ARTwork")}],
    )
    put(folder, "files/images/ARTwork.jpg", picture("jpg"))

    assert "but for large and small letters" in refusal(folder)


def test_a_file_is_left_out_and_there(folder):
    write_manifest(folder, manifest_of(folder) | {"files_left_out": [image_of(folder, "jpg")]})

    assert "is left out, but no row names it, or it is there" in refusal(folder)


def test_what_landed_goes_again_where_the_rows_are_refused(folder, media):
    """The last file of all is wrong, so that all others have landed before."""
    last = max(name for name in manifest_of(folder)["members"] if name.startswith("files/"))
    data = (folder / last).read_bytes()
    (folder / last).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))

    assert f"{last} is damaged" in refusal(folder)


def test_a_dry_run_finds_the_same(folder):
    put(folder, f"files/{image_of(folder, 'jpg')}", b"<html>")

    with pytest.raises(CommandError, match="is no picture"):
        call_command("import_site", str(folder), dry_run=True, verbosity=0)


def test_an_archive_written_anew_by_another_program_is_taken(folder, tmp_path):
    """So what is refused above, is so for what was done to it and not for how."""
    put_rows(folder, "publishing.Item", rows_of(folder, "publishing.Item"))
    put(folder, f"files/{image_of(folder, 'jpg')}", picture("jpg", side=500))

    call_command("import_site", str(packed(folder, tmp_path / "site.zip")), dry_run=True, verbosity=0)
