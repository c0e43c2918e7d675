"""Read Rev’s JSON: monologues of words, signs and spaces."""

from episodes.transcripts.parsed import ParsedTranscript

from .draft import Draft, DraftWord, to_ms
from .grouping import span
from .json_values import Object, label_in, numbered, obj, objects, share_in


def read_rev_json(data: object) -> ParsedTranscript:
    """Return the monologues; their names may stand in a list of speakers."""
    source = obj(data)
    draft = Draft("rev_json", word_timed=True, engine="Rev")
    names = {label_in(item, "id"): label_in(item, "name") for item in objects(source.get("speakers"))}
    for number, monologue in numbered(source.get("monologues")):
        elements = objects(monologue.get("elements"))
        words = _words(elements)
        label = label_in(monologue, "speaker")
        name = names.get(label) or label_in(obj(monologue.get("speaker_info")), "display_name") or label
        text = "".join(_value(element) for element in elements)
        draft.add(*span(words), name, text, f"monologue {number}", words)
    return draft.finish()


def _value(element: Object) -> str:
    value = element.get("value")
    return value if isinstance(value, str) else ""


def _words(elements: list[Object]) -> list[DraftWord]:
    words: list[DraftWord] = []
    is_open = False  # the next sign still belongs to the last word
    for element in elements:
        value = _value(element)
        if element.get("type") == "text":
            start, end = to_ms(element.get("ts")), to_ms(element.get("end_ts"))
            words.append(DraftWord(value, start, end, "", share_in(element, "confidence")))
            is_open = True
        elif value[:1].isspace() or not value:
            is_open = False
        elif is_open:
            words[-1].text += value.split()[0]
            is_open = not any(character.isspace() for character in value)
    return words
