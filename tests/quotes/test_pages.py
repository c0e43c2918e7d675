"""The quote page, home, and the way to quotes."""

import re

import pytest

from episodes.models import MediaFile
from tests.factories import make_audio, make_episode, make_guest, make_quote, make_show, make_topic
from tests.public import text_of

pytestmark = pytest.mark.django_db


def make_media_quote(*media: MediaFile, **content):
    episode = make_episode(title="The grid", show=make_show(), media=[{"media": file.pk} for file in media])
    defaults = {"start_ms": 6_110_200, "end_ms": 6_127_800}
    return make_quote(episode=episode, speaker=make_guest(name="Ada Okafor"), **defaults | content)


def test_a_quote_page_heads_attributes_and_quotes(client):
    quote = make_media_quote(
        claim="a battery settles it",
        text="We put it & it <settles>.",
        context="Ada Okafor, then a grid engineer, talks.",
    )

    response = client.get(quote.get_absolute_url())

    text = text_of(response)
    assert "<h1>Ada Okafor: a battery settles it</h1>" in response.content.decode()
    assert "Ada Okafor · The grid · May 14, 2026 · at 1:41:50 Ada Okafor, then a grid engineer, talks." in text
    assert (
        "“We put it &amp; it &lt;settles&gt;.” not yet checked This quote has not been checked against a transcript."
        in text
    )


def test_what_is_absent_leaves_no_separator(client):
    quote = make_media_quote(start_ms=None, end_ms=None, context="Context.")

    assert "Ada Okafor · The grid · May 14, 2026 Context." in text_of(client.get(quote.get_absolute_url()))


def test_a_quote_at_the_very_start_has_its_time(client):
    quote = make_media_quote(start_ms=0, end_ms=5_000)

    assert "· at 0:00" in text_of(client.get(quote.get_absolute_url()))


def test_a_video_is_a_link_at_that_second(client):
    quote = make_media_quote(make_audio(), MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ"))

    page = client.get(quote.get_absolute_url()).content.decode()

    assert 'href="https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;t=6110s"' in page
    assert "▶ Watch the full episode on YouTube →" in page
    assert "<audio" not in page


def test_sound_is_a_player_set_to_the_words(client):
    quote = make_media_quote(make_audio())

    page = client.get(quote.get_absolute_url()).content.decode()

    assert '<audio controls preload="none" src="https://media.example.org/one.mp3#t=6110.2,6127.8"' in page
    assert "Listen to the full episode from 1:41:50 →" in page


def test_a_quote_without_media_has_no_player(client):
    page = client.get(make_media_quote().get_absolute_url()).content.decode()

    assert not re.search("<audio|<video|YouTube|Listen to", page)


def test_sources_give_their_verdicts(client):
    source = {
        "verdict": "partly",
        "summary": "31,000 homes.",
        "checked_on": "2026-05-20",
        "title": "Filing, page 14",
        "url": "https://example.org/f",
        "publisher": "Interconnect",
    }
    bare = {
        "verdict": "opinion",
        "summary": "A view.",
        "checked_on": None,
        "title": "Register",
        "url": "https://example.org/r",
        "publisher": "",
    }
    quote = make_media_quote(assessments=[source, bare])

    response = client.get(quote.get_absolute_url())

    assert (
        "2 sources partly supported 31,000 homes. Filing, page 14, Interconnect · checked May 20, 2026 opinion A view. Register "
        in text_of(response)
    )
    assert '<a href="https://example.org/f" rel="nofollow noopener">Filing, page 14</a>' in response.content.decode()


def test_only_visible_topics_show(client):
    topics = [make_topic(name="Grid storage"), make_topic(name="Secret", live=False)]
    quote = make_media_quote(topics=[{"topic": topic.pk} for topic in topics])

    text = text_of(client.get(quote.get_absolute_url()))

    assert "Grid storage" in text
    assert "Secret" not in text


def test_a_card_holds_short_quotes_whole_and_shortens_long_ones(client):
    whole, long = "word " * 51 + "fills", "word " * 60 + "never shown"
    quote = make_media_quote()
    make_quote(speaker=quote.speaker, text=whole)
    make_quote(speaker=quote.speaker, text=long)

    text = text_of(client.get(quote.get_absolute_url()))

    assert f"“{whole}”" in text
    assert "never shown" not in text
    assert "word…”" in text


def test_home_shows_the_newest(client):
    episodes = [make_episode(title=f"Day {day}", aired_at=f"2026-05-{day:02}T00:00:00Z") for day in range(1, 9)]
    make_quote(claim="the only one", episode=episodes[0])

    text = text_of(client.get("/"))

    assert re.findall(r"Day \d", text) == ["Day 8", "Day 7", "Day 6", "Day 5", "Day 4", "Day 3"]
    assert "the only one" in text


def test_the_method_page_explains_every_verdict(client):
    text = text_of(client.get("/how/"))

    for verdict in ("supported", "partly supported", "disputed", "contradicted", "cannot be verified", "opinion"):
        assert re.search(rf"{verdict} [A-Z]", text), verdict


def test_short_links_lead_to_the_live_page(client):
    quote = make_media_quote()

    response = client.get(f"/q/{quote.item.short_id}")

    assert (response.status_code, response["Location"]) == (302, quote.get_absolute_url())
