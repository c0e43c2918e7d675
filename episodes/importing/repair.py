"""From bytes to an XML tree: decode, mend what is often broken, parse, or refuse."""

import codecs
import re
from collections.abc import Iterator
from html import escape
from html.entities import html5
from itertools import islice

from django.utils.translation import gettext as _
from lxml import etree

from .parsed import FeedUnreadable

MAX_BYTES = 20 * 1024 * 1024
MAX_TAGS = 2_000_000
MAX_MENDED = 500_000  # places in one file
MAX_PROLOGUE_PARTS = 100

KNOWN_PREFIXES = {
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "media": "http://search.yahoo.com/mrss/",
    "atom": "http://www.w3.org/2005/Atom",
    "dc": "http://purl.org/dc/elements/1.1/",
    "psc": "http://podlove.org/simple-chapters",
    "googleplay": "http://www.google.com/schemas/play-podcasts/1.0",
}

_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})", re.IGNORECASE)
_READABLE_ENCODINGS = re.compile(
    r"utf-8|utf-16(-[lb]e)?|ascii|iso8859-\d+|cp(125\d|932|936|949|950)|koi8-[ru]"
    r"|gb2312|gbk|gb18030|big5|shift_jis|euc_(jp|kr)"
)
_SINGLE_BYTE = re.compile(r"ascii|iso8859|cp125|koi8")
_SUPERSETS = {"iso8859-1": ["cp1252"]}  # as browsers do: 0x80 to 0x9F are quotation marks
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DOUBTFUL_REFERENCE = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos);)"
    r"(?:(?:#(?:x([0-9a-fA-F]{1,8})|([0-9]{1,10}))|([A-Za-z][A-Za-z0-9]{0,31}));)?"
)
_LITERAL_PARTS = {"<![CDATA[": "]]>", "<!--": "-->", "<?": "?>"}
_NOT_SPACE = re.compile(r"\S")
_ROOT = re.compile(r"<([A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)(?=[\s/>])")
_PREFIX_IN_USE = re.compile(r"[<\s/](" + "|".join(KNOWN_PREFIXES) + r"):")
_PREFIX_DECLARED = re.compile(r"xmlns:([A-Za-z_][\w.-]*)\s*=")


def parse_document(data: bytes, content_type: str | None) -> tuple[etree._Element, list[str]]:
    """Return the root element and a sentence for each repair.

    The file is parsed as it is and, where that fails, once more after repair.
    Raises FeedUnreadable, saying what is wrong.
    """
    text, repairs = _decode(data, content_type)
    text, more_repairs = _tidy(text)
    repairs += more_repairs
    _refuse_at_sight(text)
    text = _after_declaration(text)
    try:
        return _parse(text), repairs
    except etree.XMLSyntaxError:
        mended, more_repairs = _mend(text)
    try:
        return _parse(mended), repairs + more_repairs
    except etree.XMLSyntaxError as fault:
        raise FeedUnreadable(_sentence_for(fault, mended)) from None


def _decode(data: bytes, content_type: str | None) -> tuple[str, list[str]]:
    if len(data) > MAX_BYTES:
        limit = MAX_BYTES // 1024 // 1024
        raise FeedUnreadable(_("The file is larger than %(limit)s MB.") % {"limit": limit})
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding)
    return _decode_as(data, _declared_encoding(data, content_type))


def _declared_encoding(data: bytes, content_type: str | None) -> str:
    declared = _DECLARED.search(data[:1024])
    charset = _CHARSET.search(content_type or "")
    name = declared[1].decode("ascii") if declared else charset[1] if charset else "utf-8"
    try:
        encoding = codecs.lookup(name).name
    except LookupError:
        encoding = ""
    if not _READABLE_ENCODINGS.fullmatch(encoding):
        raise FeedUnreadable(_("The file says it is written in “%(name)s”, which cannot be read.") % {"name": name})
    if declared and encoding.startswith("utf-16"):
        return "utf-8"  # the declaration was read as single bytes, so it is wrong
    return encoding


def _decode_as(data: bytes, encoding: str) -> tuple[str, list[str]]:
    """Decode; bytes that are UTF-8 throughout are so whatever the file says."""
    candidates = [encoding, "utf-8"]
    if _SINGLE_BYTE.match(encoding):
        candidates = ["utf-8", *_SUPERSETS.get(encoding, []), encoding]
    for candidate in candidates:
        try:
            text = data.decode(candidate)
        except UnicodeDecodeError:
            continue
        as_declared = candidate in {encoding, *_SUPERSETS.get(encoding, [])}
        return text, [] if as_declared or data.isascii() else [_wrong_encoding(candidate)]
    return data.decode("cp1252", "replace"), [_wrong_encoding("Windows-1252")]


def _wrong_encoding(actual: str) -> str:
    return _("The text is not in the encoding that the file names; it was read as %(actual)s.") % {
        "actual": actual.upper()
    }


def _tidy(text: str) -> tuple[str, list[str]]:
    """Do what every file gets: no characters that XML forbids, no space in front."""
    repairs = []
    allowed = _FORBIDDEN.sub("", text)
    if allowed != text:
        repairs.append(_("Characters that XML does not allow were removed."))
    tidy = allowed.lstrip("\ufeff \t\r\n")
    if allowed[:1].isspace():
        repairs.append(_("White space before the beginning was removed."))
    return tidy, repairs


