"""Clean HTML, as Markdown: the events of the standard library's parser, written out."""

import re
import unicodedata
from dataclasses import dataclass, field
from html.parser import HTMLParser
from string import punctuation
from typing import Literal
from urllib.parse import quote

MAX_NESTING = 16  # open lists, items and quotations; markdown-it stops at 20

_SPACES = re.compile(r"[ \t\n\r\f]+")
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_INLINE_TAGS = {"a", "b", "code", "em", "i", "strong"}
_VOID_TAGS = {"br", "hr"}


@dataclass
class _Token:
    """A piece of one paragraph; neighbours of a mark may need writing as entities."""

    kind: Literal["text", "code", "space", "break", "open", "close"]
    text: str
    encode_first: bool = False
    encode_last: bool = False

    @property
    def is_gap(self) -> bool:
        return self.kind in {"space", "break"}

    @property
    def is_blank(self) -> bool:
        return self.is_gap or (self.kind == "text" and self.text.isspace())

    def write(self) -> str:
        if self.kind == "code":
            return _code_span(self.text)
        if self.kind != "text":
            return self.text
        text, before, after = self.text, "", ""
        if self.encode_first:
            before, text = f"&#{ord(text[0])};", text[1:]
        if self.encode_last and text:
            after, text = f"&#{ord(text[-1])};", text[:-1]
        return before + _escape_text(text) + after


@dataclass(eq=False)
class _Mark:
    """An open ``**``, ``_`` or ``[``. A silent one repeats a mark that is open already."""

    opening: str
    closing: str
    silent: bool = False


class _Paragraph:
    """Collect the inline content of one block and write it as Markdown.

    CommonMark reads ``**`` and ``_`` by what stands on either side, so white space
    moves out of the marks, and a letter that touches one from outside is written as
    an entity where it has to be.
    """

    def __init__(self) -> None:
        self._tokens: list[_Token] = []
        self._marks: list[_Mark] = []
        self._pending: list[_Mark] = []

    def add_text(self, data: str) -> None:
        for piece in re.split(r"([ \t\n\r\f]+)", data):
            if piece and _SPACES.fullmatch(piece):
                self._add_space(_Token("space", " "))
            elif piece:
                self._add_solid("text", piece)

    def add_break(self) -> None:
        if self._tokens and self._tokens[-1].kind == "space":
            self._tokens.pop()
        if self._tokens:
            self._tokens.append(_Token("break", "\\\n"))

    def add_code(self, data: str) -> None:
        code = _SPACES.sub(" ", data).strip(" ")
        in_link = any(mark.opening == "[" for mark in self._marks)
        if code and in_link and "]:" in code:  # would read as a link definition
            self._add_solid("text", code)
        elif code:
            self._add_solid("code", code)

    def open(self, opening: str, closing: str) -> None:
        silent = not opening or any(mark.opening == opening for mark in self._marks)
        mark = _Mark(opening, closing, silent)
        self._marks.append(mark)
        if not silent and not self._continues(mark):
            self._pending.append(mark)

    def close(self) -> None:
        if self._marks:
            self._end(self._marks.pop())

    def take(self) -> str:
        """Return what was collected, and start anew with the same marks open."""
        for mark in reversed(self._marks):
            self._end(mark)
        text = self._write()
        self._tokens = []
        self._pending = [mark for mark in self._marks if not mark.silent]
        return text if text.strip() else ""

    def _add_solid(self, kind: Literal["text", "code"], text: str) -> None:
        for mark in self._pending:
            self._tokens.append(_Token("open", mark.opening))
        self._pending = []
        if self._tokens and self._tokens[-1].kind == kind:
            self._tokens[-1].text += text
        else:
            self._tokens.append(_Token(kind, text))

    def _add_space(self, token: _Token) -> None:
        if self._tokens and not self._tokens[-1].is_gap:
            self._tokens.append(token)

    def _continues(self, mark: _Mark) -> bool:
        """Take back a mark that was closed just before the same one opens."""
        last = self._tokens[-1] if self._tokens else None
        if self._pending or not last or last.kind != "close" or last.text != mark.opening:
            return False
        self._tokens.pop()
        return True

    def _end(self, mark: _Mark) -> None:
        if mark in self._pending:
            self._pending.remove(mark)
        elif not mark.silent:
            end = len(self._tokens)
            while self._tokens[end - 1].is_gap:
                end -= 1
            self._tokens.insert(end, _Token("close", mark.closing))

    def _write(self) -> str:
        while self._tokens and self._tokens[-1].is_blank:
            self._tokens.pop()
        for before, after in zip(self._tokens, self._tokens[1:], strict=False):
            _secure_opening(before, after)
            _secure_closing(before, after)
        lines = "".join(token.write() for token in self._tokens).split("\n")
        return "\n".join(_escape_line_start(line) for line in lines)


