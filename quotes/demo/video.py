"""A long video of nothing but the time, so that a quote beyond 1:40:00 can be played and seen to be there.

Drawn when the demo is loaded, since it is too large to be kept: about two hours of two
pictures a second, each with the seconds on it, over a quiet tone. Takes some seconds.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

PICTURE = "testsrc=size=256x144:rate=2:duration={seconds},hue=h=210:s=0.45"
TONE = "sine=frequency=110:sample_rate=8000:duration=60"  # encoded once, then repeated
H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-crf", "36", "-pix_fmt", "yuv420p", "-g", "20"]


def has_ffmpeg() -> bool:
    return shutil.which("ffmpeg") is not None


def make_video(seconds: float) -> bytes:
    """Return an MP4 of this length. Needs ffmpeg; raises CalledProcessError where it cannot encode H.264."""
    with tempfile.TemporaryDirectory() as name:
        tone, video = Path(name) / "tone.m4a", Path(name) / "video.mp4"
        _ffmpeg("-f", "lavfi", "-i", TONE, "-af", "volume=0.05", "-c:a", "aac", "-b:a", "8k", str(tone))
        pictures = ["-f", "lavfi", "-i", PICTURE.format(seconds=seconds)]
        sound = ["-stream_loop", "-1", "-i", str(tone)]
        _ffmpeg(*pictures, *sound, "-t", str(seconds), *H264, "-c:a", "copy", "-movflags", "+faststart", str(video))
        return video.read_bytes()


def _ffmpeg(*arguments: str) -> None:
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-y", *arguments]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own command
