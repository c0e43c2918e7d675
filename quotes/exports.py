"""What the public data set holds: live episodes and live quotes, each column beside what it says.

A column that is added is the next schema; one that is taken away or means something else
is too, and old readers are told on the page.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from episodes.models import Episode, EpisodeGuest, EpisodeTopic
from publishing.content import dump_moment
from publishing.models import Item, Publishable
from publishing.pages import absolute
from publishing.tables.writing import csv_lines, json_lines

from .models import Checked, Quote, QuoteCheck, QuoteTopic
from .provenance import Provenance, provenance_of

SCHEMA = 1
Record = dict[str, Any]


@dataclass(frozen=True)
class EpisodeFacts:
    """An episode as readers see it, and the permanent ids of all that it names."""

    episode: Episode
    ids: Mapping[int, UUID]


@dataclass(frozen=True)
class QuoteFacts:
    """A quote as readers see it, what is known of its words, and who the speaker was then."""

    quote: Quote
    ids: Mapping[int, UUID]
    provenance: Provenance
    credit: str


@dataclass(frozen=True)
class DataColumn:
    """A column, what it says, and how it is told of a row's facts; ``None`` where nothing is known."""

    name: str
    about: str | Promise
    tell: Callable[[Any], Any]


@dataclass(frozen=True)
class DataTable:
    """One kind of thing, all that are live. ``load`` takes keys and takes a fixed number of queries."""

    name: str
    title: str | Promise
    rows: Callable[[], QuerySet]
    load: Callable[[Sequence[int]], Sequence[Any]]
    columns: tuple[DataColumn, ...]

    def records(self, keys: Sequence[int]) -> list[Record]:
        """Return rows that readers see, by key."""
        return [{column.name: column.tell(facts) for column in self.columns} for facts in self.load(keys)]


def as_csv(records: Sequence[Record]) -> str:
    """Return records as CSV; a list is JSON within its cell."""
    return csv_lines([_cell(value) for value in record.values()] for record in records)


def as_json(records: Sequence[Record]) -> str:
    return json_lines(records)


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "" if value is None else str(value)


def _load_episodes(keys: Sequence[int]) -> list[EpisodeFacts]:
    """Four queries."""
    rows = Episode.objects.live().filter(pk__in=keys).order_by("pk")
    heavy = ("notes", "chapters", "show__description", "item__working_text")
    episodes = list(rows.select_related("item", "show").defer(*heavy).with_people().with_topics())
    named = {pk for episode in episodes for pk in (episode.show_id, *_people(episode), *_topics(episode.topic_links))}
    ids = _ids({*keys, *named})
    return [EpisodeFacts(episode, ids) for episode in episodes]


def _load_quotes(keys: Sequence[int]) -> list[QuoteFacts]:
    """Five queries."""
    rows = Quote.objects.live().filter(pk__in=keys).order_by("pk")
    quotes = list(rows.with_episode().with_topics().select_related("item", "speaker").defer("item__working_text"))
    checks = _checks([quote.item.live_id for quote in quotes])
    credits = _credits(quotes)
    named = {
        pk
        for quote in quotes
        for pk in (quote.episode_id, quote.episode.show_id, quote.speaker_id, *_topics(quote.topic_links))
    }
    ids = _ids({*keys, *named})
    return [
        QuoteFacts(
            quote,
            ids,
            provenance_of(quote, checks.get(quote.item.live_id)),
            credits.get((quote.episode_id, quote.speaker_id), ""),
        )
        for quote in quotes
    ]


def _ids(pks: set[int]) -> dict[int, UUID]:
    return dict(Item.objects.filter(pk__in=pks).values_list("pk", "uid"))


def _people(episode: Episode) -> Iterator[int]:
    return (link.guest_id for link in episode.people)


def _topics(links: Sequence[EpisodeTopic] | Sequence[QuoteTopic]) -> Iterator[int]:
    return (link.topic_id for link in links)


