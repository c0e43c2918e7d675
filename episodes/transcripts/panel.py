"""Beside a form: the transcript that holds, and whether a text was written from other words."""

from dataclasses import dataclass

from ..models import Episode, Transcript
from .current import original_of
from .waiting import waiting


@dataclass(frozen=True)
class Outdated:
    """A text was written from transcript ``before``; ``now`` holds, and says other words."""

    before: int
    now: int


@dataclass(frozen=True)
class Panel:
    original: Transcript | None
    count: int
    waiting: list[Transcript]
    outdated: Outdated | None


def panel_of(episode: Episode) -> Panel:
    """Return what stands in the box beside an episode's form. Four queries."""
    original = original_of(episode.pk)
    return Panel(
        original,
        episode.transcripts.count(),
        list(waiting().filter(episode=episode)[:3]),
        _outdated(original, episode.item.newest.content.get("summary_transcript")),
    )


def outdated(episode: int, number: int | None) -> Outdated | None:
    """Return whether a text from that transcript of the episode rests on words that changed since. Two queries."""
    return _outdated(original_of(episode), number) if number else None


def _outdated(original: Transcript | None, number: int | None) -> Outdated | None:
    if original is None or not number or original.number == number:
        return None
    before = Transcript.objects.filter(episode=original.episode_id, number=number).values_list("words_hash", flat=True)
    is_other = any(words_hash != original.words_hash for words_hash in before)
    return Outdated(number, original.number) if is_other else None
