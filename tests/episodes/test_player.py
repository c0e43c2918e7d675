import pytest

from episodes.models import EpisodeMedia, MediaFile
from episodes.player import player_of

YOUTUBE = MediaFile(kind="youtube", address="dQw4w9WgXcQ", offset_ms=None)
AUDIO = MediaFile(kind="audio", address="https://media.example.org/one.mp3", mime="audio/mpeg")
VIDEO = MediaFile(kind="video", address="https://media.example.org/one.mp4", mime="video/mp4")


def play(*files, **span):
    return player_of([EpisodeMedia(media=media) for media in files], **span)


@pytest.mark.parametrize(
    ("start_ms", "address"),
    [
        (None, "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        (0, "https://www.youtube.com/watch?v=dQw4w9WgXcQ"),
        (6_110_900, "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=6110s"),
    ],
)
def test_a_video_is_watched_from_the_whole_second(start_ms, address):
    assert play(AUDIO, YOUTUBE, start_ms=start_ms).watch_url == address


@pytest.mark.parametrize(
    ("span", "fragment"),
    [
        ({}, ""),
        ({"start_ms": 6_110_200, "end_ms": 6_127_800}, "#t=6110.2,6127.8"),
        ({"start_ms": 1_000}, "#t=1"),
        ({"end_ms": 1_000}, ""),
    ],
)
def test_sound_is_set_to_the_span(span, fragment):
    assert play(AUDIO, **span).src == "https://media.example.org/one.mp3" + fragment


def test_the_first_playable_file_is_played_in_its_own_time():
    early = MediaFile(kind="audio", address="https://media.example.org/early.mp3", offset_ms=-2_000)

    assert play(YOUTUBE, early, AUDIO, start_ms=1_000, end_ms=5_000).src == "https://media.example.org/early.mp3#t=0,3"
    assert (play(VIDEO).is_video, play(AUDIO).is_video) == (True, False)


@pytest.mark.parametrize("address", ["javascript:alert(1)", "ftp://example.org/a.mp3"])
def test_what_no_browser_plays_is_left_out(address):
    assert play(MediaFile(kind="audio", address=address)).src == ""


def test_no_exact_end_is_claimed_where_the_file_is_only_about_right():
    about = MediaFile(kind="audio", address="https://media.example.org/one.mp3", offset_ms=None)

    player = play(about, start_ms=1_000, end_ms=5_000)

    assert (player.is_clip, player.src) == (False, "https://media.example.org/one.mp3#t=1")


@pytest.mark.parametrize(("offset_ms", "offset"), [(0, "0"), (None, "0"), (-2_000, "-2"), (1_250, "1.25")])
def test_the_offset_is_told_in_seconds(offset_ms, offset):
    assert play(MediaFile(kind="audio", address="https://e.org/a.mp3", offset_ms=offset_ms)).offset == offset


@pytest.mark.parametrize(
    ("files", "address"),
    [
        ((AUDIO, YOUTUBE), "/episode/#t=6110"),
        ((YOUTUBE,), "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=6110s"),
        ((), ""),
    ],
)
def test_a_moment_plays_here_or_elsewhere_or_nowhere(files, address):
    assert play(*files).moment_url(6_110_900, "/episode/") == address
