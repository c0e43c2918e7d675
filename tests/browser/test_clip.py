"""A reader has the clip of a quote made, downloads it, plays it and hears it stop at the end."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files import File
from playwright.sync_api import Page, expect

from episodes.media import media_from_upload
from publishing.jobs import work_through
from quotes.models import Clip
from tests.factories import make_episode, make_quote, make_show
from tests.ffmpegs import on_path
from tests.media import MediaMaker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="session")
def film(tmp_path_factory) -> Path:
    programs = on_path()
    assert programs, "Install ffmpeg: the clip is made for real."
    return MediaMaker(tmp_path_factory.getbasetemp() / "clip-media", programs.ffmpeg).get("25.mp4")


@pytest.fixture
def quote(film, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    with film.open("rb") as file:
        media = media_from_upload(File(file, name="film.mp4"), by=None)
    episode = make_episode(show=make_show(clips_allowed=True), media=[{"media": media.pk}])
    return make_quote(episode=episode, start_ms=1_000, end_ms=2_500)


def test_the_button_makes_the_clip_and_the_link_downloads_it(page: Page, live_server, quote, tmp_path):
    page.goto(live_server.url + quote.get_absolute_url())
    page.get_by_role("button", name="720p mp4 · rendered on demand").click()
    expect(page.get_by_text("The clip waits for its turn.")).to_be_visible()

    work_through()
    link = page.get_by_role("link", name="Download the clip")
    expect(link).to_be_visible()
    with page.expect_download() as download:
        link.click()

    saved = tmp_path / "saved.mp4"
    download.value.save_as(saved)
    assert download.value.suggested_filename == f"{quote.slug}.mp4"
    assert saved.stat().st_size == Clip.objects.get().bytes


def until(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait until something is so, five seconds at most."""
    for _look in range(100):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("It never came to be.")


def test_the_clip_plays_seeks_and_stops_at_its_end(page: Page, live_server, quote, client):
    token = client.get(quote.get_absolute_url()).content.decode().partition('name="token" value="')[2].partition('"')[0]
    client.post(f"{quote.get_absolute_url()}clip/", {"token": token})
    work_through()
    page.goto(live_server.url + quote.get_absolute_url())
    video = page.locator("video")
    assert video.get_attribute("src") == f"{quote.get_absolute_url()}clip.mp4"
    expect(page.locator(".player__clock")).to_have_text("0:00 / 0:01")

    page.get_by_role("button", name="Play").click()
    until(page, lambda: video.evaluate("video => video.currentTime > 0.2"))
    page.locator("[data-track]").evaluate("bar => { bar.value = 1.2; bar.dispatchEvent(new Event('input')); }")
    until(page, lambda: video.evaluate("video => video.paused"))

    end = float(page.locator("[data-clip-player]").get_attribute("data-end"))
    assert abs(video.evaluate("video => video.currentTime") - end) < 0.05
