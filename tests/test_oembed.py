"""oEmbed 1.0: what a site is told that wants to show a page of ours; and that nothing else is told, or fetched."""

import json
import socket

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings as examples, strategies as st
from lxml import etree, html

from publishing.acts import publish, retire
from publishing.embeds import Embed
from publishing.models import Item, SiteSettings
from publishing.oembed import Question, describe, own_path, to_json, to_xml
from publishing.text import clean_text
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic

pytestmark = pytest.mark.django_db

SITE = "https://example.org"


def ask(client, url: str, **parameters):
    return client.get("/oembed", {"url": url} | parameters)


@pytest.fixture
def quote():
    episode = make_episode(show=make_show(slug="signal-path", title="Signal Path"), slug="grid", title="The grid & you")
    return make_quote(episode=episode, speaker=make_guest(name="Ada & Co"), claim="it <works>", slug="it-works")


def test_a_quote_in_json(client, quote):
    answer = ask(client, f"{SITE}/quotes/it-works/")
    facts = answer.json()
    frame = html.fragment_fromstring(facts["html"])

    assert answer["Content-Type"] == "application/json"
    assert (facts["type"], facts["version"], facts["title"]) == ("rich", "1.0", "Ada & Co: it <works>")
    assert (facts["author_name"], facts["author_url"]) == ("Ada & Co", f"{SITE}{quote.speaker.get_absolute_url()}")
    assert (facts["provider_name"], facts["provider_url"], facts["cache_age"]) == ("Pullquote", f"{SITE}/", 3600)
    assert (frame.tag, frame.get("src"), frame.get("title")) == (
        "iframe",
        f"{SITE}/quotes/it-works/embed/",
        facts["title"],
    )
    assert (frame.get("width"), frame.get("height")) == (str(facts["width"]), str(facts["height"]))
    assert (facts["thumbnail_width"], facts["thumbnail_height"]) == (1200, 630)
    assert client.get(facts["thumbnail_url"].removeprefix(SITE)).status_code == 200
    assert client.get(frame.get("src").removeprefix(SITE)).status_code == 200


def test_an_episode_in_xml(client, quote):
    answer = ask(client, f"{SITE}/shows/signal-path/grid/", format="xml")
    root = etree.fromstring(answer.content)

    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    assert (root.tag, root.findtext("title"), root.findtext("author_name")) == (
        "oembed",
        "The grid & you",
        "Signal Path",
    )
    assert html.fragment_fromstring(root.findtext("html")).get("src") == f"{SITE}/shows/signal-path/grid/embed/"


@pytest.mark.parametrize(
    ("parameters", "width", "has_picture"),
    [({}, 600, True), ({"maxwidth": 320}, 320, False), ({"maxwidth": 5000}, 600, True), ({"maxwidth": "1"}, 1, False), ({"maxwidth": "9" * 400}, 600, True)],
)  # fmt: skip
def test_nothing_is_wider_than_asked_for(client, quote, parameters, width, has_picture):
    facts = ask(client, f"{SITE}/quotes/it-works/", **parameters).json()

    assert (facts["width"], "thumbnail_url" in facts) == (width, has_picture)


def test_nothing_is_higher_than_asked_for(client, quote):
    facts = ask(client, f"{SITE}/quotes/it-works/", maxheight=120).json()

    assert facts["height"] == 120
    assert 'height="120"' in facts["html"]
    assert "thumbnail_url" not in facts


@pytest.mark.parametrize("size", ["0", "-1", "x", "1.5", "١٢", "1e3", "000"])
@pytest.mark.parametrize("name", ["maxwidth", "maxheight"])
def test_what_is_no_size_is_said(client, quote, name, size):
    answer = ask(client, f"{SITE}/quotes/it-works/", **{name: size})

    assert answer.status_code == 400
    assert name in answer.content.decode()


def test_there_are_two_formats_and_an_address_is_needed(client, quote):
    assert ask(client, f"{SITE}/quotes/it-works/", format="yaml").status_code == 501
    assert client.get("/oembed").status_code == 400


def test_other_ways_to_write_an_address(client, quote):
    publish(edit(quote, slug="it-still-works"), actor=None)
    new = f"{SITE}/quotes/it-still-works/"

    for url in (
        *(new, new.removesuffix("/"), f"{new}?utm=x#here", new.replace("https", "http"), new.replace("https", "HTTPS")),
        *(f"{SITE}/q/{quote.item.short_id}", f"{SITE}/quotes/it-works/", new.replace("example", "EXAMPLE")),
        new.replace("works", "%77orks"),
    ):
        answer = ask(client, url)
        assert answer.status_code == 200, url
        assert f'src="{SITE}/quotes/it-still-works/embed/"' in answer.json()["html"]


