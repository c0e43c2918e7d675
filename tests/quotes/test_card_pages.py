"""The cards of pages: where they are told of, what is on them, and what never is."""

from html import unescape
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from django.urls import reverse
from lxml import html

from publishing import card_files
from publishing.acts import publish, retire
from publishing.cards import CardFacts
from publishing.models import Item, SiteSettings
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic
from tests.public import OF_ONE_THING, Site, addresses, make_image, make_site

pytestmark = pytest.mark.django_db

CARDS = {name: rows for name, rows in OF_ONE_THING.items() if name.endswith("card")}
THINGS = ("episodes:show", "episodes:detail", "episodes:guest", "episodes:topic", "quotes:detail")
CANARY = "canary"


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def seen(monkeypatch) -> list[CardFacts]:
    """Everything that any card is made of from now on, on pages and in pictures."""
    facts: list[CardFacts] = []
    plain = card_files.card_key

    def watched(given):
        facts.append(given)
        return plain(given)

    monkeypatch.setattr(card_files, "card_key", watched)
    return facts


def head_of(client, path: str) -> dict[str, str]:
    page = html.fromstring(client.get(path).content)
    return {meta.get("property") or meta.get("name"): meta.get("content") for meta in page.iter("meta")}


def facts_on(client, seen, path: str) -> CardFacts:
    seen.clear()
    client.get(path)
    return seen[-1]


