"""The worker's part of transcripts: fetching the one that a show's feed names."""

from urllib.parse import unquote, urlsplit

from django.core.exceptions import PermissionDenied, ValidationError
from django.utils.translation import gettext as _

from publishing.fetch import FetchError, fetch
from publishing.jobs import GiveUp, Held, TryLater, job_kind, kept_alive
from publishing.reports import ImportReport

from ..models import Episode
from .parsed import Message, UnreadableTranscript
from .readers.limits import MAX_BYTES
from .service import About, Added, add_transcript
from .told import told_of

TRY_AGAIN = {408, 425, 429, 500, 502, 503, 504}
ACCEPT = "text/vtt, application/x-subrip, application/srt, application/json, text/html, text/plain, */*;q=0.5"


@job_kind("fetch-transcript")
def fetch_transcript(held: Held) -> dict:
    """Fetch a transcript and keep it, as whoever asked for it; it holds at once only if they may decide that."""
    address = held.payload["url"]
    episode = Episode.objects.select_related("item").filter(pk=held.payload["episode"]).first()
    if episode is None:
        raise GiveUp(_("The episode is no longer here."))
    about = About(language=held.payload["language"], filename=file_name(address))
    starter = held.starter
    try:
        with kept_alive(held) as alive:
            answer = fetch(address, max_bytes=MAX_BYTES, accept=ACCEPT)
            added = add_transcript(episode, answer.body, about, actor=starter, settle=alive.settle)
    except FetchError as refused:
        if refused.status in TRY_AGAIN:
            raise TryLater(f"{address}: {refused}") from refused
        raise GiveUp(f"{address}: {refused}") from refused
    except UnreadableTranscript as unreadable:
        raise GiveUp(f"{address}: {unreadable}") from unreadable
    except (ValidationError, PermissionDenied) as refused:
        raise GiveUp(f"{address}: {' '.join(getattr(refused, 'messages', [str(refused)]))}") from refused
    return report_of(episode, added).as_dict()


def file_name(address: str) -> str:
    """Return the last part of an address, which may tell two formats apart that look alike."""
    return unquote(urlsplit(address).path).rpartition("/")[2][-200:]


def report_of(episode: Episode, added: Added) -> ImportReport:
    kept = added.transcript
    numbers = {"number": kept.number, "words": kept.word_count, "cues": kept.cue_count, "format": kept.format}
    report = ImportReport(about=str(episode.item))
    if added.is_new:
        report.made.append(_("transcript %(number)s: %(words)s words in %(cues)s parts (%(format)s)") % numbers)
    else:
        report.unchanged = 1
    if not added.is_current:
        report.kept_draft.append(_("transcript %(number)s waits until it is made to hold") % numbers)
    elif said := told_of(kept):
        report.warnings.append(said)
    report.warnings += [line_of(message) for message in added.messages]
    return report


def line_of(message: Message) -> str:
    """Return a message of a reader with the line that it is about."""
    return _("Line %(line)s: %(text)s") % {"line": message.line, "text": message.text} if message.line else message.text
