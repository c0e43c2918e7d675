"""What pages tell machines: JSON-LD in the words of schema.org, Open Graph, Twitter cards; nothing but what they show."""

import json
import re
from datetime import datetime
from urllib.parse import urldefrag, urljoin

import lxml.html
import pytest
from django.conf import settings
from django.urls import reverse
from hypothesis import HealthCheck, given, settings as examples, strategies as st

from episodes.models import Episode, MediaFile
from publishing.acts import publish
from publishing.models import SiteSettings
from publishing.structured import tidy, to_script
from publishing.text import clean_text
from quotes.models import Quote
from tests.factories import REASON, edit, make_audio, make_corrections, make_episode, make_guest, make_quote, make_show
from tests.public import GENERAL, OF_ONE_THING, Site, addresses, make_clips, make_site
from tests.schemaorg import all_nodes, faults_of, graph_of, node_of

pytestmark = pytest.mark.django_db

SOURCE = {
    "verdict": "partly", "summary": "31,000 homes.", "checked_on": "2026-05-20", "assessed_by": "K. Day",
    "title": "Filing, page 14", "url": "https://example.net/f", "publisher": "Interconnect",
}  # fmt: skip


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def site(monkeypatch) -> Site:
    """One of each kind with all that structured data tells, on a machine that has made the clips."""
    monkeypatch.setattr("quotes.clips.offers.find_programs", lambda: "ffmpeg")
    SiteSettings.objects.create(
        pk=1, name="The Long & Signal", tagline="Words people find.", contact="desk@example.org", logo="site/logo.png"
    )
    site = make_site()
    host = make_guest(name="Tomas Lund", bio="Editor.")
    producer = make_guest(name="Kim Day")
    people = [(site.guests[0], "guest"), (host, "host"), (producer, "producer"), (host, "other")]
    links = [
        {"label": "Her page", "url": "https://ada.example.net/"},
        {"label": "Old", "url": "ftp://ada.example.net/"},
    ]
    publish(edit(site.guests[0], website_links=links, aliases=["A. Okafor"]), actor=None)
    publish(
        edit(
            site.shows[0], website="https://signal.example.net/", youtube="https://www.youtube.com/@signal",
            author="Lund & Day", licence="CC BY 4.0", people=[{"guest": host.pk, "role": "host"}],
        ), actor=None,
    )  # fmt: skip
    publish(
        edit(
            site.episodes[0], season=3, number=7, website="https://signal.example.net/7",
            guests=[{"guest": guest.pk, "role": role, "credit": ""} for guest, role in people],
            chapters=[
                {"start_ms": 0, "title": "Welcome", "url": "", "image": ""},
                {"start_ms": 754_600, "title": "Permits & <poles>", "url": "https://example.net/p", "image": ""},
            ],
        ), actor=None,
    )  # fmt: skip
    publish(edit(site.quotes[0], assessments=[SOURCE]), actor=None, reason=REASON)
    quote = Quote.objects.get(pk=site.quotes[0].pk)
    make_clips(quote)
    site.guests += [host, producer]
    for row in (site.shows[0], site.episodes[0], site.guests[0], site.topics[0], quote):
        make_corrections(row, note="We had it <wrong>.")
    return site


def pages_of(client, site: Site) -> dict[str, str]:
    """Return the HTML of every public page, by path."""
    table = {name: rows for name, rows in (GENERAL | OF_ONE_THING).items() if "media" not in name}
    answers = {path: client.get(path) for path in addresses(site, table)}
    return {
        path: answer.content.decode()
        for path, answer in answers.items()
        if answer.status_code == 200
        and answer["Content-Type"].startswith("text/html")
        and not path.endswith(("/embed/", "/cite.html"))
    }


def page_of(client, row) -> list[dict]:
    return graph_of(client.get(row.get_absolute_url()).content.decode())


def test_every_page_has_one_graph_that_schema_org_allows(client, site):
    pages = pages_of(client, site)

    assert len(pages) > 18
    for path, html in pages.items():
        graph = graph_of(html)
        assert faults_of(graph) == [], path
        assert [node for node in graph if not node.keys() - {"@id", "@type"}] == [], path
        canonical = lxml.html.document_fromstring(html).xpath('string(//link[@rel="canonical"]/@href)')
        assert [node["url"] for node in graph if node.get("url") == node.get("@id", "")] == [canonical], path
        assert len({node["@id"] for node in graph if "@id" in node}) == sum("@id" in node for node in graph), path


