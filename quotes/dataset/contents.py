"""The content of each item as its content form would store it; a test asks the forms whether that is true."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from publishing.content import Content, dump_moment
from publishing.kinds import get_kind
from publishing.slugs import make_slug

from ..marks import words_key
from . import texts
from .plan import Plan

EPOCH = datetime(2009, 1, 5, 6, 0, tzinfo=UTC)
BETWEEN_EPISODES = timedelta(hours=13)
MOST_RELATED = 3


@dataclass
class Draft:
    """One item to be: its content, and what is fixed on its row."""

    kind: str
    pk: int
    content: Content
    at: datetime  # when it was written and published
    parents: dict[str, int] = field(default_factory=dict)


class Contents:
    """Turns a plan into drafts. Items are numbered from ``first``: topics, guests, shows, episodes, quotes."""

    def __init__(self, plan: Plan, first: int = 1):
        self.plan, self.size = plan, plan.size
        self.topic = first
        self.guest = self.topic + self.size.topics
        self.show = self.guest + self.size.guests
        self.episode = self.show + self.size.shows
        self.quote = self.episode + self.size.episodes
        self.blank = {kind: get_kind(kind).form.blank() for kind in ("topic", "guest", "show", "episode", "quote")}
        self.slugs: dict[str, set[str]] = {kind: set() for kind in self.blank}
        self.names: list[str] = []  # of guests, for the contexts of quotes

    def of_things(self) -> Iterator[Draft]:
        """Yield topics, guests and shows."""
        names: dict[str, set[str]] = {"topic": set(), "guest": set(), "show": set()}
        for number in range(self.size.topics):
            yield self._topic(number, names["topic"])
        for number in range(self.size.guests):
            yield self._guest(number, names["guest"])
        for number in range(self.size.shows):
            yield self._show(number, names["show"])

    def of_episode(self, number: int) -> Iterator[Draft]:
        """Yield an episode, then its quotes."""
        yield self._episode(number)
        for place in range(self.size.quotes_per_episode):
            yield self._quote(number, place)

    def _draft(self, kind: str, pk: int, title: str, at: datetime, values: Content, **parents: int) -> Draft:
        slug = make_slug(title)
        if slug in self.slugs[kind]:
            slug = f"{slug}-{pk}"
        self.slugs[kind].add(slug)
        form = get_kind(kind).form
        return Draft(kind, pk, self.blank[kind] | {form.title_field: title, "slug": slug} | values, at, parents)

    def _topic(self, number: int, taken: set[str]) -> Draft:
        rng = texts.rng_of(self.size.seed, "topic", number)
        words, sides = texts.TOPIC_WORDS, texts.TOPIC_SIDES
        name = texts.unlike(taken, lambda: f"{rng.choice(words)} {rng.choice(sides)}", number)
        parent = self.topic + number // 3 if number >= self.size.topics // 3 and number % 4 == 0 else None
        values = {"description": texts.paragraph(rng, 30), "parent": parent}
        return self._draft("topic", self.topic + number, name, EPOCH, values)

    def _guest(self, number: int, taken: set[str]) -> Draft:
        rng = texts.rng_of(self.size.seed, "guest", number)
        name, sort_name = texts.person(rng)
        name = texts.unlike(taken, lambda: name, number)
        self.names.append(name)
        values = {
            "sort_name": sort_name,
            "bio": f"{name} is a {rng.choice(texts.TRADES)}. {texts.paragraph(rng, 50)}",
            "website_links": [{"label": "Their page", "url": f"https://people.example.org/{number}"}],
            "quotes": [{"quote": self.quote + said} for said in self.plan.said[number][:2]] if number % 4 == 0 else [],
        }
        return self._draft("guest", self.guest + number, name, EPOCH, values)

    def _show(self, number: int, taken: set[str]) -> Draft:
        rng = texts.rng_of(self.size.seed, "show", number)
        title = texts.unlike(taken, lambda: f"{rng.choice(texts.SHOW_STARTS)} {rng.choice(texts.SHOW_ENDS)}", number)
        values = {
            "tagline": texts.claim(rng),
            "description": texts.paragraph(rng, 60),
            "author": "The Long Signal",
            "categories": ["Society & Culture"],
            "feed_identity": "own",
        }
        return self._draft("show", self.show + number, title, EPOCH, values)

    def aired_at(self, number: int) -> datetime:
        return EPOCH + BETWEEN_EPISODES * (number + 1)

    def media_address(self, number: int) -> str:
        return f"https://media.example.org/{self.plan.episodes[number].show}/{number + 1}.mp3"

    def duration_ms(self, number: int) -> int:
        return 1000 * texts.rng_of(self.size.seed, "length", number).randint(1200, 7200)

    def _episode(self, number: int) -> Draft:
        rng = texts.rng_of(self.size.seed, "episode", number)
        plan = self.plan.episodes[number]
        at = self.aired_at(number)
        guests = [
            {"guest": self.guest + guest, "role": "guest", "credit": rng.choice(texts.TRADES).capitalize()}
            for guest in plan.guests
        ]
        host = {"guest": self.guest + plan.host, "role": "host", "credit": ""}
        values = {
            "summary": texts.paragraph(rng, 130),
            "summary_by": "The desk",
            "summary_on": at.date().isoformat(),
            "notes": texts.paragraph(rng, 60),
            "aired_at": dump_moment(at),
            "duration_ms": self.duration_ms(number),
            "number": number + 1,
            "guests": guests if plan.host in plan.guests else [host, *guests],
            "topics": [{"topic": self.topic + topic} for topic in plan.topics],
            "media": [{"media": number + 1}],
        }
        return self._draft("episode", self.episode + number, texts.claim(rng), at, values, show=self.show + plan.show)

    def _quote(self, episode: int, place: int) -> Draft:
        number = self.plan.quote_number(episode, place)
        rng = texts.rng_of(self.size.seed, "quote", number)
        plan = self.plan.episodes[episode]
        speaker = plan.speakers[place]
        start_ms = self.duration_ms(episode) * (place + 1) // (self.size.quotes_per_episode + 2) + rng.randint(0, 999)
        title = texts.claim(rng)
        values = {
            "text": texts.paragraph(rng, rng.randint(15, 60)),
            "speaker": self.guest + speaker,
            "start_ms": start_ms,
            "end_ms": start_ms + rng.randint(5_000, 30_000),
            "context": f"{self.names[speaker]}, {rng.choice(texts.TRADES)}, on {rng.choice(texts.OBJECTS)}.",
            "topics": [{"topic": self.topic + topic} for topic in plan.topics[: 1 + number % 2]],
            "related": self._related(number, speaker) if number % 10 == 0 else [],
            "assessments": [self._assessment(rng, episode)] if number % 8 == 0 else [],
        }
        values["heard"] = {"by": "The desk", "at": dump_moment(self.aired_at(episode)), "of": words_key(values)}
        at = self.aired_at(episode) + timedelta(hours=1, minutes=place)
        return self._draft("quote", self.quote + number, title, at, values, episode=self.episode + episode)

    def _related(self, number: int, speaker: int) -> list[dict]:
        """Name up to three quotes of the speaker that stand next to this one in time."""
        said = self.plan.said[speaker]
        others = [other for other in said[max(0, said.index(number) - 2) :][: MOST_RELATED + 2] if other != number]
        return [{"related": self.quote + other} for other in others[:MOST_RELATED]]

    def _assessment(self, rng, episode: int) -> dict:
        return {
            "verdict": rng.choice(("supported", "supported", "partly", "disputed", "opinion", "unverifiable")),
            "summary": texts.sentence(rng),
            "checked_on": self.aired_at(episode).date().isoformat(),
            "assessed_by": "The desk",
            "title": texts.claim(rng),
            "url": f"https://sources.example.org/{episode}",
            "publisher": "Harbour County Statistics",
        }
