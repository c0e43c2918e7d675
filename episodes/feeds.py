"""What the feeds of episodes, a show, a guest and a topic say."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Max
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.translation import gettext as _

from publishing.corrections_page import corrected_html
from publishing.feeds import (
    Enclosure,
    Entry,
    Feed,
    Funding,
    Licence,
    Location,
    Paging,
    Person,
    Podcast,
    Social,
    Soundbite,
    Trailer,
    TranscriptFile,
    Txt,
    feed_addresses,
    page_of,
)
from publishing.feeds.hub import tells_feeds
from publishing.models import Item, Publishable, SiteSettings, once_live
from publishing.pages import absolute
from publishing.text import html_to_text, render_markdown

from .media import fitting_type
from .models import Episode, EpisodeGuest, EpisodeQuerySet, Guest, Image, MediaFile, Role, Show, ShowPerson, Topic
from .player import playable_of
from .podcast.categories import find_category
from .podcast.languages import feed_language
from .renditions import feed_artwork
from .timecodes import format_seconds
from .transcripts.files import formats_of
from .transcripts.shown import html_language, transcript_path

# Role and group of the podcast taxonomy, which knows no "other"; without a role apps read "host".
TAXONOMY = {
    Role.HOST: ("host", "cast"),
    Role.CO_HOST: ("co-host", "cast"),
    Role.GUEST: ("guest", "cast"),
    Role.REPORTER: ("reporter", "cast"),
    Role.NARRATOR: ("narrator", "cast"),
    Role.PRODUCER: ("producer", "creative direction"),
    Role.OTHER: ("guest", "cast"),
}
HOSTS = {Role.HOST, Role.CO_HOST}
MOST_TRAILERS = 10  # of a show
FIRST_WORDS = 12  # characters by which notes that repeat the summary may be told


def episodes_feed(site: SiteSettings, page: int = 1) -> Feed:
    """Describe the newest episodes of all shows."""
    link = absolute(reverse("episodes:list"))
    paging, entries = _entries(Episode.objects.live(), site, page)
    return Feed(
        id=link,
        title=_("Episodes on %(site)s") % {"site": site.name},
        link=link,
        description=site.tagline or site.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("episodes:feed"),
        changed=last_change_of("episode"),
        copyright=site.licence,
        paging=paging,
        entries=entries,
    )


def show_feed(site: SiteSettings, show: Show, page: int = 1) -> Feed:
    """Describe a show's podcast feed, under the show's identity only on its own site."""
    paging, entries = _entries(show.episodes.live(), site, page)
    return Feed(
        id=show.item.uid.urn,
        title=show.title,
        link=absolute(show.get_absolute_url()),
        description=html_to_text(render_markdown(show.description)) or show.tagline or show.title,
        language=feed_language(show.language or site.locale),
        author=show.author or show.title,
        addresses=feed_addresses("episodes:show-feed", once_live(show.slug)),
        changed=show.item.changed_at,
        copyright=show.licence or site.licence,
        image=_artwork_url(show.artwork),
        paging=paging,
        podcast=_podcast(show),
        entries=entries,
    )


def guest_feed(site: SiteSettings, guest: Guest, page: int = 1) -> Feed:
    """Describe the newest episodes that a guest takes part in."""
    paging, entries = _entries(Episode.objects.live().with_guest(guest), site, page)
    return Feed(
        id=guest.item.uid.urn,
        title=_("Episodes with %(name)s") % {"name": guest.name},
        link=absolute(guest.get_absolute_url()),
        description=guest.bio or guest.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("episodes:guest-feed", once_live(guest.slug)),
        changed=guest.item.changed_at,
        copyright=site.licence,
        image=_image_url(guest.portrait),
        paging=paging,
        entries=entries,
    )


def topic_feed(site: SiteSettings, topic: Topic, page: int = 1) -> Feed:
    """Describe the newest episodes about a topic."""
    paging, entries = _entries(Episode.objects.live().about(topic), site, page)
    return Feed(
        id=topic.item.uid.urn,
        title=_("Episodes about %(topic)s") % {"topic": topic.name},
        link=absolute(topic.get_absolute_url()),
        description=topic.description or topic.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("episodes:topic-feed", once_live(topic.slug)),
        changed=topic.item.changed_at,
        copyright=site.licence,
        paging=paging,
        entries=entries,
    )


def last_change_of(kind: str) -> datetime | None:
    """Return when readers last saw a thing of the kind change, retired ones included."""
    changed = Item.objects.of_kind(kind).filter(changed_at__isnull=False)  # as the index that holds them in order
    return changed.aggregate(last=Max("changed_at"))["last"]


@tells_feeds
def feeds_of(changed: dict[str, list[int]]) -> list[str]:
    """Return the addresses of the feeds of episodes that changed with these items, by kind. Three queries."""
    addresses = list(feed_addresses("episodes:feed").values()) if changed["episode"] else []
    for model, view in ((Show, "episodes:show-feed"), (Guest, "episodes:guest-feed"), (Topic, "episodes:topic-feed")):
        addresses += addresses_of(model, view, changed[model.kind])
    return addresses


def addresses_of(model: type[Publishable], view: str, pks: list[int]) -> list[str]:
    """Return the addresses of the feed that each of these has or had. One query."""
    slugs = model.objects.filter(pk__in=pks, slug__isnull=False).order_by("pk").values_list("slug", flat=True)
    return [address for slug in slugs for address in feed_addresses(view, once_live(slug)).values()]


def newest_episodes(most: int) -> list[Entry]:
    """Return the newest episodes of all shows as entries."""
    return [_entry(episode) for episode in Episode.objects.live().for_feed().slice_of(0, most)]


def _entries(episodes: EpisodeQuerySet, site: SiteSettings, page: int) -> tuple[Paging, list[Entry]]:
    paging, rows = page_of(episodes.for_feed(), page, site.feed_items)
    return paging, [_entry(episode) for episode in rows]


def _podcast(show: Show) -> Podcast:
    is_own = show.feed_identity == Show.FeedIdentity.OWN
    name = show.machine_licence
    return Podcast(
        explicit=show.explicit,
        author=show.author,
        categories=tuple(known for category in show.categories if (known := find_category(category))),
        artwork=_artwork_url(show.artwork),
        owner_email=show.owner_email if show.owner_email_public else "",
        guid=show.podcast_guid if is_own else None,
        is_serial=show.order == Show.Order.SERIAL,
        locked=show.locked,
        medium=show.medium,
        licence=Licence(name, absolute(show.machine_licence_url)) if name else None,
        persons=tuple(_person(link) for link in show.cast),
        funding=tuple(Funding(absolute(row["url"]), row["label"]) for row in show.funding),
        txts=tuple(Txt(row["text"], row["purpose"]) for row in show.txts),
        trailers=_trailers(show),
        locations=_locations(show.locations),
        social=_social(show.social),
    )


def _trailers(show: Show) -> tuple[Trailer, ...]:
    """Return the show's newest trailers that can be heard. Three queries."""
    trailers = show.episodes.live().filter(episode_kind=Episode.Kind.TRAILER).newest_first().with_media()
    heard = [(episode, playable_of(link.media for link in episode.media_links)) for episode in trailers[:MOST_TRAILERS]]
    return tuple(
        Trailer(episode.title, once_live(episode.aired_at), _enclosure(files[0]), episode.season)
        for episode, files in heard
        if files
    )