@pytest.mark.parametrize(
    "node",
    [
        {"@type": "Quote", "text": "x"},
        {"@type": "Quotation", "spoken": "x"},
        {"@type": "Person", "text": "x"},
        {"@type": "Quotation", "text": 1},
        {"@type": "Quotation", "text": ""},
        {"@type": "Quotation", "creator": "Ada"},
        {"@type": "Quotation", "creator": {"@type": "ListItem"}},
        {"@type": "Quotation", "creator": {"@id": "https://example.org/#nobody"}},
        {"@type": "PodcastEpisode", "duration": "1:41:22"},
        {"@type": "PodcastEpisode", "datePublished": "14 May 2026"},
        {"@type": "PodcastEpisode", "url": "/shows/a/"},
        {"@type": "Quotation", "isBasedOnUrl": "https://example.org/"},
    ],
)
def test_what_schema_org_does_not_allow_is_found(node):
    assert faults_of([node]) != []


# What is no text for people: names of types, of languages and of file formats.
CODES = {"@type", "inLanguage", "encodingFormat"}
ADDRESSES = {"@id", "url", "image", "logo", "contentUrl", "thumbnailUrl", "sameAs", "webFeed", "publishingPrinciples"}
SHOWN_TIME = re.compile(r"(?<![\d:])(?:(\d+):)?(\d{1,2}):(\d\d)(?![\d:])")
LENGTH = re.compile(r"([\d.]+)s ")


class Shown:
    """All that a page shows: its words and attributes, addresses, dates and times."""

    def __init__(self, html: str, path: str):
        document = lxml.html.document_fromstring(html)
        for script in document.xpath("//script"):
            script.drop_tree()
        values = [value for element in document.iter() for value in element.attrib.values()]
        text = " ".join(document.itertext())
        self.words = without_space(text)
        self.texts = {without_space(value) for value in values}
        own = f"{settings.SITE_URL}{path}"
        listed = [part.split(" ")[0] for value in values for part in value.split(", ")]
        self.links = {own, *(urldefrag(urljoin(own, value.strip())).url for value in [*values, *listed])}
        self.dates = {datetime.fromisoformat(value) for value in document.xpath("//time/@datetime")}
        self.seconds = {
            int(hours or 0) * 3600 + int(minutes) * 60 + int(rest) for hours, minutes, rest in SHOWN_TIME.findall(text)
        }
        self.lengths = {float(length) for length in LENGTH.findall(text)}
        self.numbers = set(re.findall(r"\d+", text))

    def has(self, node: dict, name: str, value) -> bool:
        if name in CODES or name == "position":
            return True
        if name in ADDRESSES:
            return urldefrag(value).url in self.links
        if name == "datePublished":
            return datetime.fromisoformat(value) in self.dates
        if name == "duration":
            hours, minutes, rest = re.fullmatch(r"PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?", value).groups()
            return int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(rest or 0) in self.seconds
        if name == "startOffset":
            return int(value) in self.seconds
        if name == "endOffset":
            return round(value - node["startOffset"], 3) in self.lengths
        if isinstance(value, int):
            return str(value) in self.numbers
        return without_space(value) in self.words or any(without_space(value) in text for text in self.texts)


def without_space(text: str) -> str:
    return "".join(text.split())


def hidden_of(graph: list[dict], shown: Shown) -> list[str]:
    """Return what a graph says and its page does not show."""
    found = []
    for node in all_nodes(graph):
        for name, value in node.items():
            leaves = [each for each in (value if isinstance(value, list) else [value]) if not isinstance(each, dict)]
            found += [f"{node.get('@type')}.{name}: {leaf}" for leaf in leaves if not shown.has(node, name, leaf)]
    return found


def test_nothing_is_said_that_the_page_does_not_show(client, site):
    for path, html in pages_of(client, site).items():
        assert hidden_of(graph_of(html), Shown(html, path)) == [], path


