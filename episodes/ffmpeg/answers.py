"""What a program says about a file, before anything is made of it."""

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Told:
    """One stream as the program told it; what it did not tell is empty, 0 or None."""

    index: int
    type: str
    codec: str = ""
    is_default: bool = False
    is_cover: bool = False
    width: int = 0
    height: int = 0
    lowest_rate: Fraction | None = None
    average_rate: Fraction | None = None
    pix_fmt: str = ""
    transfer: str = ""
    rotation: int = 0
    pixel_shape: Fraction = Fraction(1)
    start_us: int | None = None
    sample_rate: int = 0
    channels: int = 0


@dataclass(frozen=True)
class Answer:
    """A file as the program told it: times in microseconds, None where it does not know them."""

    container: str
    duration_us: int | None
    start_us: int
    streams: list[Told] = field(default_factory=list)
    is_estimate: bool = False  # the length was guessed from the bit rate
