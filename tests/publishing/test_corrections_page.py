"""The page and the feed of all corrections, those on a thing's own page and in its entries of other feeds."""

import json
import re
from datetime import UTC, datetime
from html import unescape

import feedparser
import pytest
from django.conf import settings

from publishing.acts import retire, reword_correction
from publishing.models import Correction, Item, SiteSettings
from tests.factories import (
    edit,
    make_corrections,
    make_episode,
    make_guest,
    make_quote,
    make_show,
    make_topic,
)
from tests.test_elements import traces

pytestmark = pytest.mark.django_db

DAY = datetime(2026, 6, 4, 12, tzinfo=UTC)
FORMATS = ("rss", "atom", "json")


def words_of(client, path: str) -> str:
    main = client.get(path).content.decode().partition("<main")[2].partition("<footer")[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main)).split())


def entries_of(client, path: str, name: str) -> list[dict]:
    """Return ``{"id", "title", "link", "html", "updated"}`` of each entry, read by somebody else's parser."""
    body = client.get(f"{path}feed.{name}").content
    if name == "json":
        return [
            {"id": one["id"], "title": one["title"], "link": one["url"], "html": one["content_html"], "updated": one["date_modified"]}
            for one in json.loads(body)["items"]
        ]  # fmt: skip
    parsed = feedparser.parse(body)
    assert not parsed.bozo
    return [
        {
            "id": one.id,
            "title": one.title,
            "link": one.link,
            "html": one.content[0].value if "content" in one else one.summary,
            "updated": one.get("updated"),
        }
        for one in parsed.entries
    ]


def test_the_page_tells_all_newest_first(client):
    quote, topic = (
        make_quote(speaker=make_guest(name="Ada Okafor"), claim="it settles the peak"),
        make_topic(name="Grid"),
    )
    [older] = make_corrections(topic, at=DAY, note="A wrong figure.", found_by="Kim Day")
    [newer] = make_corrections(
        quote, at=DAY.replace(day=5), kind="misquote", severity="significant", said="<b>it", says="them"
    )

    page = client.get("/corrections/").content.decode()

    assert page.index(f'id="correction-{newer.uid}"') < page.index(f'id="correction-{older.uid}"')
    assert f'<a href="{quote.get_absolute_url()}#correction-{newer.uid}">Ada Okafor: it settles the peak</a>' in page
    assert "&lt;b&gt;it" in page
    words = words_of(client, "/corrections/")
    assert "Jun 5, 2026 · misquote · significant" in words
    assert "Jun 4, 2026 · factual · minor A wrong figure. It said Nine. It says now Ten. Found by Kim Day" in words
    assert traces(page) == []


def test_a_site_without_corrections_says_so(client):
    assert "Nothing was corrected yet." in words_of(client, "/corrections/")
    assert entries_of(client, "/corrections/", "rss") == []


def test_every_page_leads_to_the_corrections(client):
    assert '<a href="/corrections/">Corrections</a>' in client.get("/").content.decode()
    assert "/corrections/feed.rss" in client.get("/feeds/").content.decode()
    assert 'href="/corrections/"' in client.get("/how/").content.decode().partition("<footer")[0]


@pytest.mark.parametrize("make", [make_show, make_guest, make_topic, make_episode, make_quote])
def test_a_correction_stands_on_the_page_that_it_corrects(client, make):
    row = make()
    [told] = make_corrections(row, at=DAY, note="A wrong figure.")

    page = client.get(row.get_absolute_url()).content.decode()

    assert f'id="correction-{told.uid}"' in page
    assert "Jun 4, 2026 · factual · minor A wrong figure. It said Nine. It says now Ten." in words_of(
        client, row.get_absolute_url()
    )
    assert "A wrong figure." not in client.get(make().get_absolute_url()).content.decode()


@pytest.mark.parametrize("blank", [{"said": ""}, {"says": ""}, {"said": "", "says": ""}, {"found_by": ""}])
def test_a_correction_says_only_what_is_known(client, blank):
    topic = make_topic(name="Grid")
    make_corrections(topic, **{"found_by": "Kim Day"} | blank)

    for path in ("/corrections/", topic.get_absolute_url()):
        assert traces(client.get(path).content.decode()) == [], path


def test_the_title_is_what_readers_see_and_never_a_draft(client):
    guest = make_guest(name="Ada Okafor")
    quote = make_quote(speaker=guest, claim="As published")
    make_corrections(quote)
    edit(quote, claim="Canary claim", slug="canary-claim")
    edit(guest, name="Canary name")

    for path in ("/corrections/", *(f"/corrections/feed.{name}" for name in FORMATS)):
        body = client.get(path).content.decode()
        assert "canary" not in body.lower(), path
        assert "Ada Okafor: As published" in body, path


