"""Bringing transcripts in, correcting them, saying who speaks. Each is a new row; nothing here is public."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _, ngettext

from publishing.events import log
from publishing.models import Item
from publishing.permissions import Actor, can, require
from publishing.revisions import lock_item
from publishing.stored_files import store
from publishing.text import clean_line

from ..models import CurrentTranscript, Episode, Transcript, TranscriptBody
from ..timecodes import format_timecode
from .body import Body, body_of, pack
from .carrying import Voices, before_of, carried_corrections, carried_speakers, kept_corrections
from .current import make_current, original_of, right_to_change
from .parsed import Message, ParsedTranscript
from .readers import read_transcript
from .script import MOST_WORDS_FOR_ONE, Script, body_of_transcript, make_script, script_of
from .speakers import propose_speakers

MOST_TRANSCRIPTS = 500  # of one episode, corrections included
LONGEST_LABEL = 120
LONGEST_WORD = 120
LONGER_BY, LONGER_BY_MS = 1.05, 60_000  # than the episode, before the file is doubted
SHORT_PART = 0.5  # of the episode, below which the file is doubted


@dataclass(frozen=True)
class Added:
    """What bringing in a file came to. ``is_new`` is False where we hold the same words already."""

    transcript: Transcript
    is_new: bool
    is_current: bool
    messages: tuple[Message, ...]


@dataclass(frozen=True)
class About:
    """What is known of a file beyond what it says. ``is_automated`` is None where nobody said."""

    language: str = ""
    format: str = ""
    filename: str = ""
    engine: str = ""
    made_on: date | None = None
    is_automated: bool | None = None
    note: str = ""


@dataclass(frozen=True)
class Reading:
    """A file as it would be kept, once what people said of the transcript before it is carried over.

    ``known`` is the transcript that says the same already.
    """

    parsed: ParsedTranscript
    language: str
    messages: tuple[Message, ...]
    before: Transcript | None
    known: Transcript | None
    body: Body
    corrections: dict
    script: Script
    speakers: list[dict]

    @property
    def spoken(self) -> Script:
        """Return what it says with its speakers applied, as quotes would be checked against it."""
        return make_script(self.body, self.corrections, self.speakers)


def parse_file(data: bytes, about: About) -> ParsedTranscript:
    """Read a file. Raises UnreadableTranscript, and ValidationError where it holds no words."""
    parsed = read_transcript(
        data, filename=about.filename or None, language=about.language or None, format=about.format or None
    )
    if not parsed.words:
        raise ValidationError(_("There is not a word in this file."), code="no_words")
    return parsed.without_empty_cues()


def reading_of(episode: Episode, parsed: ParsedTranscript, about: About) -> Reading:
    """Return what a file would come to as a transcript of the episode; nothing is written."""
    language = _language(about, parsed, episode)
    before = before_of(episode.pk, language)
    body_before = body_of_transcript(before) if before else None
    body = body_of(parsed, body_before)
    corrections, voices = {}, Voices()
    if before and body_before:
        corrections = carried_corrections(body, before.corrections, body_before)
    script = make_script(body, corrections, [])
    if before and body_before:
        voices = carried_speakers(script, script_of(before), before.speakers)
    return Reading(
        parsed,
        language,
        (*parsed.messages, *doubts(parsed, episode)),
        before,
        _known(episode, language, script, corrections),
        body,
        corrections,
        script,
        propose_speakers(script, episode.pk, voices.said, voices.likely),
    )


def _known(episode: Episode, language: str, script: Script, corrections: dict) -> Transcript | None:
    """Return the transcript that says the same, with whatever was corrected in it since."""
    same = Transcript.objects.filter(episode=episode, language=language, words_hash=script.words_hash)
    found = next((one for one in same.order_by("-number") if one.corrections == corrections), None)
    return newest_of_body(found) if found else None


def doubts(parsed: ParsedTranscript, episode: Episode) -> Iterator[Message]:
    """Yield why the file may not be this episode's, by how long both are."""
    length = episode.item.newest.content.get("duration_ms")
    starts = [cue.start_ms for cue in parsed.cues if cue.start_ms is not None]
    if not length or not starts:
        return
    times = {"last": format_timecode(max(starts)), "length": format_timecode(length)}
    if max(starts) > length * LONGER_BY + LONGER_BY_MS:
        yield Message(
            _("Its last words are at %(last)s, but the episode ends at %(length)s. Is it another episode's?") % times
        )
    elif max(starts) < length * SHORT_PART:
        yield Message(
            _("Its last words are at %(last)s, but the episode goes on until %(length)s. Is it all of it?") % times
        )


