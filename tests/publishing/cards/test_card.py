import dataclasses
import io
import logging

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from PIL import Image

from publishing.cards import CardFacts, Picture, card, draw_card
from publishing.cards.paint import INK, PAPER
from publishing.cards.saving import MOST_BYTES, png_bytes

from .drawing import COLOURS, FACTS, draw, fonts, has, open_picture

TEXTS = [
    "Own the wire.",
    "We put it where the buses sleep. " * 60,
    "[The regulator] told us … it would be fine.",
    "وضعنا البطارية حيث تنام الحافلات، لنحو 40 ألف منزل.",
    "שמנו את הסוללה איפה שהאוטובוסים ישנים (Depot One).",
    "Мы поставили её там, где ночуют автобусы.",
    "हमने बैटरी वहाँ रखी जहाँ बसें सोती हैं।",
    "เราเอาแบตเตอรี่ไปไว้ที่อู่รถเมล์",
    "バスが眠る場所に電池を置いた。",
    "🔋🔋 and 👨‍👩‍👧 and 🇳🇬 and 👍🏽 1️⃣",
    "Donaudampfschifffahrts" * 30,
    "\u202e\u2066\u200f\ufeff\xad\x07",
    "a\u0301\u0302\u0303" * 40,
    "𝗕𝗼𝗹𝗱 ① ﬁ Ａ",
    "",
    " \n\t ",
    "…",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["quote", "title", "text", "name", "line", "label", "site"])
def test_every_text_is_drawn_within_the_card(name, text):
    facts = dataclasses.replace(FACTS, **{name: text, "quote": text if name == "quote" else ""})

    image = draw(facts)

    assert image.size == (card.WIDTH, card.HEIGHT)
    edges = [image.crop(box) for box in ((0, 10, 24, 630), (1176, 10, 1200, 630), (0, 622, 1200, 630))]
    assert [edge.getcolors() for edge in edges] == [
        [(edge.width * edge.height, Image.new("RGB", (1, 1), PAPER).getpixel((0, 0)))] for edge in edges
    ]


@given(text=st.text(max_size=1200), other=st.text(max_size=200), is_quote=st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_drawn(text, other, is_quote):
    texts = {"quote": text, "title": other} if is_quote else {"title": text, "text": other}
    facts = CardFacts(site=other, label=other, name=other, line=text, **texts)

    data = draw_card(facts, fonts(), open_picture)

    assert Image.open(io.BytesIO(data)).size == (card.WIDTH, card.HEIGHT)


def test_the_same_facts_are_the_same_bytes_and_others_are_not():
    same = [draw_card(FACTS, fonts(), open_picture) for _time in range(2)]
    other = draw_card(dataclasses.replace(FACTS, name="Ada Okafor-Lund"), fonts(), open_picture)

    assert same[0] == same[1]
    assert same[0] != other


def test_pictures_are_on_it():
    image = draw(dataclasses.replace(FACTS, logo=Picture("logo.png")))

    assert [has(image, colour) for colour in COLOURS.values()] == [True, True, True]


def test_a_picture_that_cannot_be_opened_is_left_out():
    def gone(name):
        raise FileNotFoundError(name)

    def broken(name):
        return io.BytesIO(b"no picture")

    without = draw(dataclasses.replace(FACTS, portrait=None, artwork=None))

    assert draw(FACTS, gone).tobytes() == draw(FACTS, broken).tobytes() == without.tobytes()


def test_a_long_quote_is_led_by_its_claim_and_a_short_one_is_not():
    long = dataclasses.replace(FACTS, quote="We put it where the buses sleep. " * 40)

    assert draw(long).tobytes() != draw(dataclasses.replace(long, title="Another claim")).tobytes()
    assert draw(FACTS).tobytes() == draw(dataclasses.replace(FACTS, title="Another claim")).tobytes()


def test_lines_that_run_to_the_left_turn_the_card():
    image = draw(dataclasses.replace(FACTS, quote="وضعنا البطارية حيث تنام الحافلات"))

    portrait, artwork = (1080, 550), (120, 550)
    assert image.getpixel(portrait) == COLOURS["portrait.png"]
    assert image.getpixel(artwork) == COLOURS["artwork.png"]


def test_words_that_no_font_has_are_left_out_and_logged(caplog):
    runes = "ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾ"

    with caplog.at_level(logging.WARNING):
        image = draw(dataclasses.replace(FACTS, quote=runes))

    assert "RUNIC LETTER" in caplog.text
    assert image.tobytes() == draw(dataclasses.replace(FACTS, quote="")).tobytes()


def test_emoji_without_a_font_leave_no_trace():
    plain = draw(dataclasses.replace(FACTS, quote="A battery, and that was the report."))

    assert (
        plain.tobytes()
        == draw(dataclasses.replace(FACTS, quote="A battery, 🔋👩‍🔧 and that was the report.🎉")).tobytes()
    )


def test_a_card_of_many_colours_has_fewer():
    noise = Image.effect_noise((1200, 630), 90).convert("RGB")

    data = png_bytes(noise)

    assert Image.open(io.BytesIO(data)).mode == "P"
    assert len(png_bytes(Image.new("RGB", (1200, 630), INK))) < MOST_BYTES