@pytest.mark.parametrize(
    "media",
    [
        [],
        [{"kind": "youtube", "address": "dQw4w9WgXcQ"}],
        [{"kind": "audio", "address": "https://media.example.net/two.mp3", "offset_ms": 2_000}],
        [{"kind": "video", "address": "https://media.example.net/two.mp4", "offset_ms": None}],
    ],
)
def test_nothing_more_is_said_of_any_media(client, site, media):
    files = [MediaFile.objects.create(**fields) for fields in media]
    publish(edit(site.episodes[0], media=[{"media": file.pk} for file in files]), actor=None)

    for row in (site.episodes[0], site.quotes[0]):
        path = row.get_absolute_url()
        html = client.get(path).content.decode()
        assert faults_of(graph_of(html)) == []
        assert hidden_of(graph_of(html), Shown(html, path)) == []


def test_what_is_not_shown_is_found(client, site):
    path = site.quotes[0].get_absolute_url()
    shown = Shown(client.get(path).content.decode(), path)
    said = {
        "name": "Somebody Else", "url": "https://elsewhere.example.net/", "datePublished": "2020-01-01T00:00:00+00:00",
        "duration": "PT7S", "startOffset": 7, "numberOfItems": 999_999,
    }  # fmt: skip

    assert len(hidden_of([{"@type": "Thing"} | said], shown)) == len(said)


def test_a_quotation_names_its_speaker_and_its_episode(client, site):
    quote = site.quotes[0]
    graph = page_of(client, quote)

    said = node_of(graph, "Quotation")
    speaker, episode = node_of(graph, "Person"), node_of(graph, "PodcastEpisode")
    assert (said["text"], said["description"]) == (quote.text, quote.context)
    assert said["creator"] == said["spokenByCharacter"] == {"@id": speaker["@id"]}
    assert said["isPartOf"] == said["citation"] == {"@id": episode["@id"]}
    assert node_of(graph, "WebPage")["mainEntity"] == {"@id": said["@id"]}
    assert speaker["name"] == "Ada Okafor"
    assert (episode["duration"], episode["partOfSeries"]) == (
        "PT1H41M22S",
        {"@id": node_of(graph, "PodcastSeries")["@id"]},
    )
    steps = node_of(graph, "WebPage")["breadcrumb"]["itemListElement"]
    assert [step.get("name") or step["item"]["name"] for step in steps] == [
        "Signal Path",
        "The grid nobody sees",
        quote.headline,
    ]


def test_a_clip_has_the_times_of_the_episode_and_the_file_that_plays(client, site):
    quote = site.quotes[0]
    address = f"{settings.SITE_URL}{quote.get_absolute_url()}"

    clip = node_of(page_of(client, quote), "Clip")

    assert (clip["startOffset"], clip["endOffset"]) == (quote.start_ms / 1000, quote.end_ms / 1000)
    assert clip["url"].endswith(f"/#t={quote.start_ms // 1000}")
    assert clip["associatedMedia"] == {
        "@type": "VideoObject",
        "name": quote.headline,
        "contentUrl": f"{address}clip.mp4",
        "encodingFormat": "video/mp4",
        "thumbnailUrl": f"{address}clip.jpg",
    }


def test_until_a_clip_is_made_the_whole_file_plays(client):
    quote = make_quote(episode=make_episode(title="The grid", media=[{"media": make_audio(offset_ms=-2_000).pk}]))

    clip = node_of(page_of(client, quote), "Clip")

    assert (clip["startOffset"], clip["endOffset"]) == (quote.start_ms / 1000, quote.end_ms / 1000)
    assert clip["associatedMedia"] == {
        "@type": "AudioObject",
        "name": "The grid",
        "contentUrl": "https://media.example.org/one.mp3",
        "encodingFormat": "audio/mpeg",
    }


def test_without_a_clock_on_the_page_a_clip_has_no_end(client):
    quote = make_quote(episode=make_episode(media=[{"media": make_audio(offset_ms=None).pk}]))

    clip = node_of(page_of(client, quote), "Clip")

    assert "startOffset" in clip
    assert "endOffset" not in clip


