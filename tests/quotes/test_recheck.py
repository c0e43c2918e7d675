"""When a transcript changes: exactly the quotes that rest on what changed lose their promise, and the desk says so."""

import re

import pytest

from episodes.transcripts.current import make_current, withdraw
from episodes.transcripts.service import correct, name_speakers
from publishing.acts import publish
from publishing.jobs import work_through
from publishing.models import Item
from quotes import checking
from quotes.checking import live_check_of, no_longer_hold
from quotes.models import Quote
from tests.episodes.transcripts.making import LINES, make_transcript
from tests.factories import REASON, edit, make_episode, make_guest, make_quote, make_user

pytestmark = pytest.mark.django_db

LINE = {"ms": 4_000, "depot": 1, "permission": 2, "neighbours": 4}
TEXTS = {
    "depot": "We put the battery where the buses sleep, in the depot.",
    "permission": "Nobody asked for permission, and nobody complained.",
    "neighbours": "Not one of the forty five neighbours did.",
}


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def quoted():
    """An episode with a transcript and a live quote of three of its cues, by claim."""
    ada = make_guest(name="Ada")
    episode = make_episode()
    edit(episode, guests=[{"guest": ada.pk, "role": "guest", "credit": ""}])
    make_transcript(episode)
    quotes = {}
    for name, text in TEXTS.items():
        start = LINE[name] * LINE["ms"]
        times = {"start_ms": start, "end_ms": start + LINE["ms"]}
        draft = make_quote(live=False, episode=episode, speaker=ada, claim=name, text=text, **times)
        publish(Item.objects.get(pk=draft.pk), actor=None)
        quotes[name] = draft.pk
    return episode, quotes


def passing(quotes) -> set[str]:
    held = {name: live_check_of(Quote.objects.select_related("item").get(pk=pk)) for name, pk in quotes.items()}
    return {name for name, check in held.items() if check and check.passes}


def changed(old: str, new: str) -> list:
    return [(label, text.replace(old, new)) for label, text in LINES]


def desk(client) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get("/admin/").content.decode()).split())


def listed(client, heading: str) -> str:
    """Return what the desk says under a heading, up to the next one."""
    page = client.get("/admin/").content.decode()
    part = page.partition(f"<h2>{heading}</h2>")[2].partition("<h2>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ("buses", "trams", {"depot"}),
        ("nobody complained", "everybody complained", {"permission"}),
        ("forty five", "forty six", {"neighbours"}),
        ("How did", "When did", set()),
    ],
)
@pytest.mark.parametrize("most_at_once", [200, 2], ids=["at once", "by the worker"])
def test_one_changed_word_takes_the_promise_of_just_the_quotes_that_touch_it(
    quoted, editor_client, monkeypatch, old, new, lost, most_at_once
):
    episode, quotes = quoted
    monkeypatch.setattr(checking, "MOST_AT_ONCE", most_at_once)
    assert passing(quotes) == set(TEXTS)

    make_transcript(episode, *changed(old, new))
    assert passing(quotes) <= set(TEXTS) - lost
    work_through()

    assert passing(quotes) == set(TEXTS) - lost
    assert {str(check.quote.item) for check in no_longer_hold(10)} == lost
    said = listed(editor_client, "Quotes that no longer hold")
    assert {name for name in TEXTS if name in said.split()} == lost


@pytest.mark.parametrize(
    ("name", "word"), [("depot", "battery"), ("permission", "asked"), ("neighbours", "neighbours")]
)
def test_in_public_too(client, quoted, name, word):
    episode, quotes = quoted
    pages = {one: Quote.objects.get(pk=pk).get_absolute_url() for one, pk in quotes.items()}
    promised = {one: "nothing is rephrased" in client.get(url).content.decode() for one, url in pages.items()}
    assert promised == dict.fromkeys(TEXTS, True)

    make_transcript(episode, *changed(word, "something"))
    work_through()

    now = {one: "nothing is rephrased" in client.get(url).content.decode() for one, url in pages.items()}
    assert now == dict.fromkeys(TEXTS, True) | {name: False}


def test_a_correction_gives_the_promise_back(quoted):
    episode, quotes = quoted
    wrong = make_transcript(episode, *changed("buses", "trams"))
    assert passing(quotes) == {"permission", "neighbours"}

    correct(wrong, actor=None, words={11: "buses"})

    assert passing(quotes) == set(TEXTS)
    assert no_longer_hold(10) == []


def test_a_speaker_of_whom_nobody_is_sure_takes_it(quoted):
    episode, quotes = quoted
    raw = episode.transcripts.get()

    named = name_speakers(raw, {"Ada": (make_guest(name="Other").pk, "unsure")}, actor=None)
    assert passing(quotes) == set()
    make_current(raw, actor=None)

    assert named.number == 2
    assert passing(quotes) == set(TEXTS)


def test_without_a_transcript_nothing_is_promised(quoted):
    episode, quotes = quoted

    withdraw(episode.current_transcripts.get(), actor=None, reason="Wrong one.")

    assert passing(quotes) == set()


def test_what_a_publisher_answers_for_is_not_on_the_desk(quoted, publisher_client):
    episode, quotes = quoted
    make_transcript(episode, *changed("buses", "trams"))
    assert "depot" in listed(publisher_client, "Quotes that no longer hold")

    publish(Item.objects.get(pk=quotes["depot"]), actor=None, reason=REASON)

    assert listed(publisher_client, "Quotes that no longer hold") == ""


def test_texts_left_behind_and_transcripts_that_wait_are_on_the_desk(quoted, publisher_client):
    episode, quotes = quoted
    edit(episode, summary_transcript=1)
    publish(Item.objects.get(pk=episode.pk), actor=None)
    edit(Quote.objects.get(pk=quotes["permission"]), claim_transcript=1)
    publish(Item.objects.get(pk=quotes["permission"]), actor=None)
    assert listed(publisher_client, "Summaries older than their transcript") == ""

    make_transcript(episode, *changed("buses", "trams"))
    make_transcript(episode, *changed("buses", "trains"), make_it_current=False)

    title = str(Item.objects.get(pk=episode.pk))
    assert listed(publisher_client, "Summaries older than their transcript") == f"{title} from transcript 1, now 2"
    assert listed(publisher_client, "Headlines older than their transcript") == "permission from transcript 1, now 2"
    assert listed(publisher_client, "Transcripts that wait for a publisher") == f"{title} transcript 3, en"


def test_the_desk_of_an_author_is_about_their_own(client, quoted):
    episode, _quotes = quoted
    make_transcript(episode, *changed("buses", "trams"))
    make_transcript(episode, *changed("buses", "trains"), make_it_current=False)
    client.force_login(make_user("oscar", "Author"))

    assert "Quotes that no longer hold" not in desk(client)
    assert "Transcripts that wait" not in desk(client)


def test_the_desk_takes_a_constant_number_of_queries(quoted, publisher_client, django_assert_max_num_queries):
    episode, quotes = quoted
    make_transcript(episode, *changed("buses", "trams"))
    publisher_client.get("/admin/")
    with django_assert_max_num_queries(40) as few:
        publisher_client.get("/admin/")

    for number in range(4):
        other = make_episode(live=True, summary_transcript=1)
        make_quote(episode=other, text=f"Nobody said {number}.", claim_transcript=1)
        make_transcript(other)
        make_transcript(other, *changed("buses", f"trams {number}"))
        make_transcript(other, *changed("buses", f"trains {number}"), make_it_current=False)
    with django_assert_max_num_queries(40) as many:
        publisher_client.get("/admin/")

    assert len(many) == len(few)
