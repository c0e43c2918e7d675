"""What is said in the demo's two recordings, sound for sound: ``make.py`` has it spoken."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Speaker:
    """Who speaks, and the voice of espeak-ng that lends itself."""

    name: str
    voice: str
    pace: int  # words a minute
    pitch: int  # 0 to 99


@dataclass(frozen=True)
class Conversation:
    """Turns of host and guest over a quiet bed of sine waves, ``{hertz: loudness}``."""

    turns: tuple[tuple[Speaker, str], ...]
    bed: dict[float, float]


LENA = Speaker("Lena Marchetti-Roe", "en-us+f3", 158, 52)
ADA = Speaker("Ada Okafor", "en-gb+f2", 146, 38)
SAMUEL = Speaker("Samuel Okonjo-Lind", "en-us+m3", 152, 42)
PIET = Speaker("Piet Oyelaran", "en-gb+m7", 144, 34)

CONVERSATIONS: dict[str, Conversation] = {
    "hum": Conversation(
        turns=(
            (
                LENA,
                "This is Load and Line, and I am Lena Marchetti-Roe. Before, um, before the new season starts, I asked a grid engineer to stand in a transformer yard with me. Ada Okafor, what are we hearing?",
            ),
            (
                ADA,
                "Well, that is the, the grid itself. Fifty hertz, uh, and its relatives. It is the same note in every socket of this, of this city, and nobody has switched it off since nineteen fifty-eight.",
            ),
            (
                LENA,
                "You know, this is the sound of, um, of a machine that has to work every second. You notice it, you notice it only when it stops.",
            ),
            (LENA, "And when does it stop?"),
            (
                ADA,
                "Almost never. But it, uh, it drifts. When everybody puts the, the kettle on, the note goes down a hair. When the wind gets up, um, it goes up a hair. Somebody sits in a room and, and listens all night, so that you, so that you do not have to.",
            ),
            (
                LENA,
                "This season we go looking for such people. We meet, uh, we meet batteries behind a bus wash, a river in a drawer of insurance claims, and a timetable that is a promise. Ada, one thing, um, one thing that you want people to take away?",
            ),
            (
                ADA,
                "That nothing happening is, I mean, is work. A quiet night on the grid is the, the most expensive silence in the country, and, uh, it is worth every cent.",
            ),
            (LENA, "Load and Line, every second Thursday. Listen closely."),
        ),
        bed={100: 1.0, 200: 0.5, 300: 0.2, 50: 0.4},
    ),
    "ferry": Conversation(
        turns=(
            (
                SAMUEL,
                "Second Hearing, a postcard. It is, um, it is six in the morning, and we are on the upper deck between Sund and Varnholm. Piet Oyelaran has brought two microphones and a flask. Piet, what is that note?",
            ),
            (
                PIET,
                "Everybody thinks that it is the engine. It is not. The low note that, uh, that you hear is the, the harbour, not the ship.",
            ),
            (SAMUEL, "The harbour. How, how does a harbour sing?"),
            (
                PIET,
                "As a bottle does. You blow, um, you blow across the neck, and the bottle picks the note. Here the engine is the breath, and, uh, the basin is the bottle. It is, you know, it is long, and it is made of stone, so the note is low.",
            ),
            (SAMUEL, "People on this boat say that they can, um, that they can tell the weather from it."),
            (
                PIET,
                "I asked six of them, one by, one by one. Five said, uh, said the same thing: when the note goes soft, rain comes before noon. I have no proof. But I, I bring a coat.",
            ),
            (SAMUEL, "And the gull?"),
            (
                PIET,
                "I took, um, I took out one gull, and nothing else. If you, if you want to hear it yourself, stand on the left, near the rail, and close your eyes until the breakwater.",
            ),
            (SAMUEL, "Which is, uh, which is what we will do now. Good morning."),
        ),
        bed={82.4: 1.0, 123.5: 0.4, 164.8: 0.25, 41.2: 0.5},
    ),
}
