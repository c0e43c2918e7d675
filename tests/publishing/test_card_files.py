"""Cards as files: addresses that change with what is drawn, kept once, swept when nobody asks."""

import io
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.http import Http404
from django.test import RequestFactory
from PIL import Image

from publishing import card_files, made_files
from publishing.card_files import card_at, card_key, card_response, facts_of
from publishing.models import SiteSettings

FACTS = facts_of(SiteSettings(name="The Long Signal"), title="Grid storage", label="Topic")
IMMUTABLE = "public, max-age=31536000, immutable"


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def files(settings) -> Path:
    return Path(settings.MEDIA_ROOT)


def ask(facts=FACTS, query="", **headers):
    return card_response(RequestFactory().get(f"/card.png{query}", headers=headers), facts, 7)


def test_it_is_a_png_of_1200_by_630():
    response = ask()

    assert response["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(response.content)).size == (1200, 630)


def test_the_address_changes_with_every_fact():
    others = {
        name: replace(FACTS, **{name: "other"}) for name in ("site", "language", "label", "title", "quote", "line")
    }

    keys = {card_key(facts) for facts in [FACTS, *others.values()]}

    assert len(keys) == len(others) + 1
    assert card_at("/x/card.png", FACTS, "Alt").url == f"/x/card.png?v={card_key(FACTS)}"


def test_the_address_changes_with_the_look_and_the_fonts(monkeypatch, settings, tmp_path):
    before = card_key(FACTS)
    font = tmp_path / "House.ttf"
    font.write_bytes(card_files.card_fonts().sans[0].path.read_bytes())

    settings.CARD_FONTS = [str(font)]
    with_font = card_key(FACTS)
    settings.CARD_FONTS = []
    monkeypatch.setattr(card_files, "VERSION", -1)

    assert len({before, with_font, card_key(FACTS)}) == 3


def test_it_is_kept_for_good_only_under_its_own_address():
    key = card_key(FACTS)

    assert ask(query=f"?v={key}")["Cache-Control"] == IMMUTABLE
    for query in ("", "?v=", "?v=0123456789", f"?w={key}"):
        assert ask(query=query)["Cache-Control"] == "public, max-age=300"


def test_who_has_it_is_not_sent_it_again():
    key = card_key(FACTS)
    response = ask(query=f"?v={key}", if_none_match=f'"{key}"')

    assert (response.status_code, response.content) == (304, b"")
    assert response["Cache-Control"] == IMMUTABLE
    assert ask(if_none_match='"other"').status_code == 200


def test_it_is_drawn_once(monkeypatch, files):
    first = ask().content
    monkeypatch.setattr(card_files, "draw_card", None)

    assert ask().content == first
    assert [path.name for path in (files / "cards" / "7").iterdir()] == [f"{card_key(FACTS)}.png"]


def test_a_full_disk_costs_only_time(monkeypatch):
    def full(name, data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(card_files, "keep_made", full)

    assert ask().status_code == 200


def test_without_fonts_pages_go_without_cards(monkeypatch):
    monkeypatch.setattr(card_files, "card_fonts", lambda: None)

    assert card_at("/x/card.png", FACTS, "Alt") is None
    with pytest.raises(Http404):
        ask()


def test_it_is_kept_where_files_have_no_paths(monkeypatch):
    monkeypatch.setattr(made_files, "_path", lambda name: None)  # as for a bucket

    first = ask().content

    assert ask().content == first
    made_files.sweep()
    assert default_storage.listdir("cards/7")[1] == [f"{card_key(FACTS)}.png"]


def test_nothing_half_written_is_left(monkeypatch, files):
    def broken(self, target):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "replace", broken)

    with pytest.raises(OSError, match="Input/output"):
        made_files.keep_made("cards/x.png", b"data")
    assert list((files / "cards").iterdir()) == []


def make_old(path: Path, days: float) -> None:
    then = time.time() - days * made_files.DAY
    os.utime(path, (then, then))


def test_the_unused_go_after_a_month_and_the_asked_for_stay(files):
    for name in ("old", "asked-for", "new"):
        made_files.keep_made(f"cards/{name}.png", b"data")
    for name in ("old", "asked-for"):
        make_old(files / "cards" / f"{name}.png", 31)
    made_files.open_made("cards/asked-for.png").close()

    made_files.sweep()

    assert sorted(path.stem for path in (files / "cards").iterdir()) == ["asked-for", "new"]


def test_above_the_limit_the_longest_unused_go_first(files, settings):
    settings.MADE_FILES_MEGABYTES = 2
    for days, name in enumerate(["a", "b", "c"]):
        made_files.keep_made(f"renditions/{name}/1.webp", b"x" * 900_000)
        make_old(files / "renditions" / name / "1.webp", days)

    made_files.sweep()

    assert sorted(path.parent.name for path in (files / "renditions").rglob("*.webp")) == ["a", "b"]


def test_what_a_killed_process_left_goes_after_a_day_and_nothing_else_is_touched(files):
    made_files.keep_made("cards/whole.png", b"data")
    (files / "images").mkdir()
    for path in (files / "cards" / "x.png.0123.part", files / "images" / "old.jpg"):
        path.write_bytes(b"data")
        make_old(path, 400 if path.suffix == ".jpg" else 2)

    made_files.sweep()

    assert sorted(path.name for path in files.rglob("*.*")) == ["old.jpg", "whole.png"]


def test_there_may_be_nothing_to_sweep():
    made_files.sweep()
