"""The quote page, home, and the way to quotes."""

import re

import pytest

from episodes.models import MediaFile
from quotes.models import Quote
from quotes.provenance import Checked, Provenance
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
    assert "“We put it &amp; it &lt;settles&gt;.” this quote has not been checked against a transcript. how →" in text


def test_what_is_absent_leaves_no_separator(client):
    quote = make_media_quote(start_ms=None, end_ms=None, context="Context.")

    assert "Ada Okafor · The grid · May 14, 2026 Context." in text_of(client.get(quote.get_absolute_url()))


def test_a_quote_at_the_very_start_has_its_time(client):
    quote = make_media_quote(start_ms=0, end_ms=5_000)

    assert "· at 0:00" in text_of(client.get(quote.get_absolute_url()))


def test_each_part_of_the_attribution_is_a_link(client):
    quote = make_media_quote(make_audio())

    html = client.get(quote.get_absolute_url()).content.decode()

    line = re.search(r'<p class="quote__attribution meta">(.*?)</p>', html, re.DOTALL)[1]
    episode = quote.episode.get_absolute_url()
    assert re.findall(r'href="([^"]*)"', line) == [
        quote.speaker.get_absolute_url(),
        episode,
        episode,
        f"{episode}#t=6110",
    ]


def test_a_time_leads_to_where_it_can_be_heard_or_read(client):
    video = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    watched, read = make_media_quote(video), make_media_quote()

    pages = [client.get(quote.get_absolute_url()).content.decode() for quote in (watched, read)]

    links = [re.search(r'<a href="([^"]*)"[^>]*>at 1:41:50</a>', page)[1] for page in pages]
    assert links == [
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;t=6110s",
        f"{read.episode.get_absolute_url()}#quote-{read.slug}",
    ]


