"""What a person does in the newsroom, step by step."""

from playwright.sync_api import Page, expect


def log_in(page: Page, base: str, name: str) -> None:
    page.goto(f"{base}/admin/")
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Desk")).to_be_visible()


def add(page: Page, base: str, model: str, **fields: str) -> None:
    page.goto(f"{base}/admin/{model}/add/")
    for label, text in fields.items():
        page.get_by_label(label.replace("_", " "), exact=True).fill(text)
    page.get_by_role("button", name="Save and go on").click()
    expect(page.get_by_role("button", name="Save draft")).to_be_visible()


def pick(page: Page, list_label: str, add_label: str, field: str, typed: str) -> None:
    """Add a row to a card list and choose from the suggestions by keyboard."""
    group = page.get_by_role("group", name=list_label, exact=True)
    group.get_by_role("button", name=add_label).click()
    field_input = group.get_by_label(field, exact=True).last
    field_input.press_sequentially(typed, delay=20)
    expect(page.locator(".item-picker__found [role=option]").first).to_be_visible()
    field_input.press("Enter")


def publish(page: Page) -> None:
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_text("is live:")).to_be_visible()


def save_draft(page: Page) -> None:
    page.get_by_role("button", name="Save draft").click()
    expect(page.locator(".messagelist").get_by_text("Saved")).to_be_visible()


def publish_unchecked(page: Page) -> None:
    """Publish a quote that no transcript proves: somebody heard it, and a publisher says why."""
    page.get_by_label("I have heard this quote").check()
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_label("Or publish all the same, because:").fill("There is no transcript.")
    page.get_by_role("button", name="Publish with this reason").click()
    expect(page.get_by_text("is live:")).to_be_visible()