def _checks(revisions: Sequence[int | None]) -> dict[int | None, QuoteCheck]:
    """Return what was found of these revisions against the transcripts that hold."""
    checks = QuoteCheck.objects.of_original().filter(revision__in=revisions).select_related("transcript")
    told = ("revision", "verdict", "passes", "result", "transcript__is_automated")
    return {check.revision_id: check for check in checks.only(*told)}


def _credits(quotes: Sequence[Quote]) -> dict[tuple[int, int | None], str]:
    """Return who speakers were at the time of their episodes, where these say so, by episode and guest."""
    said = EpisodeGuest.objects.filter(
        episode__in={quote.episode_id for quote in quotes}, guest__in={quote.speaker_id for quote in quotes}
    ).exclude(credit="")
    rows = said.order_by("-position").values_list("episode", "guest", "credit")
    return {(episode, guest): credit for episode, guest, credit in rows}


def _page(row: Publishable) -> str:
    return absolute(row.get_absolute_url())


def _moment(moment) -> str | None:
    return dump_moment(moment) if moment else None


def _tell_topics(links: Sequence[EpisodeTopic] | Sequence[QuoteTopic], ids: Mapping[int, UUID]) -> list[Record]:
    return [{"id": str(ids[link.topic_id]), "name": link.topic.name, "url": _page(link.topic)} for link in links]


def _tell_people(facts: EpisodeFacts) -> list[Record]:
    return [
        {
            "id": str(facts.ids[link.guest_id]),
            "name": link.guest.name,
            "role": link.role,
            "credit": link.credit,
            "url": _page(link.guest),
        }
        for link in facts.episode.people
    ]


def _tell_assessments(quote: Quote) -> list[Record]:
    names = ("verdict", "summary", "checked_on", "assessed_by", "title", "url", "publisher")
    return [{name: source.get(name) for name in names} for source in quote.assessments]


EPISODES = DataTable(
    "episodes",
    _("Episodes"),
    Episode.objects.live,
    _load_episodes,
    (
        DataColumn("id", _("The episode's permanent id, a UUID."), lambda one: str(one.ids[one.episode.pk])),
        DataColumn("url", _("The address of its page. It may change; the old one then redirects."), lambda one: _page(one.episode)),
        DataColumn("short_url", _("A short address that never changes."), lambda one: absolute(reverse("episodes:short", args=[one.episode.item.short_id]))),
        DataColumn("title", _("Its title."), lambda one: one.episode.title),
        DataColumn("show", _("The title of its show."), lambda one: one.episode.show.title),
        DataColumn("show_id", _("The show's permanent id."), lambda one: str(one.ids[one.episode.show_id])),
        DataColumn("show_url", _("The address of the show's page."), lambda one: _page(one.episode.show)),
        DataColumn("language", _("What is spoken, as a language tag such as en."), lambda one: one.episode.show.language),
        DataColumn("aired_at", _("When it was first aired, in UTC."), lambda one: _moment(one.episode.aired_at)),
        DataColumn("duration_ms", _("Its length in milliseconds, where it is known."), lambda one: one.episode.duration_ms),
        DataColumn("season", _("The number of its season, where it has one."), lambda one: one.episode.season),
        DataColumn("number", _("Its number, where it has one."), lambda one: one.episode.number),
        DataColumn("kind", _("full, trailer or bonus."), lambda one: one.episode.episode_kind),
        DataColumn("summary", _("What it is about, in a paragraph."), lambda one: one.episode.summary),
        DataColumn("summary_origin", _("Where the summary comes from: editor, feed or machine."), lambda one: one.episode.summary_origin),
        DataColumn("guests", _("Who takes part: a list of id, name, role (host, co-host, guest, reporter, narrator, producer or other), credit (who they were then) and url."), _tell_people),
        DataColumn("topics", _("What it is about: a list of id, name and url."), lambda one: _tell_topics(one.episode.topic_links, one.ids)),
        DataColumn("published_at", _("When its page was first published, in UTC."), lambda one: _moment(one.episode.first_published_at)),
        DataColumn("changed_at", _("When its page last changed, in UTC."), lambda one: _moment(one.episode.item.changed_at)),
        DataColumn("licence", _("The show's line on rights. Where it is empty, that of this page holds."), lambda one: one.episode.show.licence),
    ),
)  # fmt: skip

