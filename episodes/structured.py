"""What the pages of shows, episodes, guests and topics tell machines."""

from collections.abc import Iterable, Sequence

from django.core.paginator import Page
from django.urls import reverse
from django.utils.translation import gettext as _

from publishing.models import Publishable
from publishing.pages import absolute
from publishing.structured import Node, PageData, id_of, item_list, moment, ref, thing, web_only
from publishing.text import first_paragraph, render_markdown

from .models import Episode, EpisodeGuest, Guest, Image, Role, Show, ShowPerson, Topic
from .player import Player
from .renditions import nearest
from .timecodes import iso_duration
from .transcripts.files import formats_of
from .transcripts.shown import Shown, transcript_path

ARTWORK_SIDE, PORTRAIT_SIDE = 800, 400  # pixels: the largest that pages name
# As what somebody takes part, in the words of schema.org.
PARTS = {Role.PRODUCER: "producer", Role.OTHER: "contributor"}
TAKES_PART = "actor"  # who is heard: guests, hosts, reporters, narrators


def show_mention(show: Show) -> Node:
    return thing("PodcastSeries", show)


def episode_mention(episode: Episode) -> Node:
    """Return what the pages that name an episode with its date say of it; it came with its show."""
    duration = iso_duration(episode.duration_ms) if episode.duration_ms else ""
    return thing("PodcastEpisode", episode) | {
        "datePublished": moment(episode.aired_at),
        "duration": duration,
        "partOfSeries": {"@id": id_of(episode.show)},
    }


def person_mention(guest: Guest) -> Node:
    """Return what the pages that show somebody's name and portrait say of them."""
    return thing("Person", guest) | {"image": picture(guest.portrait, PORTRAIT_SIDE)}


def topic_mention(topic: Topic) -> Node:
    return thing("DefinedTerm", topic)


def picture(image: Image | None, side: int) -> str:
    return absolute(nearest(image, side).url) if image else ""


def seconds(ms: int) -> float | int:
    """Return milliseconds as a JSON number of seconds."""
    return ms / 1000 if ms % 1000 else ms // 1000


def show_data(show: Show, page: Page) -> PageData:
    """Describe a show that was loaded for its page.

    Its author is one of its people, or a name of which nobody says whether it is a person's.
    """
    authors = [ref(person_mention(link.guest)) for link in show.cast if link.guest.name == show.author]
    main = show_mention(show) | {
        "description": show.tagline or first_paragraph(render_markdown(show.description)),
        "image": picture(show.artwork, ARTWORK_SIDE),
        "inLanguage": show.language,
        "webFeed": absolute(reverse("episodes:show-feed", args=[show.slug, "rss"])),
        "sameAs": web_only([show.website, show.youtube]),
        "license": licence(show),
        "author": authors[:1],
        "creditText": show.author,
        **parts_of(show.cast),
    }
    people = [person_mention(link.guest) for link in show.cast]
    trail = [(_("Shows"), reverse("episodes:show-list"))]
    return PageData(main=main, more=[*people, _rows(_("Episodes"), page)], trail=trail)


def licence(show: Show) -> Node:
    return {"@type": "CreativeWork", "name": show.licence}


def episode_data(
    episode: Episode, player: Player, quotes: Iterable[Publishable], transcripts: Sequence[Shown]
) -> PageData:
    """Describe an episode that was loaded for its page."""
    show = episode.show
    main = episode_mention(episode) | {
        "description": episode.summary,
        "image": poster(player, episode),
        "inLanguage": show.language,
        "episodeNumber": episode.number,
        "partOfSeason": {"@type": "PodcastSeason", "seasonNumber": episode.season},
        "about": [ref(topic_mention(link.topic)) for link in episode.topic_links],
        "sameAs": web_only([episode.website]),
        "associatedMedia": played(player, episode, transcripts),
        "hasPart": [*_chapters(episode, player), *(thing("Quotation", quote) for quote in quotes)],
        **parts_of(episode.people),
    }
    more = [
        show_mention(show),
        *(person_mention(link.guest) for link in episode.people),
        *(topic_mention(link.topic) for link in episode.topic_links),
    ]
    trail = [(_("Shows"), reverse("episodes:show-list")), (show.title, show.get_absolute_url())]
    return PageData(main=main, more=more, trail=trail)


