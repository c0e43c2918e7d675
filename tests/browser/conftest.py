"""A real Chromium against the real site."""

import os

import pytest

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync"

# Playwright keeps an event loop in this thread, in which Django would refuse to touch the database.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {**browser_type_launch_args, "executable_path": CHROMIUM, "args": FLAGS.split()}


@pytest.fixture
def context(context, live_server):
    """Refuse whatever would leave this machine, and remember it."""
    context.set_default_timeout(15_000)
    context.outside = []

    def check(route):
        if route.request.url.startswith((live_server.url, "data:")):
            route.continue_()
        else:
            context.outside.append(route.request.url)
            route.abort()

    context.route("**/*", check)
    return context


@pytest.fixture
def page(page):
    """A page that fails the test where the console complains."""
    said = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    yield page
    expected = ("Failed to load resource: the server responded with a status of 4",)  # 409 and 422 are answers of ours
    assert [text for text in said if not text.startswith(expected)] == []
