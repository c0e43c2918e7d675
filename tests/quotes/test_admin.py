import pytest
from django.urls import reverse

from publishing.acts import publish
from publishing.models import Event, Item
from quotes.more import more_from_speaker
from tests.factories import edit, make_audio, make_episode, make_guest, make_quote, make_show, make_topic
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db


def change(client, row):
    return client.get(row.item.admin_path)


@pytest.fixture
def ada():
    return make_guest(name="Ada Okafor")


def test_the_page_shows_what_readers_will_see_chosen_first(editor_client, ada):
    chosen = make_quote(speaker=ada, claim="Chosen")
    newest = make_quote(speaker=ada, claim="Newest")
    quote = make_quote(speaker=ada)
    edit(quote, related=[{"related": chosen.pk}])

    following = change(editor_client, quote).context["following"]

    assert following.quotes == [chosen, newest]
    assert following.chosen == {chosen.pk}


def test_the_list_follows_the_form_as_it_stands(editor_client, ada):
    first, second = make_quote(speaker=ada, claim="First"), make_quote(speaker=ada, claim="Second")
    draft = make_quote(speaker=ada, claim="A draft", live=False)
    other = make_quote(claim="Somebody else's")
    quote = make_quote(speaker=ada)
    url = reverse("admin:quotes_quote_following", args=[quote.pk])

    asked = {"speaker": ada.pk, "related": [second.pk, draft.pk, other.pk, first.pk, "²"]}
    page = editor_client.get(url, asked).content.decode()

    assert page.index("Second") < page.index("First")
    assert "“A draft” is not live" in page
    assert "“Somebody else&#x27;s” is not live, or not by this speaker" in page


def test_a_guests_page_shows_what_readers_will_see_by_default(editor_client, ada):
    first, second, third = (make_quote(speaker=ada, claim=claim) for claim in ("First", "Second", "Third"))
    make_quote(claim="Somebody else's")
    edit(ada, quotes=[{"quote": second.pk}])

    answer = change(editor_client, ada)

    assert answer.context["following"].quotes == [second, third, first]
    assert "Readers will see after a quote" in answer.content.decode()


def test_a_guests_list_follows_the_form_fills_up_to_six_and_takes_no_moment_twice(editor_client, ada):
    episode = make_episode()
    again = {"episode": episode, "start_ms": 1_000, "end_ms": 2_000}
    one, other = make_quote(speaker=ada, claim="One", **again), make_quote(speaker=ada, claim="The same", **again)
    newest = [make_quote(speaker=ada, claim=f"Newest {number}") for number in range(7)]
    draft = make_quote(speaker=ada, claim="A draft", live=False)
    url = reverse("admin:episodes_guest_following", args=[ada.pk])

    answer = editor_client.get(url, {"quote": [one.pk, draft.pk, other.pk]})

    assert answer.context["following"].quotes == [one, *reversed(newest[2:])]
    assert "“A draft” is not live" in answer.content.decode()


def test_what_a_guests_page_shows_is_what_follows_a_quote_without_a_list(editor_client, ada):
    quotes = [make_quote(speaker=ada) for _number in range(9)]
    publish(edit(ada, quotes=[{"quote": quotes[number].pk} for number in (4, 1)]), actor=None)
    url = reverse("admin:episodes_guest_following", args=[ada.pk])

    shown = editor_client.get(url, {"quote": [quotes[4].pk, quotes[1].pk]}).context["following"].quotes

    assert shown == more_from_speaker(quotes[0])


def test_another_speakers_quote_is_refused_in_words(editor_client, ada):
    quote, other = make_quote(speaker=ada), make_quote(claim="By Ben")
    content = quote.item.head.content
    data = {
        "base_revision": quote.item.head_id, "claim": content["claim"], "text": content["text"], "context": content["context"],
        "speaker": f"Ada Okafor (#{ada.pk})", "claim_origin": "editor", "related-TOTAL_FORMS": 1, "related-INITIAL_FORMS": 0,
        "related-0-related": f"By Ben (#{other.pk})", "topics-TOTAL_FORMS": 0, "topics-INITIAL_FORMS": 0,
        "assessments-TOTAL_FORMS": 0, "assessments-INITIAL_FORMS": 0,
    }  # fmt: skip

    answer = editor_client.post(quote.item.admin_path, data)

    assert answer.status_code == 422
    assert "“By Ben” is by another speaker" in answer.content.decode()


def test_an_episode_lists_its_quotes_with_state_and_offers_to_add_one(editor_client):
    episode = make_episode()
    make_quote(episode=episode, claim="Live one")
    make_quote(episode=episode, claim="A draft", live=False)

    page = change(editor_client, episode).content.decode()

    assert "Live one" in page
    assert "A draft" in page
    assert f"/admin/quotes/quote/add/?episode={episode.pk}" in page
    assert f"(#{episode.pk})" in editor_client.get("/admin/quotes/quote/add/", {"episode": episode.pk}).content.decode()


