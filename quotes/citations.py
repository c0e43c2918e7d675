"""A quote as others cite it. What is cited is the episode, with the speaker as its author; no day but that of the
episode is told, so the same quote always gives the same bytes."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.template.defaultfilters import linebreaksbr
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language, gettext as _, gettext_lazy

from episodes.player import Player, player_of
from episodes.timecodes import format_timecode
from episodes.transcripts.shown import html_language
from publishing.models import SiteSettings, once_live
from publishing.pages import absolute
from publishing.templatetags.pullquote import day_in_words
from publishing.text import clean_line, clean_text

from .models import Quote

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")  # as BibTeX knows them

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    "`": r"\textasciigrave{}", **{character: f"\\{character}" for character in "&%#_$"},
}  # fmt: skip
_LIGATURE = re.compile(r"([-',])(?=\1)")  # two of which LaTeX would print as another sign
_MARKDOWN = re.compile(r"[\\`*_\[\]<>&~|#$]")
_MARKDOWN_START = re.compile(r"^(\d{0,9})([-+=:.)])", re.MULTILINE)
_PAGE = """<!doctype html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{headline}</title>
<link rel="canonical" href="{url}">
</head>
<body>
<main>
<h1>{headline}</h1>
<blockquote cite="{link}"{text_lang} dir="auto"><p>“{text}”</p></blockquote>
<p>{speaker}, {source}. {publisher}, <a href="{link}">{link}</a></p>
</main>
</body>
</html>
"""


@dataclass(frozen=True)
class Citation:
    """What is known of where a quote comes from. All is on one line but ``text``.

    ``family`` is empty where the name is told whole. The day is that of the site's readers; only drafts have none.
    """

    key: str
    speaker: str
    family: str
    given: str
    headline: str
    text: str
    episode: str
    show: str
    aired: date | None
    day: str
    moment: str
    publisher: str
    url: str
    link: str
    language: str
    is_video: bool

    @property
    def quoted(self) -> str:
        """Return the words in quotation marks, on one line."""
        return f"“{clean_line(self.text)}”"

    @property
    def medium(self) -> str:
        return "Video" if self.is_video else "Podcast"

    @property
    def at(self) -> str:
        return _("at %(time)s") % {"time": self.moment} if self.moment else ""


def citation_of(quote: Quote, site: SiteSettings) -> Citation:
    """Return how to cite a quote that was loaded by ``for_page()``. The link is one that never changes."""
    speaker, episode = once_live(quote.speaker), quote.episode
    name = clean_line(speaker.name)
    family, given = _parts_of(name, clean_line(speaker.sort_name))
    return Citation(
        key=f"quote-{quote.item.short_id}",
        speaker=name,
        family=family,
        given=given,
        headline=clean_line(quote.headline),
        text=clean_text(quote.text),
        episode=clean_line(episode.title),
        show=clean_line(episode.show.title),
        aired=timezone.localtime(episode.aired_at).date() if episode.aired_at else None,
        day=day_in_words(episode.aired_at),
        moment="" if quote.start_ms is None else format_timecode(quote.start_ms),
        publisher=clean_line(site.name),
        url=absolute(quote.get_absolute_url()),
        link=absolute(reverse("quotes:short", args=[quote.item.short_id])),
        language=html_language(episode.show.language.lower()),
        is_video=_is_seen(player_of(episode.media_links)),
    )


def _parts_of(name: str, sort_name: str) -> tuple[str, str]:
    """Return the family name and the given names where the sort name tells them apart, else nothing.

    A name with a comma or an “and” in it is told whole: readers of the formats would take it for two.
    """
    family, _comma, given = (part.strip() for part in sort_name.partition(","))
    is_plain = family and given and "," not in given and " and " not in f" {family} {given} ".casefold()
    return (family, given) if is_plain and name in {f"{given} {family}", f"{family} {given}"} else ("", "")


def _is_seen(player: Player) -> bool:
    return player.is_video or (bool(player.youtube) and not player.src)


def write_text(citation: Citation) -> str:
    """Return one line for a footnote or a list of sources."""
    source = ", ".join(part for part in (f"“{citation.episode}”", citation.show, citation.day, citation.at) if part)
    place = _("In: %(source)s") % {"source": source}
    return f"{citation.speaker}: {citation.quoted} {place}. {citation.publisher}, {citation.link}\n"


def write_markdown(citation: Citation) -> str:
    """Return a quotation and its source. A character that Markdown would read is escaped."""
    paragraphs = re.split(r"\n\s*\n", f"“{citation.text}”")
    quotation = "\n>\n".join(_quoted_lines(paragraph) for paragraph in paragraphs)
    episode = f"“[{_markdown(citation.episode)}](<{citation.link}>)”"
    rest = [f"*{_markdown(citation.show)}*", _markdown(citation.day), citation.at]
    source = ", ".join(part for part in (episode, *rest) if part)
    speaker, publisher = _markdown(citation.speaker), _markdown(citation.publisher)
    return f"{quotation}\n\n{speaker}, {source}. {publisher}, <{citation.link}>\n"


def _quoted_lines(paragraph: str) -> str:
    """Return the lines of a paragraph, each with a break behind it but the last."""
    return "\\\n".join(f"> {_markdown(line.strip())}" for line in paragraph.split("\n"))


def _markdown(line: str) -> str:
    return _MARKDOWN_START.sub(r"\1\\\2", _MARKDOWN.sub(r"\\\g<0>", line))


def write_html(citation: Citation) -> str:
    """Return a page with the quotation and its source, to copy from or to take the source of."""
    episode = format_html('“<a href="{}"><cite>{}</cite></a>”', citation.link, citation.episode)
    day = format_html('<time datetime="{}">{}</time>', citation.aired, citation.day) if citation.aired else ""
    parts = [part for part in (episode, format_html("<cite>{}</cite>", citation.show), day, citation.at) if part]
    return format_html(
        _PAGE,
        lang=get_language() or "",
        headline=citation.headline,
        url=citation.url,
        link=citation.link,
        text_lang=format_html(' lang="{}"', citation.language) if citation.language else "",
        text=linebreaksbr(citation.text),
        speaker=citation.speaker,
        source=format_html_join(", ", "{}", ((part,) for part in parts)),
        publisher=citation.publisher,
    )


def write_bibtex(citation: Citation) -> str:
    """Return an entry for BibTeX or biber. ``misc`` is known to every style, and prints what is in ``howpublished``.

    Braces in braces keep capitals as they are, and a name that cannot be told apart in one piece.
    """
    author = f"{_latex(citation.family)}, {_latex(citation.given)}" if citation.family else _kept(citation.speaker)
    place = ", ".join(part for part in (citation.show, citation.at) if part)
    fields = {
        "author": f"{{{author}}}",
        "title": f"{{{_kept(citation.episode)}}}",
        "howpublished": _kept(f"{citation.medium}: {place}. {citation.publisher}"),
        **_bibtex_day(citation.aired),
        "note": _kept(citation.headline),
        "abstract": _kept(citation.quoted),
        "url": f"{{{citation.link}}}",
        **({"language": f"{{{citation.language}}}"} if citation.language else {}),
    }
    lines = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
    return f"@misc{{{citation.key},\n{lines}\n}}\n"


def _bibtex_day(day: date | None) -> dict[str, str]:
    return {"year": f"{{{day.year}}}", "month": MONTHS[day.month - 1], "day": f"{{{day.day}}}"} if day else {}


def _kept(text: str) -> str:
    return f"{{{_latex(text)}}}"


def _latex(text: str) -> str:
    """Return text as LaTeX prints it. Braces become words: BibTeX counts them, escaped or not."""
    return _LIGATURE.sub(r"\1{}", "".join(_LATEX.get(character, character) for character in text))


def write_ris(citation: Citation) -> str:
    """Return a record for EndNote, Zotero and the like: a tag a line, each line ended as on Windows."""
    author = f"{citation.family}, {citation.given}" if citation.family else citation.speaker
    lines = [
        ("TY", "VIDEO" if citation.is_video else "SOUND"),
        ("ID", citation.key),
        ("AU", author),
        ("TI", citation.episode),
        ("T2", citation.show),
        ("PY", f"{citation.aired:%Y}" if citation.aired else ""),
        ("DA", f"{citation.aired:%Y/%m/%d}/" if citation.aired else ""),
        ("PB", citation.publisher),
        ("AB", citation.quoted),
        ("N1", _note(citation)),
        ("LA", citation.language),
        ("UR", citation.link),
        ("ER", ""),
    ]
    return "".join(f"{tag}  - {value}\r\n" for tag, value in lines if value or tag == "ER")


def write_csl(citation: Citation) -> str:
    """Return CSL JSON. The type is ``broadcast``: as an interview some styles leave the publisher out."""
    author = {"family": citation.family, "given": citation.given} if citation.family else {"literal": citation.speaker}
    item: dict[str, Any] = {
        "id": citation.key,
        "type": "broadcast",
        "author": [author],
        "title": citation.episode,
        "container-title": citation.show,
        "medium": citation.medium,
        "publisher": citation.publisher,
        "URL": citation.link,
        "abstract": citation.quoted,
        "note": _note(citation),
    }
    if citation.aired:
        item["issued"] = {"date-parts": [[citation.aired.year, citation.aired.month, citation.aired.day]]}
    if citation.language:
        item["language"] = citation.language
    return json.dumps([item], ensure_ascii=False, indent=1) + "\n"


def _note(citation: Citation) -> str:
    return ", ".join(part for part in (citation.headline, citation.at) if part)


@dataclass(frozen=True)
class CiteFormat:
    """A way to write a citation. ``is_saved`` tells that browsers keep it as a file, having no way to show it."""

    label: str | Promise
    content_type: str
    write: Callable[[Citation], str]
    is_saved: bool = False


FORMATS = {
    "txt": CiteFormat(gettext_lazy("plain text"), "text/plain; charset=utf-8", write_text),
    "md": CiteFormat("Markdown", "text/markdown; charset=utf-8", write_markdown),
    "html": CiteFormat("HTML", "text/html; charset=utf-8", write_html),
    "bib": CiteFormat("BibTeX", "application/x-bibtex; charset=utf-8", write_bibtex, is_saved=True),
    "ris": CiteFormat("RIS", "application/x-research-info-systems; charset=utf-8", write_ris, is_saved=True),
    "json": CiteFormat("CSL JSON", "application/vnd.citationstyles.csl+json", write_csl, is_saved=True),
}