def _secure_opening(before: _Token, after: _Token) -> None:
    if after.kind == "open" and after.text != "[" and _ends_in_letter(before):
        before.encode_last = True
    if before.kind == "open" and after.kind == "text" and after.text[0].isspace():
        after.encode_first = True


def _secure_closing(before: _Token, after: _Token) -> None:
    is_emphasis = before.kind == "close" and before.text in {"**", "_"}
    if is_emphasis and after.kind == "text" and _is_letter(after.text[0]):
        after.encode_first = True
    if after.kind == "close" and before.kind == "text" and before.text[-1].isspace():
        before.encode_last = True


def _ends_in_letter(token: _Token) -> bool:
    return token.kind == "text" and _is_letter(token.text[-1])


def _is_letter(character: str) -> bool:
    """Tell whether CommonMark might count the character as part of a word."""
    return character not in punctuation and unicodedata.category(character) != "Zs"


def _escape_text(text: str) -> str:
    special = r"[\\`*\[\]<]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,40};)|!$"
    return re.sub(special, r"\\\g<0>", text)


def _escape_line_start(line: str) -> str:
    numbered = re.sub(r"^(\s*\d{1,9})([.)])(?=\s|$)", r"\1\\\2", line)
    marker = r"^(\s*)(>|[+-](?=\s|$)|[-=]+\s*$|#{1,6}(?=\s|$)|~~~)"
    return re.sub(marker, r"\1\\\2", numbered)


