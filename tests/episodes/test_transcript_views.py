"""The page of a transcript and its files, as readers and apps get them."""

import json

import lxml.html
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from episodes.transcripts.current import make_current, withdraw
from episodes.transcripts.readers import read_transcript
from episodes.transcripts.service import correct
from publishing.acts import publish, retire
from publishing.models import Item
from tests.factories import edit, make_audio, make_episode, make_guest, make_quote, make_show, make_transcript

FORMATS = {
    "vtt": "text/vtt; charset=utf-8",
    "srt": "application/x-subrip; charset=utf-8",
    "json": "application/json",
    "txt": "text/plain; charset=utf-8",
}

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def url_of(episode, suffix: str = "transcript/") -> str:
    return f"{episode.get_absolute_url()}{suffix}"


def tree_of(html: str):
    return lxml.html.fragment_fromstring(html, create_parent="div")


def marked_in(html: str) -> list[str]:
    return [mark.text_content() for mark in tree_of(html).iter("mark")]


def test_it_shows_who_said_what_and_where_it_comes_from(client):
    ada = make_guest(name="Ada Okafor")
    show = make_show(licence="CC BY 4.0", rights_contact="rights@example.org")
    episode = make_episode(show=show, media=[{"media": make_audio().pk}])
    make_transcript(episode, who={"Ada Okafor": ada})

    html = client.get(url_of(episode)).content.decode()
    text = " ".join(lxml.html.fromstring(html).find(".//main").text_content().split())

    assert "Automated transcript · Whisper large-v3 · May 15, 2026 · VTT, SRT, JSON, plain text" in text
    assert "Speakers: Tomas Lund? (unsure), Ada Okafor" in text
    assert "Rights: CC BY 4.0 · Ask about clips and quotes: rights@example.org" in text
    assert f'<a href="{ada.get_absolute_url()}"><bdi>Ada Okafor</bdi></a>' in html
    assert '<a class="num meta" href="#t=4">0:04</a>' in html
    assert 'lang="en"' in html


def test_what_is_corrected_says_so(client):
    episode = make_episode()
    transcript = make_transcript(episode)
    correct(transcript, words={5: "trains"}, actor=None)

    html = client.get(url_of(episode)).content.decode()

    assert "corrected by the editors" in html


def test_quotes_are_marked_if_and_only_if_it_proves_them(client):
    ada = make_guest(name="Ada Okafor")
    episode = make_episode()
    proved = make_quote(
        episode=episode, speaker=ada, text="We put it where the buses sleep.", start_ms=4_000, end_ms=9_000
    )
    make_quote(episode=episode, speaker=ada, text="We put it where the trains sleep.", start_ms=4_000, end_ms=9_000)
    make_quote(episode=episode, speaker=ada, text="Nobody noticed.", start_ms=9_000, end_ms=13_000, live=False)
    make_transcript(episode, who={"Ada Okafor": ada})

    html = client.get(url_of(episode)).content.decode()

    assert marked_in(html.partition("data-transcript")[2].partition(">")[2]) == [
        "We uh put it put it where the buses sleep."
    ]
    assert [url for url in html.split('"') if url.startswith("/quotes/") and url != "/quotes/"] == [
        proved.get_absolute_url()
    ]

    retire(Item.objects.get(pk=proved.pk), actor=None, reason="Withdrawn.")
    assert "<mark" not in client.get(url_of(episode)).content.decode()


def test_languages_lead_to_each_other(client):
    episode = make_episode()
    make_transcript(episode)
    make_transcript(episode, [(0, "Ada", "Wir haben es dort hingestellt.")], language="de", engine="")

    original, german = client.get(url_of(episode)), client.get(url_of(episode) + "?language=de")

    page, other = original.content.decode(), german.content.decode()
    assert 'hreflang="de"' in page
    assert "Where did you put it?" in page
    assert "Wir haben es dort hingestellt." in other
    assert 'data-transcript lang="de"' in other
    assert f'<link rel="canonical" href="https://example.org{url_of(episode)}?language=de">' in other
    assert f'<link rel="canonical" href="https://example.org{url_of(episode)}">' in page
    assert f'href="{url_of(episode, "transcript.vtt")}?language=de"' in other
    assert "English (as spoken)" in other


