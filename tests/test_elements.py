"""Each main page has the elements that docs/elements.md lists, and leaves no trace of those that are missing."""

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path

import lxml.html
import pytest
from django.conf import settings

from episodes.models import Episode, Guest, MediaFile
from publishing.acts import publish
from publishing.kinds import all_kinds, get_kind
from publishing.models import Item, Publishable, SiteSettings
from quotes.models import Quote
from tests.factories import (
    REASON,
    SUMMARY,
    edit,
    make_audio,
    make_corrections,
    make_episode,
    make_guest,
    make_quote,
    make_show,
    make_topic,
    make_transcript,
)
from tests.public import make_image

pytestmark = pytest.mark.django_db

PAGES = ("quote", "topic", "episode", "transcript", "guest", "show", "home")
SITE = {
    "name": "The Long Signal",
    "tagline": "Conversations, and the words people find.",
    "contact": "desk@example.org",
    "licence": "© The Long Signal",
    "footer_links": [{"label": "Imprint", "url": "https://example.org/imprint"}],
}
# Not optional: a show always has these two, and a picture is not published without what it shows.
NEVER_BLANK = {"feed_identity", "language", "artwork_alt", "portrait_alt"}


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


PROBED = {
    "container": "mp3", "duration_ms": 7_282_000, "start_ms": 0, "bytes": 1, "video": None, "has_cover": False,
    "audio": {"index": 0, "codec": "mp3", "sample_rate": 44_100, "channels": 1},
}  # fmt: skip


@pytest.fixture
def rows(monkeypatch) -> dict[str, Publishable]:
    """A thing of each kind with everything that it can hold, on a machine that can cut clips."""
    monkeypatch.setattr("quotes.clips.offers.find_programs", lambda: "ffmpeg")
    ours = MediaFile.objects.create(kind="audio", file="episodes/ours.mp3", mime="audio/mpeg", probed=PROBED)
    SiteSettings.objects.update_or_create(pk=1, defaults=SITE)
    picture = make_image("images/picture.jpg").pk
    show = make_show(
        title="Signal Path", tagline="Slowly, and to the end.", description="About *wires*.", artwork=picture,
        artwork_alt="A mast", website="https://signal.example.org", author="Tomas Lund", categories=["Science"],
        youtube="https://www.youtube.com/@signal", licence="CC BY 4.0", rights_contact="rights@example.org",
        longest_clip_ms=90_000, clips_allowed=True, explicit=True, owner_email="o@example.org", owner_email_public=True,
    )  # fmt: skip
    tomas = make_guest(name="Tomas Lund")
    publish(edit(show, **feed_settings(tomas)), actor=None)
    topic = make_topic(
        name="Grid storage", description="Batteries and other stores.", aliases=["BESS"],
        parent=make_topic(name="Energy").pk, mishearings=[{"heard": "bess", "name": "BESS"}],
    )  # fmt: skip
    make_topic(name="Batteries", parent=topic.pk)
    ada = make_guest(
        name="Ada Okafor", sort_name="Okafor, Ada", bio="Engineer.", portrait=picture, portrait_alt="Ada Okafor",
        website_links=[{"label": "Her page", "url": "https://ada.example.org/"}], aliases=["A. Okafor"],
        mishearings=[{"heard": "Aida", "name": "Ada"}],
    )  # fmt: skip
    people = [(ada, "guest", "Grid engineer"), (tomas, "host", "Editor")]
    people.append((make_guest(name="Kim Day"), "narrator", ""))
    video = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    episode = make_episode(
        show=show, title="⚡ The grid nobody sees: batteries, buses and the evening peak", summary_by="N. Castellan",
        summary_edited_by="M. Roe", summary_origin="feed", summary_on="2026-06-03", notes="Some *notes*.",
        duration_ms=7_282_000, season=3, number=7, episode_kind="bonus", artwork=picture, artwork_alt="A bolt",
        website="https://signal.example.org/7", explicit=True,
        guests=[{"guest": guest.pk, "role": role, "credit": credit} for guest, role, credit in people],
        topics=[{"topic": topic.pk}], media=[{"media": make_audio().pk}, {"media": video.pk}, {"media": ours.pk}],
        chapters=[{"start_ms": 0, "title": "Welcome", "url": "https://example.org/w", "image": ""}],
    )  # fmt: skip
    shared = {"episode": episode, "speaker": ada, "topics": [{"topic": topic.pk}]}
    quote = make_quote(
        **shared, claim="one battery settles the peak", claim_by="N. Castellan", claim_edited_by="M. Roe",
        claim_origin="machine", text="We put it where the buses sleep.", start_ms=6_110_200, end_ms=6_127_800,
        context="Ada Okafor, then a grid engineer, talks about depot batteries.",
        assessments=[{
            "verdict": "partly", "summary": "31,000 homes.", "checked_on": "2026-05-20", "assessed_by": "K. Day",
            "title": "Filing, page 14", "url": "https://example.org/f", "publisher": "Interconnect",
        }],
    )  # fmt: skip
    other = make_quote(
        **shared, claim="transformers cannot be bought", text="If you ordered one today you would wait.",
        start_ms=6_300_000, end_ms=6_303_000,
    )  # fmt: skip
    said = [
        (6_105_000, "Tomas Lund (host)", "Where did you put it?"),
        (6_110_200, "Ada Okafor", "We uh put it put it where the buses sleep but not in winter."),
        (6_127_800, "Ada Okafor", "Nobody noticed."),
    ]
    make_transcript(episode, said, who={"Ada Okafor": ada})
    make_transcript(episode, [(6_110_200, "Ada Okafor", "Wo die Busse schlafen.")], language="de", engine="")
    publish(edit(quote, related=[{"related": other.pk}]), actor=None, reason=REASON)
    publish(edit(ada, quotes=[{"quote": other.pk}]), actor=None)
    told = {"at": datetime(2026, 6, 4, 12, tzinfo=UTC), "kind": "misquote", "found_by": "Kim Day"}
    for row in (show, topic, ada, episode, quote):
        make_corrections(row, note="We misheard a word.", said="They put it there.", says="We put it there.", **told)
    return {"show": show, "topic": topic, "guest": ada, "episode": episode, "quote": Quote.objects.get(pk=quote.pk)}


