"""What rests on the words of a transcript. The apps that know tell it; episodes import none of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from ..models import Episode, Transcript
from .script import Script

MOST_TOLD = 200  # things of one episode that are looked at before a transcript is brought in


@dataclass(frozen=True)
class Effect:
    """What a transcript that nobody brought in yet would make of one thing. ``holds_now`` is None where nothing was proved."""

    title: str
    url: str
    holds_now: bool | None
    would_hold: bool
    finding: str

    @property
    def is_lost(self) -> bool:
        return self.holds_now is True and not self.would_hold

    @property
    def is_won(self) -> bool:
        return self.holds_now is not True and self.would_hold


@dataclass(frozen=True)
class Resting:
    """One thing that was proved, or not, by a transcript: the range of its words, both ends included."""

    title: str
    url: str
    first_word: int | None
    last_word: int | None
    holds: bool
    finding: str


class Rests(Protocol):
    """What an app tells of the things of its own that rest on transcripts."""

    def effects(self, episode: Episode, script: Script, language: str) -> Iterable[Effect]:
        """Return what words that are not kept yet would make of the episode's things, MOST_TOLD at most."""

    def resting(self, transcript: Transcript, words: range | None) -> Iterable[Resting]:
        """Return what rests on a transcript, or on some of its words only."""


_told: list[Rests] = []


def tell_resting(rests: Rests) -> None:
    """Let an app tell what rests on transcripts."""
    _told.append(rests)


def effects_of(episode: Episode, script: Script, language: str) -> list[Effect]:
    """Return what rests on an episode's transcript and what these words would make of it."""
    return [effect for rests in _told for effect in rests.effects(episode, script, language)]


def resting_on(transcript: Transcript, words: range | None = None) -> list[Resting]:
    """Return what rests on a transcript; given words, only what touches them."""
    return [one for rests in _told for one in rests.resting(transcript, words)]