def _code_span(code: str) -> str:
    fence = _fence(code, shortest=1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{pad}{code}{pad}{fence}"


def _fence(code: str, shortest: int) -> str:
    longest = max((len(run) for run in re.findall(r"`+", code)), default=0)
    return "`" * max(shortest, longest + 1)


def _link_target(href: str) -> str:
    safe = re.sub(r"[\s<>()\\\"`]", lambda match: quote(match[0]), href)
    return re.sub(r"&(?=#?\w{1,40};)", r"\\&", safe)


@dataclass
class _Block:
    """A finished block of Markdown; ``kind`` is the marker of a list, else empty."""

    text: str
    kind: str = ""


@dataclass
class _Container:
    """An open list, list item or quotation, or (with an empty tag) what adds nothing."""

    tag: str
    start: int = 1
    blocks: list[_Block] = field(default_factory=list)
    items: list[list[_Block]] = field(default_factory=list)


class MarkdownWriter(HTMLParser):
    """Turn what ``clean_html`` returns into Markdown, tag by tag.

    An element tree would be cut off by libxml2 at 256 levels; events have no depth.
    """

    _LISTS = {"ul", "ol"}
    _CONTAINERS = {"blockquote", "li", "ol", "ul"}
    _EMPHASIS = {"b": "**", "strong": "**", "i": "_", "em": "_"}

    def __init__(self) -> None:
        super().__init__()
        self._open = [_Container("")]
        self._paragraph = _Paragraph()
        self._heading = 0
        self._verbatim: list[str] | None = None
        self._verbatim_tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._verbatim is not None:
            self._add_verbatim_tag(tag)
        elif tag in self._EMPHASIS:
            self._paragraph.open(self._EMPHASIS[tag], self._EMPHASIS[tag])
        elif tag == "a":
            self._open_link(dict(attrs).get("href"))
        elif tag == "br":
            self._paragraph.add_break()
        elif tag == "code":
            self._verbatim, self._verbatim_tags = [], [tag]
        else:
            self._start_block(tag, dict(attrs))

    def handle_endtag(self, tag: str) -> None:
        if self._verbatim is not None:
            self._verbatim_tags.pop()
            if not self._verbatim_tags:
                self._end_verbatim(tag)
        elif tag in self._EMPHASIS or tag == "a":
            self._paragraph.close()
        else:
            self._end_paragraph()
            if tag in _HEADINGS:
                self._heading = 0
            elif tag in self._CONTAINERS:
                self._end_container()

    def handle_data(self, data: str) -> None:
        if self._verbatim is None:
            self._paragraph.add_text(data)
        else:
            self._verbatim.append(data)

    def finish(self) -> str:
        self.close()
        self._end_paragraph()
        return "\n\n".join(block.text for block in self._open[0].blocks)

    def _open_link(self, href: str | None) -> None:
        if href:
            self._paragraph.open("[", f"]({_link_target(href)})")
        else:
            self._paragraph.open("", "")

    def _start_block(self, tag: str, attrs: dict[str, str | None]) -> None:
        self._end_paragraph()
        if tag in _HEADINGS:
            self._heading = int(tag[1])
        elif tag == "hr":
            self._add(_Block("___"))
        elif tag == "pre":
            self._verbatim, self._verbatim_tags = [], [tag]
        elif tag in self._CONTAINERS:
            self._start_container(tag, int(attrs.get("start") or 1))

    def _start_container(self, tag: str, start: int) -> None:
        parent = self._open[-1]
        is_stray = tag == "li" and parent.tag not in self._LISTS
        if is_stray or len(self._open) > MAX_NESTING:
            self._open.append(_Container("", blocks=parent.blocks, items=parent.items))
        else:
            self._open.append(_Container(tag, start))

    def _end_container(self) -> None:
        container = self._open.pop()
        if container.tag == "li" and container.blocks:
            self._open[-1].items.append(container.blocks)
        elif container.tag == "blockquote" and container.blocks:
            self._add(_Block(_prefix(_join(container.blocks), "> ", "> ")))
        elif container.items:
            self._add_list(container)

    def _add_list(self, container: _Container) -> None:
        previous = self._open[-1].blocks[-1].kind if self._open[-1].blocks else ""
        first, second = (".", ")") if container.tag == "ol" else ("-", "*")
        marker = second if previous == first else first
        separator = "\n" if all(_is_tight(item) for item in container.items) else "\n\n"
        items = []
        for number, blocks in enumerate(container.items, container.start):
            label = f"{number}{marker} " if container.tag == "ol" else f"{marker} "
            body = separator.join(block.text for block in blocks)
            items.append(_prefix(body, label, " " * len(label)))
        self._add(_Block(separator.join(items), marker))

    def _add_verbatim_tag(self, tag: str) -> None:
        if tag not in _VOID_TAGS:
            self._verbatim_tags.append(tag)
        if self._verbatim is not None and tag not in _INLINE_TAGS:
            self._verbatim.append("\n")

    def _end_verbatim(self, tag: str) -> None:
        text, self._verbatim = "".join(self._verbatim or []), None
        if tag == "code":
            self._paragraph.add_code(text)
        elif text.strip():
            fence = _fence(text, shortest=3)
            body = text.strip("\n")
            self._add(_Block(f"{fence}\n{body}\n{fence}"))

    def _end_paragraph(self) -> None:
        text = self._paragraph.take()
        if text and self._heading:
            line = re.sub(r"(?<=\s)#+$", r"\\\g<0>", text.replace("\\\n", " "))
            self._add(_Block(f"{'#' * self._heading} {line}"))
        elif text:
            self._add(_Block(text))

    def _add(self, block: _Block) -> None:
        container = self._open[-1]
        if container.tag in self._LISTS:
            container.items.append([block])
        else:
            container.blocks.append(block)


def _join(blocks: list[_Block]) -> str:
    return "\n\n".join(block.text for block in blocks)


def _is_tight(item: list[_Block]) -> bool:
    """Tell whether a list item is one plain paragraph, which needs no empty lines."""
    return len(item) == 1 and not item[0].kind and "\n\n" not in item[0].text


def _prefix(text: str, first: str, others: str) -> str:
    """Return the text with ``first`` before its first line, ``others`` before the rest."""
    return first + re.sub(r"\n(?=[^\n])", "\n" + others, text).replace("\n\n", f"\n{others.rstrip()}\n")
