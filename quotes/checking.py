"""Comparing quotes with the transcripts that hold, and keeping what was found."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import QuerySet
from django.utils import timezone

from episodes.models import Episode, Transcript
from episodes.transcripts.current import when_current
from episodes.transcripts.question import question_before
from episodes.transcripts.script import KEPT, Script, script_of
from publishing.acts import touch
from publishing.content import Content
from publishing.jobs import Held, enqueue, job_kind
from publishing.models import Item, ItemLink, Revision

from .check import CheckResult, Prepared, check_quote, prepare
from .marks import words_key
from .models import Quote, QuoteCheck, QuoteWaiver

MOST_AT_ONCE = 200  # quotes that are checked in the act itself; of more, all wait for the worker
MOST_ROOM_MS = 150  # that a clip adds at each end
BATCH = 100  # quotes of one transaction of the worker


@dataclass(frozen=True)
class Names:
    """Declared mishearings by the guest or topic that declares them, and what each quote and episode names."""

    declared: Mapping[int, tuple[tuple[str, str], ...]]
    named: Mapping[int, tuple[int, ...]]

    def of(self, quote: int, episode: int) -> list[tuple[str, str]]:
        targets = dict.fromkeys((*self.named.get(episode, ()), *self.named.get(quote, ())))
        return [pair for target in targets for pair in self.declared.get(target, ())]


def names_of(quotes: Iterable[int], episodes: Iterable[int]) -> Names:
    """Return the mishearings that the guests and topics of quotes and their episodes declare. Two queries."""
    roles = ("guests", "topics", "speaker")
    links = ItemLink.objects.filter(source__in={*quotes, *episodes}, role__in=roles)
    named: dict[int, list[int]] = {}
    for source, target in links.order_by("source", "role", "position").values_list("source", "target"):
        named.setdefault(source, []).append(target)
    wanted = {target for targets in named.values() for target in targets}
    heads = Item.objects.filter(pk__in=wanted).values_list("pk", "head__content__mishearings")
    declared = {pk: tuple((row["heard"], row["name"]) for row in rows or ()) for pk, rows in heads}
    return Names(declared, {pk: tuple(targets) for pk, targets in named.items()})


def spoken_language(transcript: Transcript) -> str:
    """Return the language as the check knows it: ``en`` of ``en-gb``."""
    return transcript.language.partition("-")[0]


def prepared_words(transcript: Transcript) -> Prepared:
    """Return the words of a transcript, cut for many checks; those asked for last are kept."""
    return _prepared(transcript.pk, transcript.created_at)


@lru_cache(maxsize=KEPT)
def _prepared(pk: int, _made: datetime) -> Prepared:
    transcript = Transcript.objects.get(pk=pk)
    return prepare(script_of(transcript).words, spoken_language(transcript))


def speaker_of(content: Content) -> str | None:
    """Return the quote's speaker as words carry it."""
    return str(content["speaker"]) if content.get("speaker") else None


def check_content(content: Content, transcript: Transcript, names: Sequence[tuple[str, str]] = ()) -> CheckResult:
    """Compare a quote's content with what a transcript says."""
    return compare_words(content, prepared_words(transcript), spoken_language(transcript), names)


def compare_words(
    content: Content, words: Prepared, language: str, names: Sequence[tuple[str, str]] = ()
) -> CheckResult:
    """Compare a quote's content with words, whether a transcript holds them already or not."""
    return check_quote(
        words,
        content.get("text") or "",
        language=language,
        speaker=speaker_of(content),
        start_ms=content.get("start_ms"),
        end_ms=content.get("end_ms"),
        names=names,
    )


def check_revisions(revisions: Mapping[int, Revision]) -> dict[int, QuoteCheck]:
    """Check revisions of quotes, by the quote's id, against the transcripts that hold; returns what was kept.

    Quotes of episodes without one have no entry. A fixed number of queries, and one for
    the words of each transcript.
    """
    episodes = dict(Quote.objects.filter(pk__in=revisions).values_list("pk", "episode"))
    originals = {
        one.episode_id: one for one in Transcript.objects.original().filter(episode__in=set(episodes.values()))
    }
    wanted = {pk: revision for pk, revision in revisions.items() if episodes[pk] in originals}
    if not wanted:
        return {}
    names = names_of(wanted, originals)
    found = {}
    for pk in sorted(wanted, key=lambda quote: episodes[quote]):  # so that each body is unpacked once
        transcript, content = originals[episodes[pk]], wanted[pk].content
        result = check_content(content, transcript, names.of(pk, transcript.episode_id))
        found[pk] = _check_row(pk, wanted[pk], transcript, result)
    QuoteCheck.objects.bulk_create(
        found.values(),
        update_conflicts=True,
        unique_fields=["revision", "transcript"],
        update_fields=["words_hash", "rules", "verdict", "passes", "result", "unsure", "around", "checked_at"],
    )
    return found


