"""Find out what a transcript file is, by its content, and have it read."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import PurePath

from episodes.transcripts.parsed import Message, ParsedTranscript, UnreadableTranscript

from .assemblyai import read_assemblyai
from .aws_transcribe import read_aws_transcribe
from .decoding import decode
from .deepgram import read_deepgram
from .draft import clean_line, quote
from .google_speech import find_google_results, read_google_speech
from .html_pages import read_html
from .json_values import obj, objects
from .limits import MAX_BYTES, MAX_LINES
from .podcast_json import read_podcast_json
from .rev_json import read_rev_json
from .srt import TIMING, read_srt
from .ttml import read_ttml
from .turns import read_turns
from .webvtt import read_webvtt
from .whisper import is_whisper, read_whisper
from .whisper_cpp import read_whisper_cpp
from .youtube_json3 import read_youtube_json3
from .youtube_xml import read_youtube_srv1, read_youtube_srv3

_WHISPERS = {"whisper", "whisperx", "faster_whisper", "whisper_timestamped"}
_HTML = re.compile(r"<!doctype html|<html[\s>]|<(?:cite|time)>|<(?:body|head|article|p|div|span)[\s>]", re.IGNORECASE)
_XML_ROOT = re.compile(r"<(?:[A-Za-z][\w.-]*:)?(tt|transcript|timedtext)[\s>/]")

JSON_READERS: dict[str, Callable[[object], ParsedTranscript]] = {
    "podcast_json": read_podcast_json,
    "whisper_cpp": read_whisper_cpp,
    "youtube_json3": read_youtube_json3,
    "deepgram": read_deepgram,
    "assemblyai": read_assemblyai,
    "aws_transcribe": read_aws_transcribe,
    "google_speech": read_google_speech,
    "rev_json": read_rev_json,
}
TEXT_READERS: dict[str, Callable[[str], ParsedTranscript]] = {
    "webvtt": read_webvtt,
    "srt": read_srt,
    "podcast_html": read_html,
    "hyperaudio_html": read_html,
    "youtube_srv1": read_youtube_srv1,
    "youtube_srv3": read_youtube_srv3,
    "ttml": read_ttml,
}
TURN_KINDS = (
    *("speaker_time_text", "otter_txt", "speaker_time_md", "rev_txt"),
    *("changelog_md", "time_text", "speaker_text", "text"),
)
FORMATS = (*TEXT_READERS, *JSON_READERS, *sorted(_WHISPERS), *TURN_KINDS)


def read_transcript(
    data: bytes, *, filename: str | None = None, language: str | None = None, format: str | None = None
) -> ParsedTranscript:
    """Return what a transcript file says, in whichever of FORMATS it is.

    The content decides the format; ``format`` overrules it, and ``filename`` counts
    only where two formats look alike. ``language`` stands in where the file names none.

    Raises UnreadableTranscript, with a sentence for the editor, for anything else.
    """
    if len(data) > MAX_BYTES:
        megabytes = len(data) / 1024 / 1024
        raise UnreadableTranscript(f"The file has {megabytes:.0f} MB; a transcript may have 20 MB.")
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise UnreadableTranscript("The file is empty.")
    text, repairs = decode(data)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    name = PurePath(filename or "").name.lower()
    if text.count("\n") > MAX_LINES:
        raise UnreadableTranscript(f"The file has more than {MAX_LINES:,} lines.")
    parsed = _read(text, name, _known(format))
    nulls = text.count("\0")
    if nulls:
        repairs = [*repairs, f"The file holds {nulls:,} zero bytes; they are left out."]
    messages = (*(Message(repair) for repair in repairs), *parsed.messages)
    return replace(parsed, messages=messages, language=parsed.language or clean_line(language or ""))


def _known(format: str | None) -> str:
    if format and format not in FORMATS:
        raise UnreadableTranscript(f"The format {quote(format)} is not known.")
    return format or ""


def _read(text: str, name: str, format: str) -> ParsedTranscript:
    if format == "webvtt" or (not format and text.lstrip("\n ").startswith("WEBVTT")):
        return read_webvtt(text.lstrip("\n ") if not format else text)  # needs the zero bytes
    text = text.replace("\0", "")
    if format in JSON_READERS or format in _WHISPERS:
        data = _load_json(text)
        return read_whisper(data, name) if format in _WHISPERS else JSON_READERS[format](data)
    if format in TURN_KINDS:
        return read_turns(text, format)
    if format:
        return TEXT_READERS[format](text)
    return _read_by_content(text, name)


def _read_by_content(text: str, name: str) -> ParsedTranscript:
    start = text[:4_000].lstrip()
    if start.startswith(("{", "[")) and _looks_like_json(start, name):
        return _read_json(text, name)
    if start.startswith("<"):
        return _read_markup(text, start)
    if "-->" in text or "->" in text:
        timing = next((line for line in text.split("\n") if TIMING.match(line)), "")
        if timing:
            is_vtt = name.endswith(".vtt") and "," not in timing
            return read_webvtt(text) if is_vtt else read_srt(text)
    if _HTML.search(start) and ("</cite>" in text or "data-m=" in text):
        return read_html(text)
    return read_turns(text)


def _looks_like_json(start: str, name: str) -> bool:
    return start[0] == "{" or name.endswith(".json") or re.match(r"\[\s*(?:[{\[\]\"]|$)", start) is not None


def _load_json(text: str) -> object:
    try:
        return json.loads(text.strip())
    except json.JSONDecodeError as error:
        sentence = f"The file is JSON, but cannot be read at line {error.lineno}, column {error.colno}."
        raise UnreadableTranscript(f"{sentence} It may be cut off.") from None
    except RecursionError:
        raise UnreadableTranscript("The JSON is nested too deep for a transcript.") from None
    except ValueError:
        raise UnreadableTranscript("The JSON holds a number that is too long.") from None


def _read_json(text: str, name: str) -> ParsedTranscript:
    data = _load_json(text)
    kind = _json_kind(data)
    if kind == "whisper":
        return read_whisper(data, name)
    if kind:
        return JSON_READERS[kind](data)
    raise UnreadableTranscript(_unknown_json(data))


def _json_kind(data: object) -> str:
    """Return which engine writes JSON of this shape, or nothing."""
    source = obj(data)
    results = obj(source.get("results"))
    segments = objects(source.get("segments") if source else data)
    if "events" in source and ("wireMagic" in source or any("tStartMs" in item for item in objects(source["events"]))):
        return "youtube_json3"
    if isinstance(source.get("transcription"), list):
        return "whisper_cpp"
    if isinstance(source.get("monologues"), list):
        return "rev_json"
    if "channels" in results or ("utterances" in results and "metadata" in source):
        return "deepgram"
    if "transcripts" in results or "items" in results or "audio_segments" in results:
        return "aws_transcribe"
    if find_google_results(data):
        return "google_speech"
    if any("body" in item or "startTime" in item for item in segments[:50]):
        return "podcast_json"
    if _is_assemblyai(source):
        return "assemblyai"
    if is_whisper(data):
        return "whisper"
    return "podcast_json" if source.get("segments") == [] else ""


def _is_assemblyai(source: dict[str, object]) -> bool:
    items = [
        *objects(source.get("utterances"))[:1],
        *objects(source.get("sentences"))[:1],
        *objects(source.get("words"))[:1],
    ]
    return any("text" in item and isinstance(item.get("start"), int) for item in items) and "segments" not in source


def _unknown_json(data: object) -> str:
    item = data[0] if isinstance(data, list) and data else data
    keys = ", ".join(quote(key, 40) for key in list(obj(item))[:8])
    found = f"It has the keys {keys}." if keys else "It has no keys."
    known = "Podcast JSON, Whisper, YouTube, Deepgram, AssemblyAI, Amazon, Google and Rev can be read."
    return f"This JSON is not a transcript that can be read. {found} {known}"


def _read_markup(text: str, start: str) -> ParsedTranscript:
    root = _XML_ROOT.search(start)
    if root and not re.search(r"<html[\s>]", start, re.IGNORECASE):
        if root[1] == "tt":
            return read_ttml(text)
        body = text[:200_000]
        return read_youtube_srv1(text) if re.search(r"<text[\s>]", body) else read_youtube_srv3(text)
    if start.startswith("<?xml") and not _HTML.search(start):
        raise UnreadableTranscript("This is XML, but not a transcript: TTML and YouTube captions can be read.")
    if not _HTML.search(start) and not start.startswith("<!--"):
        return read_turns(text)
    return read_html(text)
