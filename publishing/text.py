"""The one sanitiser: text and HTML in, safe HTML, Markdown or plain text out.

Stored text is raw Markdown. It becomes HTML in ``render_markdown`` and nowhere else.
HTML from outside goes through nh3 and is then stored as Markdown or plain text.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from html.parser import HTMLParser
from string import punctuation
from urllib.parse import urljoin

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from .markdown_writer import MarkdownWriter

MAX_MARKDOWN_CHARS = 50_000
MAX_MARKDOWN_DELIMITERS = 4_000  # 50,000 characters of "![" take a second without it
MAX_HTML_CHARS = 100_000
MAX_HTML_DEPTH = 200  # nh3 takes minutes over 100,000 open tags

BaseUrls = str | Sequence[str]

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_OVERRIDES = re.compile("[\u202d\u202e]")  # they make one name look like another
_SPACES = re.compile(r"[ \t\n\r\f]+")
_TAG = re.compile(r"</?[a-zA-Z]|<!--")
_EMPTY_PARAGRAPH = re.compile(r"<p>\s*</p>")

_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_INLINE_TAGS = {"a", "b", "code", "em", "i", "strong"}
_BLOCK_TAGS = {"blockquote", "br", "hr", "li", "ol", "p", "pre", "ul"}
_VOID_TAGS = {"br", "hr"}
_ALLOWED_TAGS = _HEADINGS | _INLINE_TAGS | _BLOCK_TAGS
_OTHER_BLOCKS = {
    *("address", "article", "aside", "center", "dd", "details", "div", "dl", "dt"),
    *("figcaption", "figure", "footer", "form", "header", "main", "nav", "section"),
    *("summary", "table", "tbody", "tfoot", "thead", "tr"),
}
_CELLS = {"td", "th"}
_BLOCK_TAG = re.compile(rf"</?(?:{'|'.join(sorted(_OTHER_BLOCKS))})>")
_CELL_TAG = re.compile(r"</?t[dh]>")
_TAG_NAME = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_NEVER_NESTED = {
    *("area", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link"),
    *("meta", "option", "p", "param", "source", "td", "th", "tr", "track", "wbr"),
}
_SCHEMES = {"http", "https", "mailto"}
_REL = "nofollow noopener ugc"
_DROPPED_WITH_CONTENT = {"iframe", "noscript", "script", "style", "template", "title"}

_markdown = MarkdownIt("commonmark", {"html": False})


def clean_text(text: str) -> str:
    """Return text that XML 1.0 can carry, with plain newlines and no space around it."""
    allowed = _FORBIDDEN.sub("", text)
    return allowed.replace("\r\n", "\n").replace("\r", "\n").strip()


def clean_line(text: str) -> str:
    """Return text as ``clean_text`` does, on one line with single spaces and no override of its direction."""
    return " ".join(_OVERRIDES.sub("", clean_text(text)).split())


def render_markdown(source: str) -> SafeString:
    """Return Markdown as safe HTML: no raw HTML, no images, marked links.

    The source is cut at MAX_MARKDOWN_CHARS. A text with more delimiters than a
    person would write is shown as plain paragraphs, because it is slow to parse.
    """
    text = clean_text(source)[:MAX_MARKDOWN_CHARS]
    delimiters = sum(text.count(character) for character in "[*_`<\n")
    is_slow = delimiters > MAX_MARKDOWN_DELIMITERS
    html = _as_paragraphs(escape(text)) if is_slow else _markdown.render(text)
    return mark_safe(_allow_only(html, _ALLOWED_TAGS))  # noqa: S308


def clean_html(html: str, base_url: BaseUrls) -> str:
    """Return HTML with the allowed tags only and with absolute links.

    ``base_url`` is what relative links are resolved against: one address, or
    several of which the first absolute one counts. Other block elements become
    paragraphs, so that no two words run into each other.
    """
    base = _first_absolute(base_url)
    text = _without_deep_nesting(clean_text(html)[:MAX_HTML_CHARS])
    cleaned = _allow_only(text, _ALLOWED_TAGS | _OTHER_BLOCKS | _CELLS, base)
    cleaned = _BLOCK_TAG.sub("<p>", _CELL_TAG.sub(" ", cleaned))
    return _EMPTY_PARAGRAPH.sub("", _allow_only(cleaned, _ALLOWED_TAGS))


def html_to_markdown(html: str, base_urls: BaseUrls) -> str:
    """Return HTML from outside as Markdown that ``render_markdown`` shows alike.

    Text without any tag keeps its line breaks, each line as a paragraph.
    """
    writer = MarkdownWriter()
    writer.feed(clean_html(_with_paragraphs(html), base_urls))
    return writer.finish()


def html_to_text(html: str) -> str:
    """Return HTML as plain text: an empty line between blocks, one break for ``br``."""
    writer = _TextWriter()
    writer.feed(clean_html(_with_paragraphs(html), ""))
    return writer.finish()


def first_paragraph(html: str) -> str:
    """Return the first paragraph that is not empty, as plain text on one line."""
    return clean_line(html_to_text(html).partition("\n\n")[0])


def shorten(
    text: str,
    limit: int,
    *,
    keep_before: Sequence[str] = ("but", "except", "unless", "if", "not"),
) -> str:
    """Return text of at most ``limit`` characters, cut at a word and ended with ``…``.

    A cut never falls just before one of the words in ``keep_before``: there the
    sentence turns, and the reader must not be left with its first half.
    """
    text = text.strip()
    if len(text) <= limit:
        return text
    room = max(limit, 1) - 1
    words = list(re.finditer(r"\S+", text[: room + 200]))
    for word, next_word in reversed(list(_pairs_with_next(words))):
        kept = _without_trailing_punctuation(text[: word.end()])
        if kept and len(kept) <= room and next_word not in keep_before:
            return f"{kept}…"
    first_word = _without_trailing_punctuation(words[0][0])
    beginning = _without_trailing_punctuation(text[:room])
    return "…" if len(first_word) <= room else f"{beginning}…"


def _pairs_with_next(words: list[re.Match[str]]) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each word with the bare word after it, past any lone dash."""
    bare = [word[0].strip(punctuation + "“”‘’«»–—…").casefold() for word in words]
    following = ""
    pairs = []
    for word, name in zip(reversed(words), reversed(bare), strict=True):
        pairs.append((word, following))
        following = name or following
    yield from reversed(pairs)