def _check_row(quote: int, revision: Revision, transcript: Transcript, result: CheckResult) -> QuoteCheck:
    script = script_of(transcript)
    unsure = unsure_labels(result, script)
    return QuoteCheck(
        quote_id=quote,
        revision=revision,
        transcript=transcript,
        words_hash=transcript.words_hash,
        rules=result.rules,
        verdict=result.verdict,
        passes=result.passes and not unsure,
        result=result.to_json(),
        unsure=unsure,
        around=_around(result, script),
        checked_at=timezone.now(),
    )


def live_check_of(quote: Quote) -> QuoteCheck | None:
    """Return what was found of what readers see, against the transcript that holds; None where nothing was. One query."""
    checks = QuoteCheck.objects.of_original().filter(revision=quote.item.live_id)
    return checks.select_related("transcript").first()


def _around(result: CheckResult, script: Script) -> dict | None:
    """Return where the matched words stand and what was asked before, so that no page unpacks a transcript for it."""
    if result.first_word is None:
        return None
    question = question_before(script, result.first_word)
    asked = {"label": question.label, "question": question.text} if question else {}
    anchor = script.cues[script.words[result.first_word].cue].anchor
    return {"anchor": anchor, **asked, **_room(result, script)}


def _room(result: CheckResult, script: Script) -> dict[str, int]:
    """Return how many milliseconds are free of other words before and after the span, as far as clips need."""
    if result.first_word is None or result.last_word is None or result.start_ms is None or result.end_ms is None:
        return {}
    before = max(
        (word.end_ms or 0 for word in script.words[max(0, result.first_word - 5) : result.first_word]), default=0
    )
    following = [word.start_ms for word in script.words[result.last_word + 1 : result.last_word + 6]]
    after = min((start for start in following if start is not None), default=result.end_ms + MOST_ROOM_MS)
    return {
        "room_before": min(MOST_ROOM_MS, max(0, result.start_ms - before)),
        "room_after": min(MOST_ROOM_MS, max(0, after - result.end_ms)),
    }


def unsure_labels(result: CheckResult, script: Script) -> list[str]:
    """Return the labels of the matched words of which nobody has said for sure who they are."""
    if result.first_word is None or result.last_word is None:
        return []
    labels = dict.fromkeys(word.label for word in script.words[result.first_word : result.last_word + 1])
    return [label for label in labels if label in script.speakers and script.speakers[label].is_unsure]


@when_current
def check_again(episode: Episode, original: Transcript | None) -> None:
    """Check an episode's quotes against the transcript that holds now, at once or by the worker.

    Nothing promises anything until its new check is kept: a promise takes a check against
    the transcript that holds.
    """
    quotes = list(Quote.objects.filter(episode=episode).values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
    _touch_live(episode.pk)
    if original is None or not quotes:
        return
    if len(quotes) > MOST_AT_ONCE:
        enqueue("check-quotes", f"check-quotes:{original.pk}", {"episode": episode.pk, "transcript": original.pk})
    else:
        _check_all(quotes)


def _touch_live(episode: int) -> None:
    """Move ``changed_at`` of the quotes whose pages say what they rest on."""
    touch(Quote.objects.live().filter(episode=episode).values("pk"))


def _check_all(quotes: Sequence[int]) -> None:
    """Check the heads and what readers see of these quotes."""
    items = list(Item.objects.filter(pk__in=quotes).select_related("head", "live"))
    check_revisions({item.pk: item.newest for item in items})
    check_revisions({item.pk: item.live for item in items if item.live and item.live_id != item.head_id})


@job_kind("check-quotes")
def check_quotes_job(held: Held) -> dict:
    """Check all quotes of an episode again, unless another transcript holds by now."""
    episode, transcript = held.payload["episode"], held.payload["transcript"]
    done = 0
    quotes = list(Quote.objects.filter(episode=episode).order_by("pk").values_list("pk", flat=True))
    for batch in _batches(quotes):
        if not Transcript.objects.original().filter(pk=transcript).exists():
            return {"checked": done, "stopped": True}
        _check_all(batch)
        done += len(batch)
        held.report(done, len(quotes))
    _touch_live(episode)
    return {"checked": done}


def _batches(values: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(values), BATCH):
        yield values[start : start + BATCH]


def no_longer_hold(most: int, quotes: QuerySet[Item] | None = None) -> list[QuoteCheck]:
    """Return the failed checks of what readers see against the transcripts that hold, newest first.

    What a publisher showed against a failed check is not among them. ``quotes`` keeps to
    some items. Two queries.
    """
    failed = QuoteCheck.objects.of_original().of_live().filter(passes=False)
    if quotes is not None:
        failed = failed.filter(quote__item__in=quotes)
    checks = list(failed.select_related("quote__item__live", "transcript").order_by("-checked_at")[: most * 2])
    waived = waived_among({check.quote_id: check.quote.item.live.content for check in checks})
    return [check for check in checks if check.quote_id not in waived][:most]


def waived_among(contents: Mapping[int, Content]) -> set[int]:
    """Return the ids of quotes whose words, as given, a publisher showed against an objection. One query."""
    waivers = QuoteWaiver.objects.filter(quote__in=contents).values_list("quote", "words_key")
    return {quote for quote, key in waivers if key == words_key(contents[quote])}
