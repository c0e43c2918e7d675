"""Make a clip in the job's own folder, and look at it before it counts: exit code 0 proves nothing."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path

from episodes.ffmpeg import FfmpegFailed, Limits, MediaRefused, Probed, Programs, Ran, Reason, VideoStream, probe, run
from episodes.ffmpeg.failures import reason_of
from episodes.ffmpeg.programs import has_filters, require_programs
from episodes.ffmpeg.running import Progress

from . import arguments, audiogram
from .arguments import CLIP, MARK, PLAYER, POSTER, Labels
from .captions import ass_file, captions_of
from .grid import snap
from .request import ClipRequest, Kind, check_request
from .watermark import fit_mark

FEWEST_BYTES = 1000
TOLERANCE_MS = 100
STALL_SECONDS = 20
ROOM = 4 * 1024 * 1024  # bytes beyond what the bit rate allows


@dataclass(frozen=True)
class Rendered:
    """A clip that was looked at: where it lies in the job's folder, and what it is."""

    path: Path
    kind: Kind
    bytes: int
    duration_ms: int
    width: int = 0
    height: int = 0
    cpu_seconds: float = 0.0


def render_clip(
    request: ClipRequest, folder: Path, *, progress: Progress | None = None, programs: Programs | None = None
) -> Rendered:
    """Make a clip in a folder that is only this job's, and return it once it was probed.

    ``progress`` is called with 0 to 99 percent, and what it raises ends the work. Move the file
    away once this returned: the folder may hold more. Raises ClipRefused where the request is
    none, and FfmpegFailed with a reason where nothing whole came out.
    """
    check_request(request)
    programs = require_programs(programs)
    work = _Work(request, folder, programs)
    return {Kind.VIDEO: work.video, Kind.AUDIO: work.audio, Kind.AUDIOGRAM: work.audiogram}[request.kind](progress)


def render_poster(clip: Path, folder: Path, *, programs: Programs | None = None) -> Path:
    """Write the first frame of a finished video clip as ``poster.jpg`` and return its path.

    Raises FfmpegFailed where there is none.
    """
    command = [require_programs(programs).ffmpeg, *arguments.poster(clip)]
    ran = run(command, folder=folder, limits=Limits(), progress=lambda _percent: None)
    path = folder / POSTER
    if not path.is_file() or not path.stat().st_size:
        raise FfmpegFailed(Reason.BROKEN_RESULT, f"no poster; {ran.messages}")
    return path


def limits_for(length: Fraction) -> Limits:
    """Return what a clip of so many seconds may use; measured, with room for a busy machine."""
    return Limits(
        wall_seconds=float(30 + 10 * length),
        stall_seconds=STALL_SECONDS,
        cpu_seconds=int(30 + 20 * length),
        file_bytes=int(2 * arguments.MOST_BITS / 8 * length) + ROOM,
    )


