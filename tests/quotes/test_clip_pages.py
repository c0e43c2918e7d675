"""The clip of a quote: who may have one made, that it is made once, what is served and when it is gone."""

import io
import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files import File
from django.core.files.storage import default_storage
from django.db import connection
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from episodes.ffmpeg import find_programs
from episodes.media import media_from_upload
from episodes.models import MediaFile
from publishing.acts import publish, retire
from publishing.jobs import work_through
from publishing.models import Item, Job, SiteSettings
from quotes.clips import service
from quotes.clips.service import sweep
from quotes.models import Clip, Quote
from tests.factories import REASON, edit, make_episode, make_quote, make_show, make_user
from tests.media import MediaMaker
from tests.publishing.test_two_at_once import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="session")
def film(tmp_path_factory):
    programs = find_programs()
    if programs is None:
        pytest.skip("There is no ffmpeg here.")
    return MediaMaker(tmp_path_factory.getbasetemp() / "clip-media", programs.ffmpeg).get("25.mp4")


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"


@pytest.fixture
def media(film) -> MediaFile:
    with film.open("rb") as file:
        return media_from_upload(File(file, name="film.mp4"), by=None)


@pytest.fixture
def quote(media) -> Quote:
    show = make_show(clips_allowed=True)
    return make_quote(episode=make_episode(show=show, media=[{"media": media.pk}]), start_ms=1_000, end_ms=3_000)


def page_of(quote: Quote) -> str:
    return f"{quote.get_absolute_url()}clip/"


def token_on(client, quote: Quote) -> str:
    html = client.get(quote.get_absolute_url()).content.decode()
    return html.partition('name="token" value="')[2].partition('"')[0]


def ask(client, quote: Quote):
    return client.post(page_of(quote), {"token": token_on(client, quote)})


def state(client, quote: Quote) -> dict:
    return json.loads(client.get(page_of(quote), headers={"accept": "application/json"}).content)


def test_an_upload_is_looked_into(media):
    assert (media.kind, media.duration_ms, media.probed["video"]["fps"]) == ("video", 6_000, "25")


def test_a_broken_upload_is_refused_in_words_and_leaves_no_file(film, tmp_path):
    from django.core.exceptions import ValidationError

    broken = tmp_path / "broken.mp4"
    broken.write_bytes(film.read_bytes()[:3_000])

    with broken.open("rb") as file, pytest.raises(ValidationError) as refused:
        media_from_upload(File(file, name="broken.mp4"), by=None)

    assert refused.value.messages[0]
    assert list(Path(default_storage.path("episodes")).glob("*")) == []


def test_it_is_made_on_demand_and_downloaded(client, quote, django_capture_on_commit_callbacks):
    assert "rendered on demand" in client.get(quote.get_absolute_url()).content.decode()
    assert client.get(f"{quote.get_absolute_url()}clip.mp4").status_code == 404

    assert ask(client, quote)["Location"] == page_of(quote)
    assert state(client, quote) == {"state": "waiting", "percent": 0}
    work_through()

    ready = state(client, quote)
    assert (ready["state"], ready["percent"]) == ("ready", 100)
    answer = client.get(ready["url"])
    body = b"".join(answer.streaming_content)
    assert (answer["Content-Type"], len(body)) == ("video/mp4", ready["bytes"])
    assert answer["Content-Disposition"] == f'attachment; filename="{quote.slug}.mp4"'
    assert body[4:8] == b"ftyp"
    html = client.get(quote.get_absolute_url()).content.decode()
    assert f'src="{quote.get_absolute_url()}clip.mp4"' in html
    assert 'data-start="0' in html


def test_before_it_plays_its_first_frame_is_shown(client, quote):
    path, page = f"{quote.get_absolute_url()}clip.jpg", quote.get_absolute_url()
    assert client.get(path).status_code == 404
    assert f'poster="{path}"' not in client.get(page).content.decode()

    ask(client, quote)
    work_through()

    answer = client.get(path)
    with Image.open(io.BytesIO(b"".join(answer.streaming_content))) as frame:
        assert (answer["Content-Type"], frame.format, frame.size) == ("image/jpeg", "JPEG", (320, 180))
    assert f'poster="{path}"' in client.get(page).content.decode()


def test_a_clip_of_sound_alone_has_no_frame(client, quote, settings):
    settings.CLIPS_PRERENDER = True
    publish(edit(quote, context="Another context."), actor=None)
    work_through()

    assert [bool(clip.poster) for clip in Clip.objects.order_by("kind")] == [False, True]


def test_ranges_are_served(client, quote):
    ask(client, quote)
    work_through()
    path = f"{quote.get_absolute_url()}clip.mp4"
    size = Clip.objects.get().bytes

    first = client.get(path, headers={"range": "bytes=0-1"})
    last = client.get(path, headers={"range": "bytes=-10"})
    past = client.get(path, headers={"range": f"bytes={size}-"})

    assert (first.status_code, first["Content-Range"], first["Content-Length"]) == (206, f"bytes 0-1/{size}", "2")
    assert (last.status_code, last["Content-Range"]) == (206, f"bytes {size - 10}-{size - 1}/{size}")
    assert (past.status_code, past["Content-Range"]) == (416, f"bytes */{size}")
    assert client.head(path).status_code == 200
    assert client.get(path, headers={"if-none-match": client.get(path)["ETag"]}).status_code == 304


