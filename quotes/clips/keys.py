"""The name of a clip: a hash of everything that decides its bytes."""

import json
from hashlib import sha256
from typing import Any

from . import arguments, audiogram
from .grid import snap
from .request import ClipRequest, Kind


def content_key(request: ClipRequest, *, media_hash: str, watermark_key: str = "") -> str:
    """Return 64 hexadecimal digits; the same clip has the same key, and any other another.

    ``media_hash`` is that of the source's bytes, ``watermark_key`` that of ``Watermark``. Where
    the file lies counts for nothing, nor does what this kind of clip does not show.
    """
    values = {
        "pipeline": arguments.PIPELINE,
        "kind": request.kind,
        "media": media_hash,
        "labels": [request.title, request.page_url],
        **_ABOUT[request.kind](request),
    }
    if request.kind is not Kind.AUDIO and request.watermark:
        values["watermark"] = watermark_key
    return sha256(json.dumps(values, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _about_video(request: ClipRequest) -> dict[str, Any]:
    assert request.probed.video is not None  # noqa: S101 - the request was checked
    span = snap(*request.cut_ms, request.probed.video)
    return {
        "frames": [span.first, span.count, str(span.fps), str(span.phase)],
        "encoding": [arguments.HEIGHT, arguments.PRESET, arguments.CRF, arguments.VIDEO_SOUND],
    }


def _about_audio(request: ClipRequest) -> dict[str, Any]:
    return {"cut_ms": request.cut_ms, "encoding": [arguments.PLAYER_SOUND]}


def _about_audiogram(request: ClipRequest) -> dict[str, Any]:
    card = request.card
    return {
        "cut_ms": request.cut_ms,
        "design": audiogram.DESIGN,
        "encoding": [arguments.PRESET, arguments.CRF, arguments.VIDEO_SOUND],
        "card": [card.speaker, card.episode, card.show],
        "artwork": sha256(card.artwork.read_bytes()).hexdigest() if card.artwork else "",
        "captions": [[word.text, word.start_ms, word.end_ms] for word in request.words],
    }


_ABOUT = {Kind.VIDEO: _about_video, Kind.AUDIO: _about_audio, Kind.AUDIOGRAM: _about_audiogram}