def parts_of(people: Iterable[EpisodeGuest | ShowPerson]) -> dict[str, list[Node]]:
    """Return who takes part by the property that says as what, each once a property."""
    found: dict[str, list[Node]] = {}
    for link in people:
        persons = found.setdefault(PARTS.get(Role(link.role), TAKES_PART), [])
        person = ref(person_mention(link.guest))
        if person not in persons:
            persons.append(person)
    return found


def played(player: Player, episode: Episode, transcripts: Sequence[Shown] = ()) -> Node:
    """Return the file that the page plays; nothing where it plays none."""
    if player.playable is None:
        return {}
    return {
        "@type": "VideoObject" if player.is_video else "AudioObject",
        "name": episode.title,
        "contentUrl": absolute(player.playable.url),
        "encodingFormat": player.playable.mime,
        "thumbnailUrl": poster(player, episode),
        "caption": [file for shown in transcripts for file in _files(shown, only_captions=True)],
    }


def poster(player: Player, episode: Episode) -> str:
    """Return the picture that stands before a video plays; nothing for sound."""
    if not player.is_video:
        return ""
    if player.clip and player.clip.poster_url:
        return absolute(player.clip.poster_url)
    return picture(episode.artwork or episode.show.artwork, ARTWORK_SIDE)


def _files(shown: Shown, *, only_captions: bool = False) -> list[Node]:
    """Return the files of a transcript, or those of them that a player can show in time."""
    return [
        {
            "@type": "MediaObject",
            "contentUrl": absolute(transcript_path(shown.episode, shown.current, name)),
            "encodingFormat": form.mime,
            "inLanguage": shown.lang,
        }
        for name, form in formats_of(shown.transcript).items()
        if form.is_captions or not only_captions
    ]


def _chapters(episode: Episode, player: Player) -> list[Node]:
    """Return the chapters as spans of the episode, each with where it plays if anything does."""
    path = episode.get_absolute_url()
    return [
        {
            "@type": "Clip",
            "name": chapter["title"],
            "startOffset": seconds(chapter["start_ms"]),
            "url": absolute(player.moment_url(chapter["start_ms"], path)),
        }
        for chapter in episode.chapters
    ]


def transcript_data(episode: Episode, chosen: Shown, title: str) -> PageData:
    show = episode.show
    main = {
        "@type": "CreativeWork",
        "name": title,
        "inLanguage": chosen.lang,
        "isBasedOn": {"@id": id_of(episode)},
        "encoding": _files(chosen),
        "license": licence(show),
    }
    trail = [(show.title, show.get_absolute_url()), (episode.title, episode.get_absolute_url())]
    return PageData(main=main, more=[episode_mention(episode), show_mention(show)], trail=trail)


def guest_data(guest: Guest, page: Page, quotes: Iterable[Publishable]) -> PageData:
    main = person_mention(guest) | {
        "description": guest.bio,
        "alternateName": guest.aliases,
        "sameAs": web_only(link["url"] for link in guest.website_links),
    }
    more = [_rows(_("Episodes"), page), item_list(_("Quotes"), named(quotes))]
    return PageData("ProfilePage", main, more, [(_("Guests"), reverse("episodes:guest-list"))])


def topic_data(topic: Topic, page: Page, quotes: Iterable[Publishable]) -> PageData:
    terms, path = _("Topics"), reverse("episodes:topic-list")
    main = topic_mention(topic) | {
        "description": topic.description,
        "alternateName": topic.aliases,
        "inDefinedTermSet": {"@type": "DefinedTermSet", "name": terms, "url": absolute(path)},
    }
    more = [_rows(_("Episodes"), page), item_list(_("Quotes"), named(quotes))]
    return PageData("CollectionPage", main, more, [(terms, path)])


def list_data(name: str, page: Page, *, counted: bool = True, trail: Sequence[tuple[str, str]] = ()) -> PageData:
    """Describe a page of a list; ``counted`` tells that it says how many there are in all."""
    count = page.paginator.count if counted else None
    return PageData("CollectionPage", _rows(name, page, count) or None, trail=trail)


def named(rows: Iterable[Publishable]) -> list[tuple[str, str]]:
    return [(row.headline, row.get_absolute_url()) for row in rows]


def _rows(name: str, page: Page, count: int | None = None) -> Node:
    return item_list(name, named(page), start=page.start_index(), count=count)
