"""Where ffmpeg and ffprobe are, and what this build of them lacks."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from .failures import FfmpegFailed, Reason

NEEDED_ENCODERS = ("libx264", "aac")
NEEDED_FILTERS = ("overlay", "scale", "xfade", "subtitles")
ASK_SECONDS = 20  # a busy machine takes its time to load 170 MB of program
_VERSION = re.compile(r"^ffmpeg version (\S+)")


@dataclass(frozen=True)
class Programs:
    """Paths of the two programs and what ffmpeg calls its version; the wheel brings no ffprobe."""

    ffmpeg: str
    ffprobe: str | None
    version: str


def find_programs() -> Programs | None:
    """Return the programs of the settings, else of the PATH, else of the wheel; None where there is no ffmpeg.

    A setting that names no program that runs is not passed over: the answer is None.
    """
    return _find(settings.FFMPEG, settings.FFPROBE, os.environ.get("PATH", ""))


def require_programs(programs: Programs | None) -> Programs:
    """Return these programs, or those found. Raises FfmpegFailed where there are none."""
    found = programs or find_programs()
    if found is None:
        raise FfmpegFailed(Reason.MISSING)
    return found


def programs_at(ffmpeg: str, ffprobe: str | None = None) -> Programs | None:
    """Return these programs if the first of them runs."""
    match = _VERSION.match(_ask(ffmpeg, "-version"))
    return Programs(ffmpeg, ffprobe, match[1]) if match else None


def missing_parts(programs: Programs) -> tuple[str, ...]:
    """Return the names of encoders and filters that clips need and this build lacks. Runs ffmpeg twice, once in a process."""
    encoders, filters = _parts(programs.ffmpeg)
    lacking = [name for name in NEEDED_ENCODERS if name not in encoders]
    return (*lacking, *(name for name in NEEDED_FILTERS if name not in filters))


def has_filters(programs: Programs, *names: str) -> bool:
    """Return whether this build has all of these filters."""
    return _parts(programs.ffmpeg)[1].issuperset(names)


def wheel_ffmpeg() -> str | None:
    """Return the ffmpeg that the package imageio-ffmpeg holds, if it is installed."""
    try:
        import imageio_ffmpeg
    except ImportError:
        return None
    held = Path(imageio_ffmpeg.__file__).parent / "binaries"
    # get_ffmpeg_exe() also looks at variables, conda and the PATH; those are ours to decide.
    return next((str(path) for path in sorted(held.glob("ffmpeg-*")) if os.access(path, os.X_OK)), None)


@lru_cache(maxsize=8)
def _find(wanted: str, wanted_probe: str, path: str) -> Programs | None:
    ffmpeg = shutil.which(wanted, path=path) if wanted else shutil.which("ffmpeg", path=path) or wheel_ffmpeg()
    if ffmpeg is None:
        return None
    return programs_at(os.path.abspath(ffmpeg), _probe_for(ffmpeg, wanted_probe, path))


def _probe_for(ffmpeg: str, wanted: str, path: str) -> str | None:
    """Return the ffprobe of the setting, else the one beside ffmpeg, else that of the PATH."""
    if wanted:
        found = shutil.which(wanted, path=path)
    else:
        found = shutil.which("ffprobe", path=str(Path(ffmpeg).parent)) or shutil.which("ffprobe", path=path)
    return os.path.abspath(found) if found else None


@lru_cache(maxsize=8)
def _parts(ffmpeg: str) -> tuple[set[str], set[str]]:
    """Return the names of the encoders and of the filters of a build."""
    return _names(_ask(ffmpeg, "-encoders")), _names(_ask(ffmpeg, "-filters"))


def _names(listing: str) -> set[str]:
    """Return the second column of what ``-encoders`` and ``-filters`` print."""
    return {columns[1] for line in listing.splitlines() if len(columns := line.split()) > 1}


def _ask(program: str, question: str) -> str:
    """Return what a program prints, or nothing where it does not run."""
    command = [program, "-hide_banner", question]
    try:
        answer = subprocess.run(  # noqa: S603 - a path of the operator's
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=ASK_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return answer.stdout.decode(errors="replace")
