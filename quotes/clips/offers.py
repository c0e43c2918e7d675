"""Which clip a quote has: decided from stored, published things, never from an address."""

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from django.core.files.storage import default_storage

from episodes.ffmpeg import Probed, find_programs
from episodes.models import Image, MediaFile
from publishing.models import SiteSettings

from ..models import Quote, QuoteCheck
from . import arguments, audiogram, watermark
from .request import LONGEST_MS, Kind


@dataclass(frozen=True)
class Offer:
    """A clip that a quote can have. ``tag`` tells it from any other: it changes with all that the clip shows."""

    quote: Quote
    media: MediaFile
    kind: Kind
    check: QuoteCheck | None
    artwork: Image | None
    mark_text: str
    mark_image: str

    @property
    def probed(self) -> Probed:
        return Probed.from_json(self.media.probed or {})

    @property
    def padding_ms(self) -> tuple[int, int]:
        """Return how much may be heard before and after, where no other word is cut."""
        around = (self.check.around if self.check else None) or {}
        return around.get("room_before", 0), around.get("room_after", 0)

    @property
    def _captions(self) -> list:
        """Return what decides the captions: the words that were matched, and which of them are left out."""
        if self.check is None:
            return []
        result = self.check.result
        left_out = [run["indices"] for run in result["removed"]]
        return [self.check.words_hash, result["first_word"], result["last_word"], left_out]

    @property
    def tag(self) -> str:
        quote, media = self.quote, self.media
        values = [
            arguments.PIPELINE,
            audiogram.DESIGN,
            watermark.DESIGN,
            self.kind,
            media.pk,
            media.offset_ms,
            quote.start_ms,
            quote.end_ms,
            self.padding_ms,
            quote.headline,
            quote.get_absolute_url(),
        ]
        if self.kind is not Kind.AUDIO:
            values += [self.mark_text, self.mark_image]
        if self.kind is Kind.AUDIOGRAM:
            episode = quote.episode
            values += [quote.speaker_name, episode.title, episode.show.title]
            values += [self.artwork.pk if self.artwork else 0, self._captions]
        return sha256(json.dumps(values, ensure_ascii=False).encode()).hexdigest()


def offers_of(quote: Quote, site: SiteSettings, check: QuoteCheck | None) -> dict[Kind, Offer]:
    """Return the clips that a quote can have, by kind; none where something rules them out. No query.

    The quote is loaded by ``for_page()``. The show must allow clips, the episode must
    have a file of ours whose place on the timeline is known and which was looked into,
    the quote must have both times and be short enough, and this machine must have ffmpeg.
    """
    media = next((link.media for link in quote.episode.media_links if _can_be_cut(link.media)), None)
    if media is None or not _is_allowed(quote) or find_programs() is None:
        return {}
    probed = Probed.from_json(media.probed or {})
    kinds = [Kind.VIDEO if probed.video else Kind.AUDIOGRAM] if probed.video or probed.audio else []
    kinds += [Kind.AUDIO] if probed.audio else []
    artwork = quote.episode.artwork or quote.episode.show.artwork
    held = check if check and check.passes else None
    mark = (site.watermark_text or site.name, site.watermark_image.name or "")
    return {kind: Offer(quote, media, kind, held, artwork, *mark) for kind in kinds}


def _can_be_cut(media: MediaFile) -> bool:
    return bool(media.file) and media.offset_ms is not None and bool(media.probed)


def _is_allowed(quote: Quote) -> bool:
    show = quote.episode.show
    if not show.clips_allowed or quote.start_ms is None or quote.end_ms is None:
        return False
    return quote.end_ms - quote.start_ms <= min(show.longest_clip_ms or LONGEST_MS, LONGEST_MS)


def path_of(name: str | None) -> Path | None:
    """Return where a stored file lies on this machine; None where the storage has no paths."""
    try:
        return Path(default_storage.path(name or ""))
    except NotImplementedError:
        return None
