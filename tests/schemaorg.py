"""What schema.org allows, as far as our pages need it: a second opinion on their structured data."""

import json
import re
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

import lxml.html

FILE = Path(__file__).parent / "data" / "schemaorg.json"
DURATION = re.compile(r"P(?:\d+D)?T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?")
ADDRESS = re.compile(r"https?://[^\s/]+/?\S*")

Node = dict[str, Any]


def graph_of(html: str) -> list[Node]:
    """Return the one graph of a page, as an HTML parser finds it."""
    found = lxml.html.document_fromstring(html).xpath('//script[@type="application/ld+json"]')
    assert len(found) == 1
    data = json.loads(found[0].text)
    assert set(data) == {"@context", "@graph"}
    assert data["@context"] == "https://schema.org"
    return data["@graph"]


def node_of(graph: list[Node], kind: str) -> Node:
    """Return the only node of a type that stands in the graph itself."""
    [found] = [node for node in graph if node["@type"] == kind]
    return found


def faults_of(graph: list[Node]) -> list[str]:
    """Return every type, property and value that schema.org does not know or allow there."""
    known = {node["@id"]: node for node in all_nodes(graph) if "@id" in node and "@type" in node}
    return [fault for node in all_nodes(graph) for fault in _faults_of_node(node, known)]


def all_nodes(value: Any) -> list[Node]:
    """Return all nodes in a value, however deep they lie; mere references too."""
    if isinstance(value, dict):
        return [value, *(node for each in value.values() for node in all_nodes(each))]
    return [node for each in value for node in all_nodes(each)] if isinstance(value, list) else []


@cache
def _vocabulary() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def _lineage(kind: str) -> set[str]:
    return {kind}.union(*(_lineage(parent) for parent in _vocabulary()["types"][kind]))


def _faults_of_node(node: Node, known: dict[str, Node]) -> list[str]:
    if set(node) == {"@id"}:
        return [] if node["@id"] in known else [f"nothing is {node['@id']}"]
    kind = node.get("@type")
    if kind not in _vocabulary()["types"]:
        return [f"no type {kind}"]
    faults = []
    for name, value in node.items():
        if name in {"@type", "@id"}:
            continue
        facts = _vocabulary()["properties"].get(name)
        if facts is None or not _lineage(kind) & set(facts["of"]):
            faults.append(f"{kind} has no {name}")
            continue
        values = value if isinstance(value, list) else [value]
        faults += [f"{kind}.{name} is no {each!r}" for each in values if not _fits(each, set(facts["is"]), known)]
    return faults


def _fits(value: Any, allowed: set[str], known: dict[str, Node]) -> bool:
    if isinstance(value, dict):
        node = known.get(value["@id"], value) if "@id" in value else value
        return node.get("@type") in _vocabulary()["types"] and bool(_lineage(node["@type"]) & allowed)
    if isinstance(value, bool):
        return "Boolean" in allowed
    if isinstance(value, int):
        return bool({"Integer", "Number"} & allowed)
    if isinstance(value, float):
        return "Number" in allowed
    return isinstance(value, str) and value != "" and any(_is_text(value, kind) for kind in allowed)


def _is_text(value: str, kind: str) -> bool:
    if kind == "URL":
        return bool(ADDRESS.fullmatch(value))
    if kind == "Duration":
        return bool(DURATION.fullmatch(value))
    if kind in {"Date", "DateTime"}:
        try:
            return bool(date.fromisoformat(value) if kind == "Date" else datetime.fromisoformat(value))
        except ValueError:
            return False
    return kind == "Text"