def feed_settings(host: Guest) -> dict:
    """Return what a show tells podcast apps, some of which readers see too."""
    place = {"name": "Berlin", "rel": "subject", "geo": "", "osm": "", "country": "DE"}
    post = {"protocol": "activitypub", "uri": "https://social.example.org/1", "account_id": "", "account_url": ""}
    return {
        "people": [{"guest": host.pk, "role": "host"}], "order": "serial", "medium": "video", "locked": True,
        "machine_licence": "cc-by-4.0", "machine_licence_url": "https://example.org/l",
        "funding": [{"url": "https://give.example.org/", "label": "Keep us going"}], "locations": [place],
        "social": [post], "txts": [{"text": "proof", "purpose": "verify"}], "seasons": [{"number": 3, "name": "Wires"}],
    }  # fmt: skip


def get_pages(client, rows: dict[str, Publishable]) -> dict[str, str]:
    paths = {name: path_of(name, rows) for name in PAGES}
    responses = {name: client.get(path) for name, path in paths.items()}
    assert {name: response.status_code for name, response in responses.items()} == dict.fromkeys(PAGES, 200)
    return {name: response.content.decode() for name, response in responses.items()}


def path_of(name: str, rows: dict[str, Publishable]) -> str:
    if name == "transcript":
        return f"{rows['episode'].get_absolute_url()}transcript/"
    return "/" if name == "home" else rows[name].get_absolute_url()


def text_of(html: str) -> str:
    """Return the words of a page from its main part on, as a reader sees them, on one line."""
    words = " ".join(unescape(re.sub(r"<[^>]+>", "", html.partition("<main")[2].partition(">")[2])).split())
    return re.sub(r"/q/[a-z0-9]{8}", "/q/ab12cd34", words)  # of a short link, which is drawn by lot


