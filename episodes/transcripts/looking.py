"""A look at a transcript file before it is kept: what was read, and what it would do."""

from dataclasses import dataclass

from publishing.references import item_labels

from ..models import CurrentTranscript, Episode
from .parsed import Cue, Message
from .resting import Effect, effects_of
from .service import Reading

MOST_LINES = 12  # of speech that are shown
MOST_MESSAGES = 100
MOST_EFFECTS = 50  # that are named


@dataclass(frozen=True)
class Label:
    label: str
    guest: str
    state: str


@dataclass(frozen=True)
class Look:
    """What a preview shows. ``effects`` are None where the transcript would be a translation, on which nothing rests."""

    reading: Reading
    labels: list[Label]
    effects: list[Effect] | None

    @property
    def lines(self) -> tuple[Cue, ...]:
        return self.reading.parsed.cues[:MOST_LINES]

    @property
    def messages(self) -> tuple[Message, ...]:
        return self.reading.messages[:MOST_MESSAGES]

    @property
    def more_messages(self) -> int:
        return len(self.reading.messages) - len(self.messages)

    @property
    def carried(self) -> int:
        """Return how many corrections of the transcript before it live on."""
        return sum(map(len, self.reading.corrections.values()))

    @property
    def lost(self) -> list[Effect]:
        return [effect for effect in self.effects or () if effect.is_lost][:MOST_EFFECTS]

    @property
    def still(self) -> int:
        return sum(effect.would_hold and effect.holds_now is True for effect in self.effects or ())

    @property
    def won(self) -> int:
        return sum(effect.is_won for effect in self.effects or ())

    @property
    def failing(self) -> list[Effect]:
        """Return what would not hold and does not hold now either."""
        failing = [effect for effect in self.effects or () if not effect.would_hold and not effect.is_lost]
        return failing[:MOST_EFFECTS]


def look_at(episode: Episode, reading: Reading) -> Look:
    """Return what a reading would be and do. A fixed number of queries."""
    guests = item_labels(row["guest"] for row in reading.speakers if row["guest"])
    labels = [
        Label(row["label"], guests.get(row["guest"], ""), row["state"]) for row in reading.speakers[:MOST_EFFECTS]
    ]
    effects = (
        effects_of(episode, reading.spoken, reading.language) if is_original(episode.pk, reading.language) else None
    )
    return Look(reading, labels, effects)


def is_original(episode: int, language: str) -> bool:
    """Tell whether a transcript in this language would be the one that quotes are checked against. One query."""
    others = CurrentTranscript.objects.filter(episode=episode, is_original=True).exclude(language=language)
    return not others.exists()
