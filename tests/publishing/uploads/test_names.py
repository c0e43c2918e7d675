"""What files are called by those who send them, through the pages of the newsroom."""

import re
import unicodedata
from pathlib import Path

import pytest
from django.core.exceptions import SuspiciousFileOperation
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse

from episodes.models import Image, MediaFile, Transcript
from publishing.models import Item, StoredFile
from publishing.text import clean_line
from tests.factories import make_episode

from .making import CONTENT_TYPE, body_of, form_parts, part, picture, sound

pytestmark = pytest.mark.django_db

NAMES = [
    *(b"../../evil.jpg", b"..\\..\\evil.jpg", b"/etc/cron.d/evil", b"C:\\Windows\\evil.jpg", b"....//evil.jpg"),
    *(b"evil.jpg\0.php", b"evil.php\0", b"CON", b"aux.jpg", b"NUL.png", b"a" * 300 + b".jpg", b"x.php.png"),
    *(b".htaccess", b".", b"..", b" ", b"evil.jpg ", b"evil.jpg.", b"evil.jpg::$DATA", b"%2e%2e%2fevil.jpg"),
    *(b"%252e%252e%252fevil.jpg", b"evil\r\nX-Evil: 1.jpg", b"<script>alert(1)</script>.jpg", b"'; rm -rf ~;'.jpg"),
    *("\u202egpj.exe".encode(), "\u2024\u2024/evil.jpg".encode(), "ｅｖｉｌ．ｐｈｐ".encode(), b"\xff\xfe.jpg"),
]
NO_NAMES = {b".", b"..", b"\xff\xfe.jpg"}  # of which nothing is left: no file was sent
VTT = b"WEBVTT\n\n00:01.000 --> 00:03.000\nWe put it where the buses sleep.\n"
OURS = re.compile(r"(images|episodes)/[0-9a-f]{32}\.(jpg|png|webp|mp3|m4a|mp4|wav)")


@pytest.fixture(autouse=True)
def media(settings, tmp_path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "site" / "media"
    return settings.MEDIA_ROOT


def rows(name: str, count: int = 0) -> dict:
    return {f"{name}-TOTAL_FORMS": count, f"{name}-INITIAL_FORMS": 0}


def episode_form(row, **changes) -> dict:
    """Return what the page of an episode sends, with one row for a file."""
    item = Item.objects.get(pk=row.pk)
    lists = (name for name, value in item.head.content.items() if isinstance(value, list))
    data = {name: value for listed in lists for name, value in rows(listed).items()} | rows("media", 1)
    plain = {"title": "The grid", "slug": "the-grid", "episode_kind": "full", "summary_origin": "editor"}
    return data | plain | {"base_revision": item.head_id, "_save": ""} | changes


def send(client, row, *files: bytes, **changes):
    parts = [*form_parts(episode_form(row, **changes)), *files]
    path = reverse("admin:episodes_episode_change", args=[row.pk])
    return client.generic("POST", path, body_of(parts), content_type=CONTENT_TYPE)


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_has_a_name_of_ours_whatever_it_was_called(editor_client, media, tmp_path, name):
    episode = make_episode(live=False)

    answer = send(editor_client, episode, part("artwork_file", picture(), name), part("media-0-upload", sound(), name))

    kept = files_in(media)
    assert answer.status_code == 302
    assert len(kept) == (0 if name in NO_NAMES else 2)
    assert all(OURS.fullmatch(path) for path in kept)
    assert files_in(tmp_path) == {f"site/media/{path}" for path in kept}
    assert kept == {*Image.objects.values_list("file", flat=True), *MediaFile.objects.values_list("file", flat=True)}


def test_they_are_twenty_five_and_more():
    assert len(set(NAMES)) >= 25


@pytest.mark.parametrize("name", sorted(set(NAMES) - NO_NAMES))
def test_the_name_that_is_kept_of_a_transcript_is_a_clean_line(editor_client, media, tmp_path, name):
    episode = make_episode(live=False)
    page = reverse("admin:episodes_episode_transcript_add", args=[episode.pk])
    body = body_of([*form_parts({"language": "en"}), part("file", VTT, name)])

    look = editor_client.generic("POST", page, body, content_type=CONTENT_TYPE)
    sealed = look.content.decode().partition('name="sealed" value="')[2].partition('"')[0]
    editor_client.post(page, {"sealed": sealed})

    kept = Transcript.objects.get()
    assert kept.original_name == clean_line(kept.original_name)
    assert not [sign for sign in kept.original_name if unicodedata.category(sign) == "Cc" or sign in "/\u202e\u202d"]
    assert re.fullmatch(r"transcripts/[0-9a-f]{32}\.bin", kept.original.name)
    assert files_in(tmp_path) == {f"site/media/{kept.original.name}"}
    file = editor_client.get(reverse("admin:episodes_episode_transcript_file", args=[episode.pk, kept.number]))
    assert file["Content-Disposition"].startswith("attachment; filename")
    assert "X-Evil" not in file.headers


def test_a_refusal_repeats_the_name_without_what_turns_it_round(editor_client):
    episode = make_episode(live=False)

    answer = send(editor_client, episode, part("media-0-upload", b"no sound", "\u202e3pm.<b>exe".encode()))

    said = answer.content.decode()
    assert answer.status_code == 422
    assert "“3pm.&lt;b&gt;exe” is no sound or video" in said
    assert "\u202e" not in said


@pytest.mark.parametrize("name", ["../x", "/abs", "a/../../x", "..", "a/../..", "images/../../x.jpg"])
def test_the_storage_goes_nowhere_else(media, name):
    for act in (lambda: default_storage.save(name, ContentFile(b"x")), lambda: default_storage.open(name)):
        with pytest.raises(SuspiciousFileOperation):
            act()

    assert files_in(media.parent) == set()


# What was uploaded into a form that is refused


def test_an_upload_into_a_refused_form_comes_back_as_a_number(editor_client, media):
    episode = make_episode(live=False)

    refused = send(
        editor_client,
        episode,
        part("artwork_file", picture(), b"cover.jpg"),
        part("media-0-upload", sound(), b"one.wav"),
        title="",
    )

    image, file = Image.objects.get(), MediaFile.objects.get()
    said = refused.content.decode()
    assert refused.status_code == 422
    assert f'name="artwork_id" value="{image.pk}"' in said
    assert f'name="media-0-media" value="{file.pk}"' in said
    changes = {"artwork_id": image.pk, "media-0-media": file.pk}
    assert send(editor_client, episode, **changes).status_code == 302
    content = Item.objects.get(pk=episode.pk).head.content
    assert (content["artwork"], content["media"]) == (image.pk, [{"media": file.pk}])


def test_whoever_brought_it_in_is_kept_with_it(editor_client, editor):
    send(editor_client, make_episode(live=False), part("artwork_file", picture(), b"cover.jpg"))

    stored = StoredFile.objects.get()
    image = Image.objects.get()
    assert (stored.name, stored.by, stored.bytes) == (image.file.name, editor, image.file.size)
