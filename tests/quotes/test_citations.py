"""A quote as others cite it: right in every format, whatever the words hold."""

import json
import re

import pytest
from django.utils import translation
from hypothesis import given, strategies as st
from lxml import html

from publishing.acts import retire
from publishing.models import Item, SiteSettings
from quotes.citations import (
    FORMATS,
    Citation,
    write_bibtex,
    write_csl,
    write_html,
    write_markdown,
    write_ris,
    write_text,
)
from quotes.models import Quote
from tests.factories import make_audio, make_episode, make_guest, make_quote, make_show

pytestmark = pytest.mark.django_db

NASTY = "50% of_#1 & {so} \\ ~^ $x$ <b>*bold*</b> [a](b) `c` | “q”"
TEXTS = st.text(max_size=60) | st.sampled_from(
    [NASTY, "- list", "1. list", "# head", "@misc{x,", "ER  - ", "]]>", "\u202e", "é"]
)


@pytest.fixture
def quote() -> Quote:
    SiteSettings.objects.create(pk=1, name="The Long Signal")
    show = make_show(title="Load & Line", language="en-gb")
    episode = make_episode(
        show=show, title="The 50% grid", aired_at="2026-05-14T10:00:00Z", media=[{"media": make_audio().pk}]
    )
    ada = make_guest(name="Ada Okafor", sort_name="Okafor, Ada")
    return make_quote(
        episode=episode, speaker=ada, claim="one battery settles it", slug="battery",
        text="We put it where\nthe buses sleep.", start_ms=6_110_200, end_ms=6_127_800,
    )  # fmt: skip


def cited(client, quote: Quote, format: str) -> str:
    return client.get(f"/quotes/{quote.slug}/cite.{format}").content.decode()


def link_to(quote: Quote) -> str:
    return f"https://example.org/q/{quote.item.short_id}"


def test_as_plain_text(client, quote):
    assert cited(client, quote, "txt") == (
        "Ada Okafor: “We put it where the buses sleep.” In: “The 50% grid”, Load & Line, May 14, 2026, at 1:41:50. "
        f"The Long Signal, {link_to(quote)}\n"
    )


def test_as_markdown(client, quote):
    assert cited(client, quote, "md") == (
        "> “We put it where\\\n> the buses sleep.”\n\n"
        f"Ada Okafor, “[The 50% grid](<{link_to(quote)}>)”, *Load \\& Line*, May 14, 2026, at 1:41:50. "
        f"The Long Signal, <{link_to(quote)}>\n"
    )


def test_as_html(client, quote):
    page = html.fromstring(cited(client, quote, "html"))

    assert page.find(".//blockquote").get("cite") == link_to(quote)
    assert page.find(".//blockquote").text_content() == "“We put it wherethe buses sleep.”"
    assert page.find(".//time").get("datetime") == "2026-05-14"
    assert page.find(".//link[@rel='canonical']").get("href") == "https://example.org/quotes/battery/"


def test_as_bibtex(client, quote):
    entry = cited(client, quote, "bib")

    assert entry.startswith(f"@misc{{quote-{quote.item.short_id},\n  author = {{Okafor, Ada}},\n")
    assert "  title = {{The 50\\% grid}},\n" in entry
    assert "  howpublished = {Podcast: Load \\& Line, at 1:41:50. The Long Signal},\n" in entry
    assert "  year = {2026},\n  month = may,\n  day = {14},\n" in entry
    assert f"  url = {{{link_to(quote)}}}" in entry


def test_as_ris(client, quote):
    lines = cited(client, quote, "ris").split("\r\n")

    assert lines[0] == "TY  - SOUND"
    assert lines[-2:] == ["ER  - ", ""]
    assert {"AU  - Okafor, Ada", "TI  - The 50% grid", "T2  - Load & Line", "DA  - 2026/05/14/"} <= set(lines)


