"""What a clip costs, and that depth costs nothing: 17.6 s of a film of 110 minutes. Run by ``make bench-clips``.

The film is 1080p with some motion and noise; it is made first, which takes a minute or two and 2 GB for a while.
"""

import statistics
import tempfile
from pathlib import Path

from episodes.ffmpeg import Probed, Programs, find_programs, probe
from quotes.clips import ClipRequest, Kind, make_watermark, render_clip
from tests.media import MediaMaker

RUNS = 3
LENGTH_MS = 17_600
PLACES = {"0:20": 20_370, "1:41:50": 6_110_370}
MOST_BY_DEPTH = 1.3
MOST_PER_SECOND = 1.0  # CPU seconds for each second of clip
BLOCK_SECONDS = 48  # what is filmed, and then repeated without encoding
FILM_SECONDS = 110 * 60
PICTURE = "testsrc2=s=1920x1080:r=30,hue=s=0.4,noise=alls=6:allf=t"
SOUND = "anoisesrc=c=pink:a=0.3:seed=1:r=48000"


def make_film(folder: Path, ffmpeg: str) -> Path:
    """Return a film of 110 minutes with a key frame in 8 seconds, at about 2 Mb/s."""
    maker, block, film = MediaMaker(folder, ffmpeg), folder / "block.mp4", folder / "film.mp4"
    h264 = ("-c:v", "libx264", "-preset", "ultrafast", "-b:v", "2M", "-maxrate", "2M", "-bufsize", "4M", "-g", 240)
    inputs = ("-f", "lavfi", "-i", PICTURE, "-f", "lavfi", "-i", SOUND)
    maker.run(*inputs, "-t", BLOCK_SECONDS, *h264, "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k", block)
    maker.run("-stream_loop", FILM_SECONDS // BLOCK_SECONDS, "-i", block, "-c", "copy", "-t", FILM_SECONDS, film)
    return film


def measure(film: Path, probed: Probed, folder: Path, programs: Programs) -> dict[tuple[Kind, str], float]:
    """Return the median CPU seconds of each kind of clip at each place, and print them."""
    mark, cost = folder / "whole.png", {}
    mark.write_bytes(make_watermark(text="Pullquote").png)
    for kind in Kind:
        for place, start_ms in PLACES.items():
            request = ClipRequest(film, probed, kind, start_ms, start_ms + LENGTH_MS, watermark=mark)
            made = [render_clip(request, folder, programs=programs) for _ in range(RUNS)]
            cpu = cost[kind, place] = statistics.median(clip.cpu_seconds for clip in made)
            each, size = cpu / LENGTH_MS * 1000, made[0].bytes / 1000
            print(f"{kind:9} at {place:>7}: {cpu:5.2f} CPU s, {each:.2f} for each second of it, {size:.0f} kB")
    return cost


def main() -> int:
    programs = find_programs()
    if programs is None:
        print("There is no ffmpeg here.")
        return 1
    with tempfile.TemporaryDirectory(prefix="pullquote-bench-") as name:
        folder = Path(name)
        film = make_film(folder, programs.ffmpeg)
        probed = probe(film, programs)
        print(f"ffmpeg {programs.version}; {probed.bytes / 1e6:.0f} MB, {probed.duration_ms / 60_000:.0f} minutes")
        cost = measure(film, probed, folder, programs)
    shallow, deep = (cost[Kind.VIDEO, place] for place in PLACES)
    print(f"Depth: {deep / shallow:.2f} times the CPU time; {MOST_BY_DEPTH} at most.")
    return int(deep / shallow > MOST_BY_DEPTH or shallow * 1000 / LENGTH_MS > MOST_PER_SECOND)