def _refuse_at_sight(text: str) -> None:
    """Refuse, before any parser sees it, what is no feed or could attack one."""
    if not text.strip():
        raise FeedUnreadable(_("The file is empty."))
    start = _prologue_end(text)
    beginning = text[start : start + 200].lower()
    if beginning.startswith(("<!doctype html", "<html")):
        raise FeedUnreadable(_("This is a web page, not a feed."))
    if beginning.startswith(("<!doctype", "<!entity")):
        raise FeedUnreadable(_("The file defines its own entities (DOCTYPE), which is not safe to read."))
    if not _ROOT.match(text, start):
        raise FeedUnreadable(_("This is not an XML file."))
    if text.count("<") > MAX_TAGS:
        raise FeedUnreadable(_("The file has too many elements."))


def _prologue_end(text: str) -> int:
    """Return where the declaration, comments and instructions in front end."""
    position = 0
    for _part in range(MAX_PROLOGUE_PARTS):
        position = _end_of_space(text, position)
        opening = next((o for o in ("<!--", "<?") if text.startswith(o, position)), None)
        closing = _LITERAL_PARTS[opening] if opening else ""
        end = text.find(closing, position) if closing else -1
        if end < 0:
            return position
        position = end + len(closing)
    return position


def _end_of_space(text: str, position: int) -> int:
    match = _NOT_SPACE.search(text, position)
    return match.start() if match else len(text)


def _after_declaration(text: str) -> str:
    return text.partition("?>")[2].lstrip() if re.match(r"<\?xml\s", text) else text


def _parse(text: str) -> etree._Element:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )
    root = etree.fromstring(text.encode(), parser)
    if root.getroottree().docinfo.internalDTD is not None:
        raise FeedUnreadable(_("The file defines its own entities (DOCTYPE), which is not safe to read."))
    return root


def _mend(text: str) -> tuple[str, list[str]]:
    mended, repairs = _declare_prefixes(text)
    mended, more_repairs = _mend_references(mended)
    repairs += more_repairs
    trimmed = _without_trailing_matter(mended)
    if trimmed != mended.rstrip():
        repairs.append(_("What stood after the end of the feed was ignored."))
    return trimmed, repairs


def _declare_prefixes(text: str) -> tuple[str, list[str]]:
    root = _ROOT.match(text, _prologue_end(text))
    if root is None:
        return text, []
    root_tag = text[root.start() : text.find(">", root.end()) + 1]
    declared = set(_PREFIX_DECLARED.findall(root_tag))
    missing = sorted(set(_PREFIX_IN_USE.findall(text)) - declared - {"xml"})
    if not missing:
        return text, []
    additions = "".join(f' xmlns:{prefix}="{KNOWN_PREFIXES[prefix]}"' for prefix in missing)
    sentence = _("Prefixes that the file uses without declaring them were declared: %(prefixes)s.")
    repairs = [sentence % {"prefixes": ", ".join(missing)}]
    return text[: root.end()] + additions + text[root.end() :], repairs


def _mend_references(text: str) -> tuple[str, list[str]]:
    """Escape bare ``&``, write out HTML entities, drop references XML forbids."""
    if sum(1 for _match in islice(_DOUBTFUL_REFERENCE.finditer(text), MAX_MENDED + 1)) > MAX_MENDED:
        raise FeedUnreadable(_("The file is not well-formed XML in too many places."))
    parts = [
        part if is_literal else _DOUBTFUL_REFERENCE.sub(_mend_reference, part) for is_literal, part in _parts(text)
    ]
    mended = "".join(parts)
    return mended, [] if mended == text else [_("Bare “&” and unknown entities were mended.")]


def _mend_reference(match: re.Match[str]) -> str:
    hexadecimal, decimal, name = match.groups()
    if name:
        return escape(html5.get(f"{name};", match[0]))
    if not (hexadecimal or decimal):
        return "&amp;"
    code = int(hexadecimal, 16) if hexadecimal else int(decimal)
    is_allowed = code <= 0x10FFFF and not _FORBIDDEN.match(chr(code))
    return match[0] if is_allowed else ""


def _parts(text: str) -> Iterator[tuple[bool, str]]:
    """Yield the text in order, CDATA, comments and instructions marked as literal."""
    position = 0
    opening = re.compile(r"<!\[CDATA\[|<!--|<\?")
    while match := opening.search(text, position):
        yield False, text[position : match.start()]
        end = text.find(_LITERAL_PARTS[match[0]], match.end())
        if end < 0:
            yield True, text[match.start() :]
            return
        position = end + len(_LITERAL_PARTS[match[0]])
        yield True, text[match.start() : position]
    yield False, text[position:]


def _without_trailing_matter(text: str) -> str:
    closing = f"</{_root_name(text)}>"
    end = text.rfind(closing)
    return text[: end + len(closing)] if end >= 0 else text


def _root_name(text: str) -> str:
    root = _ROOT.match(text, _prologue_end(text))
    return (root[1] or "") + root[2] if root else ""


def _sentence_for(fault: etree.XMLSyntaxError, text: str) -> str:
    line = {"line": fault.lineno or 1}
    message = str(fault.msg)
    if "Excessive depth" in message:
        return _("The elements of the file are nested too deep.")
    if "limit exceeded" in message or "too big" in message:
        return _("The file holds more text or attributes in one place than can be read.")
    if f"</{_root_name(text)}" not in text[-200:]:
        return _("The file is cut off in the middle, after line %(line)s.") % line
    return _("The file is not well-formed XML; line %(line)s cannot be read.") % line
