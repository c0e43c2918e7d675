"""Who wrote what: only what is known, and none of it twice."""

import re

import pytest

from episodes.bylines import summary_byline
from episodes.models import Episode
from quotes.bylines import assessed, headline_byline
from quotes.models import Quote

DAY = "2026-06-03"


def read(parts) -> str:
    return re.sub(r"<[^>]+>", "", " · ".join(parts if isinstance(parts, list) else [parts]))


@pytest.mark.parametrize(
    ("by", "edited_by", "origin", "on", "byline"),
    [
        ("", "", "editor", None, ""),
        ("N.", "", "editor", DAY, "Summary by N., Jun 3, 2026"),
        ("N.", "", "editor", None, "Summary by N."),
        ("N.", "M.", "editor", DAY, "Summary by N., Jun 3, 2026 · edited by M."),
        ("N.", "M.", "machine", DAY, "Summary by N., Jun 3, 2026 · machine-drafted · edited by M."),
        ("N.", "", "feed", None, "Summary by N. · from the feed"),
        ("", "M.", "editor", DAY, "Summary edited by M., Jun 3, 2026"),
        ("", "M.", "editor", None, "Summary edited by M."),
        ("", "", "editor", DAY, "Summary of Jun 3, 2026"),
        ("", "", "feed", None, "Summary from the feed"),
        ("", "", "machine", DAY, "Summary machine-drafted · Jun 3, 2026"),
        ("", "M.", "machine", None, "Summary machine-drafted · edited by M."),
        ("", "M.", "feed", DAY, "Summary from the feed · Jun 3, 2026 · edited by M."),
    ],
)
def test_a_summary(by, edited_by, origin, on, byline):
    episode = Episode(summary_by=by, summary_edited_by=edited_by, summary_origin=origin, summary_on=on)

    assert read(summary_byline(episode)) == byline


@pytest.mark.parametrize(
    ("by", "edited_by", "origin", "byline"),
    [
        ("", "", "editor", ""),
        ("N.", "", "editor", "Headline by N."),
        ("N.", "M.", "machine", "Headline by N. · machine-drafted · edited by M."),
        ("", "M.", "editor", "Headline edited by M."),
        ("", "", "machine", "Headline machine-drafted"),
        ("", "", "feed", "Headline from the feed"),
    ],
)
def test_a_headline(by, edited_by, origin, byline):
    assert read(headline_byline(Quote(claim_by=by, claim_edited_by=edited_by, claim_origin=origin))) == byline


@pytest.mark.parametrize(
    ("source", "byline"),
    [
        ({"assessed_by": "K.", "checked_on": DAY}, "assessed by K., Jun 3, 2026"),
        ({"assessed_by": "K.", "checked_on": None}, "assessed by K."),
        ({"assessed_by": "", "checked_on": DAY}, "checked Jun 3, 2026"),
        ({}, ""),
    ],
)
def test_an_assessment(source, byline):
    assert read(assessed(source)) == byline


def test_names_are_text():
    byline = headline_byline(Quote(claim_by="<b>{by}", claim_edited_by="& Co", claim_origin="editor"))

    assert byline == ["Headline by &lt;b&gt;{by}", "edited by &amp; Co"]
