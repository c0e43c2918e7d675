from dataclasses import replace

import pytest

from quotes.clips import ClipRefused, Kind, check_request
from tests.quotes.clips.making import FILM, make_request


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"start_ms": -1}, "order"),
        ({"end_ms": 2000}, "order"),
        ({"start_ms": 5000, "end_ms": 2000}, "order"),
        ({"end_ms": 60_101}, "past_end"),
        ({"start_ms": 60_000, "end_ms": 60_050}, "past_end"),
        ({"probed": replace(FILM, duration_ms=300_000), "end_ms": 182_001}, "too_long"),
        ({"probed": replace(FILM, container="mpegts")}, "not_remuxed"),
        ({"probed": replace(FILM, video=None)}, "no_picture"),
        ({"probed": replace(FILM, audio=None), "kind": Kind.AUDIO}, "no_sound"),
        ({"probed": replace(FILM, audio=None), "kind": Kind.AUDIOGRAM}, "no_sound"),
    ],
)
def test_what_cannot_be_a_clip_is_refused_in_words(fields, code):
    with pytest.raises(ClipRefused) as refused:
        check_request(make_request(**fields))

    assert refused.value.code == code
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"end_ms": 60_100},  # rounding
        {"start_ms": 0, "end_ms": 1},
        {"probed": replace(FILM, duration_ms=300_000), "end_ms": 182_000},
        {"probed": replace(FILM, audio=None)},
    ],
)
def test_what_can_be_is_not(fields):
    check_request(make_request(**fields))


def test_padding_stays_within_the_file_and_150_ms():
    assert make_request(padding_before_ms=150, padding_after_ms=90).cut_ms == (1850, 5090)
    assert make_request(padding_before_ms=900, padding_after_ms=900).cut_ms == (1850, 5150)
    assert make_request(start_ms=50, end_ms=59_950, padding_before_ms=150, padding_after_ms=150).cut_ms == (0, 60_000)