def listed_elements(page: str) -> list[tuple[str, str]]:
    """Return name and example of each element that docs/elements.md lists for a page."""
    doc = (Path(settings.BASE_DIR) / "docs/elements.md").read_text(encoding="utf-8")
    table = doc.partition(f"## {page.capitalize()} page\n")[2].partition("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    assert [len(cells) for cells in lines] == [3] * len(lines), page
    return [(name, example) for name, example, _rule in lines[2:]]


@pytest.mark.parametrize("name", PAGES)
def test_the_full_example_has_every_listed_element_in_order(client, rows, name):
    text = text_of(get_pages(client, rows)[name])
    elements = listed_elements(name)

    assert len(elements) > 10
    position = 0
    for element, example in elements:
        found = text.find(example, position)
        assert found >= 0, f"{element}: no “{example}” in “{text[position:]}”"
        position = found + len(example)


def test_no_text_of_the_quote_page_stands_outside_its_list(client, rows):
    """Between two listed elements there is nothing but space, so that none is forgotten in the list."""
    text = text_of(get_pages(client, rows)["quote"].partition("<footer")[0])

    for _name, example in listed_elements("quote"):
        text = text.replace(example, "\n", 1)

    # The speaker's name in the sources' way; and one line of the player, shown only in trouble.
    left = [part.strip() for part in text.split("\n") if part.strip()]
    assert left == ["This could not be loaded. Listen to the full episode instead, or try again later."]


def optional_fields() -> list[tuple[str, str]]:
    return [
        (kind.name, name)
        for kind in all_kinds()
        for name in kind.form.base_fields
        if name not in {*kind.form.required_to_publish, *NEVER_BLANK, kind.form.title_field}
    ]


@pytest.mark.parametrize(("kind", "field"), optional_fields())
def test_a_missing_element_leaves_no_trace(client, rows, kind, field):
    blank_out(rows[kind], [field])

    for page, html in get_pages(client, rows).items():
        assert traces(html) == [], page


@pytest.mark.parametrize("field", ["tagline", "contact", "licence", "footer_links"])
def test_what_the_site_does_not_say_leaves_no_trace(client, rows, field):
    SiteSettings.objects.update(**{field: [] if field == "footer_links" else ""})

    for page, html in get_pages(client, rows).items():
        assert traces(html) == [], page


def test_pages_bear_that_everything_is_missing(client, rows):
    SiteSettings.objects.update(tagline="", contact="", licence="", footer_links=[])
    for kind, row in rows.items():
        blank_out(row, [field for of, field in optional_fields() if of == kind])

    for page, html in get_pages(client, rows).items():
        assert traces(html) == [], page


@pytest.mark.parametrize(
    "media",
    [
        [],
        [{"kind": "youtube", "address": "dQw4w9WgXcQ"}],
        [{"kind": "audio", "address": "https://media.example.org/two.mp3"}],
        [{"kind": "video", "address": "https://media.example.org/two.mp4", "offset_ms": None}],
    ],
)
def test_pages_bear_any_media(client, rows, media):
    files = [MediaFile.objects.create(**fields) for fields in media]
    publish(edit(rows["episode"], media=[{"media": file.pk} for file in files]), actor=None)

    for page, html in get_pages(client, rows).items():
        assert traces(html) == [], page


@pytest.mark.parametrize("row", [{"assessed_by": ""}, {"checked_on": None}, {"publisher": ""}])
def test_an_assessment_says_only_what_is_known(client, rows, row):
    source = Quote.objects.get(pk=rows["quote"].pk).assessments[0] | row
    Quote.objects.filter(pk=rows["quote"].pk).update(assessments=[source])

    assert traces(get_pages(client, rows)["quote"]) == []


def blank_out(row: Publishable, fields: list[str]) -> None:
    item = Item.objects.get(pk=row.pk)
    blank = get_kind(item.kind).form.blank()
    SiteSettings.objects.update_or_create(pk=1, defaults={"hearing_required": "heard" not in fields})
    publish(edit(row, **{field: blank[field] for field in fields}), actor=None, reason=REASON)


BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "button", "dd", "div", "dl", "dt", "footer", "h1", "h2", "h3"),
    *("header", "li", "main", "nav", "ol", "p", "section", "ul"),
}  # fmt: skip
NEVER_EMPTY = {*BLOCKS - {"div"}, "a", "time"}
SEPARATORS = ("·", ",", ":", "›")


def traces(html: str) -> list[str]:
    """Return what a missing element left behind: labels, links, separators, empty blocks, the word None."""
    document = lxml.html.document_fromstring(html)
    body = document.find("body")
    found = [lxml.html.tostring(link)[:120] for link in body.iter("a") if link.get("href", "") in {"", "#"}]
    found += [lxml.html.tostring(image)[:120] for image in body.iter("img", "audio", "video") if not image.get("src")]
    found += [lxml.html.tostring(meta)[:120] for meta in document.iter("meta") if meta.get("content") == ""]
    for element in body.iter(*BLOCKS, "a", "time"):
        text = " ".join(element.text_content().split())
        if element.tag in NEVER_EMPTY and not text and not element.xpath(".//img|.//audio|.//video"):
            found.append(f"empty <{element.tag}>")
        if element.tag == "section" and is_bare(element):
            found.append(f"only a heading: {text}")
        found += [f"{line!r} in <{element.tag}>" for line in own_lines(element) if is_broken(line)]
    return found


