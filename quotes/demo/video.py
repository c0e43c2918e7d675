"""A long video of nothing but the time, so that a quote beyond 1:40:00 can be played and seen to be there.

Made when the demo is loaded, since it is too large to be kept: a minute is drawn with its
seconds on it, over a quiet tone, and repeated for about two hours. Takes some seconds.
"""

import subprocess
import tempfile
from pathlib import Path

from episodes.ffmpeg import find_programs

MINUTE = 60  # seconds that are encoded; the rest is the same again
PICTURE = f"testsrc=size=1280x720:rate=10:duration={MINUTE},hue=h=210:s=0.45"
TONE = f"sine=frequency=110:sample_rate=8000:duration={MINUTE},volume=0.05"
H264 = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "36", "-pix_fmt", "yuv420p", "-g", "100"]


def has_ffmpeg() -> bool:
    return find_programs() is not None


def make_video(seconds: float) -> bytes:
    """Return an MP4 of this length. Needs ffmpeg; raises CalledProcessError where it cannot encode H.264."""
    with tempfile.TemporaryDirectory() as name:
        minute, tone, video = (Path(name) / file for file in ("minute.mp4", "tone.m4a", "video.mp4"))
        _ffmpeg("-f", "lavfi", "-i", PICTURE, *H264, str(minute))
        _ffmpeg("-f", "lavfi", "-i", TONE, "-c:a", "aac", "-b:a", "8k", str(tone))
        again = ["-stream_loop", "-1", "-i"]
        _ffmpeg(
            *again,
            str(minute),
            *again,
            str(tone),
            "-t",
            str(seconds),
            "-c",
            "copy",
            "-movflags",
            "+faststart",
            str(video),
        )
        return video.read_bytes()


def _ffmpeg(*arguments: str) -> None:
    programs = find_programs()
    assert programs is not None  # noqa: S101 - has_ffmpeg() was asked
    command = [programs.ffmpeg, "-nostdin", "-loglevel", "error", "-y", *arguments]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command
