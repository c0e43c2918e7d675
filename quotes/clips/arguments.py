"""The argument lists of ffmpeg for each kind of clip; measured choices, see docs/decisions/clips.md.

Every name in a filter is one of ours, and ffmpeg runs in the job's folder. A change of what
is encoded must come with a new ``PIPELINE``, or old files would be taken for new ones.
"""

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from episodes.ffmpeg import BASE, AudioStream, Probed, VideoStream, cut_input, safe_input, seconds

from .grid import FrameSpan

PIPELINE = 1
HEIGHT = 720  # lines of a landscape clip; of a portrait one, its width
PRESET, CRF = "veryfast", 21
VIDEO_SOUND, PLAYER_SOUND = "128k", "96k"
MOST_BITS = 5_000_000  # a second
COPIED_RATE = 22_050  # samples a second, from which the packets of AAC last 46 ms at most
MARK, CLIP, PLAYER, POSTER = "mark.png", "clip.mp4", "clip.m4a", "poster.jpg"
THREADS = "2"  # another number encodes other bytes, and one for each of many cores would fill the memory
FEW_THREADS = ("-filter_complex_threads", THREADS, "-threads", THREADS)  # before an input: of filters and decoder
FADE_IN, FADE_OUT = Fraction(1, 100), Fraction(1, 50)  # seconds

_EVEN = "2*trunc(min({height},{side})/2)"
_SCALE = (
    f"scale=w='if(gte(iw,ih),-2,{_EVEN.format(height=HEIGHT, side='iw')})'"
    f":h='if(gte(iw,ih),{_EVEN.format(height=HEIGHT, side='ih')},-2)':flags=bicubic,setsar=1,format=yuv420p"
)
_SQUARE_PIXELS = "scale=w='2*trunc(iw*sar/2)':h=ih:flags=bicubic,setsar=1"
# As a phone's or camera's HDR is meant to look on other screens. Scaled first: it is slow.
TONE_FILTERS = ("zscale", "tonemap")
_TONE_MAP = (
    "setparams=color_primaries=bt2020:colorspace=bt2020nc,zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0"
    ",zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
)
_BITEXACT = ("-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact")


@dataclass(frozen=True)
class Labels:
    """What a clip says of itself to those who have the file: its title, and the page it is from."""

    title: str = ""
    page_url: str = ""

    def arguments(self) -> list[str]:
        told = {"title": self.title, "comment": self.page_url}
        pairs = [("-metadata", f"{name}={value}") for name, value in told.items() if value]
        return ["-map_metadata", "-1", "-map_chapters", "-1", *(part for pair in pairs for part in pair)]


def video_clip(
    source: Path, probed: Probed, span: FrameSpan, *, mark: bool, labels: Labels, tone_map: bool = False
) -> list[str]:
    """Return the arguments for ``clip.mp4``: 720 lines, the mark in the corner, the sound faded.

    ``tone_map`` is for HDR, and needs ``TONE_FILTERS``; without, it comes out pale.
    """
    assert probed.video is not None  # noqa: S101 - the request was checked
    sound = probed.audio
    graph = [_picture(probed.video, span, "b" if mark else "v", tone_map)]
    if mark:
        margin = mark_margin(clip_size(probed.video))
        graph += ["[1:v]format=yuva420p[w]"]
        graph += [f"[b][w]overlay=x=W-w-{margin}:y=H-h-{margin}:format=yuv420:eof_action=repeat[v]"]
    if sound:
        graph.append(f"[0:{sound.index}]{_without_lead(span)}{fades(span.length)}[a]")
    return [
        *BASE,
        *FEW_THREADS,
        *cut_input(source, span.seek, span.lead_length + span.length),
        *(["-i", MARK] if mark else []),
        *("-filter_complex", ";".join(graph)),
        *("-map", "[v]", *(["-map", "[a]"] if sound else [])),
        *labels.arguments(),
        *("-c:v", "libx264", "-preset", PRESET, "-crf", str(CRF), "-profile:v", "high", "-pix_fmt", "yuv420p"),
        *("-g", str(round(2 * span.fps)), "-maxrate", "5M", "-bufsize", "10M", "-threads", THREADS),
        *(["-c:a", "aac", "-b:a", VIDEO_SOUND] if sound else []),
        *("-t", seconds(span.length), "-movflags", "+faststart", *_BITEXACT, "-f", "mp4", CLIP),
    ]


