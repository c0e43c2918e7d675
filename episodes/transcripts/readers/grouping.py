"""Make cues of a bare list of words, by speaker, pause and sentence."""

from collections.abc import Iterable, Iterator

from .draft import DraftWord

_PAUSE_MS = 1_500
_FULL_CHARS = 160  # a cue this long ends with its sentence
_MOST_CHARS = 400


def group_words(words: Iterable[DraftWord]) -> Iterator[list[DraftWord]]:
    """Yield runs of words that one speaker says without a long pause."""
    group: list[DraftWord] = []
    size = 0
    for word in words:
        if group and _begins_anew(group[-1], word, size):
            yield group
            group, size = [], 0
        group.append(word)
        size += len(word.text) + 1
    if group:
        yield group


def _begins_anew(before: DraftWord, word: DraftWord, size: int) -> bool:
    if word.speaker != before.speaker or size > _MOST_CHARS:
        return True
    if size > _FULL_CHARS and before.text.rstrip().endswith((".", "?", "!", "。", "？", "！", "…")):
        return True
    end = before.end_ms if before.end_ms is not None else before.start_ms
    return end is not None and word.start_ms is not None and word.start_ms - end > _PAUSE_MS


def span(words: list[DraftWord]) -> tuple[int | None, int | None]:
    """Return when the first of the words starts and the last ends, as far as known."""
    starts = [word.start_ms for word in words if word.start_ms is not None]
    ends = [word.end_ms for word in words if word.end_ms is not None]
    return (starts[0] if starts else None), (max(ends) if ends else None)
