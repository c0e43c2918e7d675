"""What readers see of a quote's proof: nothing but what a passing check against the transcript that holds has found."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, gettext_lazy

from episodes.transcripts.naming import SpeakerName, SpeakerNames
from episodes.transcripts.shown import html_language, source_parts
from publishing.templatetags.pullquote import site_date

from .check import CheckResult, RemovedKind, Run, Warned, WarningKind, describe
from .marks import heard_of
from .models import Checked, Quote, QuoteCheck

LEFT_OUT: dict[str, str | Promise] = {
    RemovedKind.FILLER: gettext_lazy("filler sound"),
    RemovedKind.STUTTER: gettext_lazy("stutter"),
    RemovedKind.REPETITION: gettext_lazy("repetition"),
    RemovedKind.FALSE_START: gettext_lazy("false start"),
    RemovedKind.DISCOURSE_MARKER: gettext_lazy("filler word"),
    RemovedKind.OTHER_SPEAKER: gettext_lazy("interjection by somebody else"),
    RemovedKind.CORRECTION: gettext_lazy("the editor's [brackets] stand here"),
    RemovedKind.ELLIPSIS: gettext_lazy("… stands here"),
}
MOST_NAMED = 5  # words in one sentence
SOUND = "sound"  # of a run: a sound that the transcript notes, no word


@dataclass(frozen=True)
class Proof:
    """A passing check of what readers see, in words."""

    quote: Quote
    check: QuoteCheck
    result: CheckResult
    asked_by: SpeakerName | None

    @property
    def badge(self) -> str:
        return str(Checked(self.check.verdict).label)

    @property
    def finding(self) -> str:
        """Return what was done to the words, in one line; the badge says the verdict."""
        return describe(self.result).removeprefix(self.check.verdict).removeprefix(": ")

    @property
    def spoken(self) -> SafeString:
        """Return the words as spoken, with what was left out struck through."""
        return format_html_join(" ", "{}", ((_run(run),) for run in self.result.marked if run.text))

    @property
    def left_out(self) -> list[tuple[str, str]]:
        """Return the words that were left out, each run with its kind in words."""
        return [(" ".join(run.words).rstrip(",;:"), str(LEFT_OUT[run.kind])) for run in self.result.removed]

    @property
    def question(self) -> str:
        """Return what another speaker said just before; empty where nobody asked."""
        return (self.check.around or {}).get("question", "")

    @property
    def cautions(self) -> list[str]:
        return list(dict.fromkeys(_cautions(self.result.warnings)))

    @property
    def lang(self) -> str:
        return html_language(self.check.transcript.language)

    @property
    def transcript_url(self) -> str:
        """Return where the quote begins in the transcript."""
        episode = self.quote.episode
        url = reverse("episodes:transcript", args=[episode.show.slug, episode.slug])
        return f"{url}#{self.check.around['anchor']}" if self.check.around else url

    @property
    def source(self) -> list[SafeString | str]:
        return source_parts(self.check.transcript)


def proof_of(quote: Quote, check: QuoteCheck | None) -> Proof | None:
    """Return the proof of a quote; None unless its check passes. One query at most."""
    if check is None or not check.passes:
        return None
    label = (check.around or {}).get("label", "")
    asked_by = SpeakerNames(check.transcript).of(label) if label else None
    return Proof(quote, check, CheckResult.from_json(check.result), asked_by)


def heard_by(quote: Quote) -> SafeString | str:
    """Return who heard a quote as it stands, and when; empty where nobody did."""
    shown = {"text": quote.text, "speaker": quote.speaker_id, "start_ms": quote.start_ms, "end_ms": quote.end_ms}
    mark = heard_of(shown | {"heard": quote.heard})
    if mark is None:
        return ""
    return format_html(_("Heard by {by}, {day}"), by=mark["by"], day=site_date(parse_datetime(mark["at"])))


def _run(run: Run) -> SafeString:
    if run.kind == SOUND:
        return format_html('<span class="spoken__sound">{}</span>', run.text)
    if run.kept:
        return format_html("{}", run.text)
    kind = LEFT_OUT.get(run.kind, "")
    html = '<del title="{}"><span class="visually-hidden">({}: </span>{}<span class="visually-hidden">)</span></del>'
    return format_html(html, kind, _("left out, %(kind)s") % {"kind": kind}, run.text)


def _cautions(warnings: Iterable[Warned]) -> Iterator[str]:
    """Yield what a reader should know; what else a check warns of is for editors."""
    for warned in warnings:
        named = list(dict.fromkeys(word.strip(".,;:!?") for word in warned.words))
        words = get_text_list([f"“{word}”" for word in named], _("and")) if len(named) <= MOST_NAMED else ""
        if sentence := _caution(warned.kind, bool(words)):
            yield sentence % {"words": words}


def _caution(kind: WarningKind, has_words: bool) -> str:
    if kind == WarningKind.EDGE_NEGATION and has_words:
        return _("Just before these words stands %(words)s. Read on in the transcript.")
    if kind == WarningKind.EDGE_QUALIFIER and has_words:
        return _("Right beside these words stands %(words)s. Read on in the transcript.")
    if kind in (WarningKind.EDGE_NEGATION, WarningKind.EDGE_QUALIFIER):
        return _("Words right beside these may limit them. Read on in the transcript.")
    if kind == WarningKind.LOW_CONFIDENCE and has_words:
        return _("The machine that wrote the transcript was not sure that it heard %(words)s.")
    if kind == WarningKind.LOW_CONFIDENCE:
        return _("The machine that wrote the transcript was not sure that it heard all of these words.")
    if kind == WarningKind.ESTIMATED_TIME:
        return _("The times are estimated; the clip may begin or end a moment too early or too late.")
    if kind == WarningKind.SPEAKER_UNKNOWN:
        return _("The transcript does not say who speaks here.")
    return ""
