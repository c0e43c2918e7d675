"""Reading a transcript: find in it, go to a place in it, play from there."""

import pytest
from playwright.sync_api import Page, expect

from tests.factories import make_audio, make_episode, make_guest, make_quote, make_transcript

pytestmark = pytest.mark.browser

SAID = [
    (0, "Tomas Lund", "Where did you put"),
    (4_000, "Tomas Lund", "it, Ada’s battery?"),
    (9_000, "Ada Okafor", "We put it where the buses sleep."),
    *((20_000 + second * 10_000, "Ada Okafor", f"And sentence {second} goes on.") for second in range(60)),
    (900_000, "Ada Okafor", "You put it there too."),
]


@pytest.fixture
def path(transactional_db, settings, tmp_path) -> str:
    settings.MEDIA_ROOT = tmp_path
    ada = make_guest(name="Ada Okafor")
    episode = make_episode(media=[{"media": make_audio("/media/none.mp3").pk}])
    make_quote(
        episode=episode, speaker=ada, text="We put it where the buses sleep.", start_ms=9_000, end_ms=20_000, slug="bus"
    )
    make_transcript(episode, SAID, who={"Ada Okafor": ada})
    return f"{episode.get_absolute_url()}transcript/"


def test_words_are_found_over_the_bounds_of_cues(page: Page, live_server, path):
    page.goto(live_server.url + path)
    box, count = page.get_by_label("Find in this transcript"), page.locator("[data-find-count]")

    box.fill("PUT it")
    expect(count).to_have_text("1 of 3")
    page.get_by_role("button", name="Next").click()
    expect(count).to_have_text("2 of 3")
    page.get_by_role("button", name="Next").click()
    expect(count).to_have_text("3 of 3")
    expect(page.get_by_text("You put it there too.")).to_be_in_viewport()
    box.press("Enter")
    expect(count).to_have_text("1 of 3")
    expect(page.get_by_text("Where did you put")).to_be_in_viewport()
    box.press("Shift+Enter")
    expect(count).to_have_text("3 of 3")


def test_what_is_not_there_is_said(page: Page, live_server, path):
    page.goto(live_server.url + path)
    box, count = page.get_by_label("Find in this transcript"), page.locator("[data-find-count]")

    box.fill("submarine")
    expect(count).to_have_text("not found")
    box.fill("ada's  battery")  # another apostrophe, two spaces
    expect(count).to_have_text("1 of 1")
    box.fill("")
    expect(count).to_have_text("")
    box.fill("quote:")  # the link to a quote is not what was said
    expect(count).to_have_text("not found")


def test_a_link_to_a_cue_lands_below_the_tools(page: Page, live_server, path):
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{live_server.url}{path}#t420000")

        cue, tools = page.locator("#t420000").bounding_box(), page.locator(".transcript__tools").bounding_box()
        assert tools["y"] + tools["height"] <= cue["y"] < 800
        page.goto("about:blank")


def test_a_time_plays_from_there(page: Page, live_server, path):
    page.goto(live_server.url + path)

    page.get_by_role("link", name="0:09", exact=True).click()

    assert page.url.endswith("#t=9")


def test_without_javascript_there_is_the_text_and_no_box(browser, live_server, path):
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(live_server.url + path)

    expect(page.get_by_text("You put it there too.")).to_be_visible()
    expect(page.locator("[data-find]")).to_be_hidden()
    page.locator(".transcript__quote").click()
    expect(page.get_by_text("Words as spoken")).to_be_visible()
    page.get_by_text("Words as spoken").click()
    expect(page.locator(".spoken p").first).to_be_visible()
    page.context.close()
