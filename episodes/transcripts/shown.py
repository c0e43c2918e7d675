"""Which transcripts of an episode readers may see, and what they are told of each."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import get_language_info, gettext as _

from publishing.templatetags.pullquote import site_date

from ..models import CurrentTranscript, Episode, Transcript
from .files import formats_of

_LANGUAGE_TAG = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}")
UNDETERMINED = "und"


@dataclass(frozen=True)
class FileLink:
    """One format of a transcript, as pages link to it."""

    label: str
    mime: str
    url: str


@dataclass(frozen=True)
class Shown:
    """The transcript of an episode that holds for one language, as pages speak of it."""

    episode: Episode
    current: CurrentTranscript

    @property
    def url(self) -> str:
        return transcript_path(self.episode, self.current)

    @property
    def transcript(self) -> Transcript:
        return self.current.transcript

    @property
    def language(self) -> str:
        return self.current.language

    @property
    def is_original(self) -> bool:
        return self.current.is_original

    @property
    def query(self) -> str:
        return query_of(self.current)

    @property
    def lang(self) -> str:
        return html_language(self.language)

    @property
    def label(self) -> str:
        return language_name(self.language)

    @property
    def files(self) -> list[FileLink]:
        return [
            FileLink(str(form.label), form.mime, transcript_path(self.episode, self.current, name))
            for name, form in formats_of(self.transcript).items()
        ]

    @property
    def source(self) -> list[SafeString | str]:
        return source_parts(self.transcript)


def query_of(current: CurrentTranscript) -> str:
    """Return what the addresses of a transcript end in; the original's end in nothing."""
    return "" if current.is_original else urlencode({"language": current.language})


def transcript_path(episode: Episode, current: CurrentTranscript, form: str = "") -> str:
    """Return where a transcript is read, or one of its files."""
    slugs = [episode.show.slug, episode.slug]
    path = (
        reverse("episodes:transcript-file", args=[*slugs, form]) if form else reverse("episodes:transcript", args=slugs)
    )
    query = query_of(current)
    return f"{path}?{query}" if query else path


def transcripts_of(episode: Episode) -> list[Shown]:
    """Return the transcripts that hold, the original first, then by language. One query; the words stay where they are."""
    rows = CurrentTranscript.objects.filter(episode=episode).select_related("transcript")
    rows = rows.defer("transcript__messages")
    shown = [Shown(episode, row) for row in rows]
    return sorted(shown, key=lambda one: (not one.is_original, one.language))


def find_shown(shown: Iterable[Shown], language: str) -> Shown | None:
    """Return the one in a language, or the original where none is named."""
    wanted = language.strip().lower()
    return next((one for one in shown if (one.language == wanted if wanted else one.is_original)), None)


def source_parts(transcript: Transcript) -> list[SafeString | str]:
    """Return where a transcript comes from, as far as it is known, as parts to join with a dot."""
    parts = [_("Automated transcript") if transcript.is_automated else _("Transcript")]
    if transcript.engine:
        parts.append(transcript.engine)
    if day := site_date(transcript.made_on):
        parts.append(day)
    if transcript.corrections:
        parts.append(_("corrected by the editors"))
    return parts


def html_language(code: str) -> str:
    """Return a language as HTML takes it; empty where it is not known or no language tag."""
    return code if _LANGUAGE_TAG.fullmatch(code) and code != UNDETERMINED else ""


def language_name(code: str) -> str:
    """Return a language's name as the site speaks, else its code."""
    if code == UNDETERMINED:
        return _("language not known")
    try:
        return str(get_language_info(code)["name_translated"]).capitalize()
    except KeyError:
        return code
