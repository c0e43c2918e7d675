"""Words selected in the transcript become a quote that is proved, and a refusal has three ways out."""

import pytest
from playwright.sync_api import Locator, Page, expect

from episodes.models import Guest
from episodes.transcripts.service import About, add_transcript
from publishing.models import Item
from tests.browser.steps import log_in
from tests.factories import make_episode, make_guest, make_quote, make_user
from tests.public import make_file

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SAID = """WEBVTT

1:11:52.000 --> 1:12:00.000
<v Tomas Lund>So where does the first one go? Everybody says the roof.

1:12:01.000 --> 1:12:21.000
<v Ada Okafor>Not the roof. We, uh, we put it put it where the buses sleep. And um it settles about half of the evening peak. Nobody noticed.

1:12:24.000 --> 1:12:26.000
<v Tomas Lund>Right, right.
"""


@pytest.fixture
def episode(db):
    people = [make_guest(name="Ada Okafor"), make_guest(name="Tomas Lund")]
    rows = [{"guest": guest.pk, "role": "guest", "credit": ""} for guest in people]
    sound = make_file("episodes/sound.mp3")
    row = make_episode(title="The grid nobody sees", guests=rows, media=[{"media": sound.pk}])
    add_transcript(row, SAID.encode(), About(language="en", is_automated=True), actor=None)
    make_user("petra", "Publisher")
    return row


def word(page: Page, text: str) -> dict:
    """Return the box of the first word like this in the transcript."""
    return page.evaluate(
        """(text) => {
            for (const paragraph of document.querySelectorAll("[data-first]")) {
                const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
                for (let node = walker.nextNode(); node; node = walker.nextNode()) {
                    const at = node.data.indexOf(text);
                    if (at < 0) continue;
                    const range = new Range();
                    range.setStart(node, at);
                    range.setEnd(node, at + text.length);
                    return range.getBoundingClientRect().toJSON();
                }
            }
        }""",
        text,
    )


