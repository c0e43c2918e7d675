"""The saved draft beside the form."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.steps import log_in, save_draft
from tests.factories import edit, make_quote, make_topic, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def asked(page: Page) -> list[str]:
    """The previews that the browser has asked for so far."""
    found: list[str] = []
    page.on("request", lambda request: found.append(request.url) if request.url.endswith("/preview/") else None)
    return found


def test_the_preview_is_asked_for_once_opened_follows_saves_and_stays_open(page: Page, live_server, asked):
    topic, other = make_topic(name="Grid", description="Old words."), make_topic()
    make_user("ines")
    log_in(page, live_server.url, "ines")
    page.set_viewport_size({"width": 1600, "height": 900})
    page.goto(live_server.url + topic.item.admin_path)
    page.wait_for_timeout(300)
    assert asked == []

    page.get_by_role("link", name="Preview on this page").click()
    frame = page.frame_locator("iframe[title^='Preview of']")
    expect(frame.get_by_text("Old words.")).to_be_visible()
    assert Axe().run(page).violations_count == 0
    beside, form = page.locator(".preview").bounding_box(), page.locator(".newsroom-main").bounding_box()
    assert beside["x"] > form["x"] + form["width"]

    page.get_by_label("Description").fill("New words.")
    save_draft(page)
    expect(frame.get_by_text("New words.")).to_be_visible()
    expect(frame.get_by_role("link", name="Episodes", exact=True).first).to_have_attribute("target", "_blank")

    page.goto(live_server.url + other.item.admin_path)
    expect(frame.get_by_role("heading", name=str(other.item))).to_be_visible()
    page.locator("summary", has_text="Preview").click()
    page.reload()
    expect(page.locator(".preview iframe")).to_be_hidden()


def test_a_draft_without_a_page_says_so_in_the_frame(page: Page, live_server):
    quote = make_quote(live=False)
    edit(quote, speaker=None)
    make_user("ines")
    log_in(page, live_server.url, "ines")
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(live_server.url + quote.item.admin_path)

    page.locator("summary", has_text="Preview").click()

    page.locator(".preview iframe").scroll_into_view_if_needed()
    expect(page.frame_locator(".preview iframe").get_by_text("Choose the speaker first")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0


def test_the_preview_opens_without_javascript(browser, live_server):
    topic = make_topic(description="As it was saved.")
    make_user("ines")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, live_server.url, "ines")
    page.goto(live_server.url + topic.item.admin_path)

    page.locator("summary", has_text="Preview").click()

    page.locator(".preview iframe").scroll_into_view_if_needed()
    expect(page.frame_locator(".preview iframe").get_by_text("As it was saved.")).to_be_visible()
    context.close()