def _locations(rows: Iterable[dict]) -> tuple[Location, ...]:
    return tuple(Location(row["name"], row["rel"], row["geo"], row["osm"], row["country"]) for row in rows)


def _social(rows: Iterable[dict]) -> tuple[Social, ...]:
    return tuple(
        Social(row["protocol"], absolute(row["uri"]), row["account_id"], absolute(row["account_url"])) for row in rows
    )


def _entry(episode: Episode) -> Entry:
    files = playable_of(link.media for link in episode.media_links)
    media = files[0] if files else None
    duration_ms = episode.duration_ms or (media.duration_ms if media else None)
    return Entry(
        guid=_guid(episode),
        uid=episode.item.uid,
        title=episode.title,
        link=absolute(episode.get_absolute_url()),
        summary=episode.summary,
        html=_html(episode),
        published=once_live(episode.aired_at),
        updated=once_live(episode.item.changed_at),
        authors=(episode.show.author or episode.show.title,),
        categories=tuple(link.topic.name for link in episode.topic_links),
        image=_artwork_url(episode.artwork or episode.show.artwork),
        enclosure=_enclosure(media) if media else None,
        alternates=tuple(_enclosure(other) for other in files[1:]),
        duration_ms=duration_ms,
        explicit=episode.explicit,
        season=episode.season,
        season_name=next((row["name"] for row in episode.show.seasons if row["number"] == episode.season), ""),
        number=episode.number,
        number_label=episode.number_label,
        kind=episode.episode_kind,
        persons=_persons(episode),
        soundbites=_soundbites(episode, media, duration_ms) if media else (),
        transcripts=_transcripts(episode),
        chapters=_chapters(episode),
        locations=_locations(episode.locations),
        social=_social(episode.social),
    )


