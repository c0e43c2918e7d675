"""Clips on demand: asked for once however many ask, made by the worker, kept while they are wanted."""

import shutil
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from episodes.ffmpeg import FfmpegFailed, MediaRefused
from episodes.transcripts.script import script_of
from publishing.jobs import GiveUp, Held, TryLater, call_worker, job_kind, kept_alive, retry
from publishing.models import Item, Job, SiteSettings
from publishing.work_folders import work_folder

from ..check import CheckResult
from ..checking import live_check_of
from ..models import Clip, Quote
from . import (
    CardText,
    ClipRefused,
    ClipRequest,
    Kind,
    Rendered,
    Watermark,
    Word,
    content_key,
    make_watermark,
    render_clip,
    render_poster,
)
from .offers import Offer, offers_of, path_of

FOLDER = "clips"
JOB = "render-clip"
AT_ONCE = timedelta(days=1)  # by which what a reader waits for goes before what was only foreseen
KEEP_YOUNG = timedelta(hours=1)
TOUCH_EVERY = timedelta(hours=1)
ROOM_BYTES = 1024**3  # of the disk that a render leaves alone
FULL_TO = 0.9  # of the quota, to which clips are evicted


class QueueFull(Exception):
    """Raised where more clips wait than the worker should have before it."""


def offers_for(quote: Quote, site: SiteSettings) -> dict[Kind, Offer]:
    """Return the clips that a quote can have, by kind. One query."""
    return offers_of(quote, site, live_check_of(quote))


def clip_of(offer: Offer) -> Clip | None:
    """Return the clip as it is made, or None. One query."""
    return Clip.objects.filter(tag=offer.tag).first()


def job_of(offer: Offer) -> Job | None:
    return Job.objects.filter(key=_key(offer)).first()


def _key(offer: Offer) -> str:
    return f"{JOB}:{offer.tag}"


def start(offer: Offer, *, is_foreseen: bool = False) -> Job:
    """Return the job that makes a clip, asked for now or before; what a reader waits for comes first.

    Raises QueueFull where too many wait. A job that failed is tried again.
    """
    now = timezone.now()
    run_after = now if is_foreseen else now - AT_ONCE
    with transaction.atomic():
        job = job_of(offer)
        if job is None:
            if Job.objects.filter(kind=JOB, state=Job.State.READY).count() >= settings.CLIP_QUEUE:
                raise QueueFull
            payload = {"quote": offer.quote.pk, "kind": offer.kind.value, "tag": offer.tag}
            job, _made = Job.objects.get_or_create(
                key=_key(offer), defaults={"kind": JOB, "payload": payload, "run_after": run_after}
            )
            call_worker()
        elif job.state == Job.State.FAILED and not is_foreseen:
            retry(job)
        elif job.state == Job.State.DONE and clip_of(offer) is None:  # made once, evicted since
            Job.objects.filter(pk=job.pk, state=Job.State.DONE).update(
                state=Job.State.READY, attempts=0, run_after=run_after, progress=0
            )
            call_worker()
        elif not is_foreseen:
            Job.objects.filter(pk=job.pk, state=Job.State.READY, run_after__gt=run_after).update(run_after=run_after)
    return job


@job_kind(JOB)
def render_clip_job(held: Held) -> dict:
    """Make the clip of a quote as readers see it now; another wish than the one that was asked for is dropped."""
    quote = Quote.objects.live().for_page().filter(pk=held.payload["quote"]).first()
    offers = offers_for(quote, SiteSettings.current()) if quote else {}
    offer = offers.get(Kind(held.payload["kind"]))
    if offer is None or offer.tag != held.payload["tag"]:
        return {"stale": True}
    if clip_of(offer):
        return {"was_there": True}
    _make_room()
    try:
        with kept_alive(held) as alive, work_folder(held) as folder:
            mark = None if offer.kind is Kind.AUDIO else _mark(offer)
            request = _request(offer, folder, mark)
            rendered = render_clip(request, folder, progress=lambda percent: alive.progress(percent, 100))
            poster = render_poster(rendered.path, folder) if offer.kind is Kind.VIDEO else None
            key = content_key(request, media_hash=offer.media.content_hash, watermark_key=mark.key if mark else "")
            clip = _keep(held, offer, key, rendered, poster)
    except (ClipRefused, MediaRefused) as refused:
        raise GiveUp(str(refused)) from refused
    except FfmpegFailed as failed:
        raise (TryLater if failed.may_work_later else GiveUp)(str(failed)) from failed
    if clip is None:
        return {"stale": True}
    return {"clip": clip.pk, "bytes": rendered.bytes, "cpu_seconds": round(rendered.cpu_seconds, 2)}


def _request(offer: Offer, folder: Path, mark: Watermark | None) -> ClipRequest:
    """Return the clip in the words of the renderer, on the file's own time."""
    quote, media = offer.quote, offer.media
    source = path_of(media.file.name)
    if source is None or not source.is_file():
        raise GiveUp(_("The episode's file is not on this machine, so nothing can be cut from it."))
    mark_path = folder / "mark.png"
    if mark:
        mark_path.write_bytes(mark.png)
    before, after = offer.padding_ms
    artwork = path_of(offer.artwork.file.name) if offer.artwork else None
    return ClipRequest(
        source=source,
        probed=offer.probed,
        kind=offer.kind,
        start_ms=media.at(quote.start_ms or 0),
        end_ms=media.at(quote.end_ms or 0),
        padding_before_ms=before,
        padding_after_ms=after,
        watermark=mark_path if mark else None,
        words=_words(offer) if offer.kind is Kind.AUDIOGRAM else (),
        card=CardText(quote.speaker_name, quote.episode.title, quote.episode.show.title, artwork),
        title=quote.headline,
        page_url=f"{settings.SITE_URL}{quote.get_absolute_url()}",
    )


