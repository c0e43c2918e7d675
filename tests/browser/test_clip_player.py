"""The player of a quote and of an episode, in a real browser and with real sound."""

import io
import json
import math
import struct
import wave
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core.files.uploadedfile import SimpleUploadedFile
from playwright.sync_api import Page, expect

from episodes.media import media_from_upload
from tests.factories import make_episode, make_guest, make_quote

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RATE = 8_000  # samples a second
CASES = json.loads((Path(__file__).parents[1] / "data/timecodes.json").read_text(encoding="utf-8"))


def make_sound(seconds: int) -> bytes:
    """Return a soft tone as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        tone = [round(2_000 * math.sin(n * 440 * math.tau / RATE)) for n in range(RATE)]
        sound.writeframes(struct.pack(f"<{RATE}h", *tone) * seconds)
    return file.getvalue()


@pytest.fixture
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def episode(own_files):
    sound = media_from_upload(SimpleUploadedFile("tone.wav", make_sound(40), "audio/wav"), by=None)
    return make_episode(slug="tone", title="The tone", duration_ms=40_000, media=[{"media": sound.pk}])


@pytest.fixture
def asked(page: Page) -> list[str]:
    """The paths of media that the page has asked for so far."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url) if "/media/" in request.url else None)
    return found


def make_spoken(episode, start_ms: int, end_ms: int):
    return make_quote(episode=episode, speaker=make_guest(name="Ada Okafor"), start_ms=start_ms, end_ms=end_ms)


def position(page: Page) -> float:
    return page.locator("audio").evaluate("media => media.currentTime")


def is_playing(page: Page) -> bool:
    return page.locator("audio").evaluate("media => !media.paused")


def test_the_clock_is_that_of_the_quote_and_nothing_is_loaded_before_play(page, live_server, episode, asked):
    quote = make_spoken(episode, 10_200, 27_800)

    page.goto(live_server.url + quote.get_absolute_url())

    expect(page.locator(".player__clock")).to_have_text("0:00 / 0:17")
    expect(page.locator(".player__label")).to_have_text("quote · 17.6s")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    page.wait_for_timeout(500)
    assert (asked, is_playing(page)) == ([], False)
    assert Axe().run(page).violations_count == 0


def test_play_begins_at_the_start_and_stops_at_the_end(page, live_server, episode, asked):
    quote = make_spoken(episode, 10_200, 12_300)
    page.goto(live_server.url + quote.get_absolute_url())
    page.locator("audio").evaluate(
        "media => media.addEventListener('playing', () => { media.firstHeard ??= media.currentTime; })"
    )

    page.get_by_role("button", name="Play").click()

    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible(timeout=10_000)
    expect(page.locator(".player__clock")).to_have_text("0:02 / 0:02")
    assert asked
    assert page.locator("audio").evaluate("media => media.firstHeard") == pytest.approx(10.2, abs=0.15)
    assert position(page) == pytest.approx(12.3, abs=0.05)
    assert Axe().run(page).violations_count == 0


def test_play_after_the_end_begins_again(page, live_server, episode):
    quote = make_spoken(episode, 10_000, 11_000)
    page.goto(live_server.url + quote.get_absolute_url())
    play, pause = page.get_by_role("button", name="Play"), page.get_by_role("button", name="Pause")
    play.click()
    expect(page.locator("[data-clock]")).to_have_text("0:01")

    play.click()

    expect(page.locator("[data-clock]")).to_have_text("0:00")
    expect(pause).to_be_visible()
    expect(play).to_be_visible(timeout=5_000)


def test_it_is_played_and_moved_by_keyboard(page, live_server, episode):
    quote = make_spoken(episode, 10_000, 30_000)
    page.goto(live_server.url + quote.get_absolute_url())
    track = page.get_by_role("slider", name="Position in the quote")

    track.focus()
    page.keyboard.press("End")
    page.keyboard.press("Home")
    track.fill("12.5")
    page.get_by_role("button", name="Play").focus()
    page.keyboard.press("Space")

    expect(page.locator("[data-clock]")).to_have_text("0:13")
    expect(track).to_have_attribute("aria-valuetext", "0:13")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    assert 22.5 <= position(page) < 30


def test_a_file_that_is_gone_is_said_in_words(page, live_server, episode):
    quote = make_spoken(episode, 10_000, 12_000)
    page.context.route("**/media/**", lambda route: route.fulfill(status=404, body=""))
    page.goto(live_server.url + quote.get_absolute_url())

    page.get_by_role("button", name="Play").click()

    expect(page.get_by_text("This could not be loaded.")).to_be_visible()
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_without_script_the_browsers_own_player_is_there(browser, live_server, episode):
    quote = make_spoken(episode, 10_200, 27_800)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()

    page.goto(live_server.url + quote.get_absolute_url())

    expect(page.locator("audio[controls]")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator(".player__clock")).to_be_hidden()
    expect(page.get_by_text("quote · 17.6s")).to_be_visible()
    context.close()


def test_an_episode_offers_to_play_from_the_moment_in_the_address(page, live_server, episode, asked):
    quote = make_spoken(episode, 20_200, 25_000)
    page.goto(live_server.url + quote.get_absolute_url())

    page.get_by_role("link", name="Listen to the full episode from 0:20 →").click()

    offer = page.get_by_role("button", name="Play from 0:20")
    expect(offer).to_be_in_viewport()
    page.wait_for_timeout(500)
    assert (asked, is_playing(page)) == ([], False)
    assert Axe().run(page).violations_count == 0
    offer.click()
    page.wait_for_function("() => document.querySelector('audio').currentTime > 20.1")
    assert position(page) < 24
    expect(offer).to_be_hidden()


def test_a_time_on_the_episode_page_plays_from_there(page, live_server, episode, asked):
    make_spoken(episode, 30_000, 35_000)
    page.goto(live_server.url + episode.get_absolute_url())
    assert asked == []

    page.get_by_role("link", name="0:30", exact=True).click()

    page.wait_for_function("() => document.querySelector('audio').currentTime > 30.1")
    assert is_playing(page)
    assert page.url.endswith("#t=30")


def test_browser_and_server_write_times_alike(page, live_server, episode):
    page.goto(live_server.url + episode.get_absolute_url())

    written = page.evaluate("cases => cases.map((ms) => formatTimecode(ms))", [case["ms"] for case in CASES["format"]])

    assert written == [case["short"] for case in CASES["format"]]
