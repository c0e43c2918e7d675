"""People whom a feed names: matched to guests we hold, or made as drafts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from django.core.exceptions import ValidationError
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from publishing.content import Content
from publishing.models import Item, Revision
from publishing.permissions import Actor
from publishing.reports import ImportReport
from publishing.revisions import NewItem, create_items
from publishing.text import clean_line

from ..forms import GuestContentForm, LinkRow
from ..models import FeedSource, Role
from .parsed import ParsedFeed, ParsedItem, ParsedPerson

ROLES = {
    "host": Role.HOST,
    "co-host": Role.CO_HOST,
    "cohost": Role.CO_HOST,
    "guest": Role.GUEST,
    "guest host": Role.HOST,
    "reporter": Role.REPORTER,
    "narrator": Role.NARRATOR,
    "producer": Role.PRODUCER,
}
LONGEST_NAME = 120
LONGEST_LINK = 2_000
MOST_LINKS = 20  # of one person that an import makes
TERMS = 100  # of one query; SQLite takes a thousand at most
MAIL_AND_NAME = re.compile(r"\S+@\S+\s+\((?P<name>[^)]+)\)")


@dataclass(frozen=True)
class Named:
    """A person as one item names them; a link that cannot be kept is ``refused`` and no identity."""

    name: str
    href: str
    role: str
    refused: str = field(default="", compare=False)

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
        named = [Named(name, "", Role.HOST.value) for name in author_names(item.author or feed.author or "")]
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
    role = ROLES.get((person.role or "host").strip().lower(), Role.OTHER)
    name, href = clean_line(person.name)[:LONGEST_NAME].strip(), (person.href or "").strip()
    is_kept = not href or (len(href) <= LONGEST_LINK and is_link(href))
    return Named(name, href if is_kept else "", role.value, "" if is_kept else href)


@lru_cache(maxsize=4096)
def is_link(href: str) -> bool:
    """Tell whether a guest's links may hold this address."""
    try:
        LinkRow.base_fields["url"].run_validators(href)
    except ValidationError:
        return False
    return True


class People:
    """The guests that one feed names, looked up once each and remembered with the feed.

    Whom a name once led to it leads to for good, even where we rename the guest.
    """

    def __init__(self, source: FeedSource, actor: Actor, report: ImportReport):
        self.actor = actor
        self.report = report
        self.ids: dict[tuple[str, str], int | None] = {}
        self.recall(source)

    def recall(self, source: FeedSource) -> None:
        """Take over what an import at the same time has learnt; one query."""
        self.source = source
        held = set(Item.objects.filter(pk__in=[pk for _href, _name, pk in source.people]).values_list("pk", flat=True))
        ambiguous = {key: None for key, pk in self.ids.items() if pk is None}
        self.ids = ambiguous | {(href, name): pk for href, name, pk in source.people if pk in held}

    def remember(self) -> None:
        """Keep what was learnt with the feed."""
        people = [[href, name, pk] for (href, name), pk in sorted(self.ids.items()) if pk is not None]
        if people != self.source.people:
            self.source.people = people
            self.source.save(update_fields=["people"])

    def learn(self, named: list[Named]) -> None:
        """Match or make everybody not met before; the queries grow by the hundred people.

        Whoever calls it has the imports' turn, so that nobody else makes the same person.
        """
        new = {one.key: one for one in named if one.key not in self.ids}
        if not new:
            return
        known = _Known(self._candidates(list(new.values())))
        self._make([one for one in new.values() if not self._match(one, known)])
        for one in new.values():
            if one.refused:
                message = _("%(name)s: the link “%(link)s” is left out; it is no address that works on the web.")
                self.report.warnings.append(message % {"name": one.name, "link": one.refused[:100]})

    def rows(self, named: list[Named]) -> list[dict]:
        """Return the rows of an episode's guest list; everybody must have been learnt."""
        seen: dict[tuple[int, str], dict] = {}
        for one in named:
            guest = self.ids[one.key]
            if guest is not None:
                seen.setdefault((guest, one.role), {"guest": guest, "role": one.role, "credit": ""})
        return list(seen.values())

    def _candidates(self, named: list[Named]) -> list[Item]:
        found: dict[int, Item] = {}
        guests = Item.objects.of_kind("guest").annotate(lowered=Lower("working_title")).select_related("head")
        for start in range(0, len(named), TERMS // 2):
            condition = Q()
            some = named[start : start + TERMS // 2]
            for text in dict.fromkeys(one.name for one in some):
                condition |= Q(working_text__icontains=text)
            for link in dict.fromkeys(one.href for one in some if one.href):
                condition |= Q(working_text__contains=link)
            condition |= Q(lowered__in={one.name.lower() for one in some})
            found |= {item.pk: item for item in guests.filter(condition)}
        return [found[pk] for pk in sorted(found)]

    def _match(self, one: Named, known: "_Known") -> bool:
        by_href = known.by_link.get(one.href, [])
        found = by_href or known.by_name.get(one.name.casefold(), [])
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


class _Known:
    """Guests we hold, by each link and by each name in lower case."""

    def __init__(self, guests: list[Item]):
        self.by_link: dict[str, list[Item]] = {}
        self.by_name: dict[str, list[Item]] = {}
        for item in guests:
            content = item.newest.content
            for link in {link["url"] for link in content.get("website_links", [])}:
                self.by_link.setdefault(link, []).append(item)
            for name in set(_names(content)):
                self.by_name.setdefault(name, []).append(item)


def _names(content: Content) -> Iterator[str]:
    yield from (name.casefold() for name in (content.get("name", ""), *content.get("aliases", [])))


def _content(group: list[Named]) -> Content:
    hrefs = list(dict.fromkeys(one.href for one in group if one.href))[:MOST_LINKS]
    links = [{"label": "Web", "url": href} for href in hrefs]
    return GuestContentForm.check_content(GuestContentForm.blank() | {"name": group[0].name, "website_links": links})
