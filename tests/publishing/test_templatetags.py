from datetime import UTC, date, datetime

import pytest
from django.utils import timezone, translation

from publishing.templatetags.pullquote import outside_link, own_link, site_date

LATE = datetime(2026, 6, 3, 22, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "zone", "locale", "html"),
    [
        (LATE, "UTC", "en", '<time datetime="2026-06-03T22:30:00+00:00">Jun 3, 2026</time>'),
        (LATE, "Europe/Berlin", "en", '<time datetime="2026-06-04T00:30:00+02:00">Jun 4, 2026</time>'),
        (LATE, "UTC", "en-gb", '<time datetime="2026-06-03T22:30:00+00:00">3 Jun 2026</time>'),
        (date(2026, 6, 3), "Europe/Berlin", "de", '<time datetime="2026-06-03">3. Juni 2026</time>'),
        ("2026-06-03", "Europe/Berlin", "en", '<time datetime="2026-06-03">Jun 3, 2026</time>'),
        (None, "UTC", "en", ""),
    ],
)
def test_a_day_is_written_as_the_site_writes_it(value, zone, locale, html):
    with timezone.override(zone), translation.override(locale):
        assert site_date(value) == html


@pytest.mark.parametrize("url", ["javascript:alert(1)", "//evil.example", "data:text/html,x", "", "/admin/"])
def test_only_addresses_of_the_web_become_links(url):
    assert outside_link(url, "Filing") == "Filing"


def test_links_are_escaped_and_say_what_they_are():
    assert (
        outside_link('https://a.example/?a="b"', "<b>")
        == '<a href="https://a.example/?a=&quot;b&quot;" rel="nofollow noopener">&lt;b&gt;</a>'
    )
    assert 'rel="me nofollow noopener"' in own_link("https://a.example/", "Home")