def test_short_links_of_episodes_and_paths_of_shows_that_moved(client, quote):
    publish(edit(quote.episode.show, slug="new-path"), actor=None)

    for url in (f"{SITE}/e/{quote.episode.item.short_id}", f"{SITE}/shows/signal-path/grid"):
        assert f'src="{SITE}/shows/new-path/grid/embed/"' in ask(client, url).json()["html"], url
    assert ask(client, f"{SITE}/q/{quote.episode.item.short_id}").status_code == 404


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("http://127.0.0.1:8000/quotes/x/", "/quotes/x/"), ("https://127.0.0.1:8000/quotes/x", "/quotes/x"),
        ("http://127.0.0.1/quotes/x/", None), ("http://127.0.0.1:8001/quotes/x/", None), ("http://127.0.0.1:8000", None),
        ("http://127.0.0.1:8000/quotes/gr%C3%B6%C3%9Fe/?a=/../#//", "/quotes/größe/"),
        ("http://127.0.0.1:8000/quotes/größe/", "/quotes/größe/"), ("http://127.0.0.1:8000/quotes%2Fx/", "/quotes/x/"),
        ("http://127.0.0.1:8000/a%2F%2Fb/", None), ("http://127.0.0.1:8000/a%5Cb/", None), ("http://127.0.0.1:8000/?\t", None),
        (" http://127.0.0.1:8000/quotes/x/", None), ("http://127.0.0.1:8000/" + "a" * 1_978, "/" + "a" * 1_978),
        ("http://127.0.0.1:8000/" + "a" * 1_979, None),
    ],
)  # fmt: skip
def test_an_address_is_ours_or_none(settings, address, path):
    settings.SITE_URL = "http://127.0.0.1:8000"

    assert own_path(address) == path


FOREIGN = [
    "https://example.com/quotes/it-works/", "https://example.org.evil.example/quotes/it-works/", "https://evil@example.org/quotes/it-works/",
    "https://example.org:8443/quotes/it-works/", "//example.org/quotes/it-works/", "ftp://example.org/quotes/it-works/",
    "https://example.org\\@evil.example/quotes/it-works/", "https://example.org//quotes/it-works/", "https://example.org/quotes/it-works/\r\n",
    "https://example.org/quotes/%00it-works/", "https://example.org/quotes/%ff/", "javascript:alert(1)", "/quotes/it-works/",
    "https://example.org/quotes/it-works/" + "a" * 10_000, "https://example.org/", "https://example.org/quotes/", "https://example.org/admin/",
    "https://example.org/oembed?url=https://example.org/quotes/it-works/", "https://example.org/quotes/it-works/embed/", "https://[::1]/quotes/it-works/",
]  # fmt: skip


@pytest.mark.parametrize("url", FOREIGN)
def test_nothing_is_told_of_other_addresses_and_nothing_fetched(client, quote, monkeypatch, url):
    def refuse(*args, **kwargs):
        raise AssertionError("Something was to be fetched.")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)

    assert ask(client, url).status_code == 404


def test_what_readers_do_not_see_is_404(client, quote):
    draft, retired = make_quote(live=False), make_quote(slug="retired")
    retire(Item.objects.get(pk=retired.pk), actor=None, reason="Gone.")
    topic = make_topic(slug="grid")

    for url in (
        f"{SITE}/quotes/{draft.item.working_slug}/", f"{SITE}/q/{draft.item.short_id}", f"{SITE}/quotes/retired/",
        f"{SITE}/q/{retired.item.short_id}", f"{SITE}{topic.get_absolute_url()}",
    ):  # fmt: skip
        assert ask(client, url).status_code == 404, url
    retire(Item.objects.get(pk=quote.episode.show_id), actor=None, reason="Gone.")
    assert ask(client, f"{SITE}/quotes/it-works/").status_code == 404
    assert ask(client, f"{SITE}/shows/signal-path/grid/").status_code == 404


def test_it_is_a_document_for_every_site(client, quote):
    answer = ask(client, f"{SITE}/quotes/it-works/")

    assert answer["Access-Control-Allow-Origin"] == "*"
    assert ask(client, "https://example.com/")["Access-Control-Allow-Origin"] == "*"
    again = client.get("/oembed", {"url": f"{SITE}/quotes/it-works/"}, headers={"if-none-match": answer["ETag"]})
    assert again.status_code == 304
    assert client.head("/oembed", {"url": f"{SITE}/quotes/it-works/"})["ETag"] == answer["ETag"]


def test_pages_say_where_they_are_described(client, quote):
    for path in ("/quotes/it-works/", "/shows/signal-path/grid/"):
        page = html.fromstring(client.get(path).content)
        for mime in ("application/json+oembed", "text/xml+oembed"):
            [link] = page.xpath(f"//link[@type='{mime}']/@href")
            assert client.get(link.removeprefix(SITE)).status_code == 200
    assert b"+oembed" not in client.get("/quotes/").content


def test_it_takes_as_many_queries_for_many_quotes(client, quote):
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert ask(client, f"{SITE}/shows/signal-path/grid/").status_code == 200
        return len(queries)

    few = count()
    for _number in range(10):
        make_quote(episode=quote.episode)

    assert count() == few <= 12


TEXTS = st.text(max_size=80) | st.sampled_from(
    ['"><script>', "</iframe>", "]]>", "\x08", "\ufffe", "\ud800", "&amp;amp;", "'"]
)


@examples(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, TEXTS, TEXTS)
def test_any_text_comes_back(title, author, name):
    embed = Embed(f"{SITE}/quotes/x/embed/", title, author, f"{SITE}/guests/x/", lambda width: 200)
    facts = describe(SiteSettings(name=name), embed, Question(f"{SITE}/quotes/x/"))

    told = json.loads(to_json(facts).decode("utf-8", "strict"))
    root = etree.fromstring(to_xml(facts))

    expected = [clean_text(text) for text in (title, author, name)]
    assert [told[key] for key in ("title", "author_name", "provider_name")] == expected
    assert [root.findtext(key) or "" for key in ("title", "author_name", "provider_name")] == expected
    for source in (told["html"], root.findtext("html")):
        frames = html.fragments_fromstring(source)
        assert [(frame.tag, frame.get("title"), len(frame)) for frame in frames] == [("iframe", expected[0], 0)]