def test_a_quote_without_a_time_has_no_clip(client):
    quote = make_quote(start_ms=None, end_ms=None)

    assert "Clip" not in {node["@type"] for node in page_of(client, quote)}


def test_sources_are_works_about_a_claim_and_nobody_is_said_to_have_reviewed_it(client, site):
    graph = page_of(client, site.quotes[0])

    claim = node_of(graph, "Claim")
    assert claim["name"] == site.quotes[0].claim
    assert claim["appearance"] == {"@id": node_of(graph, "Quotation")["@id"]}
    assert claim["subjectOf"] == [
        {
            "@type": "CreativeWork",
            "name": "Filing, page 14",
            "description": "31,000 homes.",
            "url": "https://example.net/f",
            "publisher": {"@type": "Organization", "name": "Interconnect"},
        }
    ]
    assert not any("Review" in node.get("@type", "") for node in all_nodes(graph))


def test_without_sources_there_is_no_claim(client):
    assert "Claim" not in {node["@type"] for node in page_of(client, make_quote())}


def test_who_takes_part_is_said_by_part(client, site):
    graph = page_of(client, site.episodes[0])

    episode = node_of(graph, "PodcastEpisode")
    names = {node["@id"]: node["name"] for node in graph if node["@type"] == "Person"}
    parts = {part: [names[link["@id"]] for link in episode[part]] for part in ("actor", "producer", "contributor")}
    assert parts == {"actor": ["Ada Okafor", "Tomas Lund"], "producer": ["Kim Day"], "contributor": ["Tomas Lund"]}
    assert (episode["episodeNumber"], episode["partOfSeason"]["seasonNumber"]) == (7, 3)
    assert [part["name"] for part in episode["hasPart"]] == ["Welcome", "Permits & <poles>", site.quotes[0].headline]
    assert episode["hasPart"][1]["startOffset"] == 754.6
    assert episode["associatedMedia"]["@type"] == "AudioObject"
    assert [file["encodingFormat"] for file in episode["associatedMedia"]["caption"]] == [
        "text/vtt",
        "application/x-subrip",
    ]


def test_a_video_is_said_to_be_one_only_where_the_page_plays_it(client):
    fields = {"address": "https://media.example.net/a.mp4", "mime": "video/mp4"}
    played, elsewhere = (
        make_episode(media=[{"media": MediaFile.objects.create(kind=kind, **known).pk}])
        for kind, known in (("video", fields), ("youtube", {"address": "dQw4w9WgXcQ"}))
    )

    kinds = [node_of(page_of(client, row), "PodcastEpisode").get("associatedMedia") for row in (played, elsewhere)]

    assert kinds[0]["@type"] == "VideoObject"
    assert kinds[1] is None


def test_a_show_a_guest_and_a_topic_say_who_they_are(client, site):
    show = node_of(page_of(client, site.shows[0]), "PodcastSeries")
    guest = node_of(page_of(client, site.guests[0]), "Person")
    topic = node_of(page_of(client, site.topics[0]), "DefinedTerm")

    assert show["webFeed"] == f"{settings.SITE_URL}/shows/signal-path/feed.rss"
    assert show["sameAs"] == ["https://signal.example.net/", "https://www.youtube.com/@signal"]
    assert (show["creditText"], show["license"]["name"], show["inLanguage"]) == ("Lund & Day", "CC BY 4.0", "en")
    assert guest["sameAs"] == ["https://ada.example.net/"]
    assert guest["alternateName"] == ["A. Okafor"]
    assert "/media/renditions/" in guest["image"]
    assert (topic["name"], topic["description"], topic["alternateName"]) == ("Grid storage", "Batteries.", ["BESS"])


def test_an_author_who_is_one_of_the_people_is_a_person(client):
    host, other = make_guest(name="Tomas Lund"), make_guest(name="Kim Day")
    people = [{"guest": host.pk, "role": "host"}, {"guest": other.pk, "role": "producer"}]
    graphs = [page_of(client, make_show(author=author, people=people)) for author in ("Tomas Lund", "Lund & Day")]

    shows = [node_of(graph, "PodcastSeries") for graph in graphs]

    ids = {node["name"]: {"@id": node["@id"]} for node in graphs[0] if node["@type"] == "Person"}
    assert [show.get("author") for show in shows] == [[ids["Tomas Lund"]], None]
    assert [(show["actor"], show["producer"]) for show in shows] == [([ids["Tomas Lund"]], [ids["Kim Day"]])] * 2


