"""The list of all shows' feeds."""

import pytest
from lxml import etree

from publishing.acts import publish, retire
from publishing.feeds.podcast import rfc822
from publishing.models import Item, SiteSettings
from tests.factories import edit, make_show

pytestmark = pytest.mark.django_db

PATH = "/shows.opml"


def outlines_of(client) -> list[dict[str, str]]:
    root = etree.fromstring(client.get(PATH).content)
    assert (root.tag, root.get("version")) == ("opml", "2.0")
    return [dict(outline.attrib) for outline in root.find("body")]


def test_every_live_show_is_listed_by_title(client):
    make_show(title="Wires & <poles>", slug="wires", tagline="Slowly")
    make_show(title="Ärger", slug="ärger")
    make_show(title="Not yet", live=False)

    listed = outlines_of(client)

    assert listed[0] == {
        "type": "rss",
        "text": "Wires & <poles>",
        "title": "Wires & <poles>",
        "description": "Slowly",
        "xmlUrl": "https://example.org/shows/wires/feed.rss",
        "htmlUrl": "https://example.org/shows/wires/",
    }
    assert listed[1]["htmlUrl"] == "https://example.org/shows/%C3%A4rger/"
    assert "description" not in listed[1]
    assert len(listed) == 2
    for outline in listed:
        assert client.get(outline["xmlUrl"].removeprefix("https://example.org")).status_code == 200


def test_a_reader_of_others_takes_the_list_in(client):
    listparser = pytest.importorskip("listparser")
    make_show(title="Wires & poles", slug="wires")

    result = listparser.parse(client.get(PATH).content)

    assert result.bozo == 0
    assert [(feed.title, feed.url) for feed in result.feeds] == [
        ("Wires & poles", "https://example.org/shows/wires/feed.rss")
    ]


def test_the_head_says_whose_shows_and_of_when(client):
    SiteSettings.objects.create(pk=1, name="The Long & Signal")
    show = make_show()
    gone = make_show()
    retire(Item.objects.get(pk=gone.pk), actor=None, reason="Withdrawn.")
    changed = Item.objects.get(pk=gone.pk).changed_at

    first, second = client.get(PATH), client.get(PATH)

    root = etree.fromstring(first.content)
    assert root.findtext("head/title") == "Shows on The Long & Signal"
    assert root.findtext("head/dateCreated") == rfc822(changed)
    assert changed > Item.objects.get(pk=show.pk).changed_at
    assert first["Content-Type"] == "text/x-opml; charset=utf-8"
    assert first["Access-Control-Allow-Origin"] == "*"
    assert first.content == second.content


def test_an_empty_site_has_an_empty_list(client):
    root = etree.fromstring(client.get(PATH).content)

    assert len(root.find("body")) == 0
    assert root.find("head/dateCreated") is None


def test_a_draft_changes_nothing_and_publishing_does(client):
    show = make_show(title="Signal Path")
    draft = edit(show, title="Other Path")
    before = client.get(PATH)
    publish(draft, actor=None)

    after = client.get(PATH, HTTP_IF_NONE_MATCH=before["ETag"])

    assert b"Other Path" not in before.content
    assert (after.status_code, b'title="Other Path"' in after.content) == (200, True)
    assert client.get(PATH, HTTP_IF_NONE_MATCH=after["ETag"]).status_code == 304


def test_characters_that_xml_forbids_break_nothing(client):
    show = make_show()
    type(show).objects.filter(pk=show.pk).update(title="A\x08\x0b\ufffeB ]]> &amp;", tagline="x\ny")

    [outline] = outlines_of(client)

    assert (outline["title"], outline["description"]) == ("AB ]]> &amp;", "x y")


def test_the_list_is_bounded_and_takes_as_many_queries_for_any(client, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr("episodes.opml.MOST_SHOWS", 2)
    for letter in "CAB":
        make_show(title=letter)

    with django_assert_num_queries(4):  # the settings, the version, the last change, the shows
        listed = outlines_of(client)

    assert [outline["title"] for outline in listed] == ["A", "B"]


def test_the_page_of_feeds_names_the_list_where_there_are_shows(client):
    before = client.get("/feeds/").content.decode()
    make_show()

    page = client.get("/feeds/").content.decode()

    link = '<a href="/shows.opml" type="text/x-opml">https://example.org/shows.opml</a>'
    assert (link in before, link in page) == (False, True)
    assert 'href="/sitemap.xml"' in page