def test_a_guest_lists_quotes_and_a_show_its_episodes(editor_client):
    quote = make_quote(claim="Said it")

    assert "Said it" in change(editor_client, quote.speaker).content.decode()
    assert str(quote.episode) in change(editor_client, quote.episode.show).content.decode()


@pytest.mark.parametrize("count", [1, 40])
def test_the_page_takes_a_bounded_number_of_queries(editor_client, django_assert_max_num_queries, ada, count):
    episode = make_episode()
    quotes = [make_quote(episode=episode, speaker=ada) for _number in range(count)]

    for row in (episode, ada, quotes[0]):
        with django_assert_max_num_queries(30):
            change(editor_client, row)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"show": "Signal Path"}, ["Said in May"]),
        ({"from": "2026-06-01"}, ["Said in June"]),
        ({"to": "2026-05-31"}, ["Said in May"]),
        ({"speaker": "Ada Okafor"}, ["Said in May"]),
        ({"q": "in june"}, ["Said in June"]),
    ],
)
def test_the_list_of_quotes_is_filtered_by_what_its_episode_says(editor_client, ada, query, found):
    make_quote(speaker=ada, claim="Said in May", episode=make_episode(show=make_show(title="Signal Path")))
    make_quote(claim="Said in June", episode=make_episode(aired_at="2026-06-02T10:00:00Z"))

    answer = editor_client.get("/admin/quotes/quote/", query)

    assert [str(row) for row in answer.context["cl"].result_list] == found


def test_the_lookup_says_where_a_quote_is_used(editor_client, ada):
    used = make_quote(speaker=ada, claim="Used before")
    make_quote(speaker=ada, related=[{"related": used.pk}])

    items = editor_client.get("/admin/lookup/quote/", {"q": "used before", "speaker": ada.pk}).json()["items"]

    assert [item["note"] for item in items] == ["used on 1 page"]


@pytest.mark.parametrize("make", [make_show, make_guest, make_topic, make_episode, make_quote])
@pytest.mark.parametrize("live", [True, False])
def test_a_preview_shows_the_draft_and_writes_nothing(editor_client, make, live):
    row = make(live=live)
    field = {"guest": "name", "topic": "name", "quote": "claim"}.get(row.kind, "title")
    edit(row, **{field: "Only a draft says this"})
    before = dump_tables()

    answer = editor_client.get(row.item.admin_path.replace("/change/", "/preview/"))

    assert answer.status_code == 200
    assert "Only a draft says this" in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert dump_tables() == before


def test_a_preview_of_a_quote_shows_its_hidden_parents_too(editor_client):
    quote = make_quote(
        live=False, episode=make_episode(live=False, show=make_show(live=False)), speaker=make_guest(live=False)
    )

    assert editor_client.get(f"/admin/quotes/quote/{quote.pk}/preview/").status_code == 200


def test_a_preview_without_a_speaker_says_what_to_do(editor_client):
    quote = make_quote(live=False)
    edit(quote, speaker=None)

    answer = editor_client.get(f"/admin/quotes/quote/{quote.pk}/preview/")

    assert answer.status_code == 422
    assert "Choose the speaker first" in answer.content.decode()
    assert answer["X-Frame-Options"] == "SAMEORIGIN"


def test_a_preview_survives_a_taken_address_and_an_empty_draft(editor_client):
    make_topic(slug="grid")
    topic = make_topic(live=False, slug="grid")
    episode = make_episode(live=False, summary="", aired_at=None)

    for row in (topic, episode):
        assert editor_client.get(row.item.admin_path.replace("/change/", "/preview/")).status_code == 200


def test_take_down_reaches_page_files_and_feeds_at_once(publisher_client, client):
    media = make_audio(address="", file="episodes/take-down.mp3")
    quote = make_quote(episode=make_episode(media=[{"media": media.pk}]), claim="To be taken down")
    show = quote.episode.show
    paths = [
        quote.get_absolute_url(),
        quote.episode.get_absolute_url(),
        show.get_absolute_url(),
        f"{show.get_absolute_url()}feed.rss",
    ]

    page = publisher_client.get(f"/admin/episodes/show/{show.pk}/retire/?now").content.decode()
    publisher_client.post(f"/admin/episodes/show/{show.pk}/retire/", {"now": "1", "reason": "Rights withdrawn."})

    assert "Taken down at the request of the rights holder." in page
    for path in paths:
        answer = client.get(path)
        assert answer.status_code == 410
        assert "Rights withdrawn." in answer.content.decode()
    assert client.get(media.url).status_code == 404
    for feed in ("/feed.rss", "/quotes/feed.json", "/"):
        assert "To be taken down" not in client.get(feed).content.decode()
    assert Event.objects.filter(what="show.takedown", actor_name="petra").exists()
    assert Item.objects.get(pk=show.pk).head is not None
