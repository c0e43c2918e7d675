"""Where a quote's words come from, in one sentence that says what is true of this quote and no more."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db import models
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy

from .check import PASSES, CheckResult, RemovedKind, WarningKind
from .models import Checked, Quote, QuoteCheck

NAMES_CAN_BE_MISHEARD = gettext_lazy("names can be misheard (the editor reads the context).")
NAMES_ARE_ASSESSED = gettext_lazy(
    "names can be misheard (the editor reads the context, assessments check outside sources)."
)


class Removed(models.TextChoices):
    """What may be left out of a quote, in the order in which a sentence names it; ``shared/verbatim.md`` §6 and §9."""

    FILLER = "filler", gettext_lazy("filler sounds")
    STUTTER = "stutter", gettext_lazy("stutters")
    REPETITION = "repetition", gettext_lazy("repetitions")
    FALSE_START = "false_start", gettext_lazy("false starts")
    DISCOURSE_MARKER = "discourse_marker", gettext_lazy("filler words")
    OTHER_SPEAKER = "other_speaker", gettext_lazy("interjections by others")
    ELLIPSIS = "ellipsis", gettext_lazy("the words where … stands")


@dataclass(frozen=True)
class Provenance:
    """What is known of a quote's words. ``removed`` holds values of Removed, in any order and number."""

    verdict: str = Checked.UNCHECKED
    is_automated: bool = False
    removed: tuple[str, ...] = ()
    is_respelled: bool = False
    is_speaker_named: bool = False  # by an editor: the words carry no speaker
    has_assessments: bool = False
    is_overridden: bool = False

    @property
    def is_promised(self) -> bool:
        """Tell whether the page may promise that the words are those of the transcript."""
        return self.verdict in PASSES and not self.is_overridden

    @property
    def sentence(self) -> str:
        """Return the sentence as the quote page shows it, without the link to the method page."""
        if not self.is_promised:
            return _("this quote has not been checked against a transcript.")
        names = NAMES_ARE_ASSESSED if self.has_assessments else NAMES_CAN_BE_MISHEARD
        named = [_("speaker named by the editor.")] if self.is_speaker_named else []
        return " ".join([self._source(), *named, str(names)])

    @property
    def anchor(self) -> str:
        """Return which part of the method page explains the sentence."""
        return "cleaned-for-reading" if self.is_promised else "not-checked"

    def _source(self) -> str:
        done = self._done()
        if done and self.is_automated:
            source = _("quote is from the automated transcript, cleaned for reading: %(done)s, %(rest)s.")
        elif done:
            source = _("quote is from the transcript, cleaned for reading: %(done)s, %(rest)s.")
        elif self.is_automated:
            source = _("quote is from the automated transcript: %(rest)s.")
        else:
            source = _("quote is from the transcript: %(rest)s.")
        return source % {"done": done, "rest": self._rest(bool(done))}

    def _done(self) -> str:
        """Return what was done to the words, if anything was."""
        kinds = _kinds(self.removed)
        parts = [_("%(kinds)s are removed") % {"kinds": kinds}] if kinds else []
        return ", ".join([*parts, *([_("spoken short forms are written out")] if self.is_respelled else [])])

    def _rest(self, is_cleaned: bool) -> str:
        if self.verdict == Checked.BRACKETED:
            return _("words in [brackets] are the editor's")
        return _("nothing is rephrased") if is_cleaned else _("nothing is removed, nothing is rephrased")


def _kinds(removed: Iterable[str]) -> str:
    """Return the kinds in words, each once. Raises ValueError for one that has no words: a promise hides nothing."""
    found = {Removed(kind) for kind in removed}
    return get_text_list([str(kind.label) for kind in Removed if kind in found], _("and"))


def provenance_of(quote: Quote, check: QuoteCheck | None) -> Provenance:
    """Return what is known of a quote's words, from what was found of them against the transcript that holds."""
    has_assessments = bool(quote.assessments)
    if check is None or not check.passes:
        return Provenance(has_assessments=has_assessments)
    result = CheckResult.from_json(check.result)
    return Provenance(
        verdict=check.verdict,
        is_automated=check.transcript.is_automated,
        removed=tuple(run.kind for run in result.removed if run.kind != RemovedKind.CORRECTION),
        is_respelled=any(words.raw for words in result.respelled),
        is_speaker_named=any(warned.kind == WarningKind.SPEAKER_UNKNOWN for warned in result.warnings),
        has_assessments=has_assessments,
    )
