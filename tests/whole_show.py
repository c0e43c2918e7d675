"""A show that uses every element of a feed, with what a feed must say of it."""

from dataclasses import dataclass

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from episodes.models import Episode, Image, MediaFile, Show
from quotes.models import Quote
from tests.factories import make_audio, make_episode, make_guest, make_quote, make_show, make_topic, make_transcript

TITLE = "Netze & Räume <live> ]]> 🔋"
NOTES = "Longer *notes* with [a link](https://example.org/a?b=1&c=2).\n\n- one\n- two"
PLACE = {"name": "Berlin", "rel": "subject", "geo": "geo:52.52,13.405", "osm": "R62422", "country": "DE"}
POST = {
    "protocol": "activitypub",
    "uri": "https://social.example.org/@signal/1",
    "account_id": "@signal",
    "account_url": "https://social.example.org/@signal",
}


@dataclass(frozen=True)
class WholeShow:
    show: Show
    episodes: list[Episode]
    quotes: list[Quote]


def make_whole_show() -> WholeShow:
    """Return a show with three full episodes and a trailer, newest first."""
    host, guest = make_guest(name="Tomas Lund", slug="tomas-lund"), make_guest(name="Ada Okafor", slug="ada-okafor")
    topic = make_topic(name="Grid & storage", slug="grid")
    show = make_show(
        title=TITLE,
        slug="signal-path",
        tagline="Slowly",
        description="About *wires* & 2 < 3.",
        artwork=make_picture("images/show.jpg").pk,
        artwork_alt="A mast",
        language="en-gb",
        author="Lund & Okafor",
        owner_email="owner@example.org",
        owner_email_public=True,
        categories=["Society & Culture > Documentary", "Technology"],
        licence="© Lund & Okafor",
        feed_identity="own",
        people=[{"guest": host.pk, "role": "host"}],
        order="serial",
        locked=True,
        machine_licence="cc-by-4.0",
        funding=[{"url": "https://example.org/give?a=1&b=2", "label": "Give & take"}],
        locations=[PLACE],
        social=[POST],
        txts=[{"text": "proof-1234", "purpose": "verify"}],
        seasons=[{"number": 2, "name": "Wires"}],
    )
    video = MediaFile.objects.create(
        kind="video", address="https://media.example.org/one.mp4", mime="video/mp4", bytes=5_000_000
    )
    first = make_episode(
        show=show,
        guid="https://old.example.org/?p=1&x=2",
        title="The grid & you <really>",
        slug="grid",
        notes=NOTES,
        aired_at="2026-05-14T10:00:00Z",
        duration_ms=6_082_900,
        season=2,
        number=7,
        number_label="VII",
        explicit=True,
        artwork=make_picture("images/episode.jpg").pk,
        artwork_alt="A battery",
        guests=[{"guest": guest.pk, "role": "guest", "credit": "Engineer"}],
        topics=[{"topic": topic.pk}],
        media=[{"media": make_audio("https://media.example.org/one.mp3?a=1&b=2").pk}, {"media": video.pk}],
        chapters=[
            {"start_ms": 0, "title": "Welcome", "url": "", "image": ""},
            {"start_ms": 61_500, "title": "Wires & more", "url": "https://example.org/w", "image": ""},
        ],
        locations=[PLACE],
        social=[POST],
    )
    quotes = [
        make_quote(episode=first, speaker=guest, claim="we & they <agree>", start_ms=6_010_200, end_ms=6_027_800),
        make_quote(episode=first, speaker=guest, claim="nobody noticed", start_ms=15_000, end_ms=30_000),
    ]
    make_transcript(first, who={"Ada Okafor": guest, "Tomas Lund": host})
    second = make_episode(
        show=show, guid="guid-2", title="Second", slug="second", number=6, season=2, aired_at="2026-05-07T10:00:00Z",
        media=[{"media": make_audio("https://media.example.org/two.mp3").pk}], duration_ms=600_000,
    )  # fmt: skip
    trailer = make_episode(
        show=show, guid="guid-3", title="Trailer", slug="trailer", episode_kind="trailer", season=2, aired_at="2026-05-01T10:00:00Z",
        media=[{"media": make_audio("https://media.example.org/trailer.mp3", bytes=1_234).pk}], duration_ms=60_000,
    )  # fmt: skip
    old = make_episode(
        show=show, guid="guid-4", title="Before the epoch", slug="old", number=1, aired_at="1969-07-20T20:17:40Z",
        media=[{"media": make_audio("https://media.example.org/old.mp3").pk}], duration_ms=1_000,
    )  # fmt: skip
    return WholeShow(show, [first, second, trailer, old], quotes)


def make_picture(name: str, side: int = 1400) -> Image:
    """Keep a picture of ours that says it is a square of this side."""
    saved = default_storage.save(name, ContentFile(b"a picture"))
    return Image.objects.create(file=saved, width=side, height=side, content_hash=saved)
