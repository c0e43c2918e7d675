"""A day in the newsroom, as a person has it: log in, type, save, publish, edit, publish again."""

import urllib.request

import pytest
from playwright.sync_api import Page, expect

from publishing.models import Item
from tests.browser.steps import add, log_in, pick, publish, publish_unchecked, save_draft
from tests.factories import make_user
from tests.tables import PUBLIC, dump_tables

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FEED_LISTS = ("/", "/quotes/", "/shows/signal-path/", "/guests/ada-okafor/", "/topics/grid-storage/")
PAGES = (
    "/",
    "/shows/",
    "/episodes/",
    "/guests/",
    "/topics/",
    "/quotes/",
    "/feeds/",
    "/shows/signal-path/",
    "/shows/signal-path/the-grid-nobody-sees/",
    "/guests/ada-okafor/",
    "/topics/grid-storage/",
    "/quotes/one-depot-settles-the-peak/",
    *(f"{path}feed.{suffix}" for path in FEED_LISTS for suffix in ("rss", "atom", "json")),
)


def public_bytes(base: str) -> dict[str, bytes]:
    answers = {}
    for path in PAGES:
        with urllib.request.urlopen(base + path) as answer:  # noqa: S310 - our own server
            answers[path] = answer.read()
    return answers


def make_everything(page: Page, base: str) -> None:
    add(page, base, "episodes/show", Title="Signal Path")
    page.get_by_label("Tagline").fill("The grid, explained by those who run it")
    save_draft(page)
    publish(page)

    add(page, base, "episodes/guest", Name="Ada Okafor")
    page.get_by_label("Bio").fill("Grid engineer.")
    publish(page)

    add(page, base, "episodes/topic", Name="Grid storage")
    publish(page)

    add(page, base, "episodes/episode", Show="Signal Path", Title="The grid nobody sees")
    page.get_by_label("Summary", exact=True).fill("Ada Okafor explains how city storage moved from pilot to routine.")
    page.get_by_label("Aired").fill("2026-05-14T10:00")
    pick(page, "Guests and hosts", "Add a person", "Guest", "ada")
    pick(page, "Topics", "Add a topic", "Topic", "grid")
    save_draft(page)
    publish(page)

    add(page, base, "quotes/quote", Episode="The grid nobody sees", Claim="One depot settles the peak")
    page.locator("#id_text").fill("We put it where the buses sleep.")
    page.get_by_label("Context").fill("Ada Okafor, then a grid engineer, talks about depots.")
    page.get_by_label("Starts at").fill("1:12:04")
    page.get_by_label("Ends at").fill("1:12:21.6")
    speaker = page.get_by_label("Speaker", exact=True)
    speaker.press_sequentially("oka", delay=20)
    expect(page.locator(".item-picker__found [role=option]").first).to_be_visible()
    speaker.press("ArrowDown")
    speaker.press("Enter")
    pick(page, "Topics", "Add a topic", "Topic", "grid")
    save_draft(page)
    publish_unchecked(page)


def test_nothing_public_moves_until_publish_is_pressed(page: Page, live_server):
    base = live_server.url
    make_user("petra", "Publisher")
    log_in(page, base, "petra")
    make_everything(page, base)
    before, tables = public_bytes(base), dump_tables(*PUBLIC)
    assert b"One depot settles the peak" in before["/quotes/"]

    changed = {"show": "Title", "guest": "Name", "topic": "Name", "episode": "Title", "quote": "Claim"}
    for kind, label in changed.items():
        page.goto(base + Item.objects.get(kind=kind).admin_path)
        page.get_by_role("textbox", name=label, exact=True).first.fill(f"Edited {kind}")
        page.get_by_role("textbox", name="Address", exact=True).first.fill(f"edited-{kind}")
        save_draft(page)
        expect(page.get_by_role("heading", name="The draft differs from the live page")).to_be_visible()

    assert public_bytes(base) == before
    assert dump_tables(*PUBLIC) == tables

    for kind in changed:
        page.goto(base + Item.objects.get(kind=kind).admin_path)
        publish(page)
    page.goto(f"{base}/quotes/edited-quote/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Edited guest: Edited quote")
    page.goto(f"{base}/quotes/one-depot-settles-the-peak/")
    expect(page).to_have_url(f"{base}/quotes/edited-quote/")
    page.goto(f"{base}/shows/signal-path/the-grid-nobody-sees/")
    expect(page).to_have_url(f"{base}/shows/edited-show/edited-episode/")


def test_a_list_is_ordered_by_keyboard_and_by_buttons(page: Page, live_server):
    from tests.factories import make_episode, make_guest

    people = [make_guest(name=name) for name in ("Ada", "Ben", "Cleo")]
    episode = make_episode(guests=[{"guest": guest.pk, "role": "guest", "credit": ""} for guest in people])
    make_user("ines")
    log_in(page, live_server.url, "ines")
    page.goto(live_server.url + episode.item.admin_path)
    group = page.get_by_role("group", name="Guests and hosts", exact=True)

    group.get_by_label("Credit").nth(2).focus()
    page.keyboard.press("Alt+ArrowUp")
    page.keyboard.press("Alt+ArrowUp")
    group.get_by_role("button", name="Remove").nth(1).click()
    save_draft(page)

    content = Item.objects.get(pk=episode.pk).head.content
    assert [row["guest"] for row in content["guests"]] == [people[2].pk, people[1].pk]


def test_two_tabs_lose_nothing(page: Page, context, live_server):
    from tests.factories import make_topic

    topic = make_topic(name="Grid", description="Old.")
    make_user("ines")
    log_in(page, live_server.url, "ines")
    page.goto(live_server.url + topic.item.admin_path)
    other = context.new_page()
    other.goto(live_server.url + topic.item.admin_path)

    page.get_by_label("Description").fill("From the first tab.")
    save_draft(page)
    other.get_by_label("Description").fill("From the second tab.")
    other.get_by_role("button", name="Save draft").click()
    expect(other.get_by_role("heading", name="saved the same field meanwhile")).to_be_visible()
    expect(other.locator(".clash-sides")).to_contain_text("From the first tab.")
    expect(other.get_by_label("Description")).to_have_value("From the second tab.")
    other.get_by_label("Keep mine").check()
    save_draft(other)

    assert Item.objects.get(pk=topic.pk).head.content["description"] == "From the second tab."


def test_everything_works_without_javascript(browser, live_server):
    from tests.factories import make_episode, make_guest

    make_guest(name="Ada Okafor")
    episode = make_episode()
    make_user("ines")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    log_in(page, live_server.url, "ines")
    page.goto(live_server.url + episode.item.admin_path)
    group = page.get_by_role("group", name="Guests and hosts", exact=True)
    assert group.get_by_label("Guest", exact=True).count() == 3

    group.get_by_label("Guest", exact=True).first.fill("ada okafor")
    save_draft(page)

    assert len(Item.objects.get(pk=episode.pk).head.content["guests"]) == 1
    context.close()
