"""A feed of ours, imported on another site and written there, has the same items."""

import pytest
from django.core.management import call_command
from lxml import etree

from episodes.models import Show
from publishing.acts import publish
from publishing.feeds.rss import NAMESPACES
from tests.factories import edit
from tests.whole_show import make_whole_show

pytestmark = pytest.mark.django_db(transaction=True)  # the other site's database is this one, emptied

FEED = "/shows/signal-path/feed.rss"
TEXTS = (
    *("title", "guid", "pubDate", "description", "itunes:duration", "itunes:explicit", "itunes:season"),
    *("itunes:episode", "itunes:episodeType", "content:encoded", "podcast:season"),
)


def items_of(data: bytes) -> list[dict]:
    """Return what each item says; the channel's people take part where an item names none."""
    channel = etree.fromstring(data).find("channel")
    return [_item(item, channel) for item in channel.iterfind("item")]


def _item(item: etree._Element, channel: etree._Element) -> dict:
    found = {name: item.findtext(name, namespaces=NAMESPACES) for name in TEXTS}
    enclosure = item.find("enclosure")
    people = item.findall("podcast:person", NAMESPACES) or channel.findall("podcast:person", NAMESPACES)
    return found | {
        "enclosure": dict(enclosure.attrib) if enclosure is not None else None,
        "people": [(person.text, person.get("role"), person.get("group")) for person in people],
    }


def test_the_items_of_a_feed_are_the_same_on_another_site(client, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    make_whole_show()
    before = client.get(FEED).content
    call_command("flush", interactive=False, verbosity=0)
    path = tmp_path / "feed.rss"
    path.write_bytes(before)

    call_command("import_feed", str(path), "--publish", "--owner-agrees", verbosity=0)
    show = Show.objects.get()
    publish(edit(show, slug="signal-path", feed_identity="own"), actor=None)

    assert items_of(client.get(FEED).content) == items_of(before)
