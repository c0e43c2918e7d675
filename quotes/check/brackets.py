"""What a bracket may stand for; ``shared/verbatim.md`` §8."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .folding import Folding
from .languages import Language
from .pieces import cut_text

LONGEST = 4

Texts = tuple[str, ...]


class DeclaredNames:
    """What is heard for which name, in keys; with an ``'s`` on both or on neither."""

    def __init__(self, names: Iterable[Any], folding: Folding) -> None:
        self._pairs: set[tuple[Texts, Texts]] = set()
        for name in names:
            heard, written = _heard_and_name(name)
            for ending in ("", "'s", "s'"):
                one, other = _keys(heard + ending, folding), _keys(written + ending, folding)
                if one and other:
                    self._pairs.add((one, other))

    def __contains__(self, pair: tuple[Texts, Texts]) -> bool:
        return pair in self._pairs


def _heard_and_name(name: Any) -> tuple[str, str]:
    if isinstance(name, Mapping):
        return str(name.get("heard") or ""), str(name.get("name") or "")
    if isinstance(name, (tuple, list)):
        heard, written = name
        return str(heard or ""), str(written or "")
    return str(getattr(name, "heard", None) or ""), str(getattr(name, "name", None) or "")


def _keys(text: str, folding: Folding) -> Texts:
    return tuple(folding.key(part.text) for part in cut_text(text))


def may_replace(said: Sequence[str], written: Sequence[str], names: DeclaredNames, folding: Folding) -> bool:
    """Tell whether a bracket may stand in place of one to four pieces."""
    language = folding.language
    if not 1 <= len(said) <= LONGEST or any(language.is_protected(text) for text in said):
        return False
    is_name = (tuple(map(folding.key, said)), tuple(map(folding.key, written))) in names
    stands_for_pronoun = all(language.is_pronoun(text) for text in said)
    return is_name or (stands_for_pronoun and not language.holds_protected(written))


def may_add(written: Sequence[str], language: Language) -> bool:
    """Tell whether a bracket may add these pieces."""
    return len(written) <= LONGEST and not language.holds_protected(written)