def player_clip(source: Path, probed: Probed, start: Fraction, length: Fraction, labels: Labels) -> list[str]:
    """Return the arguments for ``clip.m4a``: AAC as it is out of an MP4, else encoded anew. Seconds."""
    assert probed.audio is not None  # noqa: S101 - the request was checked
    if may_copy(probed, probed.audio):
        encoded = ["-c:a", "copy"]
    else:
        encoded = ["-af", fades(length, layout=""), "-c:a", "aac", "-b:a", PLAYER_SOUND, "-ac", "2"]
    return [
        *BASE,
        *cut_input(source, start, length),
        *("-map", f"0:{probed.audio.index}", *encoded, *labels.arguments()),
        *("-movflags", "+faststart", *_BITEXACT, "-f", "mp4", PLAYER),
    ]


def poster(clip: Path) -> list[str]:
    """Return the arguments for ``poster.jpg``: the first frame of a finished clip, mark and all."""
    drawn = ["-map", "0:v:0", "-frames:v", "1", "-vf", "format=yuvj420p", "-q:v", "3"]
    return [*BASE, *safe_input(clip), *drawn, "-f", "image2", "-update", "1", POSTER]


def peaks(source: Path, sound: AudioStream, start: Fraction, length: Fraction, rate: int) -> list[str]:
    """Return the arguments that give the sound as 16-bit mono on stdout, for the bars of an audiogram."""
    quiet = ["-hide_banner", "-nostdin", "-v", "error"]
    samples = ["-map", f"0:{sound.index}", "-ac", "1", "-ar", str(rate), "-f", "s16le", "pipe:1"]
    return [*quiet, *cut_input(source, start, length), *samples]


def may_copy(probed: Probed, sound: AudioStream) -> bool:
    """Return whether the sound can be cut without encoding: an edit list then hides its lead-in."""
    is_fine = sound.sample_rate >= COPIED_RATE  # a packet holds 1,024 samples, and only whole ones are copied
    return probed.is_iso and sound.codec == "aac" and sound.channels <= 2 and is_fine


def clip_size(video: VideoStream) -> tuple[int, int]:
    """Return width and height of the clip in pixels, never larger than the source."""
    width, height = video.upright_size
    short = 2 * (min(HEIGHT, width, height) // 2)
    long = 2 * round(short * max(width, height) / min(width, height) / 2)
    return (long, short) if width >= height else (short, long)


def mark_margin(size: tuple[int, int]) -> int:
    """Return the distance of the mark from the corner in pixels: 24 at 720 lines."""
    return round(min(size) / 30)


def _picture(video: VideoStream, span: FrameSpan, name: str, tone_map: bool) -> str:
    rate = f"fps={span.fps}:start_time=0"
    if span.lead:  # the last frame of the lead is kept where nothing follows it in time; then the clip begins at 0
        rate = f"fps={span.fps}:start_time={seconds(span.lead_length)},setpts=PTS-{span.lead}"
    parts = [rate, *([_SQUARE_PIXELS] if video.pixel_shape != 1 else []), _SCALE]
    if tone_map:
        parts[-1] = _SCALE.removesuffix("format=yuv420p") + _TONE_MAP
    return f"[0:{video.index}]{','.join(parts)}[{name}]"


def _without_lead(span: FrameSpan) -> str:
    lead = seconds(span.lead_length)
    return f"atrim=start={lead},asetpts=PTS-{lead}/TB," if span.lead else ""


def fades(length: Fraction, layout: str = "aformat=channel_layouts=stereo,") -> str:
    """Return the filters that keep sound and picture together and let neither end click."""
    out = seconds(max(Fraction(0), length - FADE_OUT))
    fades = f"afade=t=in:d={float(FADE_IN)},afade=t=out:st={out}:d={float(FADE_OUT)}"
    return f"aresample=48000:async=1:first_pts=0,{layout}{fades}"
