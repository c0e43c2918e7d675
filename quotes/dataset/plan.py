"""Who speaks where about what: drawn first, in numbers, so that every kind of row can name every other."""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import accumulate
from random import Random

from .texts import rng_of


@dataclass(frozen=True)
class Size:
    """How much of each kind; what is not said follows from the number of episodes."""

    episodes: int = 10_000
    quotes_per_episode: int = 12
    shows: int = 0
    guests: int = 0
    topics: int = 0
    seed: int = 1

    def filled(self) -> "Size":
        return Size(
            episodes=self.episodes,
            quotes_per_episode=self.quotes_per_episode,
            shows=self.shows or max(2, self.episodes // 400),
            guests=self.guests or max(8, self.episodes // 4),
            topics=self.topics or max(6, self.episodes // 50),
            seed=self.seed,
        )


@dataclass
class EpisodePlan:
    """An episode by number; people, topics and quotes by their own numbers, from 0."""

    show: int
    host: int
    guests: list[int]
    topics: list[int]
    speakers: list[int]  # of its quotes, in the order they are said


@dataclass
class Plan:
    size: Size
    episodes: list[EpisodePlan]
    said: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))  # speaker: quotes

    def quote_number(self, episode: int, place: int) -> int:
        return episode * self.size.quotes_per_episode + place


class Zipf:
    """Draws numbers below ``count``: a few come up all the time, most hardly ever."""

    def __init__(self, count: int, steepness: float):
        self.numbers = range(count)
        self.weights = list(accumulate(1 / (rank + 2.7) ** steepness for rank in self.numbers))

    def draw(self, rng: Random, count: int) -> list[int]:
        """Return different numbers, in the order drawn."""
        wanted = min(count, len(self.numbers))
        found: dict[int, None] = {}
        while len(found) < wanted:
            found.update(dict.fromkeys(rng.choices(self.numbers, cum_weights=self.weights, k=wanted - len(found))))
        return list(found)


def make_plan(size: Size) -> Plan:
    size = size.filled()
    shows, guests, topics = Zipf(size.shows, 0.6), Zipf(size.guests, 0.9), Zipf(size.topics, 0.9)
    plan = Plan(size, [])
    for number in range(size.episodes):
        rng = rng_of(size.seed, "plan", number)
        show = shows.draw(rng, 1)[0]
        host = show % size.guests
        people = [guest for guest in guests.draw(rng, rng.choice((1, 1, 1, 2, 2, 3))) if guest != host] or [host]
        speakers = [rng.choice(people) for _place in range(size.quotes_per_episode)]
        plan.episodes.append(EpisodePlan(show, host, people, topics.draw(rng, rng.choice((1, 2, 2, 3, 4))), speakers))
        for place, speaker in enumerate(speakers):
            plan.said[speaker].append(plan.quote_number(number, place))
    return plan
