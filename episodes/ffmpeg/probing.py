"""Tell what a media file holds, or refuse it in words.

The program may be ffprobe, or ffmpeg alone where there is no other; both lead to the same
answer, but that ffmpeg prints lengths to a hundredth of a second.
"""

import tempfile
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from . import ffprobe_json
from .answers import Answer, Told
from .failures import FfmpegFailed
from .ffmpeg_text import read_text
from .ffprobe_json import read_json
from .programs import Programs, require_programs
from .refusals import MediaRefused, check_streams, refuse_at_sight, truncated, unread
from .running import Limits, Ran, run
from .safe import BASE, SAFE, cut_input, only, safe_input
from .streams import HDR_TRANSFERS, AudioStream, Probed, VideoStream, frame_rate, is_steady

ASK = Limits(wall_seconds=30, stall_seconds=30, cpu_seconds=30)
READ_THROUGH = Limits(wall_seconds=300, stall_seconds=60, cpu_seconds=120)  # 12 hours of mp3, from a slow disk
MOST_ANSWER = 1024 * 1024  # bytes
TAIL_US = 3_000_000  # how much of the end is read to see that it is there
SLACK_US = 5_000_000  # by which an announced end may lie behind the last packet: another track's, such as chapters


def probe(source: Path, programs: Programs | None = None) -> Probed:
    """Return what a file of ours holds. Runs two or three programs, each under limits.

    Raises MediaRefused where it cannot be used, and FfmpegFailed where a program failed.
    """
    refuse_at_sight(source)
    programs = require_programs(programs)
    with tempfile.TemporaryDirectory(prefix="pullquote-probe-") as name:
        folder = Path(name)
        answer = _ask(source, programs, folder)
        check_streams(answer)
        video, audio = _choose(answer.streams, "video"), _choose(answer.streams, "audio")
        _check_chosen(answer, video, audio)
        duration_us = _length(answer, _Reader(source, programs, folder, video, audio))
    return Probed(
        container=answer.container,
        duration_ms=duration_us // 1000,
        start_ms=round(answer.start_us / 1000),
        bytes=source.stat().st_size,
        video=_video(video, answer.start_us) if video else None,
        audio=AudioStream(audio.index, audio.codec, audio.sample_rate, audio.channels) if audio else None,
        has_cover=any(stream.is_cover for stream in answer.streams),
    )


def _ask(source: Path, programs: Programs, folder: Path) -> Answer:
    """Return what the program tells of the file. Raises MediaRefused where it cannot be opened."""
    if programs.ffprobe:
        show = ["-v", "warning", *SAFE, "-of", "json", "-show_entries", ffprobe_json.ENTRIES]
        command = [programs.ffprobe, *show, "-i", f"file:{source.absolute()}"]
    else:
        command = [programs.ffmpeg, "-hide_banner", "-nostdin", *safe_input(source)]
    ran = run(command, folder=folder, limits=ASK, most_answer=MOST_ANSWER, check=False)
    if programs.ffprobe:
        answer = read_json(ran.answer)
        if answer and "Estimating duration from bitrate" in ran.messages:
            answer = replace(answer, is_estimate=True)
    else:
        answer = read_text(ran.messages, str(source.absolute()))
    if answer is None:
        raise _failure(ran, source)
    return answer


def _failure(ran: Ran, source: Path) -> Exception:
    if ran.code < 0:  # killed: that says nothing about the file
        return FfmpegFailed.of(ran.code, ran.messages)
    return unread(source, ran.messages)


def _choose(streams: list[Told], kind: str) -> Told | None:
    """Return the stream that players take: the default one, else the first. A cover is no video."""
    able = [stream for stream in streams if stream.type == kind and not stream.is_cover]
    if kind == "video":
        able = [stream for stream in able if stream.width and stream.height]
    return next((stream for stream in able if stream.is_default), able[0] if able else None)


def _check_chosen(answer: Answer, video: Told | None, audio: Told | None) -> None:
    if not video and not audio:
        raise MediaRefused("cover_only" if any(stream.is_cover for stream in answer.streams) else "nothing")
    if any(stream and stream.codec in {"", "none", "unknown"} for stream in (video, audio)):
        raise MediaRefused("codec")


def _video(told: Told, start_us: int) -> VideoStream:
    fps = frame_rate(told.lowest_rate, told.average_rate)
    return VideoStream(
        index=told.index,
        codec=told.codec,
        width=told.width,
        height=told.height,
        fps=fps,
        pix_fmt=told.pix_fmt,
        rotation=told.rotation,
        is_hdr=told.transfer in HDR_TRANSFERS,
        pixel_shape=told.pixel_shape,
        start_us=max(0, told.start_us - start_us) if told.start_us is not None else 0,
        is_steady=is_steady(fps, told.lowest_rate, told.average_rate),
    )


class _Reader:
    """Reads the chosen streams of a file without decoding, to see where they end."""

    def __init__(self, source: Path, programs: Programs, folder: Path, *streams: Told | None) -> None:
        self.source, self.programs, self.folder = source, programs, folder
        self.maps = list(only(*(stream.index if stream else None for stream in streams)))

    def end_us(self, start_us: int = 0) -> int:
        """Return where the last packet behind a moment ends, or that moment where there is none."""
        opened = cut_input(self.source, Fraction(start_us, 1_000_000))
        command = [self.programs.ffmpeg, *BASE, *opened, *self.maps, "-c", "copy", "-f", "null", "-"]
        ran = run(command, folder=self.folder, limits=READ_THROUGH, progress=lambda _percent: None, check=False)
        return start_us + (ran.reached_us or 0)


def _length(answer: Answer, reader: _Reader) -> int:
    """Return how long the file is in microseconds, once its end was seen.

    A length that was guessed from the bit rate, as of a VBR mp3 without a table, is counted
    instead: 5 % of an hour are three minutes. Raises MediaRefused where the file was cut off.
    """
    announced = answer.duration_us
    if announced and not answer.is_estimate:
        begin = max(0, announced - TAIL_US)
        if reader.end_us(begin) - begin >= (announced - begin) // 2:
            return announced
    reached = reader.end_us()
    if not reached:
        raise truncated(0, announced // 1000) if announced else MediaRefused("no_length")
    if announced and not answer.is_estimate and reached < announced - _slack_us(announced):
        raise truncated(reached // 1000, announced // 1000)
    return reached


def _slack_us(announced: int) -> int:
    return max(min(SLACK_US, announced // 10), announced // 100)