def test_a_show_without_a_tagline_is_described_by_its_first_paragraph(client):
    show = make_show(description="About *wires*.\n\nAnd poles.")

    assert node_of(page_of(client, show), "PodcastSeries")["description"] == "About wires."


def test_home_says_whose_the_site_is(client, site):
    graph = graph_of(client.get("/").content.decode())

    website, publisher = node_of(graph, "WebSite"), node_of(graph, "Organization")
    assert (website["name"], website["description"]) == ("The Long & Signal", "Words people find.")
    assert publisher["logo"] == f"{settings.SITE_URL}/media/site/logo.png"
    assert publisher["publishingPrinciples"] == f"{settings.SITE_URL}/how/"
    assert node_of(graph, "WebPage")["mainEntity"] == {"@id": website["@id"]}
    assert [node["name"] for node in graph if node["@type"] == "ItemList"] == ["Newest quotes", "Newest episodes"]


def test_a_list_counts_on_over_its_pages(client):
    episode = make_episode()
    for number in range(26):
        make_quote(episode=episode, claim=f"c{number}")

    graph = graph_of(client.get("/quotes/?page=2").content.decode())

    listed = node_of(graph, "ItemList")
    assert node_of(graph, "CollectionPage")["url"] == f"{settings.SITE_URL}/quotes/?page=2"
    assert [item["position"] for item in listed["itemListElement"]] == [25, 26]
    assert listed["numberOfItems"] == 26


def test_corrections_are_told(client, site):
    for row, kind in ((site.quotes[0], "WebPage"), (site.guests[0], "ProfilePage")):
        told = node_of(page_of(client, row), kind)["correction"]
        assert {node["@type"] for node in told} == {"CorrectionComment"}
        assert "We had it <wrong>." in {node["text"] for node in told}


@pytest.mark.parametrize("path", ["/", "/quotes/", "/shows/", "/guests/", "/topics/", "/episodes/", "/feeds/", "/how/"])
def test_an_empty_site_says_only_whose_it_is(client, path):
    graph = graph_of(client.get(path).content.decode())

    assert faults_of(graph) == []
    assert "ItemList" not in {node["@type"] for node in graph}


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"@type": "Person", "name": ""}, {}),
        ({"@type": "Person", "name": "Ada", "image": None, "sameAs": [], "knows": {"@type": "Person"}}, {"@type": "Person", "name": "Ada"}),
        ({"@type": "Clip", "startOffset": 0, "isFamilyFriendly": False}, {"@type": "Clip", "startOffset": 0, "isFamilyFriendly": False}),
        (["a", "", "\x00"], ["a"]),
    ],
)  # fmt: skip
def test_what_is_empty_is_left_out(value, kept):
    assert tidy(value) == kept


HOSTILE = (
    "</script>",
    "</SCRIPT >",
    "<!--",
    "<script",
    "-->",
    "]]>",
    "\u2028",
    "\u2029",
    "\\",
    '"',
    "&lt;",
    "\x00",
    "\ud800",
    "\ufffe",
)
any_text = st.lists(st.text(st.characters(exclude_categories=[])) | st.sampled_from(HOSTILE)).map("".join)  # fmt: skip


@given(any_text)
@examples(max_examples=300, deadline=None)
def test_any_text_comes_back_and_ends_nothing(text):
    html = to_script([{"@type": "Quotation", "@id": "https://example.org/#q", "text": text}])

    inside = html.removeprefix('<script type="application/ld+json">').removesuffix("</script>")
    assert not re.search("[<>&\u2028\u2029]", inside)
    html.encode()
    [node] = json.loads(inside)["@graph"]
    assert node.get("text", "") == clean_text(text)


