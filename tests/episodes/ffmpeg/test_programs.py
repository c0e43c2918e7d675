import os

import pytest
from django.core.checks import run_checks

from episodes.ffmpeg import find_programs, missing_parts, programs as finding
from episodes.ffmpeg.programs import has_filters

BUILD = """#!/bin/sh
case "$2" in
  -version) echo "ffmpeg version {version} Copyright" ;;
  -encoders) printf ' V....D libx264   H.264\\n A....D aac   AAC\\n' ;;
  -filters) printf ' ... overlay VV->V x\\n ... scale V->V x\\n{more}' ;;
esac
"""


@pytest.fixture
def bare(settings, tmp_path, monkeypatch):
    """A system without any ffmpeg, and a folder on its PATH."""
    settings.FFMPEG = settings.FFPROBE = ""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(finding, "wheel_ffmpeg", lambda: None)
    finding._find.cache_clear()
    yield tmp_path
    finding._find.cache_clear()


def put(folder, name, *, version="7.1", more=""):
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(BUILD.format(version=version, more=more))
    path.chmod(0o755)
    return str(path)


def test_nothing_is_found_where_nothing_is(bare):
    assert find_programs() is None
    assert [message.id for message in run_checks(tags=["ffmpeg"])] == ["episodes.W001"]


def test_the_path_is_looked_through(bare):
    ffmpeg, ffprobe = put(bare, "ffmpeg"), put(bare, "ffprobe")

    assert find_programs() == finding.Programs(ffmpeg, ffprobe, "7.1")


def test_the_package_comes_after_the_path(bare, monkeypatch):
    monkeypatch.setattr(finding, "wheel_ffmpeg", lambda: put(bare, "packed/ffmpeg-linux-v9", version="n9.0"))
    packed = find_programs()
    finding._find.cache_clear()
    put(bare, "ffmpeg")

    assert packed == finding.Programs(str(bare / "packed/ffmpeg-linux-v9"), None, "n9.0")
    assert find_programs().version == "7.1"


def test_the_setting_comes_first_and_brings_its_ffprobe(bare, settings):
    put(bare, "ffmpeg")
    settings.FFMPEG, beside = put(bare, "own/ffmpeg", version="8.0"), put(bare, "own/ffprobe")

    assert find_programs() == finding.Programs(settings.FFMPEG, beside, "8.0")


def test_a_setting_that_names_nothing_is_not_passed_over(bare, settings):
    put(bare, "ffmpeg")
    settings.FFMPEG = "/nowhere/ffmpeg"

    assert find_programs() is None
    assert "/nowhere/ffmpeg" in run_checks(tags=["ffmpeg"])[0].msg


def test_what_a_build_lacks_is_named(bare):
    put(bare, "ffmpeg", more=" ... xfade VV->V x\\n")

    assert missing_parts(find_programs()) == ("subtitles",)
    (warning,) = run_checks(tags=["ffmpeg"])
    assert warning.id == "episodes.W002"
    assert "subtitles" in warning.msg


def test_a_program_that_is_no_ffmpeg_is_none(bare):
    put(bare, "ffmpeg")
    (bare / "ffmpeg").write_text("#!/bin/sh\necho hello\n")

    assert find_programs() is None


def test_the_real_ones_lack_nothing(programs):
    assert missing_parts(programs) == ()
    assert has_filters(programs, "zscale", "tonemap")
    assert os.access(programs.ffmpeg, os.X_OK)