def test_a_removal_tells_neither_which_nor_what(client):
    quote = make_quote(speaker=make_guest(name="Ada Okafor"), claim="Canary claim", text="Canary text", slug="canary")
    make_corrections(quote, said="Canary said", says="Canary says")
    item = edit(quote, claim="Canary draft")

    retire(item, actor=None, reason="The guest asked us to.", is_told=True)

    [told] = Correction.objects.live()
    words = words_of(client, "/corrections/")
    assert "A quote was removed" in words
    assert "removal · significant The guest asked us to." in words
    for path in ("/corrections/", *(f"/corrections/feed.{name}" for name in FORMATS)):
        assert "canary" not in client.get(path).content.decode().lower(), path
    for name in FORMATS:
        [entry] = entries_of(client, "/corrections/", name)
        assert (entry["title"], entry["link"]) == (
            "A quote was removed",
            f"{settings.SITE_URL}/corrections/#correction-{told.uid}",
        )


def test_nothing_is_told_of_what_was_retired_or_hidden_since(client):
    quote, topic = make_quote(), make_topic()
    for row in (quote, topic):
        make_corrections(row, note="Canary.")

    retire(quote.episode.item, actor=None, reason="Rights withdrawn.")
    retire(topic.item, actor=None, reason="Merged.")

    for path in ("/corrections/", *(f"/corrections/feed.{name}" for name in FORMATS)):
        assert "Canary" not in client.get(path).content.decode(), path


def test_nothing_is_told_of_what_went_between_the_look_and_the_title(client, monkeypatch):
    """A page takes several queries; what is hidden between two of them shows as nothing."""
    make_corrections(make_topic(name="Grid"), note="Canary.")
    monkeypatch.setattr("publishing.corrections_page.visible_rows", lambda kinds: {})

    assert "Canary" not in client.get("/corrections/").content.decode()


@pytest.mark.parametrize("name", FORMATS)
def test_the_feed_says_what_the_page_says(client, name):
    topic = make_topic(name="Grid & storage", slug="grid")
    [told] = make_corrections(topic, at=DAY, note="A <wrong> figure & more.", said="<Nine>", found_by="Kim Day")

    [entry] = entries_of(client, "/corrections/", name)

    assert entry["id"] == told.uid.urn
    assert entry["title"] == "Correction: Grid & storage"
    assert entry["link"] == f"{settings.SITE_URL}/topics/grid/#correction-{told.uid}"
    assert "<p>A &lt;wrong&gt; figure &amp; more.</p>" in entry["html"]
    assert "It said: &lt;Nine&gt;" in entry["html"]
    assert "It says now: Ten." in entry["html"]
    assert "Found by: Kim Day" in entry["html"]


def test_an_entry_keeps_its_id_and_moves_when_the_note_does(client):
    [told] = make_corrections(make_topic(), at=DAY)
    before = entries_of(client, "/corrections/", "atom")[0]

    reword_correction(told, "Better said.", seen=told.note, actor=None)

    after = entries_of(client, "/corrections/", "atom")[0]
    assert after["id"] == before["id"]
    assert after["updated"] > before["updated"]
    assert "Better said." in after["html"]


def test_the_feed_is_cut_into_pages(client):
    SiteSettings.objects.create(pk=1, feed_items=2)
    make_corrections(make_topic(), 3)

    assert len(entries_of(client, "/corrections/", "json")) == 2
    assert len(json.loads(client.get("/corrections/feed.json?page=2").content)["items"]) == 1
    assert client.get("/corrections/feed.json?page=3").status_code == 404


@pytest.mark.parametrize("name", FORMATS)
def test_entries_of_other_feeds_tell_what_was_corrected_in_them(client, name):
    quote = make_quote(text="We put it there.")
    make_corrections(quote, 7, at=DAY, note="A wrong <word>.")
    make_corrections(quote.episode, at=DAY, note="A wrong figure.")
    other = make_quote(episode=make_episode(show=quote.episode.show, notes="Some notes."), text="Nothing wrong.")

    quotes = {one["link"]: one["html"] for one in entries_of(client, "/quotes/", name)}
    episodes = {one["link"]: one["html"] for one in entries_of(client, quote.episode.show.get_absolute_url(), name)}

    def of(rows: dict[str, str], row) -> str:
        return rows[settings.SITE_URL + row.get_absolute_url()]

    assert of(quotes, quote).count("<p>Corrected on Jun 4, 2026: A wrong &lt;word&gt;.</p>") == 5
    assert of(episodes, quote.episode).count("<p>Corrected on Jun 4, 2026: A wrong figure.</p>") == 1
    assert quote.episode.summary in of(episodes, quote.episode)
    assert "Corrected" not in of(quotes, other) + of(episodes, other.episode)


def test_a_hidden_correction_is_in_no_entry(client):
    quote = make_quote()
    make_corrections(quote, note="Canary.")
    Correction.objects.update(visible=False)

    assert "Canary" not in client.get("/quotes/feed.rss").content.decode()


def test_a_new_note_moves_the_entry_of_its_thing(client):
    quote = make_quote()
    [told] = make_corrections(quote)
    Item.objects.filter(pk=quote.pk).update(changed_at=DAY)
    before = entries_of(client, "/quotes/", "atom")[0]["updated"]

    reword_correction(told, "Better said.", seen=told.note, actor=None)

    assert before == "2026-06-04T12:00:00Z"
    assert entries_of(client, "/quotes/", "atom")[0]["updated"] > before
