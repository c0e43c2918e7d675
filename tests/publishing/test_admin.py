import pytest
from django.urls import reverse

from publishing.models import Item, Revision
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic, make_user

pytestmark = pytest.mark.django_db

CHANGE = "admin:episodes_{}_change"


def rows(name: str, *values: dict) -> dict:
    """Return the POST data of a card list."""
    data = {f"{name}-TOTAL_FORMS": len(values), f"{name}-INITIAL_FORMS": 0}
    for place, value in enumerate(values):
        data |= {f"{name}-{place}-{key}": text for key, text in value.items()}
    return data


def topic_data(row, **changes) -> dict:
    content = Item.objects.get(pk=row.pk).head.content
    base = changes.pop("base", Item.objects.get(pk=row.pk).head_id)
    plain = {name: content[name] or "" for name in ("name", "slug", "description")}
    return plain | {"base_revision": base, "parent": "", "aliases": "", **rows("mishearings")} | changes


def save(client, row, button="_save", **changes):
    return client.post(reverse(CHANGE.format("topic"), args=[row.pk]), topic_data(row, **changes) | {button: ""})


def test_the_add_page_makes_a_draft_and_goes_on(editor_client):
    answer = editor_client.post(reverse("admin:episodes_topic_add"), {"name": "Grid storage"})

    item = Item.objects.get()
    assert answer.url == reverse(CHANGE.format("topic"), args=[item.pk])
    assert (item.working_title, item.working_slug, item.live, item.owner.username) == (
        "Grid storage",
        "grid-storage",
        None,
        "ines",
    )
    assert editor_client.get(answer.url).status_code == 200


def test_the_add_page_of_an_episode_takes_its_show_by_name_or_number(editor_client):
    show = make_show(title="Signal Path")

    shown = editor_client.get(reverse("admin:episodes_episode_add"), {"show": show.pk})
    editor_client.post(reverse("admin:episodes_episode_add"), {"show": "signal path", "title": "One"})

    assert f"Signal Path (#{show.pk})" in shown.content.decode()
    assert Item.objects.get(kind="episode").episode.show == show


def test_a_save_is_a_draft_and_says_so(editor_client):
    topic = make_topic(name="Grid")

    answer = save(editor_client, topic, name="Grid storage")

    assert answer.status_code == 302
    topic.refresh_from_db()
    assert (topic.name, topic.item.working_title) == ("Grid", "Grid storage")
    page = editor_client.get(answer.url).content.decode()
    assert "revision 2" in page
    assert "The draft differs from the live page" in page
    assert "live, with a newer draft" in page


def test_a_save_without_change_makes_no_revision(editor_client):
    topic = make_topic(name="Grid")

    save(editor_client, topic)

    assert Revision.objects.filter(item=topic.item).count() == 1


def test_publish_saves_first_and_keeps_the_draft_when_refused(publisher_client):
    episode = make_episode(live=False, summary="", aired_at=None)
    url = reverse(CHANGE.format("episode"), args=[episode.pk])

    answer = publisher_client.post(url, episode_data(episode, title="Better title") | {"_publish": ""})

    page = answer.content.decode()
    assert "Not published. The draft is saved." in page
    assert "fill in: Summary, Aired" in page
    assert Item.objects.get(pk=episode.pk).working_title == "Better title"


def episode_data(row, **changes) -> dict:
    item = Item.objects.get(pk=row.pk)
    data = {
        "base_revision": item.head_id,
        "title": item.working_title,
        "summary_origin": "editor",
        "episode_kind": "full",
    }
    for name in ("guests", "topics", "media", "chapters", "locations", "social"):
        data |= rows(name)
    return data | changes


