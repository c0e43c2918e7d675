"""What a media file holds, as plain values that a job can keep."""

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

HDR_TRANSFERS = {"smpte2084", "arib-std-b67"}
FASTEST = 120  # frames a second; above, a rate is a clock's and no camera's
ANY_RATE = Fraction(30)
REMUXED = {"mpegts", "aac"}  # raw ADTS is called aac


@dataclass(frozen=True)
class VideoStream:
    """The pictures of a file. ``rotation`` is by how many degrees clockwise they are turned to be upright."""

    index: int
    codec: str
    width: int  # as stored, before the rotation
    height: int
    fps: Fraction
    pix_fmt: str = ""
    rotation: int = 0
    is_hdr: bool = False
    pixel_shape: Fraction = Fraction(1)  # width of a pixel by its height
    start_us: int = 0  # after the start of the file, in microseconds
    is_steady: bool = True  # each frame lasts as long as the next

    @property
    def upright_size(self) -> tuple[int, int]:
        """Return width and height as they are seen, in square pixels."""
        width = round(self.width * self.pixel_shape)
        return (self.height, width) if self.rotation % 180 else (width, self.height)


@dataclass(frozen=True)
class AudioStream:
    index: int
    codec: str
    sample_rate: int
    channels: int


@dataclass(frozen=True)
class Probed:
    """What a file is: container as the demuxer is called, times in ms, and the streams that are used."""

    container: str
    duration_ms: int
    start_ms: int
    bytes: int
    video: VideoStream | None
    audio: AudioStream | None
    has_cover: bool = False

    @property
    def needs_remux(self) -> bool:
        """Return whether cuts would go wrong until the streams are copied into an MP4."""
        return not REMUXED.isdisjoint(self.container.split(","))

    @property
    def is_iso(self) -> bool:
        """Return whether it is an MP4, M4A or MOV file, whose edit lists hide the sound's lead-in."""
        return "mp4" in self.container.split(",")

    def as_json(self) -> dict[str, Any]:
        """Return it as what JSON can hold; fractions become ``30000/1001``."""
        values = asdict(self)
        for name in ("fps", "pixel_shape"):
            if self.video:
                values["video"][name] = str(values["video"][name])
        return values

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "Probed":
        video, audio = values["video"], values["audio"]
        if video:
            video = {**video, "fps": Fraction(video["fps"]), "pixel_shape": Fraction(video["pixel_shape"])}
        streams = {"video": VideoStream(**video) if video else None, "audio": AudioStream(**audio) if audio else None}
        return cls(**{**values, **streams})


def frame_rate(lowest: Fraction | None, average: Fraction | None) -> Fraction:
    """Return the rate that loses no frame: the lowest that holds them all, else the average."""
    for rate in (lowest, average):
        if rate and Fraction(1, 10) <= rate <= FASTEST:
            return rate
    return ANY_RATE


def is_steady(rate: Fraction, lowest: Fraction | None, average: Fraction | None) -> bool:
    """Return whether a film of this rate has a frame for each tick of it, give or take one in 200."""
    return rate == lowest and (average is None or abs(rate - average) <= rate / 200)