class _Work:
    """The steps of one render."""

    def __init__(self, request: ClipRequest, folder: Path, programs: Programs) -> None:
        self.request, self.folder, self.programs = request, folder, programs
        self.labels = Labels(request.title, request.page_url)
        start_ms, end_ms = request.cut_ms
        self.start, self.length = Fraction(start_ms, 1000), Fraction(end_ms - start_ms, 1000)

    def video(self, progress: Progress | None) -> Rendered:
        request, video = self.request, self.request.probed.video
        assert video is not None  # noqa: S101 - the request was checked
        span, size = snap(*request.cut_ms, video), arguments.clip_size(video)
        if request.watermark:
            fit_mark(request.watermark, min(size), self.folder / MARK)
        made = arguments.video_clip(
            *(request.source, request.probed, span),
            mark=request.watermark is not None,
            labels=self.labels,
            tone_map=_can_tone_map(video, self.programs),
        )
        ran = self._run(made, span.length, progress)
        return self._look(CLIP, span.length, ran, size=size, has_sound=request.probed.audio is not None)

    def audio(self, progress: Progress | None) -> Rendered:
        made = arguments.player_clip(self.request.source, self.request.probed, self.start, self.length, self.labels)
        return self._look(PLAYER, self.length, self._run(made, self.length, progress))

    def audiogram(self, progress: Progress | None) -> Rendered:
        request, sound = self.request, self.request.probed.audio
        assert sound is not None  # noqa: S101 - the request was checked
        length = Fraction(ceil(self.length * audiogram.RATE), audiogram.RATE)
        strips = audiogram.strips_for(length)
        audiogram.draw_pictures(self.folder, request.card, self._levels(), strips, request.watermark)
        has_captions = self._write_captions()
        made = audiogram.clip(request.source, sound, self.start, length, captions=has_captions, labels=self.labels)
        ran = self._run(made, length, progress)
        return self._look(CLIP, length, ran, size=audiogram.SIZE)

    def _levels(self) -> list[float]:
        sound = self.request.probed.audio
        assert sound is not None  # noqa: S101 - the request was checked
        rate = audiogram.SAMPLE_RATE
        read = arguments.peaks(self.request.source, sound, self.start, self.length, rate)
        most = int(2 * rate * (self.length + 2))
        ran = run([self.programs.ffmpeg, *read], folder=self.folder, limits=limits_for(self.length), most_answer=most)
        return audiogram.levels(ran.answer)

    def _write_captions(self) -> bool:
        """Write the captions and link the fonts that they name; tell whether there are any."""
        captions = captions_of(self.request.words, *self.request.cut_ms)
        text, fonts = ass_file(captions)
        (self.folder / audiogram.CAPTIONS).write_text(text, encoding="utf-8")
        folder = self.folder / audiogram.FONTS
        folder.mkdir(exist_ok=True)
        for number, font in enumerate(sorted(fonts)):
            link = folder / f"{number}{font.suffix}"
            link.unlink(missing_ok=True)
            link.symlink_to(font.absolute())
        return bool(captions)

    def _run(self, made: list[str], length: Fraction, progress: Progress | None) -> Ran:
        return run(
            [self.programs.ffmpeg, *made],
            folder=self.folder,
            limits=limits_for(length),
            progress=progress,
            length_ms=round(length * 1000),
        )

    def _look(
        self, name: str, length: Fraction, ran: Ran, *, size: tuple[int, int] | None = None, has_sound: bool = True
    ) -> Rendered:
        """Return the clip, if it is one: its streams, its length, its size."""
        path = self.folder / name
        probed = self._probe_result(path, ran)
        wrong = _what_is_wrong(probed, round(length * 1000), size, has_sound)
        if wrong:
            raise FfmpegFailed(_broken(ran), f"{wrong}; {ran.messages}")
        width, height = size or (0, 0)
        return Rendered(path, self.request.kind, probed.bytes, probed.duration_ms, width, height, ran.cpu_seconds)

    def _probe_result(self, path: Path, ran: Ran) -> Probed:
        try:
            return probe(path, self.programs)
        except MediaRefused as refused:
            raise FfmpegFailed(_broken(ran), f"{refused.code}; {ran.messages}") from refused


def _what_is_wrong(probed: Probed, wanted_ms: int, size: tuple[int, int] | None, has_sound: bool) -> str:
    """Return in what a result is not the clip that was wanted, or nothing."""
    found_size = probed.video.upright_size if probed.video else None
    if found_size != size:
        return f"picture {found_size}, not {size}"
    if (probed.audio is not None) != has_sound:
        return "no sound" if has_sound else "sound from nowhere"
    if abs(probed.duration_ms - wanted_ms) > TOLERANCE_MS:
        return f"{probed.duration_ms} ms, not {wanted_ms}"
    return f"{probed.bytes} bytes" if probed.bytes < FEWEST_BYTES else ""


def _broken(ran: Ran) -> Reason:
    """Return why a run that ended well made nothing: ffmpeg writes a full disk to stderr and ends with 0."""
    return Reason.NO_SPACE if reason_of(ran.code, ran.messages) is Reason.NO_SPACE else Reason.BROKEN_RESULT


def _can_tone_map(video: VideoStream, programs: Programs) -> bool:
    return video.is_hdr and has_filters(programs, *arguments.TONE_FILTERS)
