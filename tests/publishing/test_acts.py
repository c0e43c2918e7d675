import pytest
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from episodes.models import Episode, Guest
from publishing.acts import PublishRefused, publish, publish_many, retire
from publishing.models import Address, ContentVersion, Event, Item, Revision
from publishing.revisions import save_revision
from quotes.models import Quote
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic, make_user

pytestmark = pytest.mark.django_db


def test_a_draft_has_empty_public_columns():
    episode = make_episode(live=False, title="Not yet")

    assert (episode.visible, episode.title, episode.slug, episode.summary, episode.aired_at) == (
        False,
        "",
        None,
        "",
        None,
    )
    assert str(episode) == "Not yet"


def test_publishing_writes_columns_links_and_address():
    guest, topic = make_guest(), make_topic()
    episode = make_episode(
        title="The grid nobody sees",
        guests=[{"guest": guest.pk, "role": "host", "credit": "Editor"}],
        topics=[{"topic": topic.pk}],
    )

    assert (episode.visible, episode.slug) == (True, "the-grid-nobody-sees")
    assert [(link.guest, link.role, link.credit) for link in episode.episode_guests.all()] == [
        (guest, "host", "Editor")
    ]
    assert list(episode.topics.all()) == [topic]
    assert Address.objects.get(item=episode.item).path == f"/shows/{episode.show.slug}/the-grid-nobody-sees/"


def test_a_draft_over_a_live_item_changes_nothing_public():
    episode = make_episode(title="As published")

    item = edit(episode, title="As drafted", slug="as-drafted")

    episode.refresh_from_db()
    assert (episode.title, episode.slug) == ("As published", "as-published")
    assert item.has_draft
    assert item.working_title == "As drafted"


def test_publishing_lists_all_that_is_missing():
    episode = make_episode(live=False, summary="", aired_at=None)

    with pytest.raises(PublishRefused, match="Summary, Aired"):
        publish(episode.item, actor=None)

    assert Item.objects.get(pk=episode.pk).live is None


def test_a_hidden_parent_is_named_and_can_be_published_together():
    episode = make_episode(live=False, show=make_show(live=False, title="Signal Path"))

    with pytest.raises(PublishRefused, match="Signal Path") as refused:
        publish(episode.item, actor=None)
    publish_many([episode.item, *Item.objects.filter(pk__in=refused.value.needs)], actor=None)

    assert Episode.objects.live().filter(pk=episode.pk, show__visible=True).exists()


def test_retiring_a_show_hides_its_episodes_and_quotes_and_publishing_brings_them_back():
    quote = make_quote()
    show = quote.episode.show

    retire(show.item, actor=None, reason="Rights withdrawn.")
    assert not Quote.objects.live().exists()
    assert not Episode.objects.live().exists()
    publish(Item.objects.get(pk=show.pk), actor=None)

    assert Quote.objects.live().get() == quote


def test_publishing_a_speaker_again_shows_their_quotes_only_under_a_visible_episode():
    quote = make_quote()
    retire(quote.speaker.item, actor=None, reason="Asked to be removed.")
    retire(quote.episode.item, actor=None, reason="Wrong file.")

    publish(Item.objects.get(pk=quote.speaker_id), actor=None)

    assert Guest.objects.live().filter(pk=quote.speaker_id).exists()
    assert not Quote.objects.live().exists()


def test_retiring_needs_a_reason_and_something_live():
    episode = make_episode()

    with pytest.raises(ValidationError, match="sentence why"):
        retire(episode.item, actor=None, reason=" ")
    with pytest.raises(ValidationError, match="nothing to retire"):
        retire(make_episode(live=False).item, actor=None, reason="Because.")


def test_a_taken_address_is_named_and_the_draft_kept():
    make_topic(name="Grid storage")
    other = make_topic(live=False, name="Batteries", slug="grid-storage")

    with pytest.raises(PublishRefused, match="/topics/grid-storage/ belongs to “Grid storage”"):
        publish(other.item, actor=None)

    assert Item.objects.get(pk=other.pk).working_slug == "grid-storage"


def test_a_new_slug_keeps_the_old_address_and_a_to_b_to_a_is_one_hop():
    topic = make_topic(name="Grid", slug="a")
    for slug in ("b", "c", "a"):
        publish(edit(topic, slug=slug), actor=None)

    paths = dict(Address.objects.filter(item=topic.item).values_list("path", "retired_at"))
    assert [path for path, retired_at in paths.items() if retired_at is None] == ["/topics/a/"]
    assert set(paths) == {"/topics/a/", "/topics/b/", "/topics/c/"}


def test_a_show_under_a_new_slug_takes_its_episodes_along():
    episode = make_episode(show=make_show(slug="old"), slug="one")

    publish(edit(episode.show, slug="new"), actor=None)

    present = Address.objects.get(item=episode.item, retired_at__isnull=True)
    assert present.path == "/shows/new/one/"


def test_the_same_content_makes_no_revision_and_the_live_content_ends_the_draft():
    topic = make_topic(name="Grid")

    edit(topic, name="Grid")
    edit(topic, name="Grid storage")
    item = edit(topic, name="Grid")

    assert Revision.objects.filter(item=topic.item).count() == 2
    assert not item.has_draft


def test_publishing_a_topic_moves_the_change_time_of_the_pages_that_show_it():
    topic = make_topic(live=False)
    episode = make_episode(topics=[{"topic": topic.pk}])
    before = Item.objects.get(pk=episode.pk).changed_at

    publish(topic.item, actor=None)

    assert Item.objects.get(pk=episode.pk).changed_at > before


def test_each_public_act_is_logged_and_moves_the_content_version(publisher):
    topic = make_topic()
    before = ContentVersion.objects.get().number

    retire(topic.item, actor=publisher, reason="Merged.")

    event = Event.objects.order_by("-pk").first()
    assert (event.what, event.actor_name, event.data) == ("topic.retire", "petra", {"reason": "Merged."})
    assert ContentVersion.objects.get().number == before + 1


def test_only_a_publisher_publishes(editor):
    topic = make_topic(live=False)

    with pytest.raises(PermissionDenied):
        publish(topic.item, actor=editor)


def test_an_author_saves_own_drafts_only():
    author = make_user("anna", "Author")
    topic = make_topic(live=False)

    with pytest.raises(PermissionDenied):
        save_revision(topic.item, topic.item.head.content | {"name": "Mine now"}, actor=author)


def test_publishing_takes_no_more_queries_for_thirty_than_for_one():
    show = make_show()

    counts = [_queries_to_publish(show, size) for size in (1, 30)]

    assert counts[0] == counts[1]


def _queries_to_publish(show, size: int) -> int:
    items = [make_episode(live=False, show=show).item for _number in range(size)]
    with CaptureQueriesContext(connection) as queries:
        publish_many(items, actor=None)
    return len(queries)