def test_every_thing_has_a_card_under_its_own_address(client):
    site = make_site()
    things = addresses(site, {name: OF_ONE_THING[name] for name in THINGS})
    assert len(things) == len(CARDS) == 5

    for path in things:
        head = head_of(client, path)
        assert head["og:image"].startswith(f"{django_settings.SITE_URL}{path}card.png?v="), path
        assert (head["og:image:width"], head["og:image:height"]) == ("1200", "630")
        assert head["twitter:card"] == "summary_large_image"
        assert head["og:image:alt"]
        address = urlsplit(head["og:image"])
        response = client.get(f"{address.path}?{address.query}")
        assert response["Content-Type"] == "image/png"
        assert response["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response["ETag"] == f'"{address.query.removeprefix("v=")}"'


def test_a_card_answers_head_and_says_when_it_is_held(client):
    path = next(iter(addresses(make_site(), {"quotes:card": CARDS["quotes:card"]})))
    full = client.get(path)

    head = client.head(path)
    again = client.get(path, headers={"if-none-match": full["ETag"]})

    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", str(len(full.content)))
    assert (again.status_code, again.content) == (304, b"")
    assert full["Cache-Control"] == "public, max-age=300"


def test_the_alt_text_of_a_quote_is_the_words_and_the_speaker(client):
    quote = make_quote(text="We put it <there> & “so” on.", speaker=make_guest(name="Ada & Co"))

    assert (
        unescape(head_of(client, quote.get_absolute_url())["og:image:alt"])
        == "“We put it <there> & “so” on.” – Ada & Co"
    )


def test_the_card_of_a_quote_says_who_said_it_and_where(client, seen):
    site = make_site()
    quote, episode = site.quotes[0], site.episodes[0]

    facts = facts_on(client, seen, reverse("quotes:card", args=[quote.slug]))

    assert (facts.site, facts.label, facts.name) == ("Pullquote", "Signal Path", "Ada Okafor")
    assert (facts.quote, facts.title) == (quote.text, "Ada Okafor: one battery settles the peak")
    assert facts.line == "May 14, 2026 · The grid nobody sees"
    assert (facts.portrait.name, facts.artwork.name) == (
        site.guests[0].portrait.file.name,
        episode.show.artwork.file.name,
    )


def test_the_cards_of_things_say_what_their_pages_do(client, seen):
    site = make_site()
    show, episode, guest, topic = (
        facts_on(client, seen, path)
        for name in ("show-card", "card", "guest-card", "topic-card")
        for path in addresses(site, {f"episodes:{name}": CARDS[f"episodes:{name}"]})
    )

    assert (show.label, show.title, show.text) == ("Show", "Signal Path", "Slowly")
    assert (episode.label, episode.title, episode.text) == ("Signal Path", "The grid nobody sees", "With Ada Okafor")
    assert episode.line == "May 14, 2026 · 1:41:22"
    assert (guest.label, guest.title, guest.text, guest.line) == (
        "Guest",
        "Ada Okafor",
        "Engineer.",
        "1 quote · 1 episode",
    )
    assert (topic.title, topic.text, topic.line) == ("Grid storage", "Batteries.", "1 quote · 1 episode")


def test_many_names_are_some_and_others(client, seen):
    guests = [make_guest(name=f"Guest {letter}") for letter in "ABCDE"]
    links = [{"guest": guest.pk, "role": "host" if n == 0 else "guest", "credit": ""} for n, guest in enumerate(guests)]
    episode = make_episode(guests=links)

    assert (
        facts_on(client, seen, f"{episode.get_absolute_url()}card.png").text
        == "With Guest B, Guest C, Guest D and others"
    )


def test_the_address_changes_when_the_words_the_name_or_the_site_do(client):
    quote = make_quote()

    def address() -> str:
        return head_of(client, quote.get_absolute_url())["og:image"]

    before = address()
    publish(edit(quote, text="We put it elsewhere."), actor=None, reason="Checked by ear.")
    words = address()
    publish(edit(quote.speaker, name="Ada Lund"), actor=None)
    name = address()
    SiteSettings.objects.update_or_create(pk=1, defaults={"name": "The Long Signal"})

    assert len({before, words, name, address()}) == 4


def test_an_old_address_of_a_card_shows_the_card_of_now_and_is_not_kept(client):
    quote = make_quote()
    address = urlsplit(head_of(client, quote.get_absolute_url())["og:image"])
    publish(edit(quote, text="We put it elsewhere."), actor=None, reason="Checked by ear.")

    response = client.get(f"{address.path}?{address.query}")

    assert response.status_code == 200
    assert response["Cache-Control"] == "public, max-age=300"


def test_a_card_moves_with_its_page(client):
    topic = make_topic(name="Storage")
    old = topic.get_absolute_url()
    publish(edit(topic, slug="grid-storage"), actor=None)

    response = client.get(f"{old}card.png?v=1")

    assert (response.status_code, response["Location"]) == (301, "/topics/grid-storage/card.png?v=1")


def test_the_card_of_what_was_retired_is_gone_and_of_a_draft_was_never(client):
    site = make_site()
    paths = addresses(site, CARDS)
    drafts = Site(
        [make_show(live=False)], [make_episode(live=False)], [make_guest(live=False)], [make_topic(live=False)]
    )
    for path in paths:
        client.get(path)  # kept as files from here on
    for row in (*site.quotes, *site.episodes, *site.topics, *site.guests, *site.shows):
        retire(Item.objects.get(pk=row.pk), actor=None, reason="Withdrawn.")

    assert [client.get(path).status_code for path in paths] == [410] * 5
    assert [client.get(path).status_code for path in addresses(drafts, CARDS)] == [404] * 4


def test_no_card_shows_what_its_readers_may_not_see(client, seen):
    site = make_site()
    hidden = make_guest(
        live=False, name=CANARY, bio=CANARY, portrait=make_image(f"images/{CANARY}.jpg").pk, portrait_alt=CANARY
    )
    links = [{"guest": pk, "role": "guest", "credit": CANARY} for pk in (hidden.pk, site.guests[0].pk)]
    publish(edit(site.episodes[0], guests=links), actor=None)
    picture = make_image(f"images/{CANARY}-2.jpg").pk
    edit(site.shows[0], title=CANARY, tagline=CANARY, artwork=picture, author=CANARY)
    edit(site.episodes[0], title=CANARY, summary=CANARY, artwork=picture)
    edit(site.guests[0], name=CANARY, bio=CANARY, portrait=picture)
    edit(site.topics[0], name=CANARY, description=CANARY)
    edit(site.quotes[0], text=CANARY, claim=CANARY, speaker=hidden.pk)
    make_quote(live=False, episode=site.episodes[0], speaker=site.guests[0], text=CANARY)
    seen.clear()

    for path in addresses(site, OF_ONE_THING):
        client.get(path)

    assert len(seen) >= 10
    assert [facts for facts in seen if CANARY in repr(facts)] == []
    assert {facts.text for facts in seen if facts.title == "The grid nobody sees"} == {"With Ada Okafor"}
