"""The languages that feeds may name: ISO 639-1, and some of ISO 639-2 that have no short code."""

import re

_CODES = (
    "aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo "
    "es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka "
    "kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng "
    "nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st "
    "su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu "
    "ast ceb cmn fil gsw haw hmn kok mai nds yue "
)
CODES = frozenset(_CODES.split())
_CODE = re.compile(r"(?P<language>[a-z]{2,3})(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|[0-9]{3}))?")


def is_language(code: str) -> bool:
    """Tell whether a code such as ``en``, ``en-gb`` or ``zh-hant-tw`` names a language."""
    match = _CODE.fullmatch(code.lower())
    return match is not None and match["language"] in CODES


def feed_language(code: str) -> str:
    """Return a code as directories take it, in lower case and without the script, such as ``zh-tw``."""
    match = _CODE.fullmatch(code.lower())
    if match is None:
        return code.lower()
    return "-".join(part for part in (match["language"], match["region"]) if part)
