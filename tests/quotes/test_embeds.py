"""Pages of ours in others' frames: the only ones that may be framed, without script, cookie or any other host."""

import re
from urllib.parse import urlsplit

import pytest
from lxml import html

from episodes.models import MediaFile
from publishing.acts import publish, retire
from publishing.embeds import count_lines
from publishing.models import Item
from quotes.models import Clip, Quote
from tests.factories import edit, make_audio, make_episode, make_quote
from tests.public import addresses, make_clips, make_file, make_site

pytestmark = pytest.mark.django_db

FRAMABLE = {"quotes:embed", "episodes:embed"}


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def policy_of(answer) -> dict[str, str]:
    pairs = [part.strip().partition(" ") for part in answer.headers.get("Content-Security-Policy", "").split(";")]
    return {name: value for name, _space, value in pairs if name}


def test_every_other_address_refuses_to_be_framed(client):
    site = make_site()
    framable = set()

    for path, name in addresses(site).items():
        answer = client.get(path)
        if answer.headers.get("X-Frame-Options") == "DENY" and policy_of(answer)["frame-ancestors"] == "'none'":
            continue
        assert "X-Frame-Options" not in answer.headers, path
        assert policy_of(answer)["frame-ancestors"] == "*", path
        framable.add(name)

    assert framable == FRAMABLE


@pytest.mark.parametrize("kind", ["quote", "episode"])
def test_an_embed_runs_nothing_and_asks_nobody_else(client, kind):
    site = make_site()
    row = site.quotes[0] if kind == "quote" else site.episodes[0]
    answer = client.get(f"{row.get_absolute_url()}embed/")
    page = html.fromstring(answer.content)

    assert policy_of(answer) == {
        "default-src": "'none'", "style-src": "'self'", "font-src": "'self'", "img-src": "'self'", "media-src": "'self'",
        "base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "*",
    }  # fmt: skip
    assert not answer.cookies
    assert page.xpath("//script | //style | //*[@style] | //iframe | //form") == []
    loaded = page.xpath("//img/@src | //audio/@src | //video/@src | //video/@poster | //link[@rel='stylesheet']/@href")
    assert loaded
    assert all(urlsplit(address).netloc == "" for address in loaded)
    links = page.xpath("//a")
    assert all((link.get("target"), link.get("rel")) == ("_blank", "noopener") for link in links)
    assert all(link.get("href").startswith("https://example.org/") for link in links)
    assert page.xpath("//link[@rel='canonical']/@href") == [f"https://example.org{row.get_absolute_url()}"]
    assert (answer["X-Robots-Tag"], page.xpath("//meta[@name='robots']/@content")) == ("noindex", ["noindex"])


def text_of(client, row) -> str:
    page = html.fromstring(client.get(f"{row.get_absolute_url()}embed/").content)
    return " ".join(page.find("body").text_content().split())


def test_a_quote_is_whole_with_what_is_promised_of_it(client):
    quote = make_site().quotes[0]
    text = text_of(client, quote)

    assert text.startswith(f"{quote.headline} “{quote.text}” Ada Okafor · The grid nobody sees · May 14, 2026 · at ")
    assert "✓ verbatim how →" in text
    assert "exact quote · 17.6s" in text
    assert text.endswith("Pullquote")


def test_a_clip_that_is_not_made_is_a_link_to_the_moment(client):
    quote = make_site().quotes[0]
    path = f"{quote.get_absolute_url()}embed/"
    made = html.fromstring(client.get(path).content)
    Clip.objects.all().delete()
    unmade = html.fromstring(client.get(path).content)

    moment = f"https://example.org{quote.episode.get_absolute_url()}#t={quote.start_ms // 1000}"
    assert made.xpath("//video/@src") == [f"{quote.get_absolute_url()}clip.mp4"]
    assert made.xpath("//video/@preload") == ["none"]
    assert unmade.xpath("//video | //audio") == []
    assert unmade.xpath("//a[contains(., 'Watch it at')]/@href") == [moment]


def test_of_sound_alone_there_is_a_player_of_sound(client):
    site = make_site()
    quote = site.quotes[0]
    sound = MediaFile.objects.get(file=site.files[2])
    MediaFile.objects.filter(pk=sound.pk).update(probed=sound.probed | {"video": None})
    make_clips(quote)

    page = html.fromstring(client.get(f"{quote.get_absolute_url()}embed/").content)

    assert page.xpath("//audio/@src") == [f"{quote.get_absolute_url()}clip.m4a"]
    assert page.xpath("//video") == []


def test_a_video_elsewhere_is_a_link_and_never_loaded(client):
    film = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    quote = make_quote(episode=make_episode(media=[{"media": film.pk}]), start_ms=61_000, end_ms=65_000)

    page = html.fromstring(client.get(f"{quote.get_absolute_url()}embed/").content)

    assert "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=61s" in page.xpath("//a/@href")
    assert page.xpath("//video | //audio | //iframe | //img") == []


def test_an_old_address_of_an_embed_leads_to_the_present_one(client):
    quote = make_quote(slug="old")
    publish(edit(quote, slug="new"), actor=None, reason="Heard again.")

    answer = client.get("/quotes/old/embed/")

    assert (answer.status_code, answer["Location"]) == (301, "/quotes/new/embed/")


def test_nothing_is_promised_of_an_unchecked_quote(client):
    text = text_of(client, make_quote())

    assert "has not been checked" in text
    assert "✓" not in text
    assert "exact" not in text


def test_an_episode_shows_its_first_quotes_and_its_own_sound_only(client):
    elsewhere = make_episode(media=[{"media": make_audio("https://media.example.org/x.mp3").pk}], summary="Word " * 100)
    own = make_episode(media=[{"media": make_file("episodes/own.mp3").pk}])
    quotes = [make_quote(episode=own, start_ms=1_000 * n, end_ms=1_000 * n + 900) for n in (4, 1, 3, 2)]
    make_quote(episode=own, live=False, claim="hidden")

    page = client.get(f"{own.get_absolute_url()}embed/").content.decode()
    other = client.get(f"{elsewhere.get_absolute_url()}embed/").content.decode()

    assert re.findall(r'src="(/media/[^"]+)"', page) == ["/media/episodes/own.mp3"]
    assert "media.example.org" not in other
    assert "…" in other
    shown = [quote.headline for quote in sorted(quotes, key=lambda quote: quote.start_ms)[:3]]
    assert [headline for headline in shown if headline in page] == shown
    assert quotes[0].headline not in page
    assert "hidden" not in page


def test_what_is_hidden_has_no_embed(client):
    quote = make_quote()
    draft = make_quote(live=False)
    retire(Item.objects.get(pk=quote.episode_id), actor=None, reason="Gone.")

    gone = client.get(f"{quote.get_absolute_url()}embed/")
    assert (gone.status_code, gone["X-Frame-Options"], policy_of(gone)["frame-ancestors"]) == (410, "DENY", "'none'")
    assert client.get(f"{quote.episode.get_absolute_url()}embed/").status_code == 410
    assert client.get(f"/quotes/{Quote.objects.get(pk=draft.pk).item.working_slug}/embed/").status_code == 404


@pytest.mark.parametrize(
    ("text", "width", "lines"), [("", 100, 1), ("a" * 10, 100, 1), ("a" * 11, 100, 2), ("一" * 10, 100, 2), ("a\nb", 100, 2), ("a" * 100, 1, 25)]
)  # fmt: skip
def test_lines_are_counted_with_room_to_spare(text, width, lines):
    assert count_lines(text, width, 10) == lines