def test_without_the_pages_token_nothing_starts(client, quote):
    assert client.post(page_of(quote)).status_code == 403
    assert client.post(page_of(quote), {"token": "guessed"}).status_code == 403
    assert not Job.objects.filter(kind="render-clip").exists()


def test_other_public_pages_take_no_post(client, quote):
    assert client.post(quote.get_absolute_url()).status_code == 405
    assert client.post("/").status_code == 405


def test_asking_again_makes_no_second_job(client, quote):
    for _time in range(3):
        ask(client, quote)
    work_through()
    ask(client, quote)

    assert Job.objects.filter(kind="render-clip").count() == 1
    assert Clip.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_are_one_render(client, quote):
    token = token_on(client, quote)

    answers = at_once(*[lambda: type(client)().post(page_of(quote), {"token": token}).status_code for _ in range(20)])
    work_through()

    assert answers == [302] * 20
    assert Job.objects.filter(kind="render-clip").count() == 1
    assert Job.objects.get(kind="render-clip").attempts == 1
    assert Clip.objects.count() == 1


@pytest.mark.parametrize(
    "change",
    [
        {"clips_allowed": False},
        {"longest_clip_ms": 1_500},
    ],
)
def test_the_show_decides_whether_there_is_a_clip(client, quote, change):
    publish(edit(quote.episode.show, **change), actor=None)

    assert "rendered on demand" not in client.get(quote.get_absolute_url()).content.decode()
    assert client.get(page_of(quote)).status_code == 404


def test_an_episode_known_only_elsewhere_has_none(client):
    video = MediaFile.objects.create(kind="youtube", address="dQw4w9WgXcQ")
    episode = make_episode(show=make_show(clips_allowed=True), media=[{"media": video.pk}])
    quote = make_quote(episode=episode, start_ms=1_000, end_ms=3_000)

    assert client.get(page_of(quote)).status_code == 404


def test_without_a_program_pages_work_and_offer_none(client, quote, monkeypatch):
    monkeypatch.setattr("quotes.clips.offers.find_programs", lambda: None)

    assert "rendered on demand" not in client.get(quote.get_absolute_url()).content.decode()
    assert client.get(page_of(quote)).status_code == 404


def test_renaming_the_site_changes_the_label_and_the_next_clip(client, quote):
    ask(client, quote)
    work_through()
    before = Clip.objects.get().file.name
    SiteSettings.objects.update_or_create(pk=1, defaults={"name": "The Other Signal"})

    assert "The Other Signal watermark" in client.get(quote.get_absolute_url()).content.decode()
    assert state(client, quote)["state"] == "none"
    ask(client, quote)
    work_through()

    assert Clip.objects.latest("pk").file.name != before


@pytest.mark.django_db(transaction=True)
def test_taking_down_deletes_the_file_at_once(client, quote):
    ask(client, quote)
    work_through()
    clip = Clip.objects.get()
    names = [clip.file.name, clip.poster.name]
    assert [default_storage.exists(name) for name in names] == [True, True]

    retire(Item.objects.get(pk=quote.episode.show_id), actor=None, reason="Taken down.", act="takedown")

    assert [default_storage.exists(name) for name in names] == [False, False]
    assert not Clip.objects.exists()
    for extension in ("mp4", "jpg"):
        assert client.get(f"{quote.get_absolute_url()}clip.{extension}").status_code in (404, 410)


def test_a_corrected_quote_has_another_clip(client, quote):
    ask(client, quote)
    work_through()
    publish(edit(quote, end_ms=3_500), actor=None, reason=REASON)

    assert state(client, Quote.objects.get(pk=quote.pk))["state"] == "none"


def test_a_job_for_what_is_no_longer_so_makes_nothing(client, quote):
    ask(client, quote)
    publish(edit(quote, end_ms=3_500), actor=None, reason=REASON)
    work_through()

    assert not Clip.objects.exists()
    assert Job.objects.get(kind="render-clip").result == {"stale": True}


def test_a_failure_is_told_and_can_be_tried_again(client, quote, media):
    path = Path(default_storage.path(media.file.name))
    data = path.read_bytes()
    path.unlink()
    ask(client, quote)
    work_through()

    failed = state(client, quote)
    assert failed["state"] == "failed"
    assert "not on this machine" in failed["message"]
    path.write_bytes(data)
    ask(client, quote)
    work_through()

    assert state(client, quote)["state"] == "ready"


def test_a_full_disk_is_said_and_leaves_nothing(client, quote, monkeypatch):
    monkeypatch.setattr(service.shutil, "disk_usage", lambda _path: type("Usage", (), {"free": 1})())
    ask(client, quote)
    work_through()

    assert "disk is full" in state(client, quote)["message"]
    assert not Clip.objects.exists()


