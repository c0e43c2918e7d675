"""People whom a feed names: matched to guests we hold, or made as drafts."""

import re
from dataclasses import dataclass

from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from publishing.models import Item, Revision
from publishing.permissions import Actor
from publishing.reports import ImportReport
from publishing.revisions import NewItem, create_items
from publishing.text import clean_line

from ..forms import GuestContentForm
from ..models import EpisodeGuest, FeedSource
from .parsed import ParsedFeed, ParsedItem, ParsedPerson

ROLES = {
    "host": EpisodeGuest.Role.HOST,
    "co-host": EpisodeGuest.Role.CO_HOST,
    "cohost": EpisodeGuest.Role.CO_HOST,
    "guest": EpisodeGuest.Role.GUEST,
    "guest host": EpisodeGuest.Role.HOST,
    "reporter": EpisodeGuest.Role.REPORTER,
    "narrator": EpisodeGuest.Role.NARRATOR,
    "producer": EpisodeGuest.Role.PRODUCER,
}
LONGEST_NAME = 120
MAIL_AND_NAME = re.compile(r"\S+@\S+\s+\((?P<name>[^)]+)\)")


@dataclass(frozen=True)
class Named:
    """A person as one item names them."""

    name: str
    href: str
    role: str

    @property
    def key(self) -> tuple[str, str]:
        return self.href, self.name.casefold()


def people_of(item: ParsedItem, feed: ParsedFeed) -> list[Named]:
    """Return who takes part: the item's people, else the channel's, else the author as host.

    An author that is only the show's own title is nobody.
    """
    persons = item.persons or feed.persons
    if persons:
        named = [_named(person) for person in persons]
    else:
        named = [
            Named(name, "", EpisodeGuest.Role.HOST.value) for name in author_names(item.author or feed.author or "")
        ]
    unique = {
        (one.key, one.role): one for one in named if one.name and one.name.casefold() != (feed.title or "").casefold()
    }
    return list(unique.values())


def author_names(text: str) -> list[str]:
    """Return the names in an author line: ``ada@example.org (Ada)`` is Ada; ``Ada B, Carl D`` are two.

    A line is only split where every part looks like a person's name.
    """
    line = clean_line(text)
    match = MAIL_AND_NAME.fullmatch(line)
    if match:
        line = match["name"].strip()
    elif "@" in line:
        return []
    parts = [part.strip() for part in re.split(r",| & | and ", line) if part.strip()]
    looks_like_names = all(2 <= len(part.split()) <= 4 and part[0].isupper() for part in parts)
    return [part[:LONGEST_NAME] for part in (parts if looks_like_names else [line]) if part]


def _named(person: ParsedPerson) -> Named:
    role = ROLES.get((person.role or "host").strip().lower(), EpisodeGuest.Role.OTHER)
    return Named(clean_line(person.name)[:LONGEST_NAME], (person.href or "").strip(), role.value)


class People:
    """The guests that one feed names, looked up once each and remembered with the feed.

    Whom a name once led to it leads to for good, even where we rename the guest.
    """

    def __init__(self, source: FeedSource, actor: Actor, report: ImportReport):
        self.source = source
        self.actor = actor
        self.report = report
        held = set(Item.objects.filter(pk__in=[pk for _href, _name, pk in source.people]).values_list("pk", flat=True))
        self.ids: dict[tuple[str, str], int | None] = {
            (href, name): pk for href, name, pk in source.people if pk in held
        }

    def remember(self) -> None:
        """Keep what was learnt with the feed."""
        people = [[href, name, pk] for (href, name), pk in sorted(self.ids.items()) if pk is not None]
        if people != self.source.people:
            self.source.people = people
            self.source.save(update_fields=["people"])

    def learn(self, named: list[Named]) -> None:
        """Match or make everybody not met before; a fixed number of queries."""
        new = {one.key: one for one in named if one.key not in self.ids}
        if not new:
            return
        candidates = self._candidates(list(new.values()))
        unknown = []
        for one in new.values():
            if not self._match(one, candidates):
                unknown.append(one)
        self._make(unknown)

    def rows(self, named: list[Named]) -> list[dict]:
        """Return the rows of an episode's guest list; everybody must have been learnt."""
        seen: dict[tuple[int, str], dict] = {}
        for one in named:
            guest = self.ids[one.key]
            if guest is not None:
                seen.setdefault((guest, one.role), {"guest": guest, "role": one.role, "credit": ""})
        return list(seen.values())

    def _candidates(self, named: list[Named]) -> list[Item]:
        condition = Q(lowered__in={one.name.lower() for one in named})
        for one in named:
            condition |= Q(working_text__icontains=one.name)
            if one.href:
                condition |= Q(working_text__contains=one.href)
        guests = Item.objects.of_kind("guest").annotate(lowered=Lower("working_title"))
        return list(guests.filter(condition).select_related("head"))

    def _match(self, one: Named, candidates: list[Item]) -> bool:
        by_href = [item for item in candidates if one.href and one.href in _addresses(item)]
        by_name = [item for item in candidates if one.name.casefold() in _names(item)]
        found = by_href or by_name
        if len(found) > 1:
            message = _(
                "More than one guest is called “%(name)s”, so none was linked. Choose one in the episodes that name them."
            )
            self.report.people.append(message % {"name": one.name})
            self.ids[one.key] = None
            return True
        if found:
            self.ids[one.key] = found[0].pk
            how = (
                _("%(name)s: the guest we hold, by the same link.")
                if by_href
                else _("%(name)s: the guest we hold, by the same name. Check that it is the same person.")
            )
            self.report.people.append(how % {"name": one.name})
        return bool(found)

    def _make(self, unknown: list[Named]) -> None:
        """Make guest drafts; one name in two links is one person, and said so."""
        by_name: dict[str, list[Named]] = {}
        for one in unknown:
            by_name.setdefault(one.name.casefold(), []).append(one)
        new = [NewItem("guest", _content(group)) for group in by_name.values()]
        items = create_items(new, actor=self.actor, kind=Revision.Kind.IMPORT) if new else []
        for group, item in zip(by_name.values(), items, strict=True):
            self.ids |= {one.key: item.pk for one in group}
            self.report.people.append(_("%(name)s: a new guest draft.") % {"name": group[0].name})


def _content(group: list[Named]) -> dict:
    links = [{"label": "Web", "url": one.href} for one in group if one.href.startswith(("http://", "https://"))]
    content = GuestContentForm.blank() | {"name": group[0].name, "website_links": links}
    return GuestContentForm.check_content(content)


def _addresses(item: Item) -> set[str]:
    return {link["url"] for link in item.newest.content.get("website_links", [])}


def _names(item: Item) -> set[str]:
    content = item.newest.content
    return {name.casefold() for name in (content.get("name", ""), *content.get("aliases", []))}
