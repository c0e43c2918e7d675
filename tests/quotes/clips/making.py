"""Requests for tests, with what they are not about filled in."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from episodes.ffmpeg import AudioStream, Probed, VideoStream
from quotes.clips import ClipRequest, Kind

VIDEO = VideoStream(0, "h264", 1920, 1080, Fraction(30))
AUDIO = AudioStream(1, "aac", 48000, 2)
FILM = Probed("mov,mp4,m4a,3gp,3g2,mj2", 60_000, 0, 1000, VIDEO, AUDIO)


def make_request(**fields) -> ClipRequest:
    request = ClipRequest(Path("/media/a.mp4"), FILM, Kind.VIDEO, 2000, 5000)
    return replace(request, **fields)
