"""Short films and sounds for tests, each made when first asked for, and rulers to measure cuts of them.

The upper half of every frame shows its number as twelve broad bars, the lowest bit at the left.
Every sound is the same noise, so that what was cut shows where it was cut from.
"""

import fcntl
import math
import random
import subprocess
import wave
from array import array
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import accumulate
from operator import mul
from pathlib import Path

BITS = 12
SECONDS = 6
HEARD = 16_000  # samples a second in which sounds are compared: 16 are 1 ms
SAMPLES = 48_000
KEPT = {0, 1, 2, 3, 5, 6, 9}  # of each ten frames, those that the film of variable rate has
EDIT_MS = 1300  # what the edit list hides of the film that it is cut from
H264 = ("-c:v", "libx264", "-preset", "veryfast", "-crf", "30", "-pix_fmt", "yuv420p", "-g", "75")
HDR = "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"
HDR_TAGS = (
    "-color_trc",
    "smpte2084",
    "-color_primaries",
    "bt2020",
    "-colorspace",
    "bt2020nc",
)  # as old versions want it
AAC = ("-c:a", "aac", "-b:a", "96k")


class MediaMaker:
    """Makes media in a folder with one ffmpeg; several processes may ask for the same."""

    def __init__(self, folder: Path, ffmpeg: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.ffmpeg = folder, ffmpeg
        banner = _run([ffmpeg, "-version"]).decode()
        self.is_old = banner.split()[2].lstrip("n").split(".")[0] in {"4", "5"}

    def get(self, name: str) -> Path:
        """Return a file of ``RECIPES`` by its name."""
        path = self.folder / name
        if not path.exists():
            with self.alone(name):
                if not path.exists():
                    new = self.folder / f"new-{name}"
                    RECIPES[name](self, new)
                    new.rename(path)
        return path

    @contextmanager
    def alone(self, name: str):
        """Keep other processes from making this while it is made here."""
        with (self.folder / f".{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def run(self, *arguments: object, stdin: bytes = b"") -> None:
        command = [self.ffmpeg, "-hide_banner", "-v", "error", "-y", *map(str, arguments)]
        _run(command, stdin)

    def film(self, target: Path, *written: str, rate: str = "25", size=(320, 180), sound: bool = True) -> None:
        """Film so many frames of a rate; what is written, and how, are arguments of ffmpeg."""
        top, bottom = divmod(SECONDS * _whole(rate), 1)
        frames = b"".join(frame(number, *size) for number in range(int(top + bool(bottom))))
        raw = ("-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{size[0]}x{size[1]}", "-framerate", rate, "-i", "pipe:0")
        heard = ("-i", self.get("noise.wav"), "-map", "1:a") if sound else ()
        self.run(*raw, *heard, "-map", "0:v", *written, target, stdin=frames)


def frame(number: int, width: int, height: int) -> bytes:
    """Return a grey picture: its number above, and a box below that moves."""
    bars = bytes(235 if number >> (place * BITS // width) & 1 else 16 for place in range(width))
    left = number * 7 % (width - 20)
    below = bytearray(b"\x60" * width)
    below[left : left + 20] = b"\xa0" * 20
    return bars * (height // 2) + bytes(below) * (height - height // 2)


def _whole(rate: str) -> float:
    over, _, under = rate.partition("/")
    return float(over) / float(under or 1)


def _noise(maker: MediaMaker, target: Path) -> None:
    """Write the sound that all others are made of: 16-bit noise without its highest tones."""
    chance, value = random.Random(20), 0.0  # noqa: S311 - noise
    samples = array("h")
    for _ in range(SECONDS * SAMPLES):
        value += 0.35 * (chance.uniform(-1, 1) - value)
        samples.append(round(12_000 * value))
    with wave.open(str(target), "wb") as file:
        file.setparams((1, 2, SAMPLES, 0, "NONE", ""))
        file.writeframes(samples.tobytes())


def _vfr(maker: MediaMaker, target: Path) -> None:
    kept = "+".join(f"eq(mod(n\\,10)\\,{number})" for number in sorted(KEPT))
    maker.film(target, "-vf", f"select={kept}", "-fps_mode", "vfr", *H264, *AAC, rate="30")


def _edited(maker: MediaMaker, target: Path) -> None:
    maker.run("-ss", EDIT_MS / 1000, "-i", maker.get("30.mp4"), "-c", "copy", target)


def _rotated(maker: MediaMaker, target: Path) -> None:
    lying = target.with_name(f"lying-{target.name}")
    maker.film(lying, "-vf", "transpose=cclock", *H264, *AAC, rate="25", size=(180, 320))
    if maker.is_old:
        maker.run("-i", lying, "-c", "copy", "-metadata:s:v", "rotate=270", target)
    else:
        maker.run("-display_rotation", "-90", "-i", lying, "-c", "copy", target)


def _sound(*written: str) -> Callable[[MediaMaker, Path], None]:
    return lambda maker, target: maker.run("-i", maker.get("noise.wav"), *written, target)


def _film(*written: str, **look) -> Callable[[MediaMaker, Path], None]:
    return lambda maker, target: maker.film(target, *written, **look)


def _covered(maker: MediaMaker, target: Path, sound: bool = True) -> None:
    picture = target.with_suffix(".png")
    maker.run("-f", "lavfi", "-i", "color=c=navy:s=64x64", "-frames:v", 1, picture)
    heard = ("-i", maker.get("cbr.mp3"), "-map", "1:a", "-c:a", "copy") if sound else ()
    shown = ("-map", "0:v", "-c:v", "copy", "-disposition:v", "attached_pic")
    maker.run("-i", picture, *heard, *shown, target)


def _part(of: str, fraction: float) -> Callable[[MediaMaker, Path], None]:
    def cut_off(maker: MediaMaker, target: Path) -> None:
        whole = maker.get(of).read_bytes()
        target.write_bytes(whole[: int(len(whole) * fraction)])

    return cut_off


RECIPES: dict[str, Callable[[MediaMaker, Path], None]] = {
    "noise.wav": _noise,
    "25.mp4": _film(*H264, *AAC, "-movflags", "+faststart", rate="25"),
    "29.97.mp4": _film(*H264, *AAC, rate="30000/1001"),
    "30.mp4": _film(*H264, *AAC, rate="30"),
    "100.mp4": _film(*H264, *AAC, rate="100", size=(192, 108)),
    "slow.mp4": _film(*H264, *AAC, rate="2"),
    "vfr.mp4": _vfr,
    "edited.mp4": _edited,
    "portrait.mp4": _film(*H264, *AAC, rate="25", size=(180, 320)),
    "rotated.mp4": _rotated,
    "silent.mp4": _film(*H264, rate="25", sound=False),
    "odd.mkv": _film("-c:v", "ffv1", "-pix_fmt", "yuv444p", "-c:a", "flac", rate="25", size=(321, 181)),
    "wide-pixels.mp4": _film("-vf", "setsar=4/3", *H264, *AAC, rate="25", size=(240, 180)),
    "hdr.mkv": _film("-vf", HDR, *H264[:6], "-pix_fmt", "yuv420p10le", *HDR_TAGS, *AAC),
    "25.mkv": _film(*H264, *AAC, rate="25"),
    "25.webm": _film(
        *("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "500k"), "-c:a", "libopus"
    ),
    "25.ts": _film(*H264, *AAC, "-f", "mpegts", rate="25"),
    "cbr.mp3": _sound("-c:a", "libmp3lame", "-b:a", "96k"),
    "vbr-no-table.mp3": _sound("-af", "volume=if(lt(t\\,3)\\,1\\,0.001):eval=frame", "-q:a", "6", "-write_xing", "0"),
    "plain.m4a": _sound(*AAC),
    "surround.m4a": _sound("-c:a", "aac", "-b:a", "200k", "-ac", "6"),
    "plain.flac": _sound("-c:a", "flac"),
    "opus.webm": _sound("-c:a", "libopus", "-b:a", "96k"),
    "raw.aac": _sound(*AAC, "-f", "adts"),
    "covered.mp3": _covered,
    "cover-only.m4a": lambda maker, target: _covered(maker, target, sound=False),
    "cut-off.mp4": _part("25.mp4", 0.5),
    "no-index.mp4": _part("30.mp4", 0.8),
}


# Rulers


def seen_frames(ffmpeg: str, clip: Path, *, bits: int = BITS, bars: str = "iw:ih/4:0:ih/8") -> list[int]:
    """Return the numbers on the frames of a clip, in the order in which they are shown."""
    look = f"crop={bars},scale={bits}:1:flags=area,format=gray"
    shown = _decoded(ffmpeg, clip, "-map", "0:v:0", "-vf", look, "-fps_mode", "passthrough", "-f", "rawvideo")
    return [_number(shown[place : place + bits]) for place in range(0, len(shown), bits)]


def heard_from_ms(ffmpeg: str, clip: Path, about_ms: float, whole: Path, window_ms: int = 80) -> float:
    """Return which moment of a sound a clip begins with, where it is within 40 ms of one."""
    skipped, window, reach = HEARD // 5, HEARD * window_ms // 1000, HEARD * 4 // 100
    part = _samples(ffmpeg, clip)[skipped : skipped + window]
    assert len(part) == window, f"{len(part)} samples: the clip is too short to be measured"
    first = round(about_ms * HEARD / 1000) + skipped - reach
    there = _samples(ffmpeg, whole)[first : first + 2 * reach + window]
    likeness = _likeness(part, there)
    best = max(range(2 * reach), key=likeness.__getitem__)
    assert likeness[best] > 0.7, f"the clip's sound is another: {likeness[best]:.2f}"
    return (first + best - skipped) * 1000 / HEARD


def _likeness(part: array, there: array) -> list[float]:
    """Return the correlation of a sound with each place of a longer one: 1 is the same, but for how loud it is."""
    window, powers = len(part), list(accumulate(map(mul, there, there), initial=0))
    power, places = sum(map(mul, part, part)), range(len(there) - window)
    energies = [power * (powers[place + window] - powers[place]) for place in places]
    products = (sum(map(mul, part, there[place : place + window])) for place in places)
    return [product / math.sqrt(energy) if energy else 0 for product, energy in zip(products, energies, strict=True)]


def corner(ffmpeg: str, clip: Path, box: Sequence[int]) -> bytes:
    """Return a part of a clip's first frame as RGB: width, height, left, top."""
    cut = "crop=" + ":".join(map(str, box)) + ",format=rgb24"
    return _decoded(ffmpeg, clip, "-map", "0:v:0", "-frames:v", "1", "-vf", cut, "-f", "rawvideo")


def _number(bars: bytes) -> int:
    return sum(1 << bit for bit, level in enumerate(bars) if level > 128)


@lru_cache(maxsize=32)
def _samples(ffmpeg: str, path: Path) -> array:
    return array("h", _decoded(ffmpeg, path, "-map", "0:a:0", "-ac", "1", "-ar", str(HEARD), "-f", "s16le"))


def _decoded(ffmpeg: str, path: Path, *written: str) -> bytes:
    command = [ffmpeg, "-hide_banner", "-nostdin", "-v", "error", "-i", f"file:{path}", *written, "pipe:1"]
    return _run(command)


def _run(command: list[str], stdin: bytes = b"") -> bytes:
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)  # noqa: S603 - our own command
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
