"""Names and English-like texts: the same for the same seed, kind and number, whatever the size of the set."""

import random
from collections.abc import Callable


def _listed(text: str, mark: str | None = None) -> list[str]:
    return [" ".join(part.split()) for part in text.split(mark)]


FIRST_NAMES = _listed("""Ada Amina Anders Bruno Chloé Ciara Dalia Dmitri Edda Elif Emeka Farah Freya Gita Gustav Hana Håkon Imre
Ines Jonas João Jun Kenji Kofi Lena Lucía Magda Mina Miriam Nils Noor Oskar Petra Piet Priya Quentin Ravi Rosa Ruth
Samuel Saoirse Søren Tariq Tomás Uma Vera Viktor Wei Wren Ximena Yara Yusuf Zoë""")
LAST_NAMES = _listed("""Abara Adler Almeida Bakker Barros Bergström Castell Cho Delacroix Dietrich Egan Eriksen Fonseca Fujita
Garrity Grünwald Halloran Haddad Ibarra Iversen Jansen Jovanović Kaplan Keller Kowalska Laurent Lindqvist Maalouf
Marchetti Mbeki Nakamura Novák Obuya Okafor Oyelaran Pereira Petrov Quist Rahman Rieland Rossi Saarinen Sato Sinclair
Tamboura Thorne Ueda Ulrich Vass Vermeer Wachira Weiss Xu Yilmaz Zamora Zielińska""")

SUBJECTS = _listed(
    """the grid operator|a night nurse|the harbour office|every second commuter|the county's register|a good
editor|the oldest pump in town|an honest forecast|the ministry|the repair shop|a translator|the last bus|any small
library|the water board|a field recording|the union|the statistician|a street without trees|the archive|our own survey|
the first prototype|a teacher on the island|the insurance file|a battery that nobody sees|the school kitchen""",
    "|",
)
VERBS = _listed(
    """keeps|measures|forgets|pays for|explains|outlasts|depends on|argues with|repairs|overlooks|counts|hides|
carries|publishes|delays|replaces|teaches|protects|invents|listens to""",
    "|",
)
OBJECTS = _listed(
    """what the map leaves out|the cost of waiting|four winters of data|a timetable that nobody reads|the quiet
part of the work|half of the city|the rain of last year|a promise made in passing|the numbers behind the headline|its
own mistakes|people who work at night|a language of forty thousand speakers|the difference between cheap and free|the
street below the railway|a door that should have been closed|the next ten years|whoever asks first|an answer in
plain words|the tools of another trade|a room full of strangers""",
    "|",
)
OPENINGS = [
    "",
    "",
    "",
    "",
    "In the end ",
    "As far as we know, ",
    "Before the reform, ",
    "On most days ",
    "Without a plan, ",
]
ENDINGS = [
    "",
    "",
    "",
    " for a while",
    " & nobody minds",
    ", and that is the point",
    " in <half> the cases",
    " at 5 % of the cost",
]

TOPIC_WORDS = _listed("""Water Power Housing Music Language Statistics Medicine Farming Transport Archives Schools Courts Rivers
Forests Money Networks Machines Memory Sleep Food Borders Maps Light Sound Labour Games Oceans Soil Weather Software""")
TOPIC_SIDES = [
    "and cities",
    "and law",
    "at night",
    "in numbers",
    "after the war",
    "for beginners",
    "and trust",
    "on islands",
]
SHOW_STARTS = ["The Long", "The Quiet", "Second", "Open", "Near", "Common", "The Late", "Slow", "Plain", "The Other"]
SHOW_ENDS = ["Signal", "Hearing", "Ground", "Ledger", "Shift", "Margin", "Station", "Record", "Current", "Season"]
TRADES = _listed(
    """hydrologist|nurse|historian|network planner|composer|judge|statistician|farmer|translator|electrician|
librarian|ship's engineer|teacher|economist|photographer|baker""",
    "|",
)


def rng_of(seed: int, kind: str, number: int) -> random.Random:
    return random.Random(f"{seed}:{kind}:{number}")  # noqa: S311 - not for secrets


def claim(rng: random.Random) -> str:
    """Return a claim without a full stop, such as a headline makes."""
    said = f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}"
    return said[0].upper() + said[1:]


def sentence(rng: random.Random) -> str:
    opening = rng.choice(OPENINGS)
    said = f"{opening}{rng.choice(SUBJECTS)} {rng.choice(VERBS)} {rng.choice(OBJECTS)}{rng.choice(ENDINGS)}"
    return f"{said[0].upper()}{said[1:]}{'?' if rng.random() < 0.08 else '.'}"


def paragraph(rng: random.Random, words: int) -> str:
    """Return whole sentences of about so many words."""
    parts: list[str] = []
    while sum(part.count(" ") + 1 for part in parts) < words:
        parts.append(sentence(rng))
    return " ".join(parts)


def person(rng: random.Random) -> tuple[str, str]:
    """Return a name and the name to sort it by."""
    first, last = rng.choice(FIRST_NAMES), rng.choice(LAST_NAMES)
    return f"{first} {last}", f"{last}, {first}"


def unlike(taken: set[str], make: Callable[[], str], number: int) -> str:
    """Return a name that nobody has yet; the number tells apart where chance will not."""
    name = make()
    if name in taken:
        name = f"{name} {number}"
    taken.add(name)
    return name