def add_transcript(
    episode: Episode,
    data: bytes,
    about: About,
    *,
    actor: Actor,
    make_it_current: bool = True,
    settle: Callable[[], object] | None = None,
) -> Added:
    """Read a file and keep it as a transcript of the episode; it holds at once where the actor may decide that.

    Corrections and speakers of the transcript before it live on where the same words
    stand at the same time. ``settle`` is called last, within the transaction. Raises
    UnreadableTranscript and ValidationError, with nothing kept and the old transcript
    as it was.
    """
    parsed = parse_file(data, about)
    kept: list[str] = []
    try:
        with transaction.atomic():
            item = lock_item(episode.pk)
            require(actor, "edit", item)
            reading = reading_of(episode, parsed, about)
            made = reading.known or _keep(reading, episode, item, data, about, actor, kept)
            added = Added(made, reading.known is None, _hold(made, item, actor, make_it_current), reading.messages)
            if settle:
                settle()
    except BaseException:
        for name in kept:
            default_storage.delete(name)
        raise
    return added


def _keep(
    reading: Reading, episode: Episode, item: Item, data: bytes, about: About, actor: Actor, kept: list[str]
) -> Transcript:
    """Write a reading; the name of the file that it keeps is added to ``kept`` as soon as there is one."""
    parsed = reading.parsed
    kept.append(store(ContentFile(data), "transcripts", "bin", by=actor))
    values = {
        "language": reading.language,
        "format": parsed.format,
        "engine": clean_line(about.engine or parsed.engine)[:100],
        "made_on": about.made_on,
        "is_automated": parsed.automatic is True if about.is_automated is None else about.is_automated,
        "original": kept[-1],
        "original_name": clean_line(about.filename)[-200:],
        "messages": [[message.text, message.line] for message in reading.messages],
        "note": clean_line(about.note)[:300],
    }
    body = TranscriptBody.objects.create(data=pack(reading.body))
    made = _make(episode, body, reading.script, reading.speakers, reading.corrections, actor, reading.before, values)
    log(actor, "add-transcript", item, number=made.number, language=reading.language, format=parsed.format)
    return made


def _language(about: About, parsed: ParsedTranscript, episode: Episode) -> str:
    """Return the language as somebody said, as the file says, or as the show is in.

    Where a transcript holds for ``en``, one in ``en-us`` is of the same language, not a translation.
    """
    said = about.language or parsed.language or episode.show.item.newest.content.get("language") or "und"
    language = said.strip().lower().replace("_", "-")[:20]
    held = CurrentTranscript.objects.filter(episode=episode).order_by("language").values_list("language", flat=True)
    same = [one for one in held if _is_same_language(one, language)]
    return language if language in same else next(iter(same), language)


def _is_same_language(one: str, other: str) -> bool:
    """Tell whether two codes name one language: ``en`` and ``en-us`` do, ``en-gb`` and ``en-us`` do not."""
    return one == other or one.partition("-")[0] == other or other.partition("-")[0] == one


def _hold(transcript: Transcript, item: Item, actor: Actor, wanted: bool) -> bool:
    """Let it hold if that was asked for and the actor may; else it waits for a publisher."""
    is_current = Transcript.objects.current().filter(pk=transcript.pk).exists()
    if is_current or not wanted:
        return is_current
    if actor is not None and not can(actor, right_to_change(item), item):
        return False
    make_current(transcript, actor=actor)
    return True


