"""A small site with a row in every table that is exported, its archive, and ways to spoil that."""

import io
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from PIL import Image as Pillow

from episodes.importing.reader import read_feed
from episodes.importing.service import Options, import_feed
from episodes.models import Image
from publishing.acts import publish, retire
from publishing.groups import make_groups
from publishing.models import SiteSettings
from publishing.stored_files import store
from publishing.tables.importing import TableOptions, import_table
from quotes.models import Clip
from quotes.tables import TABLES
from tests.episodes.feeds import ADDRESS, feed_xml, item_xml
from tests.factories import edit, make_episode, make_guest, make_quote, make_topic, make_user
from tests.public import Site, make_site

FORMATS = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP"}


def picture(extension: str, side: int = 300) -> bytes:
    out = io.BytesIO()
    Pillow.linear_gradient("L").resize((side, side)).convert("RGB").save(out, FORMATS[extension])
    return out.getvalue()


def fill_site() -> Site:
    """Make what readers see, and behind it drafts, retired things, old addresses, imports and accounts."""
    site = make_site()
    for image in Image.objects.all():
        _overwrite(image.file.name, picture(image.file.name.rpartition(".")[2]))
    Clip.objects.all().delete()
    _link(site)
    _make_people()
    logo = store(ContentFile(picture("png")), "site", "png", by=None)
    SiteSettings.objects.create(
        pk=1, name="The Long Signal", logo=logo, footer_links=[{"label": "Us", "url": "https://example.org"}]
    )
    _draft_and_retire(site)
    xml = feed_xml(item_xml("One", person="Ben Ode"), item_xml("Two"))
    import_feed(read_feed(xml.encode(), feed_url=ADDRESS), ADDRESS, Options())
    import_table(TABLES["topics"], "name\nWater — 水\n".encode(), TableOptions())
    return site


def _overwrite(name: str, data: bytes) -> None:
    default_storage.delete(name)
    assert default_storage.save(name, ContentFile(data)) == name


def _link(site: Site) -> None:
    """Link what the public site does not: people of a show, first quotes of a guest, more from a speaker."""
    show, guest, episode, quote = site.shows[0], site.guests[0], site.episodes[0], site.quotes[0]
    publish(edit(show, people=[{"guest": guest.pk, "role": "host"}]), actor=None)
    other = make_quote(episode=episode, speaker=guest, claim="nobody noticed", related=[{"related": quote.pk}])
    publish(edit(guest, quotes=[{"quote": other.pk}]), actor=None)


def _make_people() -> None:
    make_groups(apps)
    deleters = Group.objects.create(name="Deleters")
    deleters.permissions.add(Permission.objects.get(codename="delete_item"))
    petra = make_user("petra", "Publisher", first_name="Petra", email="petra@example.org", is_superuser=True)
    petra.groups.add(deleters)
    make_user("gone", None, is_active=False)


def _draft_and_retire(site: Site) -> None:
    petra = Group.objects.get(name="Deleters").user_set.get()
    edit(site.episodes[0], title="A title that waits")
    make_episode(live=False, title="A draft")
    retire(make_topic(name="Gone").item, actor=petra, reason="It was nothing.")
    moved = make_guest(name="Ina Old")
    publish(edit(moved, name="Ina New", slug="ina-new"), actor=petra)


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack an archive, to spoil it."""
    with zipfile.ZipFile(archive) as found:
        found.extractall(folder)
    return folder


def manifest_of(folder: Path) -> dict:
    return json.loads((folder / "manifest.json").read_bytes())


def write_manifest(folder: Path, manifest: dict) -> None:
    (folder / "manifest.json").write_text(json.dumps(manifest))


def put(folder: Path, name: str, data: bytes, rows: int | None = None) -> None:
    """Write a member, and have the manifest say that it is right."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    manifest = manifest_of(folder)
    manifest["members"][name] = {"bytes": len(data), "sha256": sha256(data).hexdigest()}
    if rows is not None:
        manifest["tables"][name.removeprefix("tables/").removesuffix(".jsonl")]["rows"] = rows
    write_manifest(folder, manifest)


def take_away(folder: Path, name: str) -> None:
    """Take a member out of the archive and its manifest."""
    (folder / name).unlink()
    manifest = manifest_of(folder)
    del manifest["members"][name]
    write_manifest(folder, manifest)


def rows_of(folder: Path, label: str) -> list[dict]:
    return [json.loads(line) for line in (folder / f"tables/{label}.jsonl").read_bytes().splitlines()]


def put_rows(folder: Path, label: str, rows: list[dict]) -> None:
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    put(folder, f"tables/{label}.jsonl", data, rows=len(rows))


def change_row(folder: Path, label: str, change: Callable[[dict], object], place: int = 0) -> None:
    """Change one row of a table, with a manifest that agrees."""
    rows = rows_of(folder, label)
    change(rows[place])
    put_rows(folder, label, rows)


def packed(folder: Path, target: Path) -> Path:
    """Pack a folder into a zip file as somebody else's program would."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return target


def empty_site() -> None:
    """Delete every row; files stay."""
    connection.check_constraints()  # PostgreSQL truncates nothing while a deferred check waits
    call_command("flush", interactive=False, verbosity=0)