def test_a_video_elsewhere_is_a_link_at_that_second_and_no_player(client):
    quote = make_media_quote(MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ"))

    page = client.get(quote.get_absolute_url()).content.decode()

    assert 'href="https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;t=6110s"' in page
    assert "▶ Watch the full episode on YouTube →" in page
    assert not re.search("<audio|<video|<script src|player__label|Listen to", page)


def test_sound_of_ours_plays_beside_a_video_elsewhere(client):
    quote = make_media_quote(MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ"), make_audio())

    text = text_of(client.get(quote.get_absolute_url()))

    assert re.search(r"0:00 / 0:17 quote · 17.6s .*▶ Watch the full episode on YouTube →", text)
    assert "Listen to the full episode from" not in text


def test_sound_is_a_player_set_to_the_words(client):
    quote = make_media_quote(make_audio())

    page = client.get(quote.get_absolute_url()).content.decode()

    assert '<audio controls preload="none" src="https://media.example.org/one.mp3#t=6110.2,6127.8"' in page
    assert 'data-start="6110.2" data-end="6127.8"' in page
    assert "Listen to the full episode from 1:41:50 →" in page


@pytest.mark.parametrize(
    ("end_ms", "length", "clock"),
    [
        (6_127_800, "17.6", "0:17"),
        (6_110_650, "0.45", "0:00"),
        (6_170_200, "60", "1:00"),
        (6_125_325, "15.125", "0:15"),
    ],
)
def test_the_length_is_as_exact_as_it_is_stored_and_the_clock_rounds_down(client, end_ms, length, clock):
    quote = make_media_quote(make_audio(), end_ms=end_ms)

    assert f"0:00 / {clock} quote · {length}s " in text_of(client.get(quote.get_absolute_url()))


@pytest.mark.parametrize(
    ("verdict", "label"),
    [
        (Checked.VERBATIM, "0:17 exact quote · 17.6s"),
        (Checked.CLEANED, "0:17 exact quote · 17.6s"),
        (Checked.ALTERED, "0:17 quote · 17.6s"),
        (Checked.UNCHECKED, "0:17 quote · 17.6s"),
    ],
)
def test_the_player_calls_exact_only_what_was_checked(client, monkeypatch, verdict, label):
    monkeypatch.setattr("quotes.views.provenance_of", lambda *known: Provenance(verdict=verdict))
    quote = make_media_quote(make_audio())

    assert label in text_of(client.get(quote.get_absolute_url()))


@pytest.mark.parametrize("span", [{"end_ms": None}, {"start_ms": None}, {"start_ms": None, "end_ms": None}])
def test_without_both_times_there_is_no_clock(client, span):
    quote = make_media_quote(make_audio(), **span)

    page = client.get(quote.get_absolute_url()).content.decode()

    assert "<audio controls" in page
    assert not re.search("player__label|data-clip-player|<script src", page)


def test_where_the_timeline_is_approximate_nothing_exact_is_claimed(client):
    quote = make_media_quote(make_audio(offset_ms=None))

    page = client.get(quote.get_absolute_url()).content.decode()

    assert 'src="https://media.example.org/one.mp3#t=6110.2"' in page
    assert not re.search("player__label|data-clip-player|<script src", page)


def test_a_quote_without_media_has_no_player(client):
    page = client.get(make_media_quote().get_absolute_url()).content.decode()

    assert not re.search("<audio|<video|YouTube|Listen to", page)


def test_sources_give_their_verdicts(client):
    source = {
        "verdict": "partly",
        "summary": "31,000 homes.",
        "checked_on": "2026-05-20",
        "assessed_by": "K. Day",
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

    text, html = text_of(response), response.content.decode()
    first = "partly supported 31,000 homes. assessed by K. Day, May 20, 2026 · Filing, page 14, Interconnect"
    assert f"2 sources {first} opinion A view. Register " in text
    assert '<a href="https://example.org/f" rel="nofollow noopener">Filing, page 14</a>' in html
    assert 'href="/how/#verdict-partly">partly supported</a>' in html


def test_the_method_page_has_a_place_for_each_verdict(client):
    page = client.get("/how/").content.decode()

    assert re.findall(r'id="verdict-(\w+)"', page) == Quote.Verdict.values


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


def test_a_card_is_never_cut_just_before_a_limit(client):
    quote = make_media_quote()
    for number, limit in enumerate(("but", "except", "unless", "if", "not")):
        make_quote(speaker=quote.speaker, text=f"{'word ' * 50}number{number} {limit} {'never shown ' * 9}")

    text = text_of(client.get(quote.get_absolute_url()))

    assert not re.search(r"number\d…|never shown", text)
    assert text.count("word…”") == 5


def test_home_shows_the_newest(client):
    episodes = [make_episode(title=f"Day {day}", aired_at=f"2026-05-{day:02}T00:00:00Z") for day in range(1, 9)]
    make_quote(claim="the only one", episode=episodes[0])

    text = text_of(client.get("/"))

    assert re.findall(r"Day \d", text.partition("Newest episodes")[2]) == [
        "Day 8",
        "Day 7",
        "Day 6",
        "Day 5",
        "Day 4",
        "Day 3",
    ]
    assert "the only one" in text
    assert "No quotes yet" not in text


def test_home_leads_with_the_newest_quote_and_has_six_more(client):
    episode = make_episode(title="The grid", show=make_show(title="Signal Path", tagline="Slowly"))
    for number in range(8):
        make_quote(episode=episode, claim=f"c{number}", text=f"Said {number}.")

    text = text_of(client.get("/"))

    assert re.findall(r"Said \d", text) == [f"Said {number}" for number in range(7, 0, -1)]
    assert "“Said 7.” " in text
    assert "The grid · May 14, 2026 · Signal Path" in text
    assert "Shows All shows Signal Path Slowly" in text


def test_the_method_page_explains_every_verdict(client):
    text = text_of(client.get("/how/"))

    for verdict in ("supported", "partly supported", "disputed", "contradicted", "cannot be verified", "opinion"):
        assert re.search(rf"{verdict} [A-Z]", text), verdict


def test_short_links_lead_to_the_live_page(client):
    quote = make_media_quote()

    response = client.get(f"/q/{quote.item.short_id}")

    assert (response.status_code, response["Location"]) == (302, quote.get_absolute_url())
