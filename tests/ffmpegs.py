"""The ffmpegs that tests run with: that of the PATH, and that of the package imageio-ffmpeg."""

import os

import pytest

from episodes.ffmpeg import Programs, find_programs
from episodes.ffmpeg.programs import programs_at, wheel_ffmpeg
from tests.media import MediaMaker


def on_path() -> Programs | None:
    found = find_programs()
    return found if found and found.ffmpeg != wheel_ffmpeg() else None


def of_wheel() -> Programs | None:
    path = wheel_ffmpeg()
    return programs_at(path) if path else None


FFMPEGS = {"path": on_path, "wheel": of_wheel}


@pytest.fixture(scope="session", params=FFMPEGS)
def programs(request):
    """Each ffmpeg that there is; with FORBID_SKIPS, as in CI, both must be."""
    found = FFMPEGS[request.param]()
    if found is None:
        pytest.skip(f"There is no ffmpeg on the {request.param}." if request.param == "path" else "No imageio-ffmpeg.")
    return found


@pytest.fixture(scope="session")
def any_programs():
    """One ffmpeg, for what does not depend on which."""
    found = on_path() or of_wheel()
    if found is None:
        pytest.skip("There is no ffmpeg here, and no imageio-ffmpeg.")
    return found


@pytest.fixture(scope="session")
def media(any_programs, tmp_path_factory):
    """Films and sounds, made once for all processes of this run."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return MediaMaker(folder / "media", any_programs.ffmpeg)
