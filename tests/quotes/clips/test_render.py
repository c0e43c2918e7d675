"""What is made beside the cut itself, and what happens when it cannot be made."""

import os
from dataclasses import replace

import pytest
from PIL import Image

from episodes.ffmpeg import FfmpegFailed, Limits, Programs, Reason, probe
from quotes.clips import ClipRequest, Kind, make_watermark, render, render_clip, render_poster
from tests.media import corner, seen_frames


@pytest.fixture
def request_for(any_programs, media):
    def make(name="25.mp4", **fields):
        source = media.get(name)
        return replace(ClipRequest(source, probe(source, any_programs), Kind.VIDEO, 2000, 3000), **fields)

    return make


def fake(folder, text):
    """Return programs of which ffmpeg is a script; the result is probed by nothing real."""
    path = folder / "ffmpeg"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return Programs(str(path), None, "fake")


def test_the_mark_is_in_the_corner_and_changes_with_the_name(any_programs, request_for, tmp_path):
    seen = []
    for text in ("Pullquote", "Signal Path", None):
        folder = tmp_path / str(text)
        folder.mkdir()
        mark = folder / "whole.png"
        if text:
            mark.write_bytes(make_watermark(text=text).png)
        clip = render_clip(request_for(watermark=mark if text else None), folder, programs=any_programs)
        seen.append(corner(any_programs.ffmpeg, clip.path, (70, 20, 244, 154)))

    assert len(set(seen)) == 3
    assert max(seen[0]) > 0xB0
    assert max(seen[2]) < 0xA8  # the box of the film


def test_the_same_request_makes_the_same_bytes(any_programs, request_for, tmp_path):
    made = []
    for name in "ab":
        (tmp_path / name).mkdir()
        made.append(render_clip(request_for(), tmp_path / name, programs=any_programs).path.read_bytes())

    assert made[0] == made[1]


def test_the_file_says_where_it_is_from_and_nothing_else(any_programs, request_for, media, tmp_path):
    request = request_for(title="Ada Okafor: “one battery”; -i x", page_url="https://example.org/q/1/")

    data = render_clip(request, tmp_path, programs=any_programs).path.read_bytes()

    assert request.title.encode() in data
    assert b"https://example.org/q/1/" in data
    assert b"Lavf" not in data
    assert data.index(b"moov") < data.index(b"mdat")


def test_a_clip_at_the_very_end_is_whole(programs, media, tmp_path):
    source = media.get("25.mp4")
    request = ClipRequest(source, probe(source, programs), Kind.VIDEO, 5000, 6040, padding_after_ms=150)

    clip = render_clip(request, tmp_path, programs=programs)

    assert seen_frames(programs.ffmpeg, clip.path) == list(range(125, 150))


def test_a_fast_film_is_slowed_to_sixty(any_programs, media, tmp_path):
    source = media.get("100.mp4")

    clip = render_clip(ClipRequest(source, probe(source), Kind.VIDEO, 2000, 3000), tmp_path, programs=any_programs)

    assert seen_frames(any_programs.ffmpeg, clip.path) == list(range(200, 300, 2))


def test_a_poster_is_the_first_frame(any_programs, request_for, tmp_path):
    clip = render_clip(request_for("rotated.mp4"), tmp_path, programs=any_programs)

    path = render_poster(clip.path, tmp_path, programs=any_programs)

    assert Image.open(path).size == (180, 320)
    assert seen_frames(any_programs.ffmpeg, path) == [50]


def test_the_folder_holds_what_was_made_and_no_messages(any_programs, request_for, tmp_path):
    render_clip(request_for(), tmp_path, programs=any_programs)

    assert os.listdir(tmp_path) == ["clip.mp4"]


def test_without_ffmpeg_it_is_said(request_for, tmp_path, monkeypatch):
    monkeypatch.setattr("episodes.ffmpeg.programs.find_programs", lambda: None)

    with pytest.raises(FfmpegFailed) as failed:
        render_clip(request_for(), tmp_path)

    assert failed.value.reason is Reason.MISSING


@pytest.mark.parametrize(
    "made", ["exit 0", ": > clip.mp4", "head -c 5000 /dev/urandom > clip.mp4", "echo '#EXTM3U' > clip.mp4"]
)
def test_an_exit_code_of_0_proves_nothing(request_for, tmp_path, made):
    with pytest.raises(FfmpegFailed) as failed:
        render_clip(request_for(), tmp_path, programs=fake(tmp_path, made))

    assert failed.value.reason is Reason.BROKEN_RESULT


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [("30.mp4", "size"), ("plain.m4a", "no picture"), ("silent.mp4", "no sound"), ("25.mp4", "length")],
)
def test_another_file_than_the_one_asked_for_is_not_taken(any_programs, request_for, media, tmp_path, kind, wrong):
    """A copy of ``kind`` comes out where a second of a portrait film, 180 pixels wide, or of 25.mp4 was wanted."""
    asked = request_for("portrait.mp4" if wrong == "size" else "25.mp4", end_ms=7000 if wrong == "no sound" else 3000)
    asked = replace(asked, end_ms=min(asked.end_ms, 5900))
    script = f'case "$*" in *clip.mp4) case "$*" in *libx264*) exec cp "{media.get(kind)}" clip.mp4;; esac;; esac\n'
    programs = fake(tmp_path, script + f'exec {any_programs.ffmpeg} "$@"\n')

    with pytest.raises(FfmpegFailed) as failed:
        render_clip(asked, tmp_path, programs=programs)

    assert failed.value.reason is Reason.BROKEN_RESULT


def test_a_full_disk_ends_in_a_stated_failure(programs, media, tmp_path, monkeypatch):
    source = media.get("25.mp4")
    monkeypatch.setattr(render, "limits_for", lambda length: Limits(file_bytes=3000))

    with pytest.raises(FfmpegFailed) as failed:
        render_clip(ClipRequest(source, probe(source, programs), Kind.VIDEO, 0, 5000), tmp_path, programs=programs)

    assert failed.value.reason is Reason.NO_SPACE


def test_a_render_that_hangs_is_ended(request_for, tmp_path, monkeypatch):
    monkeypatch.setattr(render, "limits_for", lambda length: Limits(stall_seconds=0.7))

    with pytest.raises(FfmpegFailed) as failed:
        render_clip(request_for(), tmp_path, programs=fake(tmp_path, "exec sleep 60"))

    assert failed.value.reason is Reason.STALLED


def test_a_source_that_was_cut_off_since_makes_no_clip(programs, media, tmp_path):
    whole, source = media.get("25.mp4"), tmp_path / "film.mp4"
    probed = probe(whole, programs)
    source.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])

    with pytest.raises(FfmpegFailed) as failed:
        render_clip(ClipRequest(source, probed, Kind.VIDEO, 4500, 5500), tmp_path, programs=programs)

    assert failed.value.reason in {Reason.BROKEN_RESULT, Reason.REFUSED, Reason.FAILED}
