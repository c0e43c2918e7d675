"""What went wrong in a run of ffmpeg, as a reason for the code and a sentence for an editor."""

import enum
import signal

from django.utils.translation import gettext_lazy


class Reason(enum.Enum):
    """Why a run gave nothing."""

    MISSING = "missing"  # no ffmpeg here
    TIMEOUT = "timeout"
    STALLED = "stalled"
    KILLED = "killed"
    NO_SPACE = "no_space"
    REFUSED = "refused"  # the input is not what it claims to be
    FAILED = "failed"
    BROKEN_RESULT = "broken_result"  # it ended well, and made no clip


SENTENCES = {
    Reason.MISSING: gettext_lazy("There is no ffmpeg on this server, so no clip can be made. Its operator can add it."),
    Reason.TIMEOUT: gettext_lazy(
        "It took longer than it may, and was stopped. Try again when the server is less busy."
    ),
    Reason.STALLED: gettext_lazy(
        "It stood still and was stopped. Try again; if it stops there again, the file is broken."
    ),
    Reason.KILLED: gettext_lazy("The server ended the work, as it does when memory runs short. Try again later."),
    Reason.NO_SPACE: gettext_lazy("There was no room left for the file. The server's disk or the limit is full."),
    Reason.REFUSED: gettext_lazy("ffmpeg cannot read this file as sound or video."),
    Reason.FAILED: gettext_lazy("ffmpeg ended without a result. The server's log says more."),
    Reason.BROKEN_RESULT: gettext_lazy("What came out is not the clip that was asked for, so it was thrown away."),
}
RETRIED = {Reason.TIMEOUT, Reason.STALLED, Reason.KILLED, Reason.NO_SPACE}  # may well work another time

# What the programs write, in both old and new versions.
_NO_SPACE = ("No space left on device", "Disk quota exceeded", "File too large")
_REFUSED = (
    "Invalid data found when processing input",
    "not on whitelist",
    "not in whitelist",
    "moov atom not found",
    "could not find codec parameters",
)
_OUT_OF_MEMORY = ("Cannot allocate memory", "malloc of size")


class FfmpegFailed(Exception):
    """A run that failed: ``reason``, ``detail`` for the log alone, and as text a sentence for an editor."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return str(SENTENCES[self.reason])

    @classmethod
    def of(cls, code: int, messages: str) -> "FfmpegFailed":
        """Return the failure of a program that ended with this code and these messages."""
        return cls(reason_of(code, messages), messages or f"code {code}")

    @property
    def may_work_later(self) -> bool:
        return self.reason in RETRIED


def reason_of(code: int, messages: str) -> Reason:
    """Return why a program ended with this code (negative: the signal) and these messages."""
    if code == -signal.SIGXFSZ or any(text in messages for text in _NO_SPACE):
        return Reason.NO_SPACE
    if code == -signal.SIGXCPU:
        return Reason.TIMEOUT
    if code < 0 or any(text in messages for text in _OUT_OF_MEMORY):
        return Reason.KILLED
    return Reason.REFUSED if any(text.lower() in messages.lower() for text in _REFUSED) else Reason.FAILED
