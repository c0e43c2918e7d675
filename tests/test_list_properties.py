"""Any text in any field: the sitemap and the list of shows stay whole, and the text comes back."""

import listparser
import pytest
from hypothesis import HealthCheck, given, settings as examples, strategies as st
from lxml import etree

from episodes.models import Show
from episodes.opml import to_opml
from publishing.models import SiteSettings
from publishing.sitemaps import MOST_VIDEO_TEXT, SITEMAP, VIDEO, Location, Video, write_index, write_sitemap
from publishing.text import clean_line, clean_text, shorten
from tests.factories import make_show

NASTY = [
    "]]>",
    "<![CDATA[",
    "&amp;amp;",
    "&#8;",
    "</title>",
    "\x08",
    "\x0b",
    "\ufffe",
    "\ud800",
    "\u202e",
    "🔋",
    "\r\n",
    "\"'",
]
TEXTS = st.lists(st.sampled_from(NASTY) | st.text(max_size=30), max_size=6).map("".join)
PAGE = "https://example.org/shows/x/?a=1&b=2"


def parse(data: bytes) -> etree._Element:
    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, recover=False))


@given(TEXTS, TEXTS)
def test_a_sitemap_gives_every_text_back(title, description):
    video = Video(title, description, PAGE, PAGE, 60)

    root = parse(write_sitemap([Location(PAGE, images=[PAGE], video=video)]))

    assert root.findtext(f"{{{SITEMAP}}}url/{{{SITEMAP}}}loc") == PAGE
    shown = root.find(f"{{{SITEMAP}}}url/{{{VIDEO}}}video")
    assert (shown is not None) == video.is_complete
    if shown is not None:
        assert shown.findtext(f"{{{VIDEO}}}title") == clean_text(title)
        assert shown.findtext(f"{{{VIDEO}}}description") == clean_text(shorten(description, MOST_VIDEO_TEXT))
    assert parse(write_index([Location(PAGE)])).findtext(f"{{{SITEMAP}}}sitemap/{{{SITEMAP}}}loc") == PAGE


@pytest.mark.django_db
@examples(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=TEXTS, tagline=TEXTS, name=TEXTS)
def test_the_list_of_shows_gives_every_text_back(title, tagline, name):
    stored = {"title": clean_text(title)[:200], "tagline": clean_text(tagline)[:200]}  # as a form stores them
    if not Show.objects.filter(slug="x").update(**stored):
        make_show(slug="x")
        Show.objects.filter(slug="x").update(**stored)

    data = to_opml(SiteSettings(name=name))
    outline = parse(data).find("body/outline")

    assert parse(data).findtext("head/title") == clean_line(f"Shows on {name}")
    assert outline.get("title", "") == outline.get("text", "") == clean_line(stored["title"])
    assert outline.get("description", "") == clean_line(stored["tagline"])
    assert listparser.parse(data).feeds[0].url == "https://example.org/shows/x/feed.rss"