def test_as_csl(client, quote):
    [item] = json.loads(cited(client, quote, "json"))

    assert item["type"] == "broadcast"
    assert item["author"] == [{"family": "Okafor", "given": "Ada"}]
    assert item["issued"] == {"date-parts": [[2026, 5, 14]]}
    assert (item["title"], item["container-title"], item["URL"]) == ("The 50% grid", "Load & Line", link_to(quote))
    assert item["note"] == "Ada Okafor: one battery settles it, at 1:41:50"


@pytest.mark.parametrize(
    ("name", "sort_name", "author"),
    [
        ("Ada Okafor", "Okafor, Ada", "{Okafor, Ada}"),
        ("Okafor Ada", "Okafor, Ada", "{Okafor, Ada}"),
        ("Ada Okafor", "", "{{Ada Okafor}}"),
        ("Lund and Sons", "Sons, Lund and", "{{Lund and Sons}}"),
        ("Kim", "Kim", "{{Kim}}"),
    ],
)
def test_a_name_is_taken_apart_only_where_that_is_sure(client, name, sort_name, author):
    quote = make_quote(speaker=make_guest(name=name, sort_name=sort_name))

    assert f"  author = {author},\n" in cited(client, quote, "bib")


def test_a_quote_without_a_time_names_none(client):
    quote = make_quote(start_ms=None, end_ms=None)

    assert all(
        " at " not in cited(client, quote, name).replace("put it", "") or name == "html" for name in ("txt", "ris")
    )


@pytest.mark.parametrize("name", FORMATS)
def test_it_is_a_document_for_everybody(client, quote, name):
    path = f"/quotes/battery/cite.{name}"
    answer = client.get(path)

    assert answer["Content-Type"] == FORMATS[name].content_type
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["X-Robots-Tag"] == "noindex"
    assert f'filename="battery.{name}"' in answer["Content-Disposition"]
    assert answer["Content-Disposition"].startswith("attachment" if FORMATS[name].is_saved else "inline")
    assert client.get(path).content == answer.content
    assert client.get(path, headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert client.head(path)["ETag"] == answer["ETag"]


def test_there_is_no_other_format_and_nothing_of_what_is_hidden(client, quote):
    assert client.get("/quotes/battery/cite.pdf").status_code == 404
    retire(Item.objects.get(pk=quote.pk), actor=None, reason="Gone.")
    assert client.get("/quotes/battery/cite.txt").status_code == 410


def test_the_page_of_the_quote_shows_it(client, quote):
    page = client.get("/quotes/battery/").content.decode()

    assert cited(client, quote, "txt").strip().replace("&", "&amp;") in page
    assert all(f'href="/quotes/battery/cite.{name}"' in page for name in FORMATS)


@st.composite
def citations(draw) -> Citation:
    line = TEXTS.map(lambda text: " ".join(text.split()).encode("utf-8", "ignore").decode())
    texts = {name: draw(line) for name in ("speaker", "headline", "text", "episode", "show", "publisher")}
    fixed = {"key": "quote-ab12cd34", "family": "", "given": "", "aired": None, "day": "May 14, 2026", "moment": "1:00"}
    addresses = {"url": "https://example.org/quotes/x/", "link": "https://example.org/q/ab12cd34"}
    return Citation(**texts, **fixed, **addresses, language="en", is_video=False)


@given(citations())
def test_no_words_break_a_format(citation):
    with translation.override("en"):
        assert len(json.loads(write_csl(citation))) == 1
        assert write_text(citation).count("\n") == 1
        assert html.fromstring(write_html(citation)).find(".//blockquote") is not None
        ris = write_ris(citation).removesuffix("\r\n").split("\r\n")
        assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in ris)
        assert [line for line in ris if line.startswith("ER")] == ["ER  - "]
        assert "\n" not in write_markdown(citation).rstrip("\n").rpartition("\n\n")[2]
        entry = write_bibtex(citation)
        assert depth_of(entry) == 0
        assert entry.count("@misc{quote-") == 1


def depth_of(entry: str) -> int:
    """Return how many braces stay open, as BibTeX counts them; those of LaTeX's words are closed at once."""
    depth = 0
    for character in entry:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    return depth
