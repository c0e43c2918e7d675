"""Pictures on pages, and the card in the site's settings."""

import pytest
from playwright.sync_api import Page, expect

from episodes.images import store_image
from quotes.demo import pictures
from tests.browser.steps import log_in
from tests.factories import make_episode, make_show, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def test_the_screen_gets_the_size_it_needs_and_the_words_stand_beside(page: Page, live_server):
    artwork = store_image(pictures.artwork("grid"), by=None)
    show = make_show(title="Signal Path", artwork=artwork.pk, artwork_alt="A bolt before two towers")
    make_episode(show=show, title="The grid nobody sees")

    page.goto(live_server.url + show.get_absolute_url())

    image = page.get_by_alt_text("A bolt before two towers")
    expect(image).to_have_js_property("naturalWidth", 144)  # 192 pixels, of which the page shows 144
    assert image.evaluate("image => image.currentSrc").endswith("-192.webp")
    row = page.locator(".row").first
    picture, title = row.locator("img").bounding_box(), row.get_by_role("heading").bounding_box()
    assert picture["x"] < title["x"]
    assert picture["x"] == page.get_by_role("heading", name="Episodes").bounding_box()["x"]
    assert title["width"] > 300


def test_the_card_in_the_settings_follows_the_name(page: Page, live_server):
    make_user("petra", "Publisher")
    log_in(page, live_server.url, "petra")
    page.goto(f"{live_server.url}/admin/publishing/sitesettings/")
    card = page.get_by_alt_text("A card with sample words")
    expect(card).to_have_js_property("naturalWidth", 1200)

    with page.expect_response(lambda response: "card.png?name=The+Long+Signal" in response.url) as answer:
        page.locator("#id_name").fill("The Long Signal")

    assert answer.value.status == 200
    expect(card).to_have_js_property("naturalWidth", 1200)


def test_an_editor_says_by_keyboard_where_to_look(page: Page, live_server):
    artwork = store_image(pictures.artwork("grid"), by=None)
    show = make_show(live=False, title="Signal Path", artwork=artwork.pk, artwork_alt="A bolt")
    make_user("ines", "Editor")
    log_in(page, live_server.url, "ines")
    page.goto(f"{live_server.url}/admin/episodes/show/{show.pk}/change/")
    focus = page.get_by_role("group", name="Where to look, when it is cut to a square")

    focus.get_by_label("% from the left").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("80")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowUp")
    page.get_by_role("button", name="Save draft").click()

    expect(focus.get_by_label("% from the left")).to_have_value("80")
    expect(focus.get_by_label("% from the top")).to_have_value("51")
