from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from episodes.ffmpeg import VideoStream, seconds
from quotes.clips.grid import FASTEST, clip_rate, snap

RATES = [Fraction(10), Fraction(24000, 1001), Fraction(25), Fraction(30000, 1001), Fraction(30), Fraction(60)]


def film(fps, start_us=0):
    return VideoStream(0, "h264", 1920, 1080, Fraction(fps), start_us=start_us)


def test_a_span_is_widened_to_whole_frames():
    span = snap(6_110_370, 6_127_970, film(30))

    assert (span.first, span.count) == (183_311, 529)
    assert (seconds(span.seek), seconds(span.length)) == ("6110.366167", "17.633333")


def test_the_rate_stays_a_fraction():
    span = snap(6_110_370, 6_127_970, film(Fraction(30000, 1001)))

    assert (span.first, span.count) == (183_127, 529)
    assert (seconds(span.seek), seconds(span.length)) == ("6110.337067", "17.650967")


def test_what_lies_on_the_grid_stays():
    span = snap(2000, 4000, film(25))

    assert (span.first, span.count, seconds(span.seek)) == (50, 50, "1.999500")


def test_the_first_frame_is_not_sought_before_the_file():
    assert seconds(snap(0, 1000, film(25)).seek) == "0.000000"


def test_the_grid_begins_where_the_picture_does():
    span = snap(1000, 2000, film(25, start_us=21_000))

    assert (span.first, span.count, seconds(span.seek)) == (24, 26, "0.980500")


def test_a_span_that_begins_before_the_picture_begins_there_all_the_same():
    span = snap(5, 1000, film(25, start_us=21_000))

    assert (span.first, seconds(span.seek)) == (0, "0.000000")


@pytest.mark.parametrize(("fps", "rate"), [(25, 25), (60, 60), (61, "61/2"), (120, 60), ("120000/1001", "60000/1001")])
def test_a_clip_has_sixty_frames_a_second_at_most(fps, rate):
    assert clip_rate(Fraction(fps)) == Fraction(rate)


@pytest.mark.parametrize(("fps", "rate"), [(2, 10), (5, 10), ("1/10", 10), (9, 18), (10, 10), (12, 12)])
def test_a_slow_film_is_cut_on_a_finer_grid(fps, rate):
    assert clip_rate(Fraction(fps)) == rate


@pytest.mark.parametrize(
    ("fps", "is_steady", "lead"), [(30, True, 0), (30, False, 60), (2, True, 20), ("1/5", True, 50)]
)
def test_a_lead_is_read_where_a_frame_may_stand_still(fps, is_steady, lead):
    video = replace(film(fps), is_steady=is_steady)

    assert snap(20_000, 21_000, video).lead == lead
    assert snap(0, 1000, video).seek == snap(0, 1000, video).lead == 0


@given(
    start_ms=st.integers(0, 12 * 3_600_000),
    length_ms=st.integers(1, 180_000),
    fps=st.sampled_from(RATES),
    start_us=st.integers(0, 100_000),
)
def test_the_span_is_inside_and_less_than_a_frame_is_added_at_each_end(start_ms, length_ms, fps, start_us):
    span = snap(start_ms, start_ms + length_ms, film(fps, start_us))

    start, end = Fraction(start_ms, 1000), Fraction(start_ms + length_ms, 1000)
    assert span.fps <= FASTEST
    assert 0 <= start - span.start < 1 / fps
    assert 0 <= span.start + span.length - end < 1 / fps
