"""Parse XML and HTML from outside: no entities, nothing fetched, no tree too deep."""

from lxml import etree

from episodes.transcripts.parsed import UnreadableTranscript

from .draft import Draft


def parse_xml(text: str, draft: Draft) -> etree._Element:
    """Return the root. Raises UnreadableTranscript beyond repair."""
    data = _without_declaration(text).encode("utf-8", "ignore")
    try:
        return etree.fromstring(data, _xml_parser(recover=False))
    except etree.XMLSyntaxError as error:
        root = _recovered(data)
        if root is None:
            raise UnreadableTranscript(f"The XML cannot be read from line {error.lineno or 1} on.") from None
        draft.say("xml", "the XML is damaged here; what can be read is read.", error.lineno)
        return root


def parse_html(text: str) -> etree._Element:
    """Return the root of a web page. Raises UnreadableTranscript where there is none."""
    parser = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        root = etree.fromstring(_without_declaration(text).encode("utf-8", "ignore"), parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        root = None
    if root is None:
        raise UnreadableTranscript("The web page is empty or cannot be read.")
    for element in list(root.iter("script", "style", "template", "noscript")):
        element.text = None
        for child in list(element):
            element.remove(child)
    return root


def local_name(element: etree._Element) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: etree._Element, name: str) -> str:
    """Return an attribute whatever its namespace, or nothing."""
    for key, value in element.attrib.items():
        if str(key).rpartition("}")[2] == name:
            return str(value)
    return ""


def text_within(element: etree._Element) -> str:
    """Return the text of an element, with a line break for each ``br``."""
    parts: list[str] = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            if local_name(node) == "br":
                parts.append("\n")
            elif isinstance(node.tag, str):
                parts.append(node.text or "")
        elif node is not element:
            parts.append(node.tail or "")
    return "".join(parts)


def _xml_parser(*, recover: bool) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=recover, remove_comments=True
    )


def _recovered(data: bytes) -> etree._Element | None:
    try:
        return etree.fromstring(data, _xml_parser(recover=True))
    except etree.XMLSyntaxError:
        return None


def _without_declaration(text: str) -> str:
    """Return text without the declaration, whose encoding no longer holds."""
    text = text.lstrip("\ufeff \t\n")
    if text.startswith("<?xml"):
        text = "\n" * text[: text.find("?>") + 2].count("\n") + text[text.find("?>") + 2 :]
    return text.lstrip(" \t") if "<" in text else text
