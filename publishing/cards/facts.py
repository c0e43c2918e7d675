"""What a card says."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """A picture by its name in the storage, which never gets other bytes, and where to look at it, in percent."""

    name: str
    focal_x: int = 50
    focal_y: int = 50


@dataclass(frozen=True)
class CardFacts:
    """Everything that is drawn, and nothing else: two cards of the same facts are the same bytes.

    With a ``quote`` the card shows somebody's words, and ``title`` is their claim, which leads where
    the words are too long to be read; else ``title`` is the name of the thing, and ``text`` says more of it.
    """

    site: str
    language: str = ""  # of the words, such as ja or zh-TW: it chooses the shapes of ideographs
    label: str = ""  # over the title: what this is, or whose
    title: str = ""
    text: str = ""
    quote: str = ""
    name: str = ""  # who said it
    line: str = ""  # where and when
    portrait: Picture | None = None
    artwork: Picture | None = None
    logo: Picture | None = None
