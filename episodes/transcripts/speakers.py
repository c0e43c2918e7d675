"""Who the labels of a transcript may be: proposals from what we hold, which an editor makes sure."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from publishing.models import Item, ItemLink

from ..models import Transcript
from .script import Script, SpokenWord

FIRST_CUES = 400  # in which people say who they are
MOST_PROPOSED = 200  # corrections of names, of one transcript
_INTRODUCTION = re.compile(
    r"\b(?:my name is|my name's|i am|i'm|this is|ich bin|mein name ist|je suis|je m'appelle|soy|me llamo)\s+(.{3,60})",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Known:
    """A guest as names tell them: what they are called, and how transcripts get it wrong."""

    guest: int
    name: str
    others: tuple[str, ...] = ()
    misheard: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mishearing:
    """What transcripts make of a name, as a guest's or a topic's page declares it."""

    heard: str
    name: str


@dataclass(frozen=True)
class ProposedCorrection:
    """A place where a declared mishearing stands. ``words`` is what a correction would put in, by place."""

    heard: str
    name: str
    start_ms: int | None
    around: str
    words: dict[int, str] = field(hash=False)


def fold(text: str) -> str:
    """Return a name as names are compared: no case, no accents, no punctuation, single spaces."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    letters = "".join(
        character if character.isalnum() else " " for character in plain if not unicodedata.combining(character)
    )
    return " ".join(letters.split())


def people_of_episode(episode: int) -> list[Known]:
    """Return the guests that an episode's head names, in its order. Two queries."""
    links = ItemLink.objects.filter(source=episode, role="guests").order_by("position").select_related("target__head")
    return [_known(link.target) for link in links]


def _known(item: Item) -> Known:
    content = item.newest.content
    misheard = [row["heard"] for row in content.get("mishearings") or []]
    return Known(item.pk, content.get("name") or "", tuple(content.get("aliases") or ()), tuple(misheard))


def propose_speakers(
    script: Script, episode: int, before: Sequence[dict] = (), likely: Mapping[str, int] | None = None
) -> list[dict]:
    """Return a row for each label, as ``Transcript.speakers`` holds them.

    What an editor said before stays. A label that is the full name or an alias of just
    one of the episode's guests is that guest; likeness, a mishearing, a
    self-introduction or who spoke then by another file (``likely``) only proposes one,
    as unsure.
    """
    said = {row["label"]: row for row in before}
    people = people_of_episode(episode)
    introduced = _introductions(script, people)
    guesses = introduced | dict(likely or {})
    return [said.get(label) or _proposal(label, people, guesses.get(label)) for label in script.labels]


def _proposal(label: str, people: Sequence[Known], guess: int | None) -> dict:
    states = Transcript.SpeakerState
    exact = {known.guest for known in people if fold(label) in {fold(name) for name in (known.name, *known.others)}}
    if len(exact) == 1:
        return {"label": label, "guest": exact.pop(), "state": states.SURE.value}
    near = {known.guest for known in people if _is_like(label, known)}
    guest = near.pop() if len(near) == 1 else guess
    return {"label": label, "guest": guest, "state": states.UNSURE.value}


def _is_like(label: str, known: Known) -> bool:
    """Tell whether a label is a mishearing, or one part, of a name."""
    wanted = fold(label)
    return bool(wanted) and (wanted in {fold(name) for name in known.misheard} or wanted in fold(known.name).split())


def _introductions(script: Script, people: Sequence[Known]) -> dict[str, int]:
    """Return whom labels say they are, where just one of the people fits."""
    found: dict[str, set[int]] = {}
    for cue in script.cues[:FIRST_CUES]:
        for match in _INTRODUCTION.finditer(" ".join(cue.text.split())) if cue.label else ():
            said = fold(match[1])
            named = {known.guest for known in people if fold(known.name) and said.startswith(fold(known.name))}
            found.setdefault(cue.label, set()).update(named)
    return {label: guests.pop() for label, guests in found.items() if len(guests) == 1}


def mishearings_of(items: Iterable[int]) -> list[Mishearing]:
    """Return what the heads of guests and topics declare, in order. One query."""
    heads = Item.objects.filter(pk__in=set(items), kind__in=("guest", "topic")).order_by("pk").select_related("head")
    rows = [row for item in heads for row in item.newest.content.get("mishearings") or []]
    return [Mishearing(row["heard"], row["name"]) for row in rows]


def named_with(episode: int) -> list[int]:
    """Return the guests and topics that an episode's head names. One query."""
    links = ItemLink.objects.filter(source=episode, role__in=("guests", "topics"))
    return list(links.values_list("target", flat=True))


def proposed_corrections(script: Script, mishearings: Sequence[Mishearing]) -> list[ProposedCorrection]:
    """Return the places where mishearings stand, by time; nothing is ever corrected by itself."""
    words = script.words
    folded = [fold(word.w) for word in words]
    wanted: dict[str, list[tuple[list[str], Mishearing]]] = {}
    for mishearing in mishearings:
        parts = fold(mishearing.heard).split()
        if parts:
            wanted.setdefault(parts[0], []).append((parts, mishearing))
    found: list[ProposedCorrection] = []
    for index, text in enumerate(folded):
        for parts, mishearing in wanted.get(text, ()):
            if folded[index : index + len(parts)] == parts and len(found) < MOST_PROPOSED:
                found.append(_proposed(words, index, len(parts), mishearing))
    return [proposal for proposal in found if proposal.words]


def _proposed(words: Sequence[SpokenWord], index: int, count: int, mishearing: Mishearing) -> ProposedCorrection:
    run = words[index : index + count]
    around = " ".join(word.w for word in words[max(0, index - 6) : index + count + 6])
    heard = " ".join(word.w for word in run)
    is_right = heard.strip(".,;:!?") == mishearing.name
    texts = [mishearing.name + _tail(run[-1].w), *[""] * (count - 1)]
    places = [word.place for word in run]
    fits = len(set(places)) == count and not is_right
    return ProposedCorrection(
        heard,
        mishearing.name,
        run[0].start_ms,
        around,
        dict(zip(places, texts, strict=True)) if fits else {},
    )


def _tail(word: str) -> str:
    """Return the punctuation that closes a word."""
    return word[len(word.rstrip(".,;:!?…")) :]
