"""What an editor is told while making a quote: the check, the ways out, the words around it, quotes much like it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from episodes.models import Transcript
from episodes.timecodes import format_timecode_exact
from episodes.transcripts.script import Script, SpokenWord, script_of
from episodes.transcripts.service import current_or_newest
from publishing.content import Content
from publishing.models import Item, ItemLink, Revision
from publishing.references import item_labels
from publishing.templatetags.pullquote import site_date

from .check import (
    CheckResult,
    HeadlineNote,
    Problem,
    Run,
    WarningKind,
    Way,
    check_headline,
    describe,
    explain,
    ways_out,
)
from .checking import check_content, names_of, prepared_words, speaker_of, spoken_language, unsure_labels

AROUND = 40  # words before and after a quote
TIMES_MAY_DIFFER_MS = 300  # from the plain span of the words: three nudges
LONGEST_QUOTE = 2_000  # characters
MOST_ALIKE = 3
LOOKED_AT = 300  # quotes that a new one is compared with: those of the episode, and the speaker's newest
ALIKE = 0.6  # the share of words from which two quotes are much alike
FEWEST_WORDS = 4  # of which a share says something; shorter quotes are compared with the whole of the other


@dataclass(frozen=True)
class ShownProblem:
    """One refusal: a sentence that names the word, and a button for each way out."""

    problem: Problem
    sentence: str
    ways: list[Way]


@dataclass(frozen=True)
class Alike:
    """Another quote of much the same words or moment."""

    item: Item
    percent: int


@dataclass(frozen=True)
class Finding:
    """What the check of a draft comes to. ``result`` is None where the episode has no transcript."""

    content: Content
    transcript: Transcript | None
    result: CheckResult | None
    problems: list[ShownProblem]
    unsure: list[str]
    speaker_name: str = ""

    @property
    def verdict(self) -> str:
        return self.result.verdict.value if self.result else "unchecked"

    @property
    def passes(self) -> bool:
        return self.result is not None and self.result.passes and not self.unsure

    @property
    def sentence(self) -> str:
        """Return the finding in one line."""
        if self.result is None:
            return _("Unchecked: the episode has no transcript.")
        if not self.content.get("text"):
            return _("Nothing to check yet: take words from the transcript, or type.")
        if self.unsure and self.result.passes:
            return _("%(finding)s; but who speaks is unsure") % {"finding": describe(self.result)}
        return describe(self.result)

    @property
    def runs(self) -> Sequence[Run]:
        return self.result.marked if self.result else ()

    @property
    def headline_notes(self) -> list[HeadlineNote]:
        claim, text = self.content.get("claim"), self.content.get("text")
        language = spoken_language(self.transcript) if self.transcript else "en"
        return check_headline(claim, text, language=language, speaker=self.speaker_name) if claim and text else []

    @property
    def warnings(self) -> list[str]:
        """Return what an editor should look at, as sentences, each once."""
        found = [_warning(warned.kind, warned.words) for warned in (self.result.warnings if self.result else ())]
        length = len(self.content.get("text") or "")
        if length > LONGEST_QUOTE:
            lengths = {"length": intcomma(length), "most": intcomma(LONGEST_QUOTE)}
            found.append(_("This has %(length)s characters; a quote can have %(most)s.") % lengths)
        if length and not self.content.get("speaker"):
            found.append(_("No speaker is chosen yet."))
        if self.times_differ:
            found.append(
                _("The times are not those of the words, which run from %(start)s to %(end)s.")
                % {"start": self.shown_start, "end": self.shown_end}
            )
        return list(dict.fromkeys(sentence for sentence in found if sentence))

    @property
    def times_differ(self) -> bool:
        """Tell whether text and times no longer agree."""
        if self.result is None or self.result.start_ms is None or self.result.end_ms is None:
            return False
        pairs = (
            (self.content.get("start_ms"), self.result.start_ms),
            (self.content.get("end_ms"), self.result.end_ms),
        )
        return any(given is None or abs(given - said) > TIMES_MAY_DIFFER_MS for given, said in pairs)

    @property
    def shown_start(self) -> str:
        return format_exact(self.result.start_ms if self.result else None)

    @property
    def shown_end(self) -> str:
        return format_exact(self.result.end_ms if self.result else None)

    def at_its_words(self) -> "Finding":
        """Return the same with the times that the words have, where they were found."""
        if self.result is None or self.result.start_ms is None or self.result.end_ms is None:
            return self
        return replace(self, content=self.content | {"start_ms": self.result.start_ms, "end_ms": self.result.end_ms})

    @property
    def speaker_named(self) -> str:
        """Return who named the speaker of words that carry none, and when; empty where they do."""
        mark = self.content.get("speaker_named")
        kinds = {warned.kind for warned in self.result.warnings} if self.result else set()
        if not mark or WarningKind.SPEAKER_UNKNOWN not in kinds:
            return ""
        day = site_date(parse_datetime(mark["at"]))
        return _("Speaker named by %(by)s, %(day)s.") % {"by": mark["by"], "day": day}

    @property
    def script(self) -> Script | None:
        return script_of(self.transcript) if self.transcript else None

    @property
    def before(self) -> str:
        """Return the words just before the quote."""
        if self.script is None or self.result is None or self.result.first_word is None:
            return ""
        return spoken(self.script.words[max(0, self.result.first_word - AROUND) : self.result.first_word])

    @property
    def after(self) -> str:
        if self.script is None or self.result is None or self.result.last_word is None:
            return ""
        return spoken(self.script.words[self.result.last_word + 1 : self.result.last_word + 1 + AROUND])


def format_exact(ms: int | None) -> str:
    return "" if ms is None else format_timecode_exact(ms)


def spoken(words: Iterable[SpokenWord]) -> str:
    return " ".join(word.w for word in words)


def _warning(kind: WarningKind, words: Sequence[str]) -> str:
    said = " ".join(words)
    sentences = {
        WarningKind.EDGE_NEGATION: _(
            "“%(said)s” stands just before the quote. Does the quote still say what was meant?"
        ),
        WarningKind.EDGE_QUALIFIER: _(
            "“%(said)s” stands right beside the quote and limits it. Does the quote still say what was meant?"
        ),
        WarningKind.LOW_CONFIDENCE: _("The machine was not sure of “%(said)s”. Listen."),
        WarningKind.ESTIMATED_TIME: _("The times are estimated: the transcript has none for each word. Listen."),
        WarningKind.LONG_WORD: _("“%(said)s” lasts very long, so the time may be off. Listen."),
        WarningKind.SPEAKER_UNKNOWN: _("The words carry no speaker: you name the speaker, and the page says so."),
        WarningKind.MIXED_SPEAKERS: _("The words are those of several speakers. Choose one."),
        WarningKind.ELSEWHERE: _("These words stand elsewhere in the transcript, not at these times."),
    }
    return sentences[kind] % {"said": said}


def find(content: Content, *, quote: int, episode: int) -> Finding:
    """Check a draft as it stands in a form; ``quote`` is 0 for one that is not saved yet. A few queries."""
    transcript = current_or_newest(episode)
    speaker = item_labels({content["speaker"]} if content.get("speaker") else ()).get(content.get("speaker") or 0, "")
    if transcript is None:
        return Finding(content, None, None, [], [], speaker)
    names = names_of([quote] if quote else [], [episode]).of(quote, episode)
    result = check_content(content, transcript, names)
    ways = ways_out(
        prepared_words(transcript),
        content.get("text") or "",
        result,
        language=spoken_language(transcript),
        speaker=speaker_of(content),
        start_ms=content.get("start_ms"),
        end_ms=content.get("end_ms"),
        names=names,
    )
    problems = [
        ShownProblem(problem, explain(problem), [way for way in ways if way.problem == place])
        for place, problem in enumerate(result.problems)
    ]
    return Finding(content, transcript, result, problems, unsure_labels(result, script_of(transcript)), speaker)


def alike(content: Content, *, quote: int, episode: int) -> list[Alike]:
    """Return quotes of the episode or of its speaker, drafts too, of much the same words. Two queries."""
    wanted = _bag(content.get("text") or "")
    if not wanted:
        return []
    parents = [pk for pk in (episode, content.get("speaker")) if pk]
    sources = ItemLink.objects.filter(target__in=parents, role__in=("episode", "speaker")).values("source")
    heads = Revision.objects.filter(item__in=sources, item__kind="quote", pk__in=Item.objects.values("head"))
    others = heads.exclude(item=quote).select_related("item").order_by("-item")[:LOOKED_AT]
    shares = [(_share(wanted, _bag(head.content.get("text") or "")), head.item) for head in others]
    close = sorted((pair for pair in shares if pair[0] >= ALIKE), key=lambda pair: -pair[0])
    return [Alike(item, round(100 * share)) for share, item in close[:MOST_ALIKE]]


def _bag(text: str) -> set[str]:
    return {word for word in (part.strip(".,;:!?…“”\"'()[]").casefold() for part in text.split()) if word}


def _share(one: set[str], other: set[str]) -> float:
    fewer, more = sorted((len(one), len(other)))
    return len(one & other) / (more if fewer < FEWEST_WORDS else fewer) if fewer else 0.0