def _mark(offer: Offer) -> Watermark:
    if not offer.mark_image:
        return make_watermark(text=offer.mark_text)
    with default_storage.open(offer.mark_image) as image:
        return make_watermark(text=offer.mark_text, image=image)


def _words(offer: Offer) -> list[Word]:
    """Return the captions: the words that the quote keeps, at their times; none where nothing proves them."""
    if offer.check is None:
        return []
    result = CheckResult.from_json(offer.check.result)
    if result.first_word is None or result.last_word is None:
        return []
    left_out = {index for run in result.removed for index in run.indices}
    script = script_of(offer.check.transcript)
    return [
        Word(word.w, offer.media.at(word.start_ms), offer.media.at(word.end_ms))
        for index, word in enumerate(script.words[result.first_word : result.last_word + 1], result.first_word)
        if index not in left_out and word.start_ms is not None and word.end_ms is not None
    ]


def _keep(held: Held, offer: Offer, key: str, rendered: Rendered, poster: Path | None) -> Clip | None:
    """Keep the finished files and their row; only what was looked at ever gets a name that is served.

    Returns None, with nothing kept, where the quote was taken down meanwhile.
    """
    names = [_keep_file(rendered.path, f"{FOLDER}/{key[:2]}/{key}.{offer.kind.extension}")]
    names += [_keep_file(poster, f"{FOLDER}/{key[:2]}/{key}.jpg")] if poster else []
    held.renew()
    facts = {
        "quote": offer.quote,
        "kind": offer.kind.value,
        "file": names[0],
        "poster": names[1] if poster else "",
        "bytes": rendered.bytes,
        "duration_ms": rendered.duration_ms,
        "used_at": timezone.now(),
    }
    with transaction.atomic():
        Item.objects.locked().filter(pk=offer.quote.pk).first()  # whoever takes it down waits, or is seen here
        if Quote.objects.live().filter(pk=offer.quote.pk).exists():
            return Clip.objects.update_or_create(tag=offer.tag, defaults=facts)[0]
    _delete_unnamed(names)
    return None


def _keep_file(path: Path, name: str) -> str:
    if not default_storage.exists(name):
        with path.open("rb") as data:
            kept = default_storage.save(f"{name}.part", File(data))
        _rename(kept, name)
    return name


def _rename(kept: str, name: str) -> None:
    path = path_of(kept)
    if path is None:  # a bucket: a save is whole or not there
        with default_storage.open(kept) as data:
            default_storage.save(name, data)
        default_storage.delete(kept)
        return
    target = path.with_name(name.rpartition("/")[2])
    path.replace(target)


def use(clip: Clip) -> None:
    """Note that somebody asked for a clip, to the hour."""
    if clip.used_at < timezone.now() - TOUCH_EVERY:
        Clip.objects.filter(pk=clip.pk).update(used_at=timezone.now())


def _make_room() -> None:
    """Evict what was longest unused above the quota. Raises GiveUp where the disk is full all the same."""
    sweep()
    root = path_of("")
    if root is not None and root.exists() and shutil.disk_usage(root).free < ROOM_BYTES:
        raise GiveUp(_("The disk is full: less than 1 GB is free. Make room, then try again."))


def sweep() -> None:
    """Delete the clips that were longest unused, until nine tenths of the quota are left; none of this hour."""
    quota = settings.CLIPS_MEGABYTES * 1_000_000
    clips = list(Clip.objects.order_by("-used_at").values_list("pk", "bytes", "used_at"))
    if sum(size for _pk, size, _used in clips) <= quota:
        return
    young = timezone.now() - KEEP_YOUNG
    room, evicted = quota * FULL_TO, []
    for pk, size, used_at in clips:
        room -= size
        if room < 0 and used_at < young:
            evicted.append(pk)
    _delete(Clip.objects.filter(pk__in=evicted))


def forget(quotes: Sequence[int]) -> None:
    """Delete the clips of quotes that readers no longer see, files and all."""
    _delete(Clip.objects.filter(quote__in=quotes))


def _delete(clips) -> None:
    """Delete rows, then the files that no other row names, once the transaction holds."""
    names = [name for both in clips.values_list("file", "poster") for name in both if name]
    clips.delete()
    transaction.on_commit(lambda: _delete_unnamed(names))


def _delete_unnamed(names: Sequence[str]) -> None:
    named = Clip.objects.filter(Q(file__in=names) | Q(poster__in=names)).values_list("file", "poster")
    for name in set(names) - {name for both in named for name in both}:
        default_storage.delete(name)


def foresee(quotes: Sequence[int]) -> None:
    """Have the clips of quotes made that were just published, where the operator wants them before anybody asks."""
    if not settings.CLIPS_PRERENDER:
        return
    site = SiteSettings.current()
    for quote in Quote.objects.live().for_page().filter(pk__in=quotes):
        for offer in offers_for(quote, site).values():
            try:
                start(offer, is_foreseen=True)
            except QueueFull:
                return