def test_what_a_draft_hangs_on_can_be_published_with_it(publisher_client):
    episode = make_episode(live=False, show=make_show(live=False, title="Signal Path"), title="One")
    url = reverse(CHANGE.format("episode"), args=[episode.pk])
    data = episode_data(episode, summary="A summary.", aired_at="2026-05-14T10:00", slug="one")

    refused = publisher_client.post(url, data | {"_publish": ""}).content.decode()
    answer = publisher_client.post(
        url, data | {"base_revision": Item.objects.get(pk=episode.pk).head_id, "_publish_with": ""}
    )

    assert "“Signal Path” is not live yet" in refused
    assert "Publish, and these too" in refused
    assert answer.status_code == 302
    episode.refresh_from_db()
    assert (episode.visible, episode.show.visible) == (True, True)


def test_an_editor_cannot_publish_by_posting_the_button(editor_client):
    topic = make_topic(live=False, name="Grid")

    answer = save(editor_client, topic, button="_publish")

    assert answer.status_code == 403
    topic.refresh_from_db()
    assert not topic.visible


def test_what_was_typed_survives_a_refusal(editor_client):
    topic = make_topic(name="Grid")

    answer = save(editor_client, topic, name="", description="Half an hour of work")

    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Half an hour of work" in page
    assert "Not saved yet" in page


def test_a_stale_save_of_another_field_is_merged_and_says_with_whom(editor_client):
    topic = make_topic(name="Grid", description="Old.")
    base = topic.item.head_id
    edit(topic, description="New from Ana.")

    answer = save(editor_client, topic, base=base, name="Grid storage", description="Old.")

    head = Item.objects.get(pk=topic.pk).head
    assert (head.content["name"], head.content["description"], head.kind) == ("Grid storage", "New from Ana.", "merge")
    assert "change to Description" in editor_client.get(answer.url).content.decode()


def test_a_stale_save_of_the_same_field_is_refused_with_both_texts(editor_client):
    topic = make_topic(name="Grid", description="Old.")
    base = topic.item.head_id
    edit(topic, description="From Ana.")

    answer = save(editor_client, topic, base=base, description="From Ines.")
    page = answer.content.decode()

    assert answer.status_code == 409
    assert all(text in page for text in ("From Ana.", "From Ines.", "Old."))
    assert Item.objects.get(pk=topic.pk).head.content["description"] == "From Ana."


@pytest.mark.parametrize(("choice", "kept"), [("mine", "From Ines."), ("theirs", "From Ana.")])
def test_a_clash_is_settled_by_choosing(editor_client, choice, kept):
    topic = make_topic(description="Old.")
    edit(topic, description="From Ana.")

    unchosen = save(editor_client, topic, description="From Ines.", clash="description")
    save(editor_client, topic, description="From Ines.", clash="description", **{"resolve-description": choice})

    assert unchosen.status_code == 409
    assert Item.objects.get(pk=topic.pk).head.content["description"] == kept


def test_a_save_without_a_base_overwrites_nothing(editor_client):
    topic = make_topic(description="Old.")
    edit(topic, description="From Ana.")

    answer = save(editor_client, topic, base="", description="From Ines.")

    assert answer.status_code == 409


def test_a_guest_deleted_under_a_draft_is_named(editor_client):
    guest = make_guest(live=False, name="Ada Okafor")
    episode = make_episode(live=False)
    reference = f"Ada Okafor (#{guest.pk})"
    guest.item.revisions.update(parent=None)
    Item.objects.filter(pk=guest.pk).update(head=None)
    Item.objects.get(pk=guest.pk).delete()

    data = episode_data(episode, title="Kept") | rows("guests", {"guest": reference, "role": "guest"})
    answer = editor_client.post(reverse(CHANGE.format("episode"), args=[episode.pk]), data | {"_save": ""})

    page = answer.content.decode()
    assert answer.status_code == 422
    assert f"“{reference}” is no longer here" in page
    assert 'value="Kept"' in page