@given(st.data())
@examples(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_of_an_editor_comes_back_from_the_pages(client, django_db_setup, data):
    keepable = any_text.map(lambda text: text.replace("\x00", "").encode(errors="ignore").decode())
    claim, text, title, summary = (data.draw(keepable) for _ in range(4))
    quote = Quote.objects.live().first() or make_quote()
    Quote.objects.filter(pk=quote.pk).update(claim=claim[:200], text=text, context=summary)
    Episode.objects.filter(pk=quote.episode_id).update(title=title[:300], summary=summary)

    said = node_of(page_of(client, quote), "Quotation")
    episode = node_of(page_of(client, quote.episode), "PodcastEpisode")

    assert said["name"] == clean_text(f"{quote.speaker_name}: {claim[:200]}")
    assert (said.get("text", ""), said.get("description", "")) == (clean_text(text), clean_text(summary))
    assert (episode.get("name", ""), episode.get("description", "")) == (clean_text(title[:300]), clean_text(summary))


def metas_of(html: str) -> list[tuple[str, str]]:
    """Return property or name, and content, of all that a page tells those who link to it."""
    found = lxml.html.document_fromstring(html).xpath("//head/meta[@property or @name]")
    return [(meta.get("property") or meta.get("name"), meta.get("content")) for meta in found]


def test_no_page_tells_anything_twice(client, site):
    for path, html in pages_of(client, site).items():
        names = [name for name, _content in metas_of(html) if name != "article:tag"]
        assert sorted(set(names)) == sorted(names), path
        told = dict(metas_of(html))
        assert {"og:type", "og:title", "og:url", "og:site_name", "og:locale", "og:image", "og:image:alt"} <= set(
            told
        ), path
        assert {"twitter:card", "viewport"} <= set(told), path
        assert all(told.values()), path


def test_a_page_tells_what_kind_it_is(client, site):
    rows = [site.quotes[0], site.episodes[0], site.guests[0], site.shows[0], site.topics[0]]

    told = [dict(metas_of(client.get(row.get_absolute_url()).content.decode())) for row in rows]

    assert [page["og:type"] for page in told] == ["article", "article", "profile", "website", "website"]
    assert told[1]["article:published_time"] == "2026-05-14T10:00:00+00:00"
    assert told[0]["article:tag"] == "Grid storage"
    assert datetime.fromisoformat(told[0]["article:modified_time"]) >= datetime.fromisoformat(
        told[0]["article:published_time"]
    )
    assert not any(name.startswith("article:") for page in told[2:] for name in page)
    assert {page["twitter:card"] for page in told} == {"summary_large_image"}


def test_a_made_clip_can_be_played_beside_a_link(client, site):
    quote = site.quotes[0]
    address = f"{settings.SITE_URL}{quote.get_absolute_url()}"

    told = dict(metas_of(client.get(quote.get_absolute_url()).content.decode()))

    assert (told["og:video"], told["og:video:type"]) == (f"{address}clip.mp4", "video/mp4")
    assert (told["og:audio"], told["og:audio:type"]) == (f"{address}clip.m4a", "audio/mp4")


def test_a_clip_that_is_not_made_is_not_told(client, monkeypatch):
    told = dict(metas_of(client.get(make_quote().get_absolute_url()).content.decode()))

    assert not {"og:video", "og:audio"} & set(told)


@pytest.mark.parametrize(
    ("locale", "told"),
    [("en", "en_US"), ("en-gb", "en_GB"), ("de", "de_DE"), ("zh-hant", "zh_TW"), ("pt-br", "pt_BR"), ("cy", None)],
)
def test_the_language_is_told_with_its_place(client, locale, told):
    SiteSettings.objects.create(pk=1, locale=locale)

    assert dict(metas_of(client.get("/how/").content.decode())).get("og:locale") == told


def test_where_there_is_no_card_the_logo_stands_in(client):
    SiteSettings.objects.create(pk=1, name="The Long Signal", logo="site/logo.png")

    told = dict(metas_of(client.get(reverse("quotes:how")).content.decode()))

    assert (told["og:image"], told["og:image:alt"], told["twitter:card"]) == (
        f"{settings.SITE_URL}/media/site/logo.png",
        "The Long Signal",
        "summary",
    )


def test_what_was_never_there_tells_nothing(client):
    html = client.get("/nowhere/").content.decode()

    assert "ld+json" not in html
    assert "og:" not in html
