"""Read the JSON that ffprobe answers with."""

import json
from fractions import Fraction
from typing import Any

from .answers import Answer, Told

ENTRIES = (
    "format=duration,start_time,format_name"
    ":stream=index,codec_type,codec_name,width,height,pix_fmt,sample_aspect_ratio,r_frame_rate,avg_frame_rate"
    ",start_time,sample_rate,channels,color_transfer"
    ":stream_disposition=attached_pic,default:stream_side_data=rotation"
)


def read_json(answer: bytes) -> Answer | None:
    """Return what ffprobe told, or None where it could not read the file."""
    try:
        values = json.loads(answer.decode(errors="replace") or "{}")
    except ValueError:
        return None
    format = values.get("format")
    if not format or "format_name" not in format:
        return None
    streams = [_stream(stream) for stream in values.get("streams", [])]
    return Answer(format["format_name"], _us(format.get("duration")), _us(format.get("start_time")) or 0, streams)


def _stream(values: dict[str, Any]) -> Told:
    disposition = values.get("disposition", {})
    return Told(
        index=values["index"],
        type=values.get("codec_type", ""),
        codec=values.get("codec_name", ""),
        is_default=bool(disposition.get("default")),
        is_cover=bool(disposition.get("attached_pic")),
        width=values.get("width", 0),
        height=values.get("height", 0),
        lowest_rate=_fraction(values.get("r_frame_rate")),
        average_rate=_fraction(values.get("avg_frame_rate")),
        pix_fmt=values.get("pix_fmt", ""),
        transfer=values.get("color_transfer", ""),
        rotation=_rotation(values.get("side_data_list", [])),
        pixel_shape=_fraction(values.get("sample_aspect_ratio", "").replace(":", "/")) or Fraction(1),
        start_us=_us(values.get("start_time")),
        sample_rate=int(values.get("sample_rate", 0)),
        channels=values.get("channels", 0),
    )


def _rotation(side_data: list[dict[str, Any]]) -> int:
    turned = [round(float(data["rotation"])) for data in side_data if "rotation" in data]
    return -turned[0] % 360 if turned else 0  # ffprobe counts against the clock


def _us(text: str | None) -> int | None:
    try:
        return round(Fraction(text or "") * 1_000_000)
    except ValueError:  # missing, or N/A
        return None


def _fraction(text: str | None) -> Fraction | None:
    try:
        return Fraction(text or "") or None
    except (ValueError, ZeroDivisionError):
        return None
