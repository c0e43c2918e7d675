"""Every page in a real browser: axe finds nothing, nothing overflows, no other host is asked."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from episodes.models import Episode
from tests.factories import (
    edit,
    make_audio,
    make_corrections,
    make_episode,
    make_guest,
    make_quote,
    make_topic,
    make_transcript,
    make_user,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LONG = (
    "⚡ [Paper Club] A title that goes on for a good while, as titles of long conversations do, "
    + "and then some more of it"
)


@pytest.fixture
def content():
    guest = make_guest(name="Ada Okafor", bio="Grid engineer.", slug="ada")
    topic = make_topic(name="Grid storage", slug="grid")
    episode = make_episode(
        title=LONG,
        slug="peak",
        guests=[{"guest": guest.pk, "role": "guest", "credit": "Engineer"}],
        topics=[{"topic": topic.pk}],
        media=[{"media": make_audio().pk}],
        chapters=[{"start_ms": 0, "title": "Start", "url": "", "image": ""}],
        notes="**Notes** with [a link](https://example.org).",
    )
    for _number in range(3):
        make_quote(episode=episode, speaker=guest, topics=[{"topic": topic.pk}], slug=f"quote-{_number}")
    quote = episode.quotes.get(slug="quote-1")
    said = [
        (quote.start_ms - 4_000, "Tomas Lund", "Where did you put it?"),
        (quote.start_ms, "Ada Okafor", f"Uh, {quote.text.replace('put it', 'put it, put it')}"),
    ]
    make_transcript(episode, said, who={"Ada Okafor": guest})
    make_transcript(episode, [(0, "", "Wir haben es dort hingestellt.")], language="de")
    for row in (episode.show, guest, topic, episode, quote):
        make_corrections(row, 2, found_by="Kim Day", said=LONG)
    return episode


def paths(episode: Episode) -> list[str]:
    lists = [
        "/",
        "/shows/",
        "/episodes/",
        "/guests/",
        "/topics/",
        "/quotes/",
        "/feeds/",
        "/how/",
        "/corrections/",
        "/nowhere/",
        "/accounts/login/",
    ]
    return [
        *lists,
        episode.show.get_absolute_url(),
        episode.get_absolute_url(),
        "/guests/ada/",
        "/topics/grid/",
        "/quotes/quote-1/",
        "/how/?quote=quote-1",
        f"{episode.get_absolute_url()}transcript/",
        f"{episode.get_absolute_url()}transcript/?language=de",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_public_pages(page: Page, context, live_server, content, scheme, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    for path in paths(content):
        page.goto(live_server.url + path)
        page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
        check(page, path)
    assert context.outside == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_newsroom_pages(page: Page, context, live_server, content, scheme):
    edit(content, title="Another title", summary="Another summary.")
    make_user("petra", "Publisher")
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{live_server.url}/admin/")
    page.get_by_label("Username").fill("petra")
    page.get_by_label("Password").fill("correct horse battery")
    page.get_by_role("button", name="Log in").click()
    own = content.item.admin_path
    quote = content.quotes.first()
    forms = [own, quote.item.admin_path, quote.speaker.item.admin_path]
    root = own.removesuffix("change/")
    said = f"{root}transcripts/"
    speech = [f"{said}1/", *(f"{said}1/{page}/" for page in ("speakers", "names", "changes", "withdraw", "cues/1"))]
    picker = f"/admin/quotes/quote/pick/{content.pk}/"
    extra = [
        picker,
        said,
        f"{said}add/",
        *speech,
        f"{root}history/",
        f"{root}compare/",
        f"{root}retire/",
        f"{root}corrections/{content.item.corrections.first().pk}/",
        "/admin/import/feed/",
        "/admin/import/table/",
    ]
    for path in ["/admin/", "/admin/episodes/episode/", "/admin/episodes/episode/add/", *forms, *extra]:
        page.goto(live_server.url + path)
        check(page, path)
    assert context.outside == []


def check(page: Page, path: str) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, f"{path}: {found.generate_report()[:3000]}"
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, f"{path} overflows by {wide} px"