QUOTES = DataTable(
    "quotes",
    _("Quotes"),
    Quote.objects.live,
    _load_quotes,
    (
        DataColumn("id", _("The quote's permanent id, a UUID."), lambda one: str(one.ids[one.quote.pk])),
        DataColumn("url", _("The address of its page. It may change; the old one then redirects."), lambda one: _page(one.quote)),
        DataColumn("short_url", _("A short address that never changes."), lambda one: absolute(reverse("quotes:short", args=[one.quote.item.short_id]))),
        DataColumn("claim", _("The headline, without the speaker. It is the editor's."), lambda one: one.quote.claim),
        DataColumn("text", _("The quote: the speaker's words."), lambda one: one.quote.text),
        DataColumn("speaker", _("Who says it."), lambda one: one.quote.speaker_name),
        DataColumn("speaker_id", _("The speaker's permanent id."), lambda one: str(one.ids[one.quote.speaker_id])),
        DataColumn("speaker_url", _("The address of the speaker's page."), lambda one: _page(one.quote.speaker)),
        DataColumn("speaker_credit", _("Who the speaker was at the time, where the episode says so."), lambda one: one.credit),
        DataColumn("context", _("Who speaks, as of then, and about what, in a sentence of the editor's."), lambda one: one.quote.context),
        DataColumn("episode", _("The title of the episode it is from."), lambda one: one.quote.episode.title),
        DataColumn("episode_id", _("The episode's permanent id."), lambda one: str(one.ids[one.quote.episode_id])),
        DataColumn("episode_url", _("The address of the episode's page."), lambda one: _page(one.quote.episode)),
        DataColumn("show", _("The title of the episode's show."), lambda one: one.quote.episode.show.title),
        DataColumn("show_id", _("The show's permanent id."), lambda one: str(one.ids[one.quote.episode.show_id])),
        DataColumn("show_url", _("The address of the show's page."), lambda one: _page(one.quote.episode.show)),
        DataColumn("language", _("What is spoken, as a language tag such as en."), lambda one: one.quote.episode.show.language),
        DataColumn("aired_at", _("When the episode was first aired, in UTC."), lambda one: _moment(one.quote.episode.aired_at)),
        DataColumn("start_ms", _("Where it begins in the episode, in milliseconds."), lambda one: one.quote.start_ms),
        DataColumn("end_ms", _("Where it ends, in milliseconds."), lambda one: one.quote.end_ms),
        DataColumn("check", _("What a program found when it compared the words with the transcript: verbatim, cleaned, bracketed, or unchecked, where nothing is promised."), lambda one: str(one.provenance.verdict if one.provenance.is_promised else Checked.UNCHECKED)),
        DataColumn("provenance", _("The same in a sentence, as the quote's page says it."), lambda one: one.provenance.sentence),
        DataColumn("topics", _("What it is about: a list of id, name and url."), lambda one: _tell_topics(one.quote.topic_links, one.ids)),
        DataColumn("assessments", _("What outside sources say of the claim: a list of verdict (supported, partly, disputed, contradicted, unverifiable or opinion), summary, checked_on, assessed_by, title, url and publisher."), lambda one: _tell_assessments(one.quote)),
        DataColumn("published_at", _("When its page was first published, in UTC."), lambda one: _moment(one.quote.first_published_at)),
        DataColumn("changed_at", _("When its page last changed, in UTC."), lambda one: _moment(one.quote.item.changed_at)),
        DataColumn("licence", _("The show's line on rights. Where it is empty, that of this page holds."), lambda one: one.quote.episode.show.licence),
    ),
)  # fmt: skip

TABLES = (EPISODES, QUOTES)
