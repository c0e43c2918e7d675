"""Every public address, and a small site to ask for them: used by the tests of what readers see."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode

from episodes.ffmpeg import find_programs
from episodes.models import Episode, Guest, Image, MediaFile, Show, Topic
from episodes.transcripts.files import FILES
from publishing.jobs import claim, do, enqueue
from publishing.models import Job, Publishable, SiteSettings
from publishing.sitemaps import PART
from quotes.citations import FORMATS as CITATIONS
from quotes.clips.service import offers_for
from quotes.export_files import FILES as EXPORT_FILES, KEY
from quotes.models import Clip, Quote
from tests.factories import (
    make_corrections,
    make_episode,
    make_guest,
    make_quote,
    make_show,
    make_topic,
    make_transcript,
)

FORMATS = ("rss", "atom", "json")


@dataclass
class Site:
    """The rows whose own addresses are asked for, and the files that they show."""

    shows: list[Show] = field(default_factory=list)
    episodes: list[Episode] = field(default_factory=list)
    guests: list[Guest] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    quotes: list[Quote] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def slug_of(row: Publishable) -> str:
    """Return the slug that the row has or would have in public."""
    return row.slug or row.item.working_slug


def _once(site: Site) -> list[list]:
    return [[]]


def _formats(site: Site) -> list[list]:
    return [[name] for name in FORMATS]


def _shows(site: Site) -> list[list]:
    return [[slug_of(show)] for show in site.shows]


def _episodes(site: Site) -> list[list]:
    return [[slug_of(episode.show), slug_of(episode)] for episode in site.episodes]


def _transcript_files(site: Site) -> list[list]:
    return [[*args, name] for args in _episodes(site) for name in FILES]


def _guests(site: Site) -> list[list]:
    return [[slug_of(guest)] for guest in site.guests]


def _topics(site: Site) -> list[list]:
    return [[slug_of(topic)] for topic in site.topics]


def _quotes(site: Site) -> list[list]:
    return [[slug_of(quote)] for quote in site.quotes]


def _clips(site: Site) -> list[list]:
    """Where this machine has no ffmpeg, no quote has a clip."""
    return _quotes(site) if find_programs() else []


def _short_episodes(site: Site) -> list[list]:
    return [[episode.item.short_id] for episode in site.episodes]


def _short_quotes(site: Site) -> list[list]:
    return [[quote.item.short_id] for quote in site.quotes]


def _sitemap_parts(site: Site) -> list[list]:
    """Return the parts that the site's own rows are in; of pages of no thing there is one."""
    rows = {
        "shows": site.shows,
        "episodes": site.episodes,
        "transcripts": site.episodes,
        "guests": site.guests,
        "topics": site.topics,
        "quotes": site.quotes,
    }
    parts = {(kind, (row.pk - 1) // PART + 1) for kind, held in rows.items() for row in held}
    return [["pages", 1], *(list(part) for part in sorted(parts))]


def _citations(site: Site) -> list[list]:
    return [[*args, name] for args in _quotes(site) for name in CITATIONS]


def _described(site: Site) -> list[list]:
    """The pages that oEmbed is asked about."""
    things = {"quotes:detail": _quotes(site), "episodes:detail": _episodes(site)}
    return [[reverse(name, args=args)] for name, rows in things.items() for args in rows]


def _exports(site: Site) -> list[list]:
    """There is a page of the data set where the operator wants one."""
    return [[]] if settings.PUBLIC_EXPORTS else []


def _export_files(site: Site) -> list[list]:
    """Return the files of the data set, made as of now."""
    if not settings.PUBLIC_EXPORTS:
        return []
    make_exports()
    return [[name] for name in EXPORT_FILES]


def _files(site: Site) -> list[list]:
    return [[name] for name in site.files]


def _in_formats(rows: Callable[[Site], list[list]]) -> Callable[[Site], list[list]]:
    return lambda site: [[*args, name] for args in rows(site) for name in FORMATS]


# By url name: the arguments to ask it with. A new public name must be added here.
GENERAL = {
    "home": _once,
    "sitemap": _once,
    "sitemap-part": _sitemap_parts,
    "robots": _once,
    "episodes:opml": _once,
    "episodes:show-list": _once,
    "episodes:list": _once,
    "episodes:guest-list": _once,
    "episodes:topic-list": _once,
    "episodes:feed": _formats,
    "quotes:site-feed": _formats,
    "episodes:feeds": _once,
    "quotes:list": _once,
    "quotes:feed": _formats,
    "quotes:how": _once,
    "quotes:exports": _exports,
    "quotes:export-index": _exports,
    "quotes:export-file": _export_files,
    "publishing:corrections": _once,
    "publishing:corrections-feed": _formats,
}
OF_ONE_THING = {
    "oembed": _described,
    "episodes:show": _shows,
    "episodes:show-feed": _in_formats(_shows),
    "episodes:show-card": _shows,
    "episodes:detail": _episodes,
    "episodes:card": _episodes,
    "episodes:chapters": _episodes,
    "episodes:transcript": _episodes,
    "episodes:transcript-file": _transcript_files,
    "episodes:guest": _guests,
    "episodes:guest-quotes": _guests,
    "episodes:guest-feed": _in_formats(_guests),
    "episodes:guest-card": _guests,
    "episodes:topic": _topics,
    "episodes:topic-quotes": _topics,
    "episodes:topic-feed": _in_formats(_topics),
    "episodes:topic-card": _topics,
    "episodes:short": _short_episodes,
    "episodes:media": _files,
    "episodes:embed": _episodes,
    "quotes:embed": _quotes,
    "quotes:cite": _citations,
    "quotes:guest-feed": _in_formats(_guests),
    "quotes:topic-feed": _in_formats(_topics),
    "quotes:detail": _quotes,
    "quotes:clip": _clips,
    "quotes:clip-mp4": _clips,
    "quotes:clip-m4a": _clips,
    "quotes:clip-jpg": _clips,
    "quotes:card": _quotes,
    "quotes:short": _short_quotes,
}
PAGED = [
    *(
        "episodes:show-list",
        "episodes:show",
        "episodes:list",
        "episodes:guest-list",
        "episodes:guest",
        "episodes:guest-quotes",
    ),
    *("episodes:topic-list", "episodes:topic", "episodes:topic-quotes", "quotes:list", "publishing:corrections"),
]


def addresses(site: Site, names: dict[str, Callable[[Site], list[list]]] | None = None) -> dict[str, str]:
    """Return the url name of each address, by path."""
    table = GENERAL | OF_ONE_THING if names is None else names
    return {_address(name, args): name for name, rows in table.items() for args in rows(site)}


def _address(name: str, args: list) -> str:
    if name == "oembed":  # asked about the address of another page
        return f"{reverse(name)}?{urlencode({'url': settings.SITE_URL + args[0]})}"
    return reverse(name, args=args)


def make_exports() -> None:
    """Make the files of the data set now, as the worker would."""
    enqueue(KEY, KEY)
    Job.objects.filter(key=KEY).update(state=Job.State.READY, run_after=timezone.now())
    held = claim(KEY)
    assert held is not None
    assert do(held).state == Job.State.DONE, Job.objects.get(key=KEY).last_error


def make_file(name: str, data: bytes = b"0123456789") -> MediaFile:
    """Keep a sound file of ours under this name."""
    saved = default_storage.save(name, ContentFile(data))
    return MediaFile.objects.create(
        kind="audio", file=saved, mime="audio/mpeg", bytes=len(data), duration_ms=6_082_000, probed=PROBED
    )


def make_image(name: str) -> Image:
    saved = default_storage.save(name, ContentFile(b"a picture"))
    return Image.objects.create(file=saved, width=1400, height=1400, content_hash=saved)


def make_site() -> Site:
    """Return a site with one live thing of each kind, all linked to each other."""
    artwork, portrait, sound = (
        make_image("images/artwork.jpg"),
        make_image("images/portrait.png"),
        make_file("episodes/sound.mp3"),
    )
    show = make_show(
        title="Signal Path",
        clips_allowed=True,
        artwork=artwork.pk,
        artwork_alt="A mast",
        description="About *wires*.",
        tagline="Slowly",
    )
    topic = make_topic(name="Grid storage", description="Batteries.", aliases=["BESS"])
    guest = make_guest(name="Ada Okafor", bio="Engineer.", portrait=portrait.pk, portrait_alt="Ada Okafor")
    episode = make_episode(
        show=show,
        title="The grid nobody sees",
        notes="Some *notes*.",
        duration_ms=6_082_000,
        guests=[{"guest": guest.pk, "role": "guest", "credit": "Grid engineer"}],
        topics=[{"topic": topic.pk}],
        media=[{"media": sound.pk}],
        chapters=[{"start_ms": 0, "title": "Welcome", "url": "", "image": ""}],
    )
    quote = make_quote(
        episode=episode, speaker=guest, claim="one battery settles the peak", topics=[{"topic": topic.pk}]
    )
    cues = [
        (quote.start_ms - 5_000, "Tomas Lund", "Where did you put it?"),
        (quote.start_ms, "Ada Okafor", f"Uh, {quote.text}"),
    ]
    make_transcript(episode, cues, who={"Ada Okafor": guest})
    make_clips(quote)
    for row in (show, topic, guest, episode, quote):
        make_corrections(row)
    return Site([show], [episode], [guest], [topic], [quote], [artwork.file.name, portrait.file.name, sound.file.name])


PROBED = {
    "container": "mp3", "duration_ms": 6_082_000, "start_ms": 0, "bytes": 10, "has_cover": False,
    "video": {"index": 1, "codec": "h264", "width": 1280, "height": 720, "fps": "25", "pixel_shape": "1"},
    "audio": {"index": 0, "codec": "mp3", "sample_rate": 44_100, "channels": 1},
}  # fmt: skip


def make_clips(quote: Quote) -> None:
    """Keep the clips of a quote as if they had been made."""
    loaded = Quote.objects.for_page().get(pk=quote.pk)
    for kind, offer in offers_for(loaded, SiteSettings.current()).items():
        name = default_storage.save(f"clips/{offer.tag}.{kind.extension}", ContentFile(b"0123456789"))
        poster = default_storage.save(f"clips/{offer.tag}.jpg", ContentFile(b"0123456789"))
        facts = {"quote": quote, "kind": kind.value, "file": name, "poster": poster, "bytes": 10, "duration_ms": 1_000}
        Clip.objects.update_or_create(tag=offer.tag, defaults=facts | {"used_at": timezone.now()})


def text_of(response) -> str:
    """Return the page's words as a reader sees them, on one line."""
    without_head = response.content.decode().partition("<main")[2]
    return " ".join(re.sub(r"<[^>]+>", "", without_head).split())
