"""The tags of podcast apps and directories: iTunes, and the podcast namespace.

What they must say is in Apple's requirements, PSP-1 and the podcast namespace's pages of tags.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime

from lxml import etree

from publishing.text import clean_line, clean_text, shorten

from .description import Enclosure, Entry, Licence, Location, Person, Podcast, Social, Soundbite, Trailer
from .xml import add

ITUNES = "http://www.itunes.com/dtds/podcast-1.0.dtd"
PODCAST = "https://podcastindex.org/namespace/1.0"

MOST_LINE = 255  # characters, Apple's and PSP-1's limit where nothing else is said
MOST_NAME = 128  # characters of a person, a soundbite, a funding line, a place
MOST_LABEL = 32  # characters of an episode's display number, an alternate's title
MOST_TXT = 4_000  # characters

ATTRIBUTES = dict[str, str]


def add_podcast(channel: etree._Element, podcast: Podcast, title: str) -> None:
    """Write what a show says of itself."""
    _itunes(channel, "explicit", _claim(podcast.explicit))
    _itunes(channel, "author", line(podcast.author))
    for category in podcast.categories:
        _add_category(channel, category)
    _itunes(channel, "type", "serial" if podcast.is_serial else "episodic")
    add_artwork(channel, podcast.artwork)
    if podcast.owner_email:
        owner = add(channel, f"{{{ITUNES}}}owner")
        _itunes(owner, "name", line(podcast.author or title))
        _itunes(owner, "email", podcast.owner_email)
    if podcast.guid:
        _podcast(channel, "guid", str(podcast.guid))
    _podcast(channel, "locked", "yes" if podcast.locked else "no", {"owner": podcast.owner_email})
    _podcast(channel, "medium", podcast.medium)
    _add_licence(channel, podcast.licence)
    for funding in podcast.funding:
        _podcast(channel, "funding", _name(funding.label), {"url": funding.url})
    for txt in podcast.txts:
        _podcast(channel, "txt", clean_text(txt.text)[:MOST_TXT], {"purpose": txt.purpose})
    for trailer in podcast.trailers:
        _add_trailer(channel, trailer)
    _add_persons(channel, podcast.persons)
    _add_locations(channel, podcast.locations)
    _add_social(channel, podcast.social)


def add_episode(item: etree._Element, entry: Entry) -> None:
    """Write what an entry says to podcast apps; what it does not know is left out."""
    add_artwork(item, entry.image)
    _itunes(item, "duration", str((entry.duration_ms or 0) // 1000 or ""))
    _itunes(item, "explicit", "" if entry.explicit is None else _claim(entry.explicit))
    _itunes(item, "season", str(entry.season or ""))
    _itunes(item, "episode", str(entry.number or ""))
    _itunes(item, "episodeType", entry.kind)
    if entry.season:
        _podcast(item, "season", str(entry.season), {"name": _name(entry.season_name)})
    if entry.number:
        _podcast(item, "episode", str(entry.number), {"display": shorten(clean_line(entry.number_label), MOST_LABEL)})
    for file in entry.transcripts:
        rel = "captions" if file.is_captions else ""
        _podcast(item, "transcript", "", {"url": file.url, "type": file.mime, "language": file.language, "rel": rel})
    if entry.chapters:
        _podcast(item, "chapters", "", {"url": entry.chapters, "type": "application/json+chapters"})
    _add_soundbites(item, entry.soundbites)
    _add_persons(item, entry.persons)
    for alternate in entry.alternates:
        _add_alternate(item, alternate)
    _add_locations(item, entry.locations)
    _add_social(item, entry.social)


def add_artwork(parent: etree._Element, url: str) -> None:
    if url:
        _itunes(parent, "image", attributes={"href": url})


def line(text: str) -> str:
    """Return plain text as directories take it: one line of 255 characters at most."""
    return shorten(clean_line(text), MOST_LINE)


def rfc822(moment: datetime) -> str:
    """Return ``Tue, 05 Mar 2024 10:00:00 +0000``, in English and in UTC whatever the site speaks."""
    return format_datetime(moment.astimezone(UTC))


def _itunes(parent: etree._Element, name: str, text: str = "", attributes: ATTRIBUTES | None = None) -> None:
    if text or attributes:
        add(parent, f"{{{ITUNES}}}{name}", text, attributes)


def _podcast(parent: etree._Element, name: str, text: str = "", attributes: ATTRIBUTES | None = None) -> etree._Element:
    """Append a tag of the podcast namespace; attributes without a value are left out."""
    known = {key: value for key, value in (attributes or {}).items() if clean_text(value)}
    return add(parent, f"{{{PODCAST}}}{name}", text, known)


def _add_category(channel: etree._Element, category: str) -> None:
    """Write ``Society & Culture > Documentary`` as one element in another."""
    parent = channel
    for name in category.split(">"):
        parent = add(parent, f"{{{ITUNES}}}category", attributes={"text": name.strip()})


def _add_licence(channel: etree._Element, licence: Licence | None) -> None:
    if licence:
        _podcast(channel, "license", _name(licence.name), {"url": licence.url})


def _add_trailer(channel: etree._Element, trailer: Trailer) -> None:
    media = trailer.enclosure
    attributes = {
        "pubdate": rfc822(trailer.published),
        "url": media.url,
        "length": str(media.bytes or ""),
        "type": media.mime,
        "season": str(trailer.season or ""),
    }
    _podcast(channel, "trailer", _name(trailer.title), attributes)


def _add_alternate(item: etree._Element, media: Enclosure) -> None:
    attributes = {"type": media.mime, "length": str(media.bytes or ""), "title": shorten(media.title, MOST_LABEL)}
    alternate = _podcast(item, "alternateEnclosure", "", attributes)
    _podcast(alternate, "source", "", {"uri": media.url})


def _add_persons(parent: etree._Element, persons: Sequence[Person]) -> None:
    for person in persons:
        attributes = {"role": person.role, "group": person.group, "href": person.link, "img": person.image}
        _podcast(parent, "person", _name(person.name), attributes)


def _add_soundbites(item: etree._Element, soundbites: Iterable[Soundbite]) -> None:
    for bite in soundbites:
        _podcast(item, "soundbite", _name(bite.title), {"startTime": bite.start, "duration": bite.duration})


def _add_locations(parent: etree._Element, locations: Iterable[Location]) -> None:
    for place in locations:
        attributes = {"rel": place.rel, "geo": place.geo, "osm": place.osm, "country": place.country}
        _podcast(parent, "location", _name(place.name), attributes)


def _add_social(parent: etree._Element, social: Sequence[Social]) -> None:
    """Write where people talk, the first the editor names being the first that apps show."""
    for priority, place in enumerate(social, start=1):
        attributes = {
            "protocol": place.protocol,
            "uri": place.uri,
            "accountId": place.account_id,
            "accountUrl": place.account_url,
            "priority": str(priority) if len(social) > 1 else "",
        }
        _podcast(parent, "socialInteract", "", attributes)


def _name(text: str) -> str:
    return shorten(clean_line(text), MOST_NAME)


def _claim(value: bool) -> str:
    return "true" if value else "false"
