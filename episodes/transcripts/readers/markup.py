"""Take the text out of captions that hold tags."""

import re
from html import unescape

from .draft import Draft, Place, quote

TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--|-->|<[\d:.]+>")
_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)")
_KNOWN = {
    *("a", "b", "c", "div", "em", "font", "i", "lang", "p", "rt", "ruby", "s", "span"),
    *("strong", "sub", "sup", "tt", "u", "v"),
}
_BREAKS = {"br", "div", "p"}
_DROPPED = {"script", "style"}


def tag_name(tag: str) -> str:
    match = _NAME.match(tag)
    return match[1].lower() if match else ""


def plain_text(source: str, draft: Draft, place: Place) -> str:
    """Return text without tags and with its entities read once.

    What stands in ``script`` and ``style`` goes; a tag that is not for the look of
    captions, such as ``<laughs>``, is left out and said.
    """
    if "<" not in source:
        return unescape(source) if "&" in source else source
    parts: list[str] = []
    end, dropping = 0, ""
    for match in TAG.finditer(source):
        if not dropping:
            parts.append(unescape(source[end : match.start()]))
        end = match.end()
        name = tag_name(match[0])
        if match[0] in {"<!--", "-->"}:
            if not dropping:
                parts.append(match[0])
        elif dropping:
            dropping = "" if match[0].startswith("</") and name == dropping else dropping
        elif name in _DROPPED and not match[0].startswith("</"):
            dropping = name
            draft.say("script", f"a {name} element and what it holds are left out.", place)
        elif name in _BREAKS or name == "br":
            parts.append("\n")
        elif name and name not in _KNOWN:
            draft.say("tag", f"the tag {quote(match[0])} is left out.", place)
    if not dropping:
        parts.append(unescape(source[end:]))
    return "".join(parts)