def test_too_many_waiting_are_sent_away(client, quote, settings):
    settings.CLIP_QUEUE = 0

    response = ask(client, quote)

    assert (response.status_code, response["Retry-After"]) == (503, "120")
    assert not Job.objects.filter(kind="render-clip").exists()


def test_one_address_asks_for_so_many_an_hour(client, quote, settings):
    settings.CLIP_STARTS_AN_HOUR = 2

    assert [ask(client, quote).status_code for _time in range(3)] == [302, 302, 429]


def test_what_is_hidden_has_no_clip(client, quote):
    ask(client, quote)
    work_through()
    retire(quote.item, actor=None, reason="Gone.")

    for path in (page_of(quote), f"{quote.get_absolute_url()}clip.mp4", f"{quote.get_absolute_url()}clip.m4a"):
        assert client.get(path).status_code in (404, 410)


def test_an_evicted_clip_is_made_again(client, quote, settings):
    ask(client, quote)
    work_through()
    Clip.objects.update(used_at=timezone.now() - timedelta(hours=2))
    settings.CLIPS_MEGABYTES = 0
    sweep()
    assert not Clip.objects.exists()
    settings.CLIPS_MEGABYTES = 100

    ask(client, quote)
    work_through()

    assert state(client, quote)["state"] == "ready"


def test_what_was_used_this_hour_is_not_evicted(client, quote, settings):
    ask(client, quote)
    work_through()
    settings.CLIPS_MEGABYTES = 0

    sweep()

    assert Clip.objects.count() == 1


def test_an_operator_may_have_clips_made_beforehand(client, quote, settings):
    settings.CLIPS_PRERENDER = True

    publish(edit(quote, context="Another context."), actor=None)
    work_through()

    assert set(Clip.objects.values_list("kind", flat=True)) == {"video", "audio"}
    answer = client.get(f"{quote.get_absolute_url()}clip.m4a")
    assert answer["Content-Type"] == "audio/mp4"


def test_the_page_takes_as_many_queries_with_a_clip(client, quote):
    from django.test.utils import CaptureQueriesContext

    ask(client, quote)
    work_through()

    with CaptureQueriesContext(connection) as queries:
        client.get(quote.get_absolute_url())

    assert len(queries) <= 15


def test_an_editor_sees_the_job_and_tries_a_failed_one_again(client, quote, media):
    Path(default_storage.path(media.file.name)).unlink()
    ask(client, quote)
    work_through()
    job = Job.objects.get(kind="render-clip")
    client.force_login(make_user("petra", "Publisher"))
    page = reverse("admin:job", args=[job.pk])

    assert "not on this machine" in client.get(page).content.decode()
    assert client.post(page).status_code == 302

    job.refresh_from_db()
    assert job.state == Job.State.READY


def test_the_mark_is_shown_to_who_may_set_it(client):
    SiteSettings.objects.update_or_create(pk=1, defaults={"name": "The Signal"})
    client.force_login(make_user("petra", "Publisher"))
    address = reverse("admin:quotes_quote_watermark")

    saved, typed = client.get(address), client.get(address, {"name": "Another", "watermark_text": ""})

    assert saved["Content-Type"] == "image/png"
    assert saved.content != typed.content
    client.force_login(make_user("anna", "Author"))
    assert client.get(address).status_code == 403


def test_a_proxy_may_send_the_bytes(client, quote, settings):
    ask(client, quote)
    work_through()
    settings.X_ACCEL_PREFIX = "/protected-media"

    answer = client.get(f"{quote.get_absolute_url()}clip.mp4?download")

    assert answer["X-Accel-Redirect"] == f"/protected-media/{Clip.objects.get().file.name}"
    assert (answer.content, answer["Content-Type"]) == (b"", "video/mp4")
    assert answer["Content-Disposition"].startswith("attachment")


def test_files_run_nothing_in_a_browser(client, quote):
    ask(client, quote)
    work_through()

    answer = client.get(f"{quote.get_absolute_url()}clip.mp4")

    assert answer["Content-Security-Policy"] == "sandbox; default-src 'none'; frame-ancestors 'none'"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Encoding"] == "identity"


def test_behind_a_proxy_each_reader_is_counted(client, quote, settings):
    settings.CLIP_STARTS_AN_HOUR = 1
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    token = token_on(client, quote)

    def asks(address: str) -> int:
        headers = {"x-forwarded-for": address}
        return client.post(page_of(quote), {"token": token}, headers=headers).status_code

    assert [asks("192.0.2.1"), asks("192.0.2.1"), asks("192.0.2.2")] == [302, 429, 302]


def test_what_is_taken_down_while_it_is_cut_is_not_kept(client, quote, monkeypatch):
    ask(client, quote)
    render = service.render_clip

    def render_and_retire(*args, **kwargs):
        rendered = render(*args, **kwargs)
        retire(Item.objects.get(pk=quote.pk), actor=None, reason="Taken down.", act="takedown")
        return rendered

    monkeypatch.setattr(service, "render_clip", render_and_retire)
    work_through()

    assert not Clip.objects.exists()
    assert [path for path in Path(default_storage.path("clips")).rglob("*") if path.is_file()] == []
    assert Job.objects.get(kind="render-clip").result == {"stale": True}
