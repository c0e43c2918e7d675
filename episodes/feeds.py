"""What the feeds of the site, a show, a guest and a topic say."""

from datetime import datetime
from html import escape

from django.db.models import Max
from django.urls import reverse
from django.utils.translation import gettext as _

from publishing.feeds import Enclosure, Entry, Feed, Person, Podcast, Soundbite, TranscriptFile, feed_addresses
from publishing.models import Item, SiteSettings, once_live
from publishing.pages import absolute
from publishing.text import html_to_text, render_markdown

from .models import Episode, EpisodeGuest, EpisodeQuerySet, Guest, Image, MediaFile, Show, Topic
from .player import first_playable
from .timecodes import format_seconds
from .transcripts.files import formats_of
from .transcripts.shown import html_language, transcript_path

Role = EpisodeGuest.Role
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


def site_feed(site: SiteSettings) -> Feed:
    """Describe the newest episodes of all shows."""
    return Feed(
        id=absolute(reverse("home")),
        title=site.name,
        link=absolute(reverse("home")),
        description=site.tagline or site.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("episodes:site-feed"),
        updated=last_change_of("episode"),
        copyright=site.licence,
        entries=_entries(Episode.objects.live(), site),
    )


def show_feed(site: SiteSettings, show: Show) -> Feed:
    """Describe a show's podcast feed, under the show's identity only on its own site."""
    is_own = show.feed_identity == Show.FeedIdentity.OWN
    return Feed(
        id=show.item.uid.urn,
        title=show.title,
        link=absolute(show.get_absolute_url()),
        description=html_to_text(render_markdown(show.description)) or show.tagline or show.title,
        language=show.language,
        author=show.author or show.title,
        addresses=feed_addresses("episodes:show-feed", once_live(show.slug)),
        updated=show.item.changed_at,
        copyright=show.licence or site.licence,
        image=_image_url(show.artwork),
        podcast=Podcast(
            explicit=show.explicit,
            author=show.author,
            categories=tuple(show.categories),
            owner_email=show.owner_email if show.owner_email_public else "",
            guid=show.podcast_guid if is_own else None,
        ),
        entries=_entries(show.episodes.live(), site),
    )


def guest_feed(site: SiteSettings, guest: Guest) -> Feed:
    """Describe the newest episodes that a guest takes part in."""
    return Feed(
        id=guest.item.uid.urn,
        title=_("Episodes with %(name)s") % {"name": guest.name},
        link=absolute(guest.get_absolute_url()),
        description=guest.bio or guest.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("episodes:guest-feed", once_live(guest.slug)),
        updated=guest.item.changed_at,
        copyright=site.licence,
        image=_image_url(guest.portrait),
        entries=_entries(Episode.objects.live().with_guest(guest), site),
    )


def topic_feed(site: SiteSettings, topic: Topic) -> Feed:
    """Describe the newest episodes about a topic."""
    return Feed(
        id=topic.item.uid.urn,
        title=_("Episodes about %(topic)s") % {"topic": topic.name},
        link=absolute(topic.get_absolute_url()),
        description=topic.description or topic.name,
        language=site.locale,
        author=site.name,
        addresses=feed_addresses("episodes:topic-feed", once_live(topic.slug)),
        updated=topic.item.changed_at,
        copyright=site.licence,
        entries=_entries(Episode.objects.live().about(topic), site),
    )


def last_change_of(kind: str) -> datetime | None:
    """Return when readers last saw a thing of the kind change, retired ones included."""
    changed = Item.objects.of_kind(kind).filter(changed_at__isnull=False)  # as the index that holds them in order
    return changed.aggregate(last=Max("changed_at"))["last"]


def _entries(episodes: EpisodeQuerySet, site: SiteSettings) -> list[Entry]:
    return [
        _entry(episode)
        for episode in episodes.for_feed().with_soundbites().with_transcripts().slice_of(0, site.feed_items)
    ]


def _entry(episode: Episode) -> Entry:
    media = first_playable(link.media for link in episode.media_links)
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
        image=_image_url(episode.artwork or episode.show.artwork),
        enclosure=_enclosure(media) if media else None,
        duration_ms=duration_ms,
        explicit=episode.explicit,
        season=episode.season,
        number=episode.number,
        kind=episode.episode_kind,
        persons=tuple(_person(link) for link in episode.people),
        soundbites=_soundbites(episode, media, duration_ms) if media else (),
        transcripts=_transcripts(episode),
    )


def _guid(episode: Episode) -> str:
    """Return the stored guid on the show's own site; elsewhere apps must not merge our items with the show's."""
    is_own = episode.show.feed_identity == Show.FeedIdentity.OWN
    return episode.guid if is_own else episode.item.uid.urn


def _html(episode: Episode) -> str:
    if not episode.notes:
        return ""
    return f"<p>{escape(episode.summary, quote=False)}</p>\n{render_markdown(episode.notes)}"


def _enclosure(media: MediaFile) -> Enclosure:
    return Enclosure(absolute(media.url), media.mime, media.bytes or 0)


def _person(link: EpisodeGuest) -> Person:
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


def _image_url(image: Image | None) -> str:
    return absolute(image.get_absolute_url()) if image else ""