@pytest.mark.parametrize("language", ["fr", "en-gb", "%F0%9F%90%8B", "de'--"])
def test_a_language_that_we_do_not_have_is_404(client, language):
    episode = make_episode()
    make_transcript(episode)

    assert client.get(f"{url_of(episode)}?language={language}").status_code == 404
    assert client.get(f"{url_of(episode, 'transcript.vtt')}?language={language}").status_code == 404


def test_an_episode_without_one_has_no_page_and_no_section(client):
    episode = make_episode()
    make_transcript(episode, current=False)

    assert [client.get(url_of(episode, suffix)).status_code for suffix in ("transcript/", "transcript.vtt")] == [
        404,
        404,
    ]
    assert (
        "ranscript"
        not in client.get(episode.get_absolute_url()).content.decode().partition("<main")[2].partition("<footer")[0]
    )


def test_a_withdrawn_transcript_is_gone(client):
    episode = make_episode()
    transcript = make_transcript(episode)
    withdraw(transcript.currently, actor=None, reason="It is of another episode.")

    assert client.get(url_of(episode)).status_code == 404


def test_a_draft_is_404_a_retired_episode_410_and_a_moved_one_301(client):
    draft, gone, moved = make_episode(live=False), make_episode(), make_episode(slug="old")
    for episode in (draft, gone, moved):
        make_transcript(episode)
    paths = [
        reverse("episodes:transcript", args=[draft.show.slug, draft.item.working_slug]),
        url_of(gone),
        url_of(moved),
    ]
    retire(Item.objects.get(pk=gone.pk), actor=None, reason="Withdrawn.")
    publish(edit(moved, slug="new"), actor=None)

    responses = [client.get(path) for path in paths]

    assert [response.status_code for response in responses] == [404, 410, 301]
    assert responses[2]["Location"].endswith("/new/transcript/")


@pytest.mark.parametrize("count", [1, 50])
def test_it_takes_as_many_queries_for_any_number_of_cues_and_quotes(client, count):
    ada = make_guest(name="Ada Okafor")
    episode = make_episode()
    cues = [(6_000 * n, "Ada Okafor", f"We put number {n} there.") for n in range(count)]
    for n in range(count):
        make_quote(
            episode=episode,
            speaker=ada,
            text=f"We put number {n} there.",
            start_ms=6_000 * n,
            end_ms=6_000 * n + 6_000,
        )
    make_transcript(episode, cues, who={"Ada Okafor": ada})
    client.get(url_of(episode))  # the words are kept from here on

    counts = []
    for suffix in ("transcript/", "transcript.vtt", ""):
        with CaptureQueriesContext(connection) as queries:
            response = client.get(url_of(episode, suffix))
        counts.append(len(queries))

    # Settings, episode, people, media, transcripts, names, quotes. Settings, episode, transcripts, names, version.
    # Settings, episode, people, topics, media, corrections, transcripts, quotes.
    assert counts == [7, 5, 8]
    assert response.status_code == 200


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_is_served_as_feeds_are(client, name):
    episode = make_episode(slug="peak", show=make_show(slug="signal"))
    make_transcript(episode)

    response = client.get(url_of(episode, f"transcript.{name}"))

    assert response["Content-Type"] == FORMATS[name]
    assert response["Access-Control-Allow-Origin"] == "*"
    assert response["Content-Disposition"] == f'inline; filename="signal-peak.en.{name}"'
    again = client.get(url_of(episode, f"transcript.{name}"), HTTP_IF_NONE_MATCH=response["ETag"])
    assert (again.status_code, again["Access-Control-Allow-Origin"]) == (304, "*")
    assert response["Last-Modified"]
    assert client.head(url_of(episode, f"transcript.{name}"))["Content-Type"] == FORMATS[name]


