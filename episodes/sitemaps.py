"""The pages of shows, episodes, transcripts, guests and topics, as sitemaps name them."""

from django.db.models import Exists, OuterRef, QuerySet

from publishing.card_files import card_path
from publishing.pages import absolute
from publishing.sitemaps import Location, Section, Video, page_of

from .models import CurrentTranscript, Episode, Guest, Image, Show, Topic
from .player import player_of
from .structured import ARTWORK_SIDE, PORTRAIT_SIDE, picture
from .transcripts.shown import transcript_path


def _shows() -> QuerySet:
    return Show.objects.live().select_related("item", "artwork").only("slug", "item__changed_at", *_pictured("artwork"))


def _show(show: Show) -> list[Location]:
    images = [picture(show.artwork, ARTWORK_SIDE), card_path("episodes:show-card", show.slug)]
    return page_of(show, images)


def _episodes() -> QuerySet:
    texts = ("title", "summary", "duration_ms", "slug", "item__changed_at", "show__slug")
    pictures = (*_pictured("artwork"), *_pictured("show__artwork"))
    related = Episode.objects.live().select_related("item", "show", "artwork", "show__artwork")
    return related.only(*texts, *pictures).with_media()


def _episode(episode: Episode) -> list[Location]:
    artwork = episode.artwork or episode.show.artwork
    card = card_path("episodes:card", episode.show.slug, episode.slug)
    return page_of(episode, [picture(artwork, ARTWORK_SIDE), card], _video(episode, artwork))


def _video(episode: Episode, artwork: Image | None) -> Video | None:
    """Return the video that the episode's page plays; none where it plays sound, or nothing."""
    player = player_of(episode.media_links)
    if player.playable is None or not player.is_video:
        return None
    return Video(
        title=episode.title,
        description=episode.summary,
        thumbnail=picture(artwork, ARTWORK_SIDE),
        content=absolute(player.playable.url),
        seconds=(player.playable.duration_ms or episode.duration_ms or 0) // 1000,
    )


def _transcripts() -> QuerySet:
    held = Exists(CurrentTranscript.objects.filter(episode=OuterRef("pk")))
    rows = Episode.objects.live().filter(held).select_related("item", "show")
    return rows.only("slug", "item__changed_at", "show__slug").with_transcripts()


def _transcript(episode: Episode) -> list[Location]:
    """Return a page a language; it changes with its episode, whose quotes it marks."""
    return [
        Location(absolute(transcript_path(episode, link)), episode.item.changed_at) for link in episode.transcript_links
    ]


def _guests() -> QuerySet:
    return (
        Guest.objects.live().select_related("item", "portrait").only("slug", "item__changed_at", *_pictured("portrait"))
    )


def _guest(guest: Guest) -> list[Location]:
    return page_of(guest, [picture(guest.portrait, PORTRAIT_SIDE), card_path("episodes:guest-card", guest.slug)])


def _topics() -> QuerySet:
    return Topic.objects.live().select_related("item").only("slug", "item__changed_at")


def _topic(topic: Topic) -> list[Location]:
    return page_of(topic, [card_path("episodes:topic-card", topic.slug)])


def _pictured(field: str) -> list[str]:
    return [f"{field}__{name}" for name in ("file", "width", "height", "focal_x", "focal_y")]


SECTIONS = {
    "shows": Section(_shows, _show),
    "episodes": Section(_episodes, _episode),
    "transcripts": Section(_transcripts, _transcript),
    "guests": Section(_guests, _guest),
    "topics": Section(_topics, _topic),
}
