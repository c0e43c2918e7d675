"""Pages of shows, episodes, guests and topics."""

import re

import pytest

from episodes.models import MediaFile
from tests.factories import make_audio, make_episode, make_guest, make_quote, make_show, make_topic
from tests.public import text_of

pytestmark = pytest.mark.django_db

TITLE = "⚡ [Live] Meters & <kettles>"


def test_an_episode_page_says_who_what_and_when(client):
    ada, tomas, kim = make_guest(name="Ada Okafor"), make_guest(name="Tomas Lund"), make_guest(name="Kim Day")
    hidden = make_guest(name="Not Yet", live=False)
    people = [(ada, "guest", "Grid engineer"), (tomas, "host", "Editor"), (kim, "narrator", ""), (hidden, "guest", "")]
    episode = make_episode(
        title=TITLE, show=make_show(title="Signal Path"), duration_ms=6_082_000, season=3, number=7,
        guests=[{"guest": guest.pk, "role": role, "credit": credit} for guest, role, credit in people],
        topics=[{"topic": make_topic(name="Grid storage").pk}, {"topic": make_topic(name="Secret", live=False).pk}],
        chapters=[{"start_ms": 754_000, "title": "Permits", "url": "https://example.org/p", "image": ""}],
        notes="Some *notes*.",
    )  # fmt: skip

    response = client.get(episode.get_absolute_url())

    text, html = text_of(response), response.content.decode()
    assert "⚡ [Live] Meters &amp; &lt;kettles&gt; Signal Path · May 14, 2026 · 1:41:22 · Season 3, episode 7" in text
    assert "Guest Ada Okafor Grid engineer Host Tomas Lund Editor Also taking part Kim Day" in text
    assert "Chapters 12:34 Permits" in text
    assert "<em>notes</em>" in html
    assert "Grid storage" in text
    assert not {"Not Yet", "Secret"} & set(re.findall("Not Yet|Secret", text))


def test_a_summary_says_where_it_comes_from(client):
    told = {"summary_by": "N. Castellan", "summary_on": "2026-06-03", "summary_edited_by": "M."}
    episode = make_episode(summary="The end.", **told)

    text = text_of(client.get(episode.get_absolute_url()))

    assert "The end. Summary by N. Castellan, Jun 3, 2026 · edited by M. " in text


def test_times_play_from_there_where_something_plays(client):
    video = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    chapters = [{"start_ms": 754_600, "title": "Permits", "url": "", "image": ""}]
    episodes = [
        make_episode(chapters=chapters, media=[{"media": media.pk} for media in files])
        for files in ([make_audio(offset_ms=-2_000), video], [video], [])
    ]

    pages = [client.get(episode.get_absolute_url()).content.decode() for episode in episodes]

    times = [re.search(r'(?:href="([^"]*)"[^>]*)?>12:34<', page)[1] for page in pages]
    assert times == ["#t=754", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&amp;t=754s", None]
    assert 'data-offset="-2"' in pages[0]
    assert ["<script src" in page for page in pages] == [True, False, False]


def test_a_summary_is_text_and_never_markup(client):
    episode = make_episode(summary="*Stars* & <script>alert(1)</script>")

    assert (
        "*Stars* &amp; &lt;script&gt;alert(1)&lt;/script&gt;" in client.get(episode.get_absolute_url()).content.decode()
    )


def test_quotes_stand_in_the_order_they_were_said(client):
    episode = make_episode()
    for claim, start in (("third", None), ("second", 90_000), ("first", 0)):
        make_quote(episode=episode, claim=claim, start_ms=start, end_ms=None)

    text = text_of(client.get(episode.get_absolute_url()))

    assert re.findall("first|second|third", text) == ["first", "second", "third"]
    assert "0:00" in text


def test_remote_sound_is_played_here_and_loaded_only_on_play(client):
    video = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    episode = make_episode(media=[{"media": video.pk}, {"media": make_audio().pk}])

    page = client.get(episode.get_absolute_url()).content.decode()

    assert '<audio controls preload="none" src="https://media.example.org/one.mp3"' in page
    assert 'href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"' in page


def test_a_topic_page_lists_whole_summaries_of_all_shows_newest_first(client):
    topic = make_topic(name="Grid storage", aliases=["BESS"], parent=make_topic(name="Energy").pk)
    make_topic(name="Batteries", parent=topic.pk)
    make_topic(name="Secret", parent=topic.pk, live=False)
    summary = "A sentence about storage. " * 80 + "The last word."
    for title, aired_at, show in (
        ("Older", "2024-01-01T00:00:00Z", "Path"),
        ("Newer", "2025-01-01T00:00:00Z", "Group"),
    ):
        make_episode(
            title=title, aired_at=aired_at, show=make_show(title=show), summary=summary, topics=[{"topic": topic.pk}]
        )
    quote = make_quote(topics=[{"topic": topic.pk}])

    text = text_of(client.get(topic.get_absolute_url()))

    assert "Grid storage 2 episodes · 1 quote · also called: BESS · Follow: RSS, Atom, JSON" in text
    assert re.findall("Newer|Older", text) == ["Newer", "Older"]
    assert text.count("The last word.") == 2
    assert quote.text in text
    assert "Related topics Energy Batteries" in text
    assert "Secret" not in text


def test_a_guest_page_has_links_that_say_they_are_the_same_person(client):
    guest = make_guest(
        name="Ada Okafor",
        bio="One.\n\nTwo <b>.",
        website_links=[{"label": "Home", "url": "https://ada.example.org/"}],
        mishearings=[{"heard": "Aida", "name": "Ada"}],
    )
    topic = make_topic(name="Grid storage")
    make_quote(speaker=guest, topics=[{"topic": topic.pk}])

    html = client.get(guest.get_absolute_url()).content.decode()

    assert "<p>One.</p>" in html
    assert "<p>Two &lt;b&gt;.</p>" in html
    assert '<a href="https://ada.example.org/" rel="me nofollow noopener">Home</a>' in html
    assert topic.get_absolute_url() in html
    assert "Aida" not in html


def test_a_guest_with_two_parts_in_an_episode_has_it_once(client):
    guest = make_guest()
    make_episode(guests=[{"guest": guest.pk, "role": role, "credit": ""} for role in ("guest", "producer")])

    assert "1 episode ·" in text_of(client.get(guest.get_absolute_url()))
    assert len(client.get(guest.get_absolute_url()).context["page"]) == 1


def test_a_show_page_lists_its_episodes_and_its_description(client):
    show = make_show(
        title="Signal Path",
        tagline="Slowly",
        description="About **wires**.",
        website="https://signal.example.org",
        author="Tomas Lund",
    )
    make_episode(show=show, title=TITLE)
    make_episode(title="Elsewhere")

    response = client.get(show.get_absolute_url())

    text = text_of(response)
    assert "Signal Path Slowly 1 episode · by Tomas Lund · Website · Follow: RSS, Atom, JSON" in text
    assert "<strong>wires</strong>" in response.content.decode()
    assert "⚡ [Live]" in text
    assert "Elsewhere" not in text


def test_short_links_lead_to_the_live_page(client):
    episode = make_episode()

    response = client.get(f"/e/{episode.item.short_id}")

    assert (response.status_code, response["Location"]) == (302, episode.get_absolute_url())
    assert client.get("/e/nothing1").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/shows/",
        "/episodes/",
        "/guests/",
        "/topics/",
        "/quotes/",
        "/feeds/",
        "/how/",
        "/feed.rss",
        "/quotes/feed.json",
    ],
)
def test_an_empty_site_has_its_pages(client, path):
    assert client.get(path).status_code == 200