def drag(page: Page, first: str, last: str) -> None:
    """Select from one word to another with the mouse, as they stand in the transcript."""
    start, end = word(page, first), word(page, last)
    page.mouse.move(start["left"] + 1, start["top"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["right"] - 1, end["top"] + end["height"] / 2, steps=5)
    page.mouse.up()


def open_picker(page: Page, base: str, episode) -> Locator:
    log_in(page, base, "petra")
    page.goto(f"{base}/admin/quotes/quote/pick/{episode.pk}/")
    return page.locator("[data-finding]")


def test_selected_words_become_a_quote_that_is_proved(page: Page, live_server, episode):
    base = live_server.url
    ada = Guest.objects.get(name="Ada Okafor")
    said = {"text": "Nobody noticed.", "start_ms": None, "end_ms": None}
    make_quote(live=False, episode=episode, speaker=ada, claim="Nobody saw it", **said)
    finding = open_picker(page, base, episode)
    expect(page.locator("mark.said__quote")).to_have_count(1)

    drag(page, "we put", "peak.")

    expect(page.locator("#id_text")).to_have_value(
        "We put it where the buses sleep. And it settles about half of the evening peak."
    )
    assert page.input_value("#id_speaker").startswith("Ada Okafor (#")
    expect(finding).to_contain_text("✓")
    expect(finding.locator("del")).to_have_text(["put it", "um"])

    page.locator("#id_text").fill("We put it where the buses sleep. And it settles half of the evening peak.")
    expect(finding).to_contain_text("about")
    expect(finding).to_contain_text("✗")
    page.get_by_role("button", name="Put").first.click()
    expect(finding).to_contain_text("✓")

    page.get_by_label("Claim", exact=True).fill("the depot settles half of the peak")
    page.get_by_label("Context").fill("Ada Okafor, then a grid engineer, talks about depots.")
    page.get_by_label("I have heard this quote").check()
    page.get_by_role("button", name="Save draft and go on").click()
    expect(page.get_by_text("Saved the draft")).to_be_visible()
    expect(page.locator("mark.said__quote")).to_have_count(2)

    item = Item.objects.get(working_title="the depot settles half of the peak")
    page.goto(base + item.admin_path)
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_text("is live:").get_by_role("link").click()

    expect(page.get_by_text("quote is from the automated transcript, cleaned for reading:")).to_be_visible()
    page.get_by_text("Words as spoken").click()
    expect(page.locator("main del, main s").first).to_be_visible()
    left_out = page.locator("main del, main s").all_inner_texts()
    assert [word in text for word, text in zip(("put it", "um"), left_out, strict=True)] == [True, True]
    content = item.newest.content
    expect(page.locator("main")).to_contain_text("at 1:12:0")
    assert 4_321_000 <= content["start_ms"] < content["end_ms"] <= 4_341_000


@pytest.mark.parametrize("way", ["put_back", "ellipsis", "bracket"])
def test_each_way_out_of_a_refusal_is_one_click_and_holds(page: Page, live_server, episode, way):
    base = live_server.url
    texts = {
        "put_back": "And it settles half of the evening peak.",
        "ellipsis": "We put it where the buses sleep. The evening peak. Nobody noticed.",
        "bracket": "We put [batteries] where the buses sleep. And the depot settles about half of the evening peak.",
    }
    ada = Guest.objects.get(name="Ada Okafor")
    quote = make_quote(
        live=False, episode=episode, speaker=ada, claim="One", text=texts[way], start_ms=None, end_ms=None
    )
    log_in(page, base, "petra")
    page.goto(base + quote.item.admin_path)
    finding = page.locator("[data-finding]")
    expect(finding).to_contain_text("✗")

    finding.locator(f"[data-way={way}]").first.click()
    expect(finding).to_contain_text("✓")
    page.get_by_label("I have heard this quote").check()
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_text("is live:").get_by_role("link").click()

    promise = "words in [brackets] are the editor's" if way == "bracket" else "nothing is rephrased"
    expect(page.get_by_text(promise).first).to_be_visible()


def test_a_drag_within_what_is_selected_takes_less_and_what_was_typed_can_be_put_back(page: Page, live_server, episode):
    open_picker(page, live_server.url, episode)
    text = page.locator("#id_text")
    drag(page, "Nobody", "noticed.")
    expect(text).to_have_value("Nobody noticed.")
    text.fill("Nobody noticed anything.")

    drag(page, "noticed.", "noticed.")
    expect(text).to_have_value("Noticed.")
    page.get_by_role("button", name="Put back what stood here before").click()

    expect(text).to_have_value("Nobody noticed anything.")
    expect(page.locator("[data-finding]")).to_contain_text("anything")


def test_a_drag_that_ends_beyond_the_transcript_takes_what_is_of_it(page: Page, live_server, episode):
    open_picker(page, live_server.url, episode)
    start = word(page, "Right,")
    page.mouse.move(start["left"] + 1, start["top"] + 5)
    page.mouse.down()
    page.mouse.move(300, 140, steps=5)
    page.mouse.up()

    expect(page.locator("#id_text")).not_to_have_value("")
    expect(page.locator("[data-finding]")).to_contain_text("A quote has one speaker")


def test_all_of_it_by_keyboard(page: Page, live_server, episode):
    open_picker(page, live_server.url, episode)
    page.keyboard.press("/")
    page.keyboard.type("nobody")
    expect(page.locator("#find")).to_have_value("nobody")
    expect(page.locator("[data-find-count]")).to_have_text("1 / 1")

    page.locator("[data-said]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("No words are selected.")).to_be_visible()
    for _press in range(2):
        page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#id_text")).to_have_value("Nobody noticed.")
    expect(page.locator("#id_text")).to_be_focused()

    page.locator("[data-said]").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Enter")
    expect(page.locator("#id_text")).not_to_have_value("Nobody noticed.")


def test_words_selected_by_finger_are_taken_once_the_finger_rests(page: Page, live_server, episode):
    open_picker(page, live_server.url, episode)
    page.evaluate(
        """() => {
            const said = document.querySelector("[data-said]");
            said.dispatchEvent(new PointerEvent("pointerdown", { pointerType: "touch", bubbles: true }));
            getSelection().selectAllChildren(said.querySelectorAll("[data-first]")[0]);
        }"""
    )

    expect(page.locator("#id_text")).to_have_value("So where does the first one go? Everybody says the roof.")


def test_enter_in_a_field_saves_and_never_presses_a_way_out(page: Page, live_server, episode):
    finding = open_picker(page, live_server.url, episode)
    drag(page, "Nobody", "noticed.")
    expect(page.locator("#id_text")).to_have_value("Nobody noticed.")
    page.locator("#id_text").fill("Somebody noticed.")
    expect(finding.locator("[data-way]").first).to_be_visible()

    page.get_by_label("Claim", exact=True).fill("It was noticed")
    page.get_by_label("Claim", exact=True).press("Enter")
    expect(page.get_by_text("Saved the draft")).to_be_visible()

    page.get_by_role("link", name="It was noticed", exact=True).first.click()
    expect(page.locator("[data-finding] [data-way]").first).to_be_visible()
    page.get_by_label("Claim", exact=True).fill("It was noticed at once")
    page.get_by_label("Claim", exact=True).press("Enter")
    expect(page.locator(".messagelist").get_by_text("Saved")).to_be_visible()
    expect(page.locator("#id_text")).to_have_value("Somebody noticed.")


def test_what_was_heard_is_not_what_stands_there_after_a_change(page: Page, live_server, episode):
    open_picker(page, live_server.url, episode)
    drag(page, "Nobody", "noticed.")
    heard = page.get_by_label("I have heard this quote")
    expect(page.locator("#id_text")).to_have_value("Nobody noticed.")

    heard.check()
    page.get_by_role("button", name="End 0.1 s later").click()
    expect(heard).not_to_be_checked()


def test_a_check_that_does_not_answer_promises_nothing(page: Page, live_server, episode):
    finding = open_picker(page, live_server.url, episode)
    drag(page, "Nobody", "noticed.")
    expect(page.locator("#id_text")).to_have_value("Nobody noticed.")
    expect(finding).to_contain_text("✓")

    page.route("**/look/", lambda route: route.fulfill(status=403, body=""))
    page.locator("#id_text").fill("Somebody noticed.")

    expect(finding).to_contain_text("The check does not answer.")
    expect(finding).not_to_contain_text("✓")
