"""The little that RSS and Atom share: elements whose text XML can carry."""

from collections.abc import Mapping

from lxml import etree

from publishing.text import clean_text

ATOM = "http://www.w3.org/2005/Atom"
XML_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


def add(
    parent: etree._Element, name: str, text: str = "", attributes: Mapping[str, str] | None = None
) -> etree._Element:
    """Append an element, without the characters that XML forbids."""
    clean = {key: clean_text(value) for key, value in (attributes or {}).items()}
    element = etree.SubElement(parent, name, clean)
    element.text = clean_text(text) or None
    return element


def add_link(parent: etree._Element, rel: str, href: str, mime: str = "", length: int = 0) -> None:
    """Append a link of Atom's, which RSS borrows."""
    known = {"rel": rel, "type": mime, "href": href, "length": str(length or "")}
    add(parent, f"{{{ATOM}}}link", attributes={key: value for key, value in known.items() if value})


def write_document(root: etree._Element) -> bytes:
    """Return the document as UTF-8, its declaration being the first byte."""
    return XML_DECLARATION + etree.tostring(root, encoding="UTF-8", xml_declaration=False, pretty_print=True)
