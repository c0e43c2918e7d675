"""Widen a span to whole frames, so that a cut begins on one and doubles none."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from episodes.ffmpeg import VideoStream

FASTEST, SLOWEST = 60, 10  # frames a second of a clip
LEAD, LONGEST_LEAD = 2, 10  # seconds read before a clip, to know the picture that still stands at its start
EARLY = Fraction(1, 2000)  # seconds before the first frame that are sought, since times are rounded


@dataclass(frozen=True)
class FrameSpan:
    """Frames ``first`` to ``first + count`` of a picture that begins ``phase`` seconds into its file.

    ``lead`` frames before them are read too, and not kept.
    """

    first: int
    count: int
    fps: Fraction
    phase: Fraction = Fraction(0)
    lead: int = 0

    @property
    def start(self) -> Fraction:
        """Return the seconds in the file at which the first frame stands."""
        return self.phase + self.first / self.fps

    @property
    def seek(self) -> Fraction:
        """Return where to seek for it, or for the lead, in seconds."""
        return max(Fraction(0), self.start - self.lead_length - EARLY)

    @property
    def lead_length(self) -> Fraction:
        return self.lead / self.fps

    @property
    def length(self) -> Fraction:
        """Return the length in seconds."""
        return self.count / self.fps

    @property
    def length_ms(self) -> int:
        return round(self.length * 1000)


def clip_rate(fps: Fraction) -> Fraction:
    """Return the rate of a clip: the source's, or an even part or multiple of it between 10 and 60 a second.

    On the grid of a slow film, of two frames a second, half a second too much would be heard.
    """
    return fps / ceil(fps / FASTEST) if fps > SLOWEST else fps * ceil(SLOWEST / fps)


def snap(start_ms: int, end_ms: int, video: VideoStream) -> FrameSpan:
    """Return the frames that hold a span of the file: its start rounded down, its end up."""
    fps, start, end = clip_rate(video.fps), Fraction(start_ms, 1000), Fraction(end_ms, 1000)
    phase = Fraction(video.start_us, 1_000_000)
    if start < phase:  # it begins before the picture does, whose first frame stands still until then
        phase = Fraction(0)
    first = floor((start - phase) * fps)
    count = max(1, ceil((end - phase) * fps) - first)
    return FrameSpan(first, count, fps, phase, min(first, _lead(video, fps)))


def _lead(video: VideoStream, fps: Fraction) -> int:
    """Return how many frames before a clip may hold the one that stands at its start: none in a steady film."""
    if video.is_steady and video.fps >= SLOWEST:
        return 0
    return ceil(min(Fraction(LONGEST_LEAD), max(Fraction(LEAD), 1 / video.fps)) * fps)
