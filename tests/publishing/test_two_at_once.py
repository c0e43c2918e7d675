"""Two people at the same moment, on real connections of their own."""

import threading
import time
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from episodes.models import Topic
from publishing import acts
from publishing.acts import PublishRefused, publish
from publishing.models import Address, Event, Item, Revision
from tests.factories import REASON, make_episode, make_guest, make_quote, make_topic, make_user
from tests.publishing.test_admin import topic_data

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 10


def at_once(*acts: Callable[[], object]) -> list:
    """Run the acts in threads that start together; returns what each returned or raised."""
    barrier = threading.Barrier(len(acts))
    results: list = [None] * len(acts)

    def run(place: int, act: Callable[[], object]) -> None:
        barrier.wait()
        try:
            results[place] = act()
        except Exception as raised:
            results[place] = raised
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return results


def logged_in(name: str, group: str) -> Client:
    client = Client()
    client.force_login(make_user(name, group))
    return client


def save(client: Client, topic, data: dict, button: str = "_save"):
    return client.post(reverse("admin:episodes_topic_change", args=[topic.pk]), data | {button: ""})


def head(topic) -> dict:
    return Item.objects.get(pk=topic.pk).head.content


def test_saves_of_different_fields_are_both_kept():
    ines, ana = logged_in("ines", "Editor"), logged_in("ana", "Editor")
    topic = make_topic(name="Grid", description="Old.")
    for number in range(ROUNDS):
        mine = topic_data(topic, name=f"Name {number}")
        theirs = topic_data(topic, description=f"Text {number}")

        answers = at_once(lambda mine=mine: save(ines, topic, mine), lambda theirs=theirs: save(ana, topic, theirs))

        assert [answer.status_code for answer in answers] == [302, 302]
        assert (head(topic)["name"], head(topic)["description"]) == (f"Name {number}", f"Text {number}")


def test_saves_of_the_same_field_lose_neither_text():
    ines, ana = logged_in("ines", "Editor"), logged_in("ana", "Editor")
    topic = make_topic(description="Old.")
    for number in range(ROUNDS):
        mine = topic_data(topic, description=f"From Ines {number}")
        theirs = topic_data(topic, description=f"From Ana {number}")

        answers = at_once(lambda mine=mine: save(ines, topic, mine), lambda theirs=theirs: save(ana, topic, theirs))

        refused = [answer.content.decode() for answer in answers if answer.status_code == 409]
        assert sorted(answer.status_code for answer in answers) == [302, 409]
        assert head(topic)["description"] in {f"From Ines {number}", f"From Ana {number}"}
        assert f"From Ines {number}" in refused[0]
        assert f"From Ana {number}" in refused[0]


def test_two_publishers_at_once_publish_once_each_and_number_no_revision_twice():
    petra, paul = logged_in("petra", "Publisher"), logged_in("paul", "Publisher")
    topic = make_topic(live=False, name="Grid")
    data = topic_data(topic)

    answers = at_once(lambda: save(petra, topic, data, "_publish"), lambda: save(paul, topic, data, "_publish"))

    assert [answer.status_code for answer in answers] == [302, 302]
    topic.refresh_from_db()
    assert topic.visible
    assert Address.objects.filter(item=topic.item).count() == 1
    numbers = list(Revision.objects.filter(item=topic.item).values_list("number", flat=True))
    assert len(numbers) == len(set(numbers))
    assert Event.objects.filter(what="topic.publish").count() == 2


def test_of_two_that_want_one_address_one_gets_it_and_the_other_is_told():
    topics = [make_topic(live=False, name=f"Grid {number}", slug="grid") for number in range(2)]

    results = at_once(*[lambda item=topic.item: publish(item, actor=None) for topic in topics])

    refused = [result for result in results if isinstance(result, PublishRefused)]
    assert len(refused) == 1
    assert "/topics/grid/" in " ".join(refused[0].messages)
    assert Topic.objects.live().count() == 1


def test_things_that_show_each_other_are_published_at_once_without_a_deadlock():
    for _round in range(ROUNDS):
        guests = [make_guest() for _number in range(2)]
        listed = [{"guest": guest.pk, "role": "guest", "credit": ""} for guest in guests]
        episodes = [make_episode(guests=listed), make_episode(guests=list(reversed(listed)))]
        items = [row.item for row in (*guests, *episodes)]

        results = at_once(*[lambda item=item: publish(item, actor=None) for item in items])

        assert [result for result in results if isinstance(result, Exception)] == []


def test_a_speaker_retired_between_look_and_write_hides_the_quote(monkeypatch):
    """The publisher is held up after the checks; whoever retires the speaker meanwhile must wait, or be seen."""
    quote = make_quote(live=False, speaker=make_guest())
    speaker = Item.objects.get(pk=quote.item.head.content["speaker"])
    looked = threading.Event()
    check = acts._refuse_problems

    def check_slowly(batch):
        check(batch)
        looked.set()
        time.sleep(0.7)

    def retire_then():
        looked.wait(10)
        return acts.retire(speaker, actor=None, reason="Asked to be removed.")

    monkeypatch.setattr(acts, "_refuse_problems", check_slowly)
    results = at_once(lambda: publish(quote.item, actor=None, reason=REASON), retire_then)

    quote.refresh_from_db()
    assert [result for result in results if isinstance(result, Exception)] == []
    assert not quote.visible


def test_fifty_titles_alike_get_fifty_addresses():
    from publishing.kinds import get_kind
    from publishing.revisions import create_item

    blank = get_kind("topic").form.blank()

    results = at_once(
        *[lambda: create_item("topic", blank | {"name": "Grid storage"}, actor=None) for _number in range(8)]
    )

    slugs = {Item.objects.get(pk=result.pk).working_slug for result in results}
    assert all(slug.startswith("grid-storage") for slug in slugs)
