import json

import feedparser
import pytest

from publishing.acts import publish
from tests.factories import edit, make_episode, make_guest, make_quote

pytestmark = pytest.mark.django_db


def test_a_quote_is_a_blockquote_that_says_where_it_is_from(client):
    quote = make_quote(
        speaker=make_guest(name="Ada & Co"), episode=make_episode(title="The <grid>"), claim="a battery settles it",
        slug="battery", text="We put it where 2 < 3.", start_ms=6_110_200, end_ms=6_120_000,
    )  # fmt: skip

    entry = feedparser.parse(client.get("/quotes/feed.atom").content, sanitize_html=False).entries[0]

    assert (entry.title, entry.id, entry.author) == ("Ada & Co: a battery settles it", quote.item.uid.urn, "Ada & Co")
    html = entry.content[0].value
    assert (
        '<blockquote cite="https://example.org/quotes/battery/"><p>“We put it where 2 &lt; 3.”</p></blockquote>' in html
    )
    assert (
        f'Ada &amp; Co · <a href="https://example.org{quote.episode.get_absolute_url()}">The &lt;grid&gt;</a> · at 1:41:50'
        in html
    )


def test_a_quote_without_a_time_has_no_stray_separator(client):
    make_quote(start_ms=None, end_ms=None)

    html = json.loads(client.get("/quotes/feed.json").content)["items"][0]["content_html"]

    assert "</a></p>" in html


def test_quotes_have_no_enclosure_and_keep_their_guid(client):
    quote = make_quote()
    publish(edit(quote, slug="another", claim="Another"), actor=None)

    parsed = feedparser.parse(client.get("/quotes/feed.rss").content)

    assert not parsed.bozo
    assert [(entry.id, entry.guidislink, entry.enclosures, entry.link) for entry in parsed.entries] == [
        (quote.item.uid.urn, False, [], "https://example.org/quotes/another/")
    ]