def _make(
    episode: Episode,
    body: TranscriptBody,
    script: Script,
    speakers: list[dict],
    corrections: dict,
    actor: Actor,
    parent: Transcript | None,
    values: dict,
) -> Transcript:
    last = Transcript.objects.filter(episode=episode).aggregate(last=Max("number"))["last"] or 0
    if last >= MOST_TRANSCRIPTS:
        raise ValidationError(_("This episode has %(most)s transcripts, which is all it can hold.") % {"most": last})
    return Transcript.objects.create(
        episode=episode,
        number=last + 1,
        parent=parent,
        body=body,
        word_count=len(script.words),
        cue_count=len(script.cues),
        is_timed=any(cue.start_ms is not None for cue in script.cues),
        words_hash=script.words_hash,
        speakers=speakers,
        corrections=corrections,
        created_by=actor,
        **values,
    )


def correct(
    transcript: Transcript,
    *,
    actor: Actor,
    words: Mapping[int, str] | None = None,
    cues: Mapping[int, str] | None = None,
    note: str = "",
) -> Transcript:
    """Replace words, by their place in the body, or the labels of cues. An empty text takes a word out.

    The raw words stay. What others corrected meanwhile is kept. Raises ValidationError
    where somebody corrected the same word otherwise, and PermissionDenied. Returns the
    new transcript, which holds if the corrected one did.
    """
    words, cues = dict(words or {}), dict(cues or {})
    with transaction.atomic():
        item = lock_item(transcript.episode_id)
        require(actor, right_to_change(item) if _holds(transcript) else "edit", item)
        newest = newest_of_body(transcript)
        body = body_of_transcript(newest)
        _check_corrections(body, words, cues)
        _refuse_clashes(transcript, newest, words, cues)
        now = newest.corrections
        merged_words = (now.get("words") or {}) | {str(place): " ".join(text.split()) for place, text in words.items()}
        merged_cues = (now.get("cues") or {}) | {str(place): clean_line(label) for place, label in cues.items()}
        corrections = kept_corrections(
            {place: text for place, text in merged_words.items() if text != body.words[int(place)].text},
            {place: label for place, label in merged_cues.items() if label != body.cues[int(place)].speaker},
        )
        if corrections == now:
            return newest
        script = make_script(body, corrections, [])
        speakers = propose_speakers(script, transcript.episode_id, newest.speakers)
        return _succeed(newest, script, speakers, corrections, actor, note or _told(words, cues), item)


def name_speakers(transcript: Transcript, who: Mapping[str, tuple[int | None, str]], *, actor: Actor) -> Transcript:
    """Say who labels are: ``{label: (guest's id or None, state)}``; others stay as they were.

    Returns the new transcript, which holds if the old one did. Raises ValidationError
    for a label that it does not have, a guest who is gone, a person named as sure and not
    chosen, or a label that somebody else named otherwise meanwhile.
    """
    with transaction.atomic():
        item = lock_item(transcript.episode_id)
        require(actor, right_to_change(item) if _holds(transcript) else "edit", item)
        newest = newest_of_body(transcript)
        rows = {row["label"]: row for row in newest.speakers}
        _check_speakers(rows, who)
        seen = {row["label"]: row for row in transcript.speakers}
        wanted = {label: _speaker_row(label, guest, state) for label, (guest, state) in who.items()}
        wanted = {label: row for label, row in wanted.items() if row != seen.get(label)}  # all else is nobody's wish
        _refuse_other_names(seen, rows, wanted)
        speakers = list((rows | wanted).values())
        if speakers == newest.speakers:
            return newest
        note = _("Speakers: %(labels)s") % {"labels": ", ".join(wanted)}
        return _succeed(newest, script_of(newest), speakers, newest.corrections, actor, note, item)


def _speaker_row(label: str, guest: int | None, state: str) -> dict:
    return {"label": label, "guest": guest if state != Transcript.SpeakerState.NOBODY else None, "state": state}


def newest_of_body(transcript: Transcript) -> Transcript:
    """Return the newest row over the same body: what corrections go on from."""
    return Transcript.objects.filter(episode=transcript.episode_id, body=transcript.body_id).latest("number")


def _holds(transcript: Transcript) -> bool:
    return Transcript.objects.current().filter(body=transcript.body_id, episode=transcript.episode_id).exists()


