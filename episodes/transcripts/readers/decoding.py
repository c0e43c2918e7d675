"""Turn the bytes of a file into text, or say what else the file is."""

import codecs
import re
from collections.abc import Iterator

from episodes.transcripts.parsed import UnreadableTranscript

_SIGNATURES = [
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"ID3", "a sound file (MP3)"),
    (b"\xff\xfb", "a sound file (MP3)"),
    (b"\xff\xf3", "a sound file (MP3)"),
    (b"\xff\xf1", "a sound file (AAC)"),
    (b"OggS", "a sound file (Ogg)"),
    (b"fLaC", "a sound file (FLAC)"),
    (b"\x1aE\xdf\xa3", "a video (Matroska or WebM)"),
    (b"\x1f\x8b", "a compressed file (gzip)"),
    (b"BZh", "a compressed file (bzip2)"),
    (b"7z\xbc\xaf", "a compressed file (7z)"),
    (b"\xfd7zXZ", "a compressed file (xz)"),
    (b"Rar!\x1a", "a compressed file (RAR)"),
    (b"\xd0\xcf\x11\xe0", "an old Word or Excel document"),
    (b"{\\rtf", "a rich text document (RTF)"),
    (b"SQLite format 3", "a database (SQLite)"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
]
_OFFICE = {
    b"word/": "a Word document",
    b"xl/": "an Excel document",
    b"ppt/": "a PowerPoint document",
    b"opendocument": "an OpenDocument file",
    b"epub+zip": "an e-book (EPUB)",
}
_BOMS = [
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
]
_DECLARED = re.compile(
    rb"<\?xml[^<>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})"
    rb"|<meta[^<>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9._:-]{1,40})",
    re.IGNORECASE,
)
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_SAMPLE_BYTES = 200_000  # how much of a file is weighed to guess its encoding
_CONTROLS = re.compile("[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_KANA = re.compile("[\u3041-\u30ff]")
_NAMES = {
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "cp932": "Shift JIS (Japanese)",
    "euc_jp": "EUC-JP (Japanese)",
    "cp949": "EUC-KR (Korean)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "cp1252": "Windows-1252 (Western)",
}
_DOCUMENT_ADVICE = "Save the transcript as text, VTT or SRT and import that."


def decode(data: bytes) -> tuple[str, list[str]]:
    """Return the text of a file and what had to be guessed or repaired for it.

    Looks for a byte order mark, UTF-16 without one, UTF-8, the encoding that XML or
    HTML declares, and then for the encoding whose letters the bytes suit best.

    Raises UnreadableTranscript, naming what the file seems to be, for other than text.
    """
    _refuse_other_kinds(data)
    text, repairs = _decode(data)
    if len(_CONTROLS.findall(text[:_SAMPLE_BYTES])) > max(20, len(text[:_SAMPLE_BYTES]) // 50):
        raise UnreadableTranscript("This is not a text file.")
    return text, repairs


def _refuse_other_kinds(data: bytes) -> None:
    kind = next((name for signature, name in _SIGNATURES if data.startswith(signature)), None)
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        ends = data[:4000] + data[-4000:]
        kind = next((name for mark, name in _OFFICE.items() if mark in ends), "a compressed file (ZIP)")
    elif data[4:8] == b"ftyp":
        kind = "a sound or video file (MP4)"
    elif data.startswith(b"RIFF") and data[8:12] in {b"WAVE", b"AVI ", b"WEBP"}:
        kind = {b"WAVE": "a sound file (WAV)", b"AVI ": "a video (AVI)", b"WEBP": "a picture (WebP)"}[data[8:12]]
    if kind:
        advice = _DOCUMENT_ADVICE if "document" in kind or "OpenDocument" in kind else "Choose the transcript’s file."
        raise UnreadableTranscript(f"This is {kind}, not a transcript. {advice}")


def _decode(data: bytes) -> tuple[str, list[str]]:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _with_replacements(data[len(bom) :], encoding)
    wide = _wide_encoding(data[:2000])
    if wide:
        return _with_replacements(data, wide)
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError:
        pass
    declared = _declared_encoding(data[:2000])
    if declared:
        try:
            return data.decode(declared), []
        except (UnicodeDecodeError, ValueError):
            pass
    if _is_damaged_utf8(data):
        return _with_replacements(data, "utf-8")
    encoding = _guess(data)
    text, repairs = _with_replacements(data, encoding)
    return text, [f"The file is not UTF-8; it was read as {_NAMES[encoding]}. Look at its letters.", *repairs]


def _with_replacements(data: bytes, encoding: str) -> tuple[str, list[str]]:
    try:
        return data.decode(encoding), []
    except UnicodeDecodeError:
        text = data.decode(encoding, "replace")
    return text, ["Some characters of the file are damaged; “\ufffd” stands in for each."]


def _wide_encoding(start: bytes) -> str | None:
    """Return which UTF-16 has these zero bytes, for Western text without a mark."""
    even, odd = start[::2], start[1::2]
    if len(odd) < 4:
        return None
    if odd.count(0) * 10 > len(odd) * 4 and even.count(0) * 20 < len(even):
        return "utf-16-le"
    if even.count(0) * 10 > len(even) * 4 and odd.count(0) * 20 < len(odd):
        return "utf-16-be"
    return None


def _declared_encoding(start: bytes) -> str | None:
    match = _DECLARED.search(start)
    if match is None:
        return None
    name = (match[1] or match[2]).decode("ascii")
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    is_text = getattr(info, "_is_text_encoding", True)
    return info.name if is_text and info.name not in {"idna", "punycode", "unicode_escape"} else None


def _is_damaged_utf8(data: bytes) -> bool:
    """Tell whether most bytes beyond ASCII make up UTF-8, such as in a file cut in mid-letter."""
    sample = _high_sample(data)
    high = sum(byte >= 0x80 for byte in sample)
    good = sample.decode("utf-8", "ignore").encode()
    return sum(byte >= 0x80 for byte in good) * 10 >= high * 8


def _high_sample(data: bytes) -> bytes:
    """Return the part of a file to weigh: from a little before its first letter beyond ASCII."""
    first = _HIGH_RUN.search(data)
    start = first.start() if first else 0
    return data[start : start + _SAMPLE_BYTES]


def _guess(data: bytes) -> str:
    sample = _high_sample(data)
    best = max(_scores(sample), default=(0.0, "cp1252"))
    return best[1] if best[0] > 0.5 else "cp1252"


def _scores(sample: bytes) -> Iterator[tuple[float, str]]:
    """Yield how well each encoding suits, from 0 to 1: how many of its letters are common ones."""
    runs = _HIGH_RUN.findall(sample)
    alone = sum(len(run) == 1 for run in runs) / max(len(runs), 1)
    for encoding, common in _COMMON.items():
        text = _decoded(sample, encoding)
        letters = [character for character in text if character > "\x7f"]
        if letters:
            share = sum(common(character) for character in letters) / len(letters)
            bonus = 0.05 if encoding in {"cp932", "euc_jp"} and _KANA.search(text) else 0.0
            bonus = 0.1 if encoding == "cp949" else bonus  # all Hangul are common Han elsewhere, but not the reverse
            yield share + bonus - (alone * 0.5 if encoding != "cp1252" else 0.0), encoding


def _decoded(sample: bytes, encoding: str) -> str:
    """Return the sample as text, or nothing where the encoding does not fit."""
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
    return "" if text.count("\ufffd") * 200 > len(text) else text


def _lead(character: str, encoding: str) -> int:
    try:
        code = character.encode(encoding)
    except UnicodeEncodeError:
        return 0
    return code[0] if len(code) == 2 else 0


def _is_common_gb(character: str) -> bool:
    return 0xB0 <= _lead(character, "gb2312") <= 0xD7 or character in "，。？！：；、“”‘’《》（）…—\u3000"


def _is_common_big5(character: str) -> bool:
    return 0xA4 <= _lead(character, "big5") <= 0xC6 or character in "，。？！：；、「」『』（）…—\u3000"


def _is_common_japanese(character: str) -> bool:
    is_kana = "\u3041" <= character <= "\u30ff"
    return is_kana or 0x88 <= _lead(character, "cp932") <= 0x97 or character in "、。？！「」『』（）…―　ー"


def _is_common_korean(character: str) -> bool:
    return 0xB0 <= _lead(character, "euc_kr") <= 0xC8


def _is_common_cyrillic(character: str) -> bool:
    return "а" <= character <= "я" or character in "ё«»—…№"


def _is_common_russian_koi8(character: str) -> bool:
    return "а" <= character <= "я"


def _is_western(character: str) -> bool:
    return character in "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœšžÀÁÂÄÅÆÇÈÉÊÍÎÑÓÔÖØÙÚÜŒŠŽ’‘“”„–—…«»¡¿€£°§\xa0"


_COMMON = {
    "cp1252": _is_western,
    "gb18030": _is_common_gb,
    "big5": _is_common_big5,
    "cp932": _is_common_japanese,
    "euc_jp": _is_common_japanese,
    "cp949": _is_common_korean,
    "cp1251": _is_common_cyrillic,
    "koi8_r": _is_common_russian_koi8,
}
