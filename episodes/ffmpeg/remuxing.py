"""Put the streams of a file that cannot be cut well into an MP4, without encoding them."""

from pathlib import Path

from .probing import probe
from .programs import Programs, require_programs
from .running import Limits, Progress, run
from .safe import BASE, only, safe_input
from .streams import Probed

ROOM = 16 * 1024 * 1024  # bytes beyond the source's for an index


def remux(
    source: Path,
    target: Path,
    probed: Probed,
    *,
    progress: Progress | None = None,
    programs: Programs | None = None,
) -> Probed:
    """Copy the streams of an MPEG-TS or ADTS file into a new MP4 or M4A and return what that holds.

    ``target`` is written by ffmpeg, so name it in a folder of the job's own and move it once this
    returned. Raises FfmpegFailed, and MediaRefused where the result cannot be used.
    """
    programs = require_programs(programs)
    video, audio = probed.video, probed.audio
    maps = only(video.index if video else None, audio.index if audio else None)
    fixed = ["-bsf:a", "aac_adtstoasc"] if audio and audio.codec == "aac" else []
    written = ["-c", "copy", *fixed, "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4"]
    command = [programs.ffmpeg, *BASE, *safe_input(source), *maps, *written, f"file:{target.absolute()}"]
    # The index is moved to the front at the end, and no progress is told meanwhile.
    limits = Limits(wall_seconds=600, stall_seconds=120, cpu_seconds=300, file_bytes=probed.bytes * 2 + ROOM)
    run(command, folder=target.parent, limits=limits, progress=progress, length_ms=probed.duration_ms)
    return probe(target, programs)
