from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from quotes.clips import CardText, Kind, Word, arguments, content_key
from tests.quotes.clips.making import FILM, VIDEO, make_request

SHOWN = {
    "start_ms": 1900,
    "end_ms": 5100,
    "padding_before_ms": 150,
    "title": "Ada",
    "page_url": "https://example.org/q/",
    "watermark": Path("mark.png"),
}
HIDDEN = {"source": Path("/elsewhere/b.mp4"), "words": [Word("Hello", 2000, 2300)], "card": CardText("Ada")}


def key(**fields):
    return content_key(make_request(**fields), media_hash="a" * 64, watermark_key="w")


def test_the_same_clip_has_the_same_key():
    assert key() == key()
    assert len(key()) == 64


@pytest.mark.parametrize("field", SHOWN)
def test_what_shows_makes_another_key(field):
    assert key(**{field: SHOWN[field]}) != key()


@pytest.mark.parametrize("field", HIDDEN)
def test_what_does_not_show_makes_none(field):
    assert key(**{field: HIDDEN[field]}) == key()


def test_another_file_or_mark_makes_another_key():
    marked = make_request(watermark=Path("mark.png"))

    keys = {content_key(marked, media_hash=media, watermark_key=mark) for media in "ab" for mark in "cd"}

    assert len(keys) == 4


def test_each_kind_has_its_own_key():
    assert len({key(kind=kind) for kind in Kind}) == 3


def test_times_within_the_same_frames_are_the_same_clip():
    assert key(start_ms=2001) == key(start_ms=2002)
    assert key(start_ms=2001, kind=Kind.AUDIO) != key(start_ms=2002, kind=Kind.AUDIO)


def test_the_sound_for_the_player_shows_no_mark():
    assert key(kind=Kind.AUDIO, watermark=Path("mark.png")) == key(kind=Kind.AUDIO)


def test_the_rate_of_the_picture_counts():
    slower = replace(FILM, video=replace(VIDEO, fps=VIDEO.fps / 2))

    assert key(probed=slower) != key()


def test_another_way_of_encoding_makes_another_key(monkeypatch):
    before = key()
    monkeypatch.setattr(arguments, "CRF", 24)

    assert key() != before


def test_an_audiogram_is_its_card_its_words_and_its_artwork(tmp_path):
    artwork = tmp_path / "art.png"
    Image.new("RGB", (8, 8), "red").save(artwork)
    before = key(kind=Kind.AUDIOGRAM)

    keys = {before}
    keys.add(key(kind=Kind.AUDIOGRAM, words=[Word("Hello", 2000, 2300)]))
    keys.add(key(kind=Kind.AUDIOGRAM, words=[Word("Hello", 2000, 2400)]))
    keys.add(key(kind=Kind.AUDIOGRAM, card=CardText("Ada")))
    keys.add(key(kind=Kind.AUDIOGRAM, card=CardText("", artwork=artwork)))
    Image.new("RGB", (8, 8), "blue").save(artwork)
    keys.add(key(kind=Kind.AUDIOGRAM, card=CardText("", artwork=artwork)))

    assert len(keys) == 6
