"""A transcript's words in paragraphs of one speaker, however its file cut them: cues of one word make no page."""

from collections.abc import Iterator
from dataclasses import dataclass

from .script import Script, SpokenWord

ENOUGH = 60  # words after which a sentence's end ends the paragraph
MOST = 140  # words of one paragraph
PAUSE_MS = 4_000  # of silence that ends it


@dataclass(frozen=True)
class Paragraph:
    """A run of words, ``first`` to before ``last`` in ``Script.words``, of one label."""

    first: int
    last: int
    label: str
    start_ms: int | None


def paragraphs(script: Script) -> Iterator[Paragraph]:
    """Yield the paragraphs of a transcript in order; together they hold every word once."""
    first = 0
    for place in range(1, len(script.words) + 1):
        is_last = place == len(script.words)
        if is_last or _ends(script.words[place - 1], script.words[place], place - first):
            word = script.words[first]
            yield Paragraph(first, place, word.label, word.start_ms)
            first = place


def _ends(last: SpokenWord, following: SpokenWord, count: int) -> bool:
    """Tell whether a paragraph of ``count`` words ends between two words."""
    if following.label != last.label or count >= MOST:
        return True
    if last.end_ms is not None and following.start_ms is not None and following.start_ms - last.end_ms >= PAUSE_MS:
        return True
    return count >= ENOUGH and last.w.rstrip("\"'”’)").endswith((".", "?", "!"))