def _without_trailing_punctuation(text: str) -> str:
    end = len(text)
    while end and (text[end - 1].isspace() or _is_punctuation(text[end - 1])):
        end -= 1
    return text[:end]


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith("P") and character not in "%‰#"


def _allow_only(html: str, tags: set[str], base: str | None = None) -> str:
    return nh3.clean(
        html,
        tags=tags,
        clean_content_tags=_DROPPED_WITH_CONTENT,
        attributes={"a": {"href"}, "ol": {"start"}, "*": set()},
        attribute_filter=_filter_attribute,
        url_schemes=_SCHEMES,
        url_relative=(lambda url: _resolve(base, url)) if base else "deny",
        link_rel=_REL,
    )


def _without_deep_nesting(html: str) -> str:
    """Return the HTML, or its bare text where more tags are open than a page needs."""
    open_tags: Counter[str] = Counter()
    depth = 0
    for slash, name in _TAG_NAME.findall(html):
        name = name.lower()
        if name in _NEVER_NESTED or (slash and not open_tags[name]):
            continue
        step = -1 if slash else 1
        open_tags[name] += step
        depth += step
        if depth > MAX_HTML_DEPTH:
            return re.sub(r"<[^<>]*>", " ", html).replace("<", "&lt;")
    return html


def _filter_attribute(tag: str, name: str, value: str) -> str | None:
    if name == "start" and not re.fullmatch(r"[0-9]{1,6}", value):
        return None
    return value


def _resolve(base: str, url: str) -> str | None:
    try:
        return urljoin(base, url)
    except ValueError:
        return None


def _first_absolute(base_urls: BaseUrls) -> str | None:
    candidates = [base_urls] if isinstance(base_urls, str) else base_urls
    return next((url for url in candidates if re.match(r"https?://[^/]", url or "")), None)


def _with_paragraphs(html: str) -> str:
    if _TAG.search(html):
        return html
    return _as_paragraphs(clean_text(html).replace("<", "&lt;"))


def _as_paragraphs(text: str) -> str:
    return "".join(f"<p>{line}</p>" for line in text.split("\n") if line.strip())


class _TextWriter(HTMLParser):
    """Turn what ``clean_html`` returns into plain text."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self._parts.append("\n")
        elif tag not in _INLINE_TAGS:
            self._parts.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if tag not in _INLINE_TAGS:
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        self._parts.append(_SPACES.sub(" ", data))

    def finish(self) -> str:
        self.close()
        text = re.sub(r" *\n *", "\n", re.sub(r" +", " ", "".join(self._parts)))
        return clean_text(re.sub(r"\n{2,}", "\n\n", text))