def _guid(episode: Episode) -> str:
    """Return the stored guid on the show's own site; elsewhere apps must not merge our items with the show's."""
    is_own = episode.show.feed_identity == Show.FeedIdentity.OWN
    return episode.guid if is_own else episode.item.uid.urn


def _html(episode: Episode) -> str:
    """Return the summary, the notes and what was corrected; nothing where there is no more than the summary."""
    corrected = corrected_html(episode.item.told_corrections)
    body = _notes(episode) or (format_html("<p>{}</p>", episode.summary) if corrected else "")
    return format_html("{}{}", body, corrected)


def _notes(episode: Episode) -> str:
    """Return the notes after the summary, once though they begin with it; nothing where they say no more."""
    notes = render_markdown(episode.notes)
    first_words = escape(episode.summary[:FIRST_WORDS])
    text = html_to_text(notes) if first_words in notes[: 10 * FIRST_WORDS] else notes  # as text it takes its time
    if text in ("", episode.summary):
        return ""
    is_repeated = text.startswith(f"{episode.summary}\n")
    return notes if is_repeated else format_html("<p>{}</p>\n{}", episode.summary, notes)


def _enclosure(media: MediaFile) -> Enclosure:
    return Enclosure(absolute(media.url), fitting_type(media), media.bytes or 0, str(media.get_kind_display()))


def _persons(episode: Episode) -> tuple[Person, ...]:
    """Return who takes part, the show's own people with them where no host is named.

    Apps take a list with an episode in place of the show's; an empty one leaves that as it is.
    """
    own = [_person(link) for link in episode.people]
    if not own or any(link.role in HOSTS for link in episode.people):
        return tuple(own)
    named = {link.guest_id for link in episode.people}
    return (*(_person(link) for link in episode.show.cast if link.guest_id not in named), *own)


def _person(link: EpisodeGuest | ShowPerson) -> Person:
    guest = link.guest
    role, group = TAXONOMY[Role(link.role)]
    return Person(guest.name, role, group, absolute(guest.get_absolute_url()), _image_url(guest.portrait))


def _soundbites(episode: Episode, media: MediaFile, duration_ms: int | None) -> tuple[Soundbite, ...]:
    """Return the quotes as moments of the file; none where its offset is only approximate."""
    if media.offset_ms is None:
        return ()
    spans = [(media.at(quote.start_ms), media.at(quote.end_ms), quote.claim) for quote in episode.timed_quotes]
    return tuple(
        Soundbite(format_seconds(start), format_seconds(end - start), claim)
        for start, end, claim in spans
        if start < end and (duration_ms is None or end <= duration_ms)
    )


def _transcripts(episode: Episode) -> tuple[TranscriptFile, ...]:
    """Return the files of the transcripts that hold, the original's first."""
    held = sorted(episode.transcript_links, key=lambda link: (not link.is_original, link.language))
    return tuple(
        TranscriptFile(
            absolute(transcript_path(episode, link, name)), form.mime, html_language(link.language), form.is_captions
        )
        for link in held
        for name, form in formats_of(link.transcript).items()
    )


def _chapters(episode: Episode) -> str:
    """Return where the chapters are as a file; empty where there are none."""
    if not episode.chapters:
        return ""
    return absolute(reverse("episodes:chapters", args=[episode.show.slug, episode.slug]))


def _image_url(image: Image | None) -> str:
    return absolute(image.get_absolute_url()) if image else ""


def _artwork_url(image: Image | None) -> str:
    """Return the picture as directories take it: a square JPEG of at most 3000 pixels."""
    return absolute(feed_artwork(image)) if image else ""
