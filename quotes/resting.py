"""What quotes tell of themselves where transcripts are brought in and corrected."""

from collections.abc import Iterator

from django.db.models import F, Q
from django.utils.translation import gettext as _

from episodes.models import Episode, Transcript
from episodes.transcripts.resting import MOST_TOLD, Effect, Resting, tell_resting
from episodes.transcripts.script import Script

from .check import CheckResult, describe, prepare
from .checking import compare_words, names_of, unsure_labels
from .models import Quote, QuoteCheck


class RestingQuotes:
    def effects(self, episode: Episode, script: Script, language: str) -> Iterator[Effect]:
        """Yield what would become of the episode's quotes, as readers see them, else as drafted. Five queries."""
        rows = Quote.objects.filter(episode=episode).select_related("item__head", "item__live")
        quotes = list(rows.order_by("-visible", "start_ms", "pk")[:MOST_TOLD])
        shown = {quote.pk: quote.item.live or quote.item.newest for quote in quotes}
        checks = QuoteCheck.objects.of_original().filter(revision__in=[revision.pk for revision in shown.values()])
        held = dict(checks.values_list("quote", "passes"))
        names = names_of(shown, [episode.pk])
        spoken = language.partition("-")[0]
        words = prepare(script.words, spoken)
        for quote in quotes:
            content = shown[quote.pk].content
            if not content.get("text"):
                continue
            result = compare_words(content, words, spoken, names.of(quote.pk, episode.pk))
            unsure = unsure_labels(result, script)
            yield Effect(
                str(quote.item),
                quote.item.admin_path,
                held.get(quote.pk),
                result.passes and not unsure,
                finding(result, unsure),
            )

    def resting(self, transcript: Transcript, words: range | None) -> Iterator[Resting]:
        """Yield the checks of what readers see, else of drafts, against a transcript. One query."""
        shown = Q(revision=F("quote__item__live")) | Q(quote__item__live__isnull=True, revision=F("quote__item__head"))
        checks = QuoteCheck.objects.filter(shown, transcript=transcript).select_related("quote__item")
        if words is not None:
            checks = checks.filter(result__first_word__lt=words.stop, result__last_word__gte=words.start)
        for check in checks.order_by("quote")[:MOST_TOLD]:
            result = CheckResult.from_json(check.result)
            yield Resting(
                str(check.quote.item),
                check.quote.item.admin_path,
                result.first_word,
                result.last_word,
                check.passes,
                finding(result, check.unsure),
            )


def finding(result: CheckResult, unsure: list[str]) -> str:
    """Return what was found, in words; nothing is wrong with the words where only a speaker is unsure."""
    if result.passes and unsure:
        return _("Nobody has said for sure who “%(label)s” is.") % {"label": unsure[0]}
    return describe(result)


tell_resting(RestingQuotes())
