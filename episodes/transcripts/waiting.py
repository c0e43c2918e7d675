"""Which transcripts wait for somebody to say that they hold, and which texts rest on words that changed."""

from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery

from publishing.models import Event

from ..models import CurrentTranscript, Episode, Transcript

AMONG = 2_000  # of the newest transcripts, and of the last changes of what holds, that lists look through


def waiting() -> QuerySet[Transcript]:
    """Return the newest transcript of each episode and language where it came after the one that holds, newest first.

    One that somebody put aside, for an older one or by withdrawing, does not wait.
    """
    same = CurrentTranscript.objects.filter(episode=OuterRef("episode"), language=OuterRef("language"))
    newer = Transcript.objects.filter(
        episode=OuterRef("episode"), language=OuterRef("language"), number__gt=OuterRef("number")
    )
    put_aside = Event.objects.filter(
        item_uid=OuterRef("episode__item__uid"), what="episode.withdraw-transcript", at__gt=OuterRef("created_at")
    )
    found = Transcript.objects.filter(currently__isnull=True).exclude(Exists(newer)).exclude(Exists(put_aside))
    return found.exclude(Exists(same.filter(since__gte=OuterRef("created_at")))).order_by("-pk")


def newest_waiting() -> QuerySet[Transcript]:
    """Return those that wait among the newest transcripts of all."""
    return waiting().filter(pk__in=Transcript.objects.order_by("-pk").values("pk")[:AMONG])


def last_changed() -> QuerySet[CurrentTranscript]:
    """Return the originals that came to hold last."""
    return CurrentTranscript.objects.filter(is_original=True).order_by("-since")[:AMONG]


def differs_from_original(number: str, episode: str) -> tuple[Q, Subquery]:
    """Return what narrows rows to texts whose transcript says other words than the one that holds.

    ``number`` is the column that names the transcript, ``episode`` the one of its
    episode. The subquery is that transcript's hash; a number that no transcript has is
    left alone.
    """
    named = Transcript.objects.filter(episode=OuterRef(episode), number=OuterRef(number)).values("words_hash")[:1]
    return ~Q(words_then=F("words_now")) & Q(words_then__isnull=False), Subquery(named)


def outdated_summaries() -> QuerySet[Any]:
    """Return the live episodes whose summary was written from other words than hold now.

    ``number_now`` is the number of the transcript that holds; the last changed come first.
    """
    differs, then = differs_from_original("summary_transcript", "pk")
    changed = Episode.objects.live().filter(
        summary_transcript__isnull=False,
        current_transcripts__in=last_changed().values("pk"),
        current_transcripts__is_original=True,
    )
    named = changed.annotate(
        words_then=then,
        words_now=F("current_transcripts__transcript__words_hash"),
        number_now=F("current_transcripts__transcript__number"),
    )
    return named.filter(differs).select_related("item").order_by("-current_transcripts__since")
