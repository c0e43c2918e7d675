import subprocess

import pytest
from django.core.management import call_command

from episodes.models import MediaFile
from quotes.demo import video

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def refuse(seconds):
    raise subprocess.CalledProcessError(1, "ffmpeg", stderr=b"Unknown encoder")


@pytest.mark.parametrize(("has_ffmpeg", "make_video"), [(False, None), (True, refuse)])
def test_an_episode_keeps_its_address_where_its_video_cannot_be_made(monkeypatch, capsys, has_ffmpeg, make_video):
    monkeypatch.setattr(video, "has_ffmpeg", lambda: has_ffmpeg)
    monkeypatch.setattr(video, "make_video", make_video)

    call_command("load_demo")

    said = capsys.readouterr().out
    assert "67 items" in said
    assert "“The Timetable Is the Product” keeps its address" in said
    media = MediaFile.objects.filter(episode_media__episode__title="The Timetable Is the Product")
    assert set(media.values_list("kind", "file")) == {("audio", ""), ("youtube", "")}
