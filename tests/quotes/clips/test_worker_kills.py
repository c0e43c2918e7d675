"""A real worker that is killed again and again in the middle of its clips."""

import os
import random
import signal
import time
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from django.core.files import File
from django.utils import timezone

from episodes.ffmpeg import probe
from episodes.media import media_from_upload
from publishing import stored_files
from publishing.housekeeping import do_chores
from publishing.models import Job, SiteSettings
from quotes.clips import Kind
from quotes.clips.service import offers_for, start
from quotes.models import Clip, Quote
from tests.factories import make_episode, make_quote, make_show
from tests.publishing.uploads.memory import needs_proc
from tests.workers import processes, start_worker, wait_for

KILLS, CLIPS = 20, 12
LENGTH_MS, STEP_MS = 3000, 200
LONGEST = 0.5  # seconds from a claim to the kill: about as long as a clip takes

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), needs_proc]


@pytest.fixture(autouse=True)
def folder(settings, tmp_path) -> Path:
    """Return the folder of files; what is made in it is worked on below ``tmp_path`` too."""
    settings.WORK_DIR, settings.MEDIA_ROOT = tmp_path / "work-", tmp_path / "media"
    return settings.MEDIA_ROOT


def ask(film: Path, spans: list[tuple[int, int]]) -> list[Quote]:
    """Return live quotes of a film, each with its clip asked for."""
    with film.open("rb") as file:
        stored = media_from_upload(File(file, name="film.mp4"), by=None)
    episode = make_episode(show=make_show(clips_allowed=True), media=[{"media": stored.pk}])
    made = [make_quote(episode=episode, start_ms=first, end_ms=last) for first, last in spans]
    quotes = list(Quote.objects.for_page().filter(pk__in=[quote.pk for quote in made]))
    for quote in quotes:
        start(offers_for(quote, SiteSettings.current())[Kind.VIDEO])
    return quotes


def is_at_work() -> bool:
    """Tell whether somebody who lives has a job in hand, or nobody has anything to do any more."""
    held = Job.objects.filter(state=Job.State.RUNNING, lease_until__gt=timezone.now())
    return held.exists() or not Job.objects.exclude(state=Job.State.DONE).exists()


def served(client, quotes) -> dict[str, str]:
    """Return a digest of each clip that readers get now, by its address."""
    answers = {quote.get_absolute_url(): client.get(f"{quote.get_absolute_url()}clip.mp4") for quote in quotes}
    assert {answer.status_code for answer in answers.values()} <= {200, 404}
    return {
        url: sha256(b"".join(answer.streaming_content)).hexdigest()
        for url, answer in answers.items()
        if answer.status_code == 200
    }


def cutters() -> set[int]:
    """Return the processes that write a clip."""
    return processes("clip.mp4") & processes("libx264")


def test_ffmpeg_ends_with_its_worker(media, folder, tmp_path):
    film = tmp_path / "long.mp4"
    pattern = ["-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d=60,noise=alls=20"]
    media.run(*pattern, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", film)
    ask(film, [(0, 58_000)])

    worker = start_worker(DATA_DIR=tmp_path)
    wait_for(lambda: bool(cutters()))
    worker.kill()
    worker.wait()

    wait_for(lambda: not cutters(), seconds=2)


def test_no_clip_is_lost_doubled_or_half_made(client, media, folder, tmp_path, monkeypatch):
    chance, seen, hits = random.Random(7), [], 0  # noqa: S311 - which moments is of no meaning
    limits = {"DATA_DIR": tmp_path, "JOB_LEASE_SECONDS": 1, "JOB_MAX_ATTEMPTS": 100}
    starts = [number * STEP_MS for number in range(CLIPS)]
    quotes = ask(media.get("25.mp4"), [(at, at + LENGTH_MS) for at in starts])
    source = {path for path in folder.rglob("*") if path.is_file()}

    worker = start_worker(**limits)
    for _kill in range(KILLS):
        successor = start_worker(**limits)  # it starts while the other works
        wait_for(is_at_work)
        time.sleep(chance.uniform(0, LONGEST))
        seen.append(served(client, quotes))
        hits += bool(processes(str(tmp_path)))
        worker.kill()
        worker.wait()
        worker = successor
    wait_for(lambda: not Job.objects.exclude(state=Job.State.DONE).exists())
    worker.send_signal(signal.SIGTERM)
    worker.wait(timeout=20)

    jobs, clips = list(Job.objects.all()), list(Clip.objects.all())
    assert hits > KILLS / 4, "the kills met nobody at work"
    assert len(jobs) == len(clips) == CLIPS
    assert {job.result.get("clip") for job in jobs} == {clip.pk for clip in clips}
    assert max(job.attempts for job in jobs) > 1
    for clip in clips:
        found = probe(Path(clip.file.path))
        assert (found.bytes, abs(found.duration_ms - LENGTH_MS) <= 100) == (clip.bytes, True)

    final = served(client, quotes)
    assert len(final) == CLIPS
    assert all(before.items() <= final.items() for before in seen)  # whoever came early got the whole of it
    kept = {Path(file.path) for clip in clips for file in (clip.file, clip.poster)}
    monkeypatch.setattr(stored_files, "_born_at", lambda: timezone.now() - timedelta(days=9))
    age([path for path in tmp_path.rglob("*") if path not in kept], days=2)
    do_chores()
    assert {path for path in folder.rglob("*") if path.is_file()} == source | kept
    assert list(tmp_path.glob("work-*/*")) == []
    assert processes(str(tmp_path)) == set()


def age(paths: list[Path], *, days: float) -> None:
    then = time.time() - days * 24 * 3600
    for path in paths:
        os.utime(path, (then, then))