def test_rows_are_ordered_as_numbered_and_blank_rows_are_dropped(editor_client):
    guests = [make_guest(name=name) for name in ("Ada", "Ben", "Cleo")]
    episode = make_episode(live=False)
    listed = [
        {"guest": f"Ada (#{guests[0].pk})", "role": "host", "credit": "Editor", "ORDER": "3"},
        {"guest": "", "role": "guest", "credit": "", "ORDER": ""},
        {"guest": "ben", "role": "guest", "credit": "", "ORDER": "1"},
        {"guest": "Cleo", "role": "guest", "credit": "", "ORDER": "2", "DELETE": "on"},
    ]

    data = episode_data(episode) | rows("guests", *listed)
    editor_client.post(reverse(CHANGE.format("episode"), args=[episode.pk]), data | {"_save": ""})

    held = Item.objects.get(pk=episode.pk).head.content["guests"]
    assert [row["guest"] for row in held] == [guests[1].pk, guests[0].pk]
    assert held[1] == {"guest": guests[0].pk, "role": "host", "credit": "Editor"}


def test_a_name_that_two_people_share_is_asked_about(editor_client):
    first, second = make_guest(name="Ada"), make_guest(name="Ada")
    episode = make_episode(live=False)

    data = episode_data(episode) | rows("guests", {"guest": "Ada", "role": "guest"})
    answer = editor_client.post(reverse(CHANGE.format("episode"), args=[episode.pk]), data | {"_save": ""})

    assert f"Ada (#{first.pk}), Ada (#{second.pk})" in answer.content.decode()


def test_restoring_a_revision_makes_a_new_draft(editor_client):
    topic = make_topic(name="Grid", description="First.")
    edit(topic, name="Grid storage", description="Second.")
    url = reverse("admin:episodes_topic_restore", args=[topic.pk])
    head = Item.objects.get(pk=topic.pk).head_id

    editor_client.post(url, {"revision": 1, "field": "description", "base_revision": head})

    content = Item.objects.get(pk=topic.pk).head.content
    assert (content["name"], content["description"]) == ("Grid storage", "First.")


def test_restoring_over_somebodys_newer_save_is_refused(editor_client):
    topic = make_topic(name="Grid")
    looked_at = topic.item.head_id
    edit(topic, name="Newer")

    editor_client.post(
        reverse("admin:episodes_topic_restore", args=[topic.pk]), {"revision": 1, "base_revision": looked_at}
    )

    assert Item.objects.get(pk=topic.pk).working_title == "Newer"


@pytest.mark.parametrize("page", ["history", "compare"])
def test_history_and_difference_show_what_changed(editor_client, page):
    topic = make_topic(name="Grid", description="The old words stay.")
    edit(topic, description="The new words stay.")

    body = editor_client.get(reverse(f"admin:episodes_topic_{page}", args=[topic.pk])).content.decode()

    assert "<del>old </del><ins>new </ins>" in body if page == "compare" else "newest" in body


def test_a_refused_list_is_one_link_away(editor_client):
    episode = make_episode(live=False)
    place = {"name": "Harbour", "rel": "subject", "country": "Denmark"}

    answer = editor_client.post(
        reverse(CHANGE.format("episode"), args=[episode.pk]),
        episode_data(episode) | rows("locations", place) | {"_save": ""},
    )

    page = answer.content.decode()
    assert answer.status_code == 422
    assert '<a href="#id_locations">Places</a>: One of the rows below needs another look.' in page
    assert page.count('id="id_locations"') == 1


def test_retiring_asks_for_a_reason(publisher_client):
    topic = make_topic()
    url = reverse("admin:episodes_topic_retire", args=[topic.pk])

    assert publisher_client.post(url, {"reason": ""}).status_code == 422
    assert publisher_client.post(url, {"reason": "Merged into another."}).status_code == 302
    topic.refresh_from_db()
    assert not topic.visible


def test_deleting_names_what_still_links_here(editor_client, django_user_model):
    superuser = make_user("root", None, is_superuser=True)
    guest = make_guest(live=False, name="Ada")
    make_episode(live=False, title="The grid", guests=[{"guest": guest.pk, "role": "guest", "credit": ""}])
    editor_client.force_login(superuser)

    answer = editor_client.post(reverse("admin:episodes_guest_delete", args=[guest.pk]))

    assert "still linked from “The grid”" in answer.content.decode()
    assert Item.objects.filter(pk=guest.pk).exists()


