"""Pages of ours in the frames of another site, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from episodes import embed_pages as episode_pages
from episodes.models import Episode
from publishing.embeds import Embed
from publishing.models import SiteSettings
from quotes import embed_pages as quote_pages
from quotes.clips.offers import offers_of
from quotes.models import Quote
from tests.browser.test_pages import check
from tests.factories import make_episode, make_quote, make_show
from tests.public import make_site
from tests.server import Server, reply

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TEXTS = {
    "long": "Every one I have worked on, the number that was wrong had been wrong for months, and somebody knew. " * 8,
    "lines": "First line of it.\nSecond line of it.\n\nThird after an empty one.",
    "one-word": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" * 3,
    "right-to-left": "وضعناه حيث تنام الحافلات، وهو يحل ذروة المساء بأكملها لنحو أربعين ألف منزل.",
    "ideographs": "我们把它放在公交车睡觉的地方，它解决了整个晚高峰，为大约四万户家庭供电。没有人注意到。",
}


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def embeds(settings, live_server) -> dict[str, Embed]:
    """Embeds by the paths of their pages: with a clip and without, with pictures and without, of every writing."""
    settings.SITE_URL = live_server.url
    make_site()
    bare = make_episode(show=make_show(title="No picture"), title="The grid nobody sees, batteries and buses. " * 3)
    for name, text in TEXTS.items():
        make_quote(episode=bare, claim=f"a battery as large as a bus depot settles the evening peak, {name}", text=text)
    site = SiteSettings.current()
    quotes, episodes = Quote.objects.live().for_page(), Episode.objects.live().for_page()
    made = {
        f"{row.get_absolute_url()}embed/": quote_pages.embed_of(row, site, offers_of(row, site, None)) for row in quotes
    }
    for row in episodes:
        first = episode_pages.first_quotes(row)
        made[f"{row.get_absolute_url()}embed/"] = episode_pages.embed_of(row, site, first)
    assert len(made) == len(TEXTS) + 3
    return made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(300, 200), (800, 500)])
def test_an_embed_is_legible_in_any_frame(page: Page, context, live_server, embeds, scheme, width, height):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    for path in embeds:
        page.goto(live_server.url + path)
        check(page, path)
        expect(page.get_by_role("contentinfo")).to_be_in_viewport(ratio=1)
    assert context.outside == []


@pytest.mark.parametrize("width", [300, 352, 479, 480, 600, 800])
def test_nothing_has_to_be_scrolled_at_the_height_that_is_told(page: Page, live_server, embeds, width):
    for path, embed in embeds.items():
        page.set_viewport_size({"width": width, "height": 10})
        page.goto(live_server.url + path)
        needed = page.evaluate("document.documentElement.scrollHeight")
        assert needed <= embed.height_at(width) <= needed * 1.35, path


def test_another_site_shows_an_embed_and_nothing_else_of_ours(page: Page, context, live_server, embeds):
    """``page`` fails the test where the policy of a page keeps a style, a picture or a font of ours from it."""
    path = next(path for path in embeds if path.startswith("/quotes/one-battery"))
    host = Server()
    host.answers["/"] = reply(
        f"<!doctype html>{embeds[path].snippet}".encode(), Content_Type="text/html; charset=utf-8"
    )
    page.route(f"{host.url}/**", lambda route: route.continue_())
    page.route("**/*.woff2", with_cors)

    page.goto(host.url)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("heading")).to_have_text("Ada Okafor: one battery settles the peak")
    expect(frame.get_by_role("contentinfo")).to_have_css("position", "sticky")
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    with context.expect_page() as opened:
        frame.get_by_role("heading").get_by_role("link").click()
    expect(opened.value.get_by_role("heading", level=1)).to_have_text("Ada Okafor: one battery settles the peak")
    assert opened.value.evaluate("window.origin") == live_server.url
    assert opened.value.evaluate("window.opener") is None
    assert context.outside == []
    host.close()


def with_cors(route):
    """Answer as the server of static files does, which pytest's stand-in for it does not."""
    answer = route.fetch()
    route.fulfill(response=answer, headers={**answer.headers, "access-control-allow-origin": "*"})


def test_a_frame_of_another_page_stays_empty(browser, live_server, embeds):
    """A page of its own: the browser complains in the console, as it should."""
    whole = next(iter(embeds)).removesuffix("embed/")
    host = Server()
    html = f'<!doctype html><iframe src="{live_server.url}{whole}"></iframe>'
    host.answers["/"] = reply(html.encode(), Content_Type="text/html; charset=utf-8")
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))

    page.goto(host.url, wait_until="networkidle")

    assert page.frames[1].url == "chrome-error://chromewebdata/"
    assert any("frame-ancestors" in text for text in said)
    page.close()
    host.close()


def test_a_citation_as_a_page_is_legible(page: Page, live_server, embeds):
    path = next(iter(embeds)).replace("embed/", "cite.html")
    page.goto(live_server.url + path)

    check(page, path)