def _succeed(
    before: Transcript,
    script: Script,
    speakers: list[dict],
    corrections: dict,
    actor: Actor,
    note: str,
    item: Item,
) -> Transcript:
    held = _holds(before)
    names = ("language", "format", "engine", "made_on", "is_automated", "original", "original_name", "messages")
    values = {name: getattr(before, name) for name in names} | {"note": note[:300]}
    made = _make(before.episode, before.body, script, speakers, corrections, actor, before, values)
    log(actor, "correct-transcript", item, number=made.number, note=made.note)
    if held:
        make_current(made, actor=actor)
    return made


def _check_corrections(body: Body, words: Mapping[int, str], cues: Mapping[int, str]) -> None:
    for place, text in words.items():
        if not 0 <= place < len(body.words):
            raise ValidationError(_("The transcript has no word %(place)s.") % {"place": place}, code="no_word")
        if len(text) > LONGEST_WORD or len(text.split()) > MOST_WORDS_FOR_ONE:
            message = _("“%(text)s…” is too long to stand in place of one word.")
            raise ValidationError(message % {"text": text[:40]}, code="long_word")
        if text.strip() and not any(character.isalnum() for character in text):
            raise ValidationError(_("“%(text)s” is no word.") % {"text": text}, code="no_word")
    for place, label in cues.items():
        if not 0 <= place < len(body.cues):
            raise ValidationError(_("The transcript has no part %(place)s.") % {"place": place}, code="no_cue")
        if len(label) > LONGEST_LABEL:
            raise ValidationError(_("A speaker's label has 120 characters at most."), code="long_label")


def _refuse_clashes(seen: Transcript, newest: Transcript, words: Mapping[int, str], cues: Mapping[int, str]) -> None:
    for name, mine in (("words", words), ("cues", cues)):
        before, now = seen.corrections.get(name) or {}, newest.corrections.get(name) or {}
        for place, text in mine.items():
            theirs = now.get(str(place))
            if theirs != before.get(str(place)) and theirs != text:
                message = _("Somebody else made it “%(theirs)s” meanwhile. Look at it again.")
                raise ValidationError(message % {"theirs": theirs or "…"}, code="clash")


def _refuse_other_names(seen: Mapping[str, dict], now: Mapping[str, dict], wanted: Mapping[str, dict]) -> None:
    for label, row in wanted.items():
        if now[label] not in (seen.get(label), row):
            message = _("Somebody else said meanwhile who “%(label)s” is. Look at it again.")
            raise ValidationError(message % {"label": label}, code="clash")


def _check_speakers(rows: Mapping[str, dict], who: Mapping[str, tuple[int | None, str]]) -> None:
    guests = {guest for guest, _state in who.values() if guest}
    held = set(Item.objects.of_kind("guest").filter(pk__in=guests).values_list("pk", flat=True))
    for label, (guest, state) in who.items():
        if label not in rows:
            raise ValidationError(_("No speaker is labelled “%(label)s”.") % {"label": label}, code="no_label")
        if state not in Transcript.SpeakerState.values:
            raise ValidationError(_("“%(state)s” is no state of a speaker.") % {"state": state}, code="no_state")
        if guest and guest not in held:
            raise ValidationError(_("The guest for “%(label)s” is gone.") % {"label": label}, code="no_guest")
        if state == Transcript.SpeakerState.SURE and not guest:
            raise ValidationError(_("Choose who “%(label)s” is.") % {"label": label}, code="no_guest")


def _told(words: Mapping[int, str], cues: Mapping[int, str]) -> str:
    """Return in a few words what a correction was about."""
    parts = []
    if words:
        parts.append(ngettext("%(count)s word", "%(count)s words", len(words)) % {"count": len(words)})
    if cues:
        parts.append(ngettext("%(count)s speaker", "%(count)s speakers", len(cues)) % {"count": len(cues)})
    return _("Corrected: %(parts)s") % {"parts": ", ".join(parts)}


def current_or_newest(episode: int) -> Transcript | None:
    """Return the transcript that an editor works with: the one that holds, else the newest."""
    return original_of(episode) or Transcript.objects.filter(episode=episode).order_by("-number").first()
