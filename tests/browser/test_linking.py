"""From an empty show to a quote with three more of its speaker behind it, in a chosen order."""

import pytest
from playwright.sync_api import Page, expect

from publishing.acts import retire
from publishing.models import Item
from tests.browser.steps import add, log_in, pick, publish, publish_unchecked, save_draft
from tests.factories import make_guest, make_quote, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SUMMARY = " ".join(f"word{number}" for number in range(120))


def cards(page: Page, address: str) -> list[str]:
    page.goto(address)
    section = page.locator("section", has=page.get_by_role("heading", name="More from Ada Okafor"))
    return section.get_by_role("heading", level=3).all_inner_texts()


def test_an_editor_links_three_quotes_and_orders_them_by_keyboard(page: Page, live_server):
    base = live_server.url
    ada = make_guest(name="Ada Okafor")
    held = {
        name: make_quote(speaker=ada, claim=name) for name in ("One", "Two", "Three", "Four", "Five", "Six", "Seven")
    }
    make_quote(speaker=make_guest(name="Ben Hale"), claim="By somebody else")
    make_user("petra", "Publisher")
    log_in(page, base, "petra")

    add(page, base, "episodes/show", Title="Signal Path")
    publish(page)
    page.get_by_role("link", name="Add an episode").click()
    page.get_by_label("Title", exact=True).fill("The grid")
    page.get_by_role("button", name="Save and go on").click()
    page.get_by_label("Summary", exact=True).fill(SUMMARY)
    expect(page.get_by_text("Words: 120")).to_be_visible()
    page.get_by_label("Aired").fill("2026-05-14T10:00")
    publish(page)
    page.get_by_role("link", name="Add a quote").click()
    page.get_by_label("Claim", exact=True).fill("A depot settles the peak")
    page.get_by_role("button", name="Save and go on").click()
    page.locator("#id_text").fill("We put it where the buses sleep.")
    page.get_by_label("Context").fill("Ada Okafor, then a grid engineer, talks about depots.")
    page.get_by_label("Speaker", exact=True).fill("Ada Okafor")
    save_draft(page)

    for claim in ("One", "Two", "Three"):
        pick(page, "More from this speaker", "Add a quote", "Quote", claim)
    group = page.get_by_role("group", name="More from this speaker", exact=True)
    group.locator(".card-row:not([hidden]) [name$='-related']").last.focus()
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("[data-following] li").first).to_contain_text("Three")
    publish_unchecked(page)
    quote = Item.objects.get(working_title="A depot settles the peak")
    address = base + quote.quote.get_absolute_url()

    chosen_then_newest = ["Three", "One", "Two", "Seven", "Six", "Five"]
    assert cards(page, address) == [f"Ada Okafor: {claim}" for claim in chosen_then_newest]
    retire(held["One"].item, actor=None, reason="Misheard.")
    assert cards(page, address)[:3] == ["Ada Okafor: Three", "Ada Okafor: Two", "Ada Okafor: Seven"]

    page.goto(base + quote.admin_path)
    pick_other = page.get_by_role("group", name="More from this speaker", exact=True)
    pick_other.get_by_role("button", name="Add a quote").click()
    pick_other.locator(".card-row:not([hidden]) [name$='-related']").last.fill("By somebody else")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_text("“By somebody else” is by another speaker").first).to_be_visible()


def test_a_row_is_dragged_to_its_place(page: Page, live_server):
    ada = make_guest(name="Ada Okafor")
    others = [make_quote(speaker=ada, claim=name) for name in ("One", "Two", "Three")]
    quote = make_quote(speaker=ada, related=[{"related": other.pk} for other in others])
    make_user("ines")
    log_in(page, live_server.url, "ines")
    page.goto(live_server.url + quote.item.admin_path)
    rows = page.get_by_role("group", name="More from this speaker", exact=True).locator(".card-row:not([hidden])")

    rows.nth(2).locator(".card-row__grip").drag_to(rows.nth(0), target_position={"x": 40, "y": 4})
    save_draft(page)

    content = Item.objects.get(pk=quote.pk).newest.content
    assert [row["related"] for row in content["related"]] == [others[2].pk, others[0].pk, others[1].pk]


def test_beside_a_guest_the_default_list_follows_the_form(page: Page, live_server):
    ada = make_guest(name="Ada Okafor")
    for claim in ("One", "Two", "Three"):
        make_quote(speaker=ada, claim=claim)
    make_user("ines")
    log_in(page, live_server.url, "ines")
    page.goto(live_server.url + ada.item.admin_path)
    panel = page.locator("[data-following] li")
    expect(panel.first).to_contain_text("Three")

    pick(page, "Quotes to show first", "Add a quote", "Quote", "One")
    expect(panel.first).to_contain_text("One")
    pick(page, "Quotes to show first", "Add a quote", "Quote", "Two")
    expect(panel.nth(1)).to_contain_text("Two")
    page.keyboard.press("Alt+ArrowUp")

    expect(panel.first).to_contain_text("Two")
    expect(panel.nth(1)).to_contain_text("One")
