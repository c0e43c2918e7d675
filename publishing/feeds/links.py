from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse

from .formats import FORMATS


@dataclass(frozen=True)
class FeedLink:
    """One format of a feed, as pages link to it."""

    title: str
    label: str
    mime: str
    url: str


def feed_links(title: str, view_name: str, *args: str) -> list[FeedLink]:
    """Return the links to a feed in every format."""
    return [
        FeedLink(title, form.label, form.mime, reverse(view_name, args=[*args, name])) for name, form in FORMATS.items()
    ]


def feed_addresses(view_name: str, *args: str) -> dict[str, str]:
    """Return the absolute address of a feed by format."""
    return {name: settings.SITE_URL + reverse(view_name, args=[*args, name]) for name in FORMATS}
