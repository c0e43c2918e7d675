"""The pages of an episode's transcripts in the newsroom."""

from .bringing import BringingPages
from .names import NamePages
from .speakers import SpeakerPages
from .speech import SpeechPages
from .versions import VersionPages


class TranscriptPages(VersionPages, BringingPages, SpeechPages, SpeakerPages, NamePages):
    """All pages of transcripts, under an episode's own."""


__all__ = ["TranscriptPages"]
