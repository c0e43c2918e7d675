"""When single pieces are the same: each is given a key, and equal keys are one word; ``shared/verbatim.md`` §4."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from .languages import Language
from .languages.base import Spellings
from .numbers import number_key
from .pieces import cut_text

Form = tuple[str, ...]

MOST_KEPT = 200_000  # words whose keys are remembered


class Folding:
    """The keys of a language, with the spellings of its table and those that an editor added."""

    def __init__(self, language: Language, spellings: Spellings = ()) -> None:
        self.language = language
        self._keys: dict[str, str] = {}
        self._singles: dict[str, str] = {}
        self.content: dict[str, list[str]] = {}  # of whole words, for those who cut many
        forms = [(_form(one), _form(other)) for one, other in (*language.spellings, *spellings)]
        for one, other in forms:
            if len(one) == len(other) == 1:
                keys = sorted((self.key(one[0]), self.key(other[0])))
                self._singles |= {self.bare(one[0]): keys[0], self.bare(other[0]): keys[0]}
                self._keys.clear()
        self.phrases = [pair for pair in forms if (len(pair[0]), len(pair[1])) != (1, 1) and all(pair)]
        self.spoken = [(_form(one), _form(other)) for one, other in language.spoken_forms]

    def key(self, text: str) -> str:
        """Return what is equal for all ways to write one word or one number."""
        key = self._keys.get(text)
        if key is None:
            bare = self.bare(text)
            if len(self._keys) > MOST_KEPT:
                self._keys.clear()
            key = self._singles.get(bare) or number_key((text,), self.language) or bare
            self._keys[text] = key
        return key

    def bare(self, text: str) -> str:
        """Return the text without apostrophes, where that makes no other word of it."""
        bare = text.replace("'", "")
        return text if bare in self.language.keep_apostrophe else bare

    def is_form(self, texts: Sequence[str], form: Form) -> bool:
        """Tell whether pieces are a form of a table; a leading apostrophe must be there."""
        return len(texts) == len(form) and all(
            text == part if part[0] == "'" else self.key(text) == self.key(part)
            for text, part in zip(texts, form, strict=True)
        )


def _form(text: str) -> Form:
    return tuple(part.text for part in cut_text(text))


@lru_cache(maxsize=64)
def _folding(language: Language, spellings: Spellings) -> Folding:
    return Folding(language, spellings)


def folding_of(language: Language, spellings: Iterable[tuple[str, str]] = ()) -> Folding:
    return _folding(language, tuple((str(one), str(other)) for one, other in spellings))
