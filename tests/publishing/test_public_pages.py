"""Addresses that moved, went or never were, and the frame of every page."""

import re

import pytest

from publishing.acts import publish, retire
from publishing.models import Item, SiteSettings
from tests.factories import edit, make_episode, make_quote, make_show, make_topic

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("rest", ["", "feed.rss", "quotes/", "?page=1"])
def test_an_old_address_leads_to_the_present_one(client, rest):
    topic = make_topic(name="Grid", slug="old")
    publish(edit(topic, slug="new"), actor=None)

    response = client.get(f"/topics/old/{rest}")

    assert (response.status_code, response["Location"]) == (301, f"/topics/new/{rest}")


def test_an_old_show_takes_its_episodes_along(client):
    episode = make_episode(show=make_show(slug="old"), slug="one")
    publish(edit(episode.show, slug="new"), actor=None)

    assert client.get("/shows/old/one/")["Location"] == "/shows/new/one/"
    assert client.get("/shows/old/feed.json")["Location"] == "/shows/new/feed.json"


def test_what_was_withdrawn_says_why(client):
    quote = make_quote()
    retire(Item.objects.get(pk=quote.episode_id), actor=None, reason="The guest asked <us> to.")

    for path in (quote.get_absolute_url(), quote.episode.get_absolute_url()):
        response = client.get(path)
        assert response.status_code == 410
        assert "The guest asked &lt;us&gt; to." in response.content.decode()


def test_an_address_that_never_was_is_404(client):
    response = client.get("/shows/nothing/here/")

    assert response.status_code == 404
    assert "There is no page here" in response.content.decode()
    assert b'rel="canonical"' not in response.content


def test_every_page_carries_what_the_site_says_of_itself(client):
    SiteSettings.objects.create(
        pk=1, name="The Long Signal", contact="desk@example.org", licence="CC BY 4.0",
        footer_links=[{"label": "Imprint", "url": "https://example.org/imprint"}, {"label": "Bad", "url": "javascript:alert(1)"}],
    )  # fmt: skip

    page = client.get("/how/").content.decode()

    assert "<title>How quotes are made · The Long Signal</title>" in page
    assert 'href="mailto:desk@example.org"' in page
    assert '<a href="https://example.org/imprint" rel="nofollow noopener">Imprint</a>' in page
    assert "CC BY 4.0" in page
    assert "javascript:" not in page


def test_a_page_tells_others_what_it_is(client):
    make_topic(name="Grid & storage", slug="grid", description="Batteries  and\n\nother stores. " * 20)

    page = client.get("/topics/grid/?utm_source=x").content.decode()

    assert '<link rel="canonical" href="https://example.org/topics/grid/">' in page
    assert '<meta property="og:title" content="Grid &amp; storage">' in page
    assert '<meta property="og:url" content="https://example.org/topics/grid/">' in page
    assert page.count('content="Batteries and other stores. Batteries') == 2


def test_a_logo_stands_in_the_header_and_can_be_fetched(client, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "logo.png").write_bytes(b"logo")
    SiteSettings.objects.create(pk=1, logo="site/logo.png")

    assert 'src="/media/site/logo.png"' in client.get("/").content.decode()
    assert client.get("/media/site/logo.png")["Content-Type"] == "image/png"


def test_pages_speak_the_language_of_the_site(client):
    SiteSettings.objects.create(pk=1, locale="de")
    make_episode(slug="one", aired_at="2026-06-03T10:00:00Z")

    page = client.get("/episodes/").content.decode()

    assert '<html lang="de" dir="ltr">' in page
    assert "3. Juni 2026</time>" in page


def test_nothing_on_a_page_comes_from_another_host_or_runs_inline(client):
    quote = make_quote()

    for path in ("/", quote.get_absolute_url(), quote.episode.get_absolute_url()):
        page = client.get(path).content.decode()
        assert re.findall("<script[^>]*>", page) == ['<script type="application/ld+json">']  # a block of data
        assert "<style" not in page
        assert " style=" not in page
        assert ' src="http' not in page