def test_an_own_unseen_draft_can_be_deleted(editor_client, editor):
    editor_client.post(reverse("admin:episodes_topic_add"), {"name": "Mistake"})
    item = Item.objects.get()

    editor_client.post(reverse("admin:episodes_topic_delete", args=[item.pk]))

    assert not Item.objects.exists()


def test_an_author_sees_and_edits_own_things_only(client):
    author = make_user("anna", "Author")
    topic = make_topic(live=False, name="Somebody's")
    client.force_login(author)

    assert "Somebody" not in client.get(reverse("admin:episodes_topic_changelist")).content.decode()
    assert client.get(reverse(CHANGE.format("topic"), args=[topic.pk])).status_code == 404
    assert client.post(reverse(CHANGE.format("topic"), args=[topic.pk]), topic_data(topic)).status_code == 404


def test_the_lookup_finds_by_part_of_the_title_and_by_speaker(editor_client):
    ada, ben = make_guest(name="Ada"), make_guest(name="Ben")
    wanted = make_quote(speaker=ada, claim="Batteries settle the peak")
    make_quote(speaker=ben, claim="Batteries are boring")

    answer = editor_client.get(reverse("admin:lookup", args=["quote"]), {"q": "batter", "speaker": ada.pk}).json()

    assert [item["reference"] for item in answer["items"]] == [f"Batteries settle the peak (#{wanted.pk})"]


def test_the_lookup_is_closed_to_outsiders(client):
    client.force_login(make_user("oscar", None))

    assert client.get(reverse("admin:lookup", args=["guest"])).status_code == 403


@pytest.mark.parametrize("count", [1, 20])
@pytest.mark.parametrize("model", ["show", "guest", "topic", "episode", "quote"])
def test_lists_take_a_constant_number_of_queries(editor_client, django_assert_max_num_queries, model, count):
    make = {"show": make_show, "guest": make_guest, "topic": make_topic, "episode": make_episode, "quote": make_quote}[
        model
    ]
    for _number in range(count):
        make()
    app = "quotes" if model == "quote" else "episodes"

    with django_assert_max_num_queries(12):
        answer = editor_client.get(reverse(f"admin:{app}_{model}_changelist"))

    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"q": "the grid"}, ["The grid"]),
        ({"state": "live"}, ["Live one", "The grid"]),
        ({"state": "draft"}, ["A draft"]),
        ({"show": "Signal Path"}, ["The grid"]),
        ({"show": "nowhere"}, []),
        ({"guests": "Ada"}, ["The grid"]),
        ({"from": "2026-06-01"}, ["Live one"]),
        ({"to": "2026-05-31", "state": "live"}, ["The grid"]),
        ({"from": "not a day"}, ["A draft", "Live one", "The grid"]),
    ],
)
def test_the_episode_list_is_searched_and_filtered(editor_client, query, found):
    ada = make_guest(name="Ada")
    make_episode(
        title="The grid", show=make_show(title="Signal Path"), guests=[{"guest": ada.pk, "role": "guest", "credit": ""}]
    )
    make_episode(title="Live one", aired_at="2026-06-02T10:00:00Z")
    make_episode(title="A draft", live=False)

    answer = editor_client.get(reverse("admin:episodes_episode_changelist"), query)

    assert sorted(str(row) for row in answer.context["cl"].result_list) == found


def test_the_form_of_a_long_list_takes_a_bounded_number_of_queries(editor_client, django_assert_max_num_queries):
    people = [make_guest(name=f"Guest {number}") for number in range(40)]
    episode = make_episode(guests=[{"guest": guest.pk, "role": "guest", "credit": ""} for guest in people])

    with django_assert_max_num_queries(25):
        editor_client.get(reverse(CHANGE.format("episode"), args=[episode.pk]))