def is_bare(section) -> bool:
    header = section.find("header")
    rest = [child for child in section if child is not header]
    return not any(" ".join(child.text_content().split()) or child.xpath(".//audio|.//video") for child in rest)


def own_lines(element) -> list[str]:
    """Return the lines of text that lie in an element itself, between the blocks in it."""
    if element.tag not in BLOCKS:
        return []
    lines = [element.text or ""]
    for child in element:
        if child.tag in BLOCKS:
            lines.append("")
        else:
            lines[-1] += child.text_content()
        lines[-1] += child.tail or ""
    return [line for line in (" ".join(line.split()) for line in lines) if line]


def is_broken(line: str) -> bool:
    has_stray = line.startswith(SEPARATORS) or line.endswith(SEPARATORS) or re.search(r"[·,:›] ?[·,:›]", line)
    return bool(has_stray or re.search(r"\bNone\b|\(\)|“”", line))


@pytest.mark.parametrize(
    "html",
    [
        "<p>a · · b</p>", "<p>· a</p>", "<p>a ·</p>", "<p>None</p>", "<p></p>", '<p><a href="#">a</a></p>', "<h2> </h2>",
        '<p><a href="">a</a></p>', "<section><header><h2>Topics</h2></header><ul></ul></section>", "<p>by:</p>",
    ],
)  # fmt: skip
def test_traces_are_found(html):
    assert traces(f"<html><body>{html}</body></html>")


def test_a_topic_page_keeps_summaries_to_the_letter(client):
    topic = make_topic(name="Grid storage")
    summaries = []
    for number in range(4):
        words = [f"word{number}-{position} & <b>“it's” 5 % …" for position in range(30)]
        summaries.append(" ".join(words) + " The last of its words.")
        make_episode(
            show=make_show() if number % 2 else None, summary=summaries[-1], topics=[{"topic": topic.pk}],
            aired_at=f"202{number}-05-14T10:00:00Z",
        )  # fmt: skip

    page = client.get(topic.get_absolute_url()).content.decode()

    shown = [unescape(text) for text in re.findall(r'<p class="row__summary">(.*?)</p>', page, re.DOTALL)]
    assert shown == summaries[::-1]
    assert len(summaries[0].split()) > 150


def test_a_topic_page_of_four_long_summaries_shortens_nothing(client):
    topic = make_topic(name="Grid storage")
    for _number in range(4):
        make_episode(show=make_show(), summary="word " * 149 + "end.", topics=[{"topic": topic.pk}])

    html = client.get(topic.get_absolute_url()).content.decode()

    assert "…" not in html.partition("<main")[2]


LONG_TITLE = "⚡ [Paper Club] " + "A title that goes on as titles do, " * 4


def test_long_words_and_many_quotes_break_nothing(client, rows):
    publish(edit(rows["episode"], title=LONG_TITLE[:140], summary=(SUMMARY + " ") * 12), actor=None)
    for number in range(60):
        make_quote(
            episode=Episode.objects.get(pk=rows["episode"].pk),
            speaker=rows["guest"],
            claim=LONG_TITLE[:190] + str(number),
        )

    for page, html in get_pages(client, rows).items():
        assert traces(html) == [], page
    assert get_pages(client, rows)["episode"].count('id="quote-') == 62


OTHER_CUTS = re.compile(
    r"truncate(?:chars|words)|Truncator|text-overflow|line-clamp|textwrap\.shorten|\|slice:|&hellip;|\[:\d+\] ?\+ ?[\"']"
)


def test_one_function_shortens_everywhere():
    root = Path(settings.BASE_DIR)
    files = [*root.glob("templates/**/*.html"), *root.glob("static/css/*.css"), *root.glob("static/js/*.js")]
    for app in ("publishing", "episodes", "quotes", "config"):
        files += root.glob(f"{app}/**/*.py")
    # The newsroom's own lists are not read by the public.
    public = [path for path in files if "admin" not in str(path.relative_to(root)) and path.name != "newsroom.css"]

    found = {str(path): OTHER_CUTS.findall(path.read_text(encoding="utf-8")) for path in public}

    assert {path: cuts for path, cuts in found.items() if cuts} == {}
    assert len(public) > 100
