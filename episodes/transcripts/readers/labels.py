"""Tell a speaker’s label, such as ``Ada Lovelace: ``, from speech that holds a colon."""

import re
from collections import Counter
from collections.abc import Collection, Sequence

from .draft import Draft, quote

MAX_WORDS_IN_LABEL = 5
MAX_LABEL_CHARS = 60
_SHORT_FILE = 12  # units

_LABEL = re.compile(r"(?P<label>[^\s:：<>][^:：<>\n]{0,59})(?::[ \t]+|：[ \t\u3000]*)(?P<rest>\S.*)", re.DOTALL)
_CHANGE = re.compile(r">{2,3}(?!>)[ \t]*")
_PARTICLES = {
    *("af", "al", "and", "at", "bin", "da", "de", "del", "della", "der", "di", "do", "dos", "du"),
    *("el", "from", "in", "la", "le", "of", "on", "the", "van", "von", "y", "zu", "und", "&", "+", "/", "-"),
}
_NEVER = {
    *("also", "and", "answer", "bonus", "but", "caution", "chapter", "chapters", "disclaimer", "e.g", "example"),
    *("fact", "fun fact", "hint", "http", "https", "i.e", "important", "links", "mailto", "music", "note", "notes"),
    *("part", "ps", "p.s", "question", "reminder", "remember", "so", "source", "spoiler", "step", "summary"),
    *("then", "tip", "title", "todo", "topic", "update", "warning", "well", "again", "answer", "bottom line"),
    *("conclusion", "finally", "first", "guess what", "here", "however", "imagine", "listen", "look", "meaning"),
    *("namely", "no", "now", "ok", "okay", "plus", "point", "quote", "result", "rule", "second", "that", "think"),
    *("third", "this", "translation", "why", "yes", "yet"),
}


def split_label(text: str) -> tuple[str, str]:
    """Return a plausible label and what follows it, or an empty label and the text."""
    match = _LABEL.match(text)
    if match is None or not is_plausible(match["label"]):
        return "", text
    return match["label"].strip(), match["rest"]


def is_plausible(label: str) -> bool:
    """Tell whether a label may name a speaker: short, each word with a capital, no sentence.

    Scripts without capitals count as capital.
    """
    label = label.strip()
    words = label.split()
    if not words or len(words) > MAX_WORDS_IN_LABEL or len(label) > MAX_LABEL_CHARS:
        return False
    if label.lower() in _NEVER or any(sign in label for sign in ',;?!…“”"|*_=\\`#' if sign != "_"):
        return False
    if not any(character.isalpha() for character in label):
        return False
    if any(word.endswith(".") and len(word) > 4 for word in words):
        return False
    return (
        words[0][0].isalnum()
        and all(_is_name_like(word) for word in words)
        and words[0].lower() not in {"at", "on", "in"}
    )


def _is_name_like(word: str) -> bool:
    bare = word.strip("().[]’'")
    if not bare:
        return False
    first = bare[0]
    return not first.islower() or word.lower() in _PARTICLES or any(character.isupper() for character in bare)


def accepted_labels(labels: Sequence[str]) -> set[str]:
    """Return which of the labels before the units of a file name its speakers.

    ``labels`` has one for each unit, empty where there is none. All count where one
    comes twice, where the first unit has one, or where the file is short. Else a
    capital before a colon is more likely speech, unless two words make it a name.
    """
    counts = Counter(label for label in labels if label)
    if any(count > 1 for count in counts.values()) or (labels and labels[0]) or len(labels) <= _SHORT_FILE:
        return set(counts)
    return {label for label in counts if len(label.split()) > 1}


def name_speakers(draft: Draft, guarded: Collection[int] = ()) -> None:
    """Move the labels that stand before the text of cues into their speakers.

    A label stands where the speaker changes: it counts for the cues after it, up to the
    next one or to ``>>``, by which captions mark a change without a name. The cues
    whose indexes are ``guarded`` begin with speech.
    """
    starts = [_start(cue.text) if index not in guarded else ("", cue.text) for index, cue in enumerate(draft.cues)]
    found = [split_label(text) if index not in guarded else ("", text) for index, (_, text) in enumerate(starts)]
    accepted = accepted_labels([label for label, _ in found])
    _tell_rare(draft, found, accepted)
    speaker = ""
    for cue, (mark, text), (label, rest) in zip(draft.cues, starts, found, strict=True):
        if label in accepted:
            speaker, cue.text = label, rest
        elif mark:
            speaker, cue.text = "", text
            draft.say("change", "the speaker changes, but is not named.", cue.place, limit=5)
        cue.speaker = cue.speaker or speaker


def _start(text: str) -> tuple[str, str]:
    """Return the mark of a change, if any, and the text after it."""
    text = text.lstrip()
    match = _CHANGE.match(text)
    return (match[0], text[match.end() :]) if match else ("", text)


def _tell_rare(draft: Draft, found: list[tuple[str, str]], accepted: set[str]) -> None:
    """Say which labels come once in a long file: what looks like a name may be speech."""
    counts = Counter(label for label, _ in found if label in accepted)
    if len(draft.cues) <= _SHORT_FILE:
        return
    for cue, (label, _) in zip(draft.cues, found, strict=True):
        if counts[label] == 1:
            draft.say("rare", f"{quote(label)} comes once only; see whether it is a speaker.", cue.place)
