"""Characters that belong together, and the writing that they are of."""

import re
import unicodedata
from collections import Counter

JOINERS = "\u200c\u200d"
VARIANTS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
# What is not drawn at all: controls, direction marks, soft hyphens; a zero-width space becomes a place to break.
UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]"
)
SPACES = re.compile(r"\s+")

_PICTURE = (
    "[\U0001f004\U0001f0cf\U0001f18e\U0001f191-\U0001f19a\U0001f201\U0001f21a\U0001f22f\U0001f232-\U0001f236"
    "\U0001f238-\U0001f23a\U0001f250\U0001f251\U0001f300-\U0001f64f\U0001f680-\U0001f6ff\U0001f7e0-\U0001f7f0"
    "\U0001f900-\U0001f9ff\U0001fa70-\U0001faff⌚⌛⏩-⏬⏰⏳◽◾☔☕♈-♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓-❕❗➕-➗➰➿⬛⬜⭐⭕]"
)
_ONE = f"(?:{_PICTURE}\ufe0f?|[\xa9\xae\u203c-\u3299]\ufe0f)[\U0001f3fb-\U0001f3ff]?[\U000e0020-\U000e007f]*"
EMOJI = re.compile(
    f"[\U0001f1e6-\U0001f1ff]{{2}}|[0-9#*]\ufe0f?\u20e3|{_ONE}(?:\u200d(?:{_ONE}|[\u2190-\u2bff]\ufe0f?))*"
)

_KINDS = {"HIRAGANA", "KATAKANA", "HANGUL", "FULLWIDTH", "HALFWIDTH", "IDEOGRAPHIC", "BOPOMOFO"}
RIGHT_TO_LEFT = {"ARABIC", "HEBREW", "SYRIAC", "THAANA", "NKO", "ADLAM"}
UNSPACED = {"CJK", "THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN"}  # writings that may break between letters


def split_clusters(text: str) -> list[str]:
    """Return characters with what sits on them, and emoji whole."""
    clusters: list[str] = []
    place = 0
    while place < len(text):
        emoji = EMOJI.match(text, place)
        end = emoji.end() if emoji else place + 1
        while end < len(text) and _sits(text[end]):
            end += 1
        clusters.append(text[place:end])
        place = end
    return clusters


def _sits(character: str) -> bool:
    return character in JOINERS or unicodedata.category(character)[0] == "M"


def is_emoji(cluster: str) -> bool:
    return EMOJI.match(cluster) is not None


def script_of(character: str) -> str:
    """Return the writing that a letter is of, such as LATIN; nothing for what all writings share."""
    if unicodedata.category(character)[0] != "L":
        return "CJK" if character == "々" else ""
    first = unicodedata.name(character, "").partition(" ")[0].partition("-")[0]
    return "CJK" if first in _KINDS else first


def main_script(text: str) -> str:
    """Return the writing that most letters are of; LATIN where there are none."""
    counts = Counter(script for character in text if (script := script_of(character)))
    # An ideograph says about as much as two letters.
    counts["CJK"] *= 2
    best = max(counts.items(), key=lambda pair: (pair[1], pair[0]))
    return best[0] if best[1] else "LATIN"


def language_of(text: str, hint: str = "") -> str:
    """Return whose shapes ideographs take: ja, ko, zh or zh-hant."""
    names = " ".join(unicodedata.name(character, "").partition(" ")[0] for character in text)
    if "HIRAGANA" in names or "KATAKANA" in names:
        return "ja"
    if "HANGUL" in names:
        return "ko"
    code = hint.lower()
    if code.startswith("zh"):
        return "zh-hant" if any(part in code for part in ("hant", "tw", "hk", "mo")) else "zh"
    return code[:2] if code[:2] in {"ja", "ko"} else "zh"