def test_speakers_are_named_as_on_the_page(client):
    ada, secret = make_guest(name="Ada Okafor"), make_guest(name="Secret Person", live=False)
    episode = make_episode()
    cues = [(0, "S1", "Hello there."), (5_000, "S2", "Yes, hello."), (9_000, "S3", "Good day.")]
    make_transcript(episode, cues, who={"S1": ada, "S2": secret})

    vtt = client.get(url_of(episode, "transcript.vtt")).content
    texts = [client.get(url_of(episode, f"transcript.{name}")).content.decode() for name in FORMATS]

    assert [cue.speaker for cue in read_transcript(vtt).cues] == ["Ada Okafor", "S2", "S3?"]
    assert [("Ada Okafor" in text, "Secret" in text) for text in texts] == [(True, False)] * 4


def test_what_they_say_is_what_we_hold(client):
    episode = make_episode()
    cues = [(0, "A", "one <b>two</b> & three"), (5_000, "B", "four --> five")]
    correct(make_transcript(episode, cues), words={0: "eins"}, actor=None)

    data = json.loads(client.get(url_of(episode, "transcript.json")).content)

    assert [(row["startTime"], row["endTime"], row["body"]) for row in data["segments"]] == [
        (0, 5, "eins <b>two</b> & three"),
        (5, 9, "four --> five"),
    ]


@pytest.mark.parametrize("name", ["bin", "html", "VTT", "rss"])
def test_other_formats_are_404(client, name):
    episode = make_episode()
    make_transcript(episode)

    assert client.get(url_of(episode, f"transcript.{name}")).status_code == 404


def test_the_uploaded_file_is_never_served(client):
    episode = make_episode()
    transcript = make_transcript(episode)

    assert transcript.original.name.startswith("transcripts/")
    assert transcript.original.storage.exists(transcript.original.name)
    assert client.get(reverse("episodes:media", args=[transcript.original.name])).status_code == 404
    pages = [client.get(url_of(episode, suffix)).content.decode() for suffix in ("", "transcript/")]
    assert [transcript.original.name in page for page in pages] == [False, False]


def test_feeds_name_the_files_of_what_holds(client):
    episode, without = make_episode(slug="peak", show=make_show(slug="signal")), make_episode()
    make_transcript(episode)
    make_transcript(episode, [(0, "Ada", "Wir haben es dort hingestellt.")], language="de")
    make_transcript(without, current=False)

    feed = lxml.etree.fromstring(client.get(reverse("episodes:show-feed", args=["signal", "rss"])).content)

    links = [dict(link.attrib) for link in feed.iter("{https://podcastindex.org/namespace/1.0}transcript")]
    address = "https://example.org/shows/signal/peak/transcript"
    assert links[:2] == [
        {"url": f"{address}.vtt", "type": "text/vtt", "language": "en", "rel": "captions"},
        {"url": f"{address}.srt", "type": "application/x-subrip", "language": "en", "rel": "captions"},
    ]
    assert [(link["url"], link.get("rel")) for link in links[2:5]] == [
        (f"{address}.json", None),
        (f"{address}.txt", None),
        (f"{address}.vtt?language=de", "captions"),
    ]
    assert len(links) == 8
    own = client.get(reverse("episodes:show-feed", args=[without.show.slug, "rss"])).content.decode()
    assert "podcast:transcript" not in own


def test_another_transcript_takes_its_place(client):
    episode = make_episode()
    make_transcript(episode)
    later = make_transcript(episode, [(0, "Ada", "Something else was said.")], current=False)
    before = client.get(url_of(episode, "transcript.txt"))

    make_current(later, actor=None)

    after = client.get(url_of(episode, "transcript.txt"), HTTP_IF_NONE_MATCH=before["ETag"])
    assert "Something else" not in before.content.decode()
    assert (after.status_code, "Something else" in after.content.decode()) == (200, True)
