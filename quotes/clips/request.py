"""What a clip is asked to be, as plain values; and which wishes are none."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation import gettext as _

from episodes.ffmpeg import Probed

LONGEST_MS = 180_000
MOST_PADDING_MS = 150
ROUNDING_MS = 100  # by which an end may lie behind that of the file


class Kind(enum.StrEnum):
    VIDEO = "video"  # clip.mp4: the picture with the mark over it
    AUDIO = "audio"  # clip.m4a: for the player
    AUDIOGRAM = "audiogram"  # clip.mp4 of a file without picture

    @property
    def extension(self) -> str:
        return "m4a" if self is Kind.AUDIO else "mp4"

    @property
    def mime(self) -> str:
        return "audio/mp4" if self is Kind.AUDIO else "video/mp4"


@dataclass(frozen=True)
class Word:
    """A word of the captions, at its time in the file."""

    text: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True)
class CardText:
    """What stands on the card of an audiogram; ``artwork`` is a picture of ours, encoded anew."""

    speaker: str
    episode: str = ""
    show: str = ""
    artwork: Path | None = None


@dataclass(frozen=True)
class ClipRequest:
    """A span of a media file of ours in ms, on that file's own time, and how it is to look.

    Padding is what is added at each end, where no other word is cut: 150 ms at most. ``title``
    and ``page_url`` are written into the file, so that a download tells where it is from.
    """

    source: Path
    probed: Probed
    kind: Kind
    start_ms: int
    end_ms: int
    padding_before_ms: int = 0
    padding_after_ms: int = 0
    watermark: Path | None = None
    words: Sequence[Word] = ()
    card: CardText = field(default_factory=lambda: CardText(speaker=""))
    title: str = ""
    page_url: str = ""

    @property
    def cut_ms(self) -> tuple[int, int]:
        """Return start and end with padding, within the file."""
        before, after = (min(MOST_PADDING_MS, ms) for ms in (self.padding_before_ms, self.padding_after_ms))
        return max(0, self.start_ms - before), min(self.probed.duration_ms, self.end_ms + after)


class ClipRefused(Exception):
    """A clip that cannot be: ``code``, and as text a sentence for the editor."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def check_request(request: ClipRequest) -> None:
    """Raise ClipRefused where the times or the file rule the clip out."""
    start, end, duration = request.start_ms, request.end_ms, request.probed.duration_ms
    if start < 0 or end <= start:
        raise ClipRefused("order", _("The clip must end after it starts. Correct the times of the quote."))
    if end > duration + ROUNDING_MS or start >= duration:
        raise ClipRefused("past_end", _("The quote lies behind the end of the file. Check its times, and the offset."))
    if end - start > LONGEST_MS:
        raise ClipRefused("too_long", _("A clip lasts three minutes at most, and this quote is longer."))
    if request.probed.needs_remux:
        raise ClipRefused("not_remuxed", _("This file must be rewritten as MP4 before it can be cut. Upload it again."))
    if request.kind is Kind.VIDEO and not request.probed.video:
        raise ClipRefused("no_picture", _("The file has no moving picture."))
    if request.kind is not Kind.VIDEO and not request.probed.audio:
        raise ClipRefused("no_sound", _("The file has no sound."))
