"""A quote as others cite it: right in every format, whatever the words hold."""

import json
import re

import pytest
from django.utils import translation
from hypothesis import given, strategies as st
from lxml import html
from markdown_it import MarkdownIt
from pygments.lexers.bibtex import BibTeXLexer

from episodes.models import MediaFile
from publishing.acts import publish, retire
from publishing.models import Item, SiteSettings
from publishing.text import clean_line, clean_text
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
from tests.factories import edit, make_audio, make_episode, make_guest, make_quote, make_show

pytestmark = pytest.mark.django_db

NASTY = "50% of_#1 & {so} \\ ~^ $x$ <b>*bold*</b> [a](b) `c` | “q”"
LINK = "https://example.org/q/ab12cd34"
TEXTS = (
    st.text(max_size=60)
    | st.text("\\`*_{}[]()<>#+-.!|~&=:$^%@'\",/ \tab1\n", max_size=30)
    | st.sampled_from([NASTY, "- list", "1. list", "# head", "@misc{x,", "ER  - ", "]]>", "\u202e", "é", "--", "&amp;"])
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

    assert [name for name in FORMATS if re.search(r"\bat\b", cited(client, quote, name))] == []


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


def test_a_draft_without_a_day_can_be_previewed_and_cites_none(editor_client):
    episode = make_episode(live=False, title="Grid", aired_at=None, show=make_show(title="Load"))
    quote = make_quote(live=False, episode=episode, start_ms=60_000, end_ms=61_000)

    page = editor_client.get(quote.item.admin_path.replace("/change/", "/preview/"))

    assert page.status_code == 200
    assert "In: “Grid”, Load, at 1:00. Pullquote, https://example.org/q/" in page.content.decode()


def test_the_key_and_the_link_stay_whatever_becomes_of_the_quote(client, quote):
    before = cited(client, quote, "bib")
    publish(edit(quote, slug="renamed", claim="two batteries settle it"), actor=None, reason="Heard again.")
    publish(edit(quote.speaker, name="Ada Lund", sort_name="Lund, Ada"), actor=None)

    moved = client.get("/quotes/battery/cite.bib")
    after = client.get(moved["Location"]).content.decode()

    assert (moved.status_code, moved["Location"]) == (301, "/quotes/renamed/cite.bib")
    lasting = r"@misc\{.*|  url = .*"
    assert re.findall(lasting, after) == re.findall(lasting, before)
    assert "  author = {Lund, Ada},\n" in after


def test_what_is_only_on_video_is_cited_as_such(client):
    film = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    quote = make_quote(episode=make_episode(media=[{"media": film.pk}]))

    assert cited(client, quote, "ris").startswith("TY  - VIDEO\r\n")
    assert json.loads(cited(client, quote, "json"))[0]["medium"] == "Video"


def test_the_day_is_that_of_the_sites_readers(client, quote):
    SiteSettings.objects.update(time_zone="Asia/Tokyo")
    publish(edit(quote.episode, aired_at="2026-05-14T22:00:00Z"), actor=None)

    assert "  day = {15},\n" in cited(client, quote, "bib")
    assert "May 15, 2026" in cited(client, quote, "txt")


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
    line = TEXTS.map(clean_line).filter(bool)
    texts = {name: draw(line) for name in ("speaker", "headline", "episode", "show", "publisher")}
    fixed = {"key": "quote-ab12cd34", "family": "", "given": "", "aired": None, "day": "May 14, 2026", "moment": "1:00"}
    addresses = {"url": "https://example.org/quotes/x/", "link": LINK}
    text = draw(st.lists(TEXTS, max_size=4).map("\n".join).map(clean_text))
    return Citation(**texts, text=text, **fixed, **addresses, language="en", is_video=False)


@given(citations())
def test_any_words_come_back_from_bibtex(citation):
    entry = write_bibtex(citation)
    kinds = {str(kind).rpartition(".")[2] for kind, _value in BibTeXLexer().get_tokens(entry)}
    fields = dict(re.findall(r"^  (\w+) = \{(.*)\},?$", entry, re.MULTILINE))

    assert "Error" not in kinds
    assert depth_of(entry) == 0
    assert entry.count("\n") == len(fields) + 2
    assert [fields[name][0] + fields[name][-1] for name in ("author", "title")] == ["{}", "{}"]
    told = [unlatex(fields[name][1:-1]) for name in ("author", "title")]
    assert told == [citation.speaker, citation.episode]
    assert unlatex(fields["note"]) == citation.headline
    assert unlatex(fields["abstract"]) == citation.quoted
    assert unlatex(fields["howpublished"]) == f"Podcast: {citation.show}, at 1:00. {citation.publisher}"


def unlatex(value: str) -> str:
    """Return what LaTeX prints: of commands and escapes the sign, of an empty group nothing."""
    names = {
        "textbackslash": "\\", "textbraceleft": "{", "textbraceright": "}", "textasciitilde": "~",
        "textasciicircum": "^", "textless": "<", "textgreater": ">", "textbar": "|", "textasciigrave": "`",
    }  # fmt: skip
    assert not re.search(r"--|''|,,|[<>|~^`]|(?<!\\)[&%#_$]", value)
    signs = re.compile(r"\\([a-z]+)\{\}|\\([&%#_$])|\{\}")
    return signs.sub(lambda found: names[found[1]] if found[1] else found[2] or "", value)


@given(citations())
def test_any_words_come_back_from_markdown(citation):
    """As an independent reader renders it, tables and strikethrough of the larger dialects included."""
    with translation.override("en"):
        source = write_markdown(citation)
    page = html.fragment_fromstring(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(source), "div")
    quotation, place = page

    assert {element.tag for element in page.iter()} <= {"div", "blockquote", "p", "br", "a", "em"}
    assert words(quotation.text_content()) == words(f"“{citation.text}”")
    told = f"{citation.speaker}, “{citation.episode}”, {citation.show}, May 14, 2026, at 1:00. {citation.publisher}, {LINK}"
    assert words(place.text_content()) == words(told)
    assert {link.get("href") for link in page.iter("a")} == {LINK}


@given(citations())
def test_any_words_come_back_from_html(citation):
    with translation.override("en"):
        page = html.document_fromstring(write_html(citation))

    assert page.findtext(".//h1") == citation.headline
    assert words(page.find(".//blockquote").text_content()) == words(f"“{citation.text}”")
    assert {element.tag for element in page.iter()} <= {
        *("html", "head", "meta", "title", "link", "body", "main", "h1", "blockquote", "p", "br", "a", "cite", "time"),
    }


@given(citations())
def test_any_words_come_back_from_ris(citation):
    with translation.override("en"):
        record = write_ris(citation)
    lines = record.split("\r\n")
    fields = dict(re.fullmatch(r"([A-Z][A-Z0-9])  - (.*)", line).groups() for line in lines[:-1])

    assert (lines[0], lines[-2:]) == ("TY  - SOUND", ["ER  - ", ""])
    assert not re.search(r"[\r\n]", record.replace("\r\n", ""))
    told = (citation.speaker, citation.episode, citation.show, citation.publisher, citation.quoted)
    assert tuple(fields.get(tag, "") for tag in ("AU", "TI", "T2", "PB", "AB")) == told


@given(citations())
def test_any_words_come_back_from_csl_and_make_one_line_of_text(citation):
    with translation.override("en"):
        [item] = json.loads(write_csl(citation).encode())
        line = write_text(citation)

    told = (citation.speaker, citation.episode, citation.show, citation.publisher, citation.quoted)
    names = ("title", "container-title", "publisher", "abstract")
    assert (item["author"][0]["literal"], *(item[name] for name in names)) == told
    assert (line.count("\n"), line[-1]) == (1, "\n")


def words(text: str) -> str:
    """Return a text without white space, of which line breaks are told as marks."""
    return "".join(text.split())


def depth_of(entry: str) -> int:
    """Return how many braces stay open, as BibTeX counts them; those of LaTeX's words are closed at once."""
    depth = 0
    for character in entry:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    return depth
