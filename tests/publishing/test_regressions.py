"""Faults that somebody found once, each with the way it was found."""

import contextlib
import io
import struct
import time

import pytest
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.urls import reverse
from PIL import Image as Pillow

from episodes.models import EpisodeGuest, Guest
from publishing.acts import PublishRefused, publish, retire
from publishing.difference import compare
from publishing.images import read_image
from publishing.models import Item, SiteSettings
from publishing.revisions import edited_since_live, remove, save_revision
from quotes.models import Quote
from tests.factories import edit, make_audio, make_episode, make_guest, make_quote, make_show, make_topic, make_user
from tests.publishing.test_admin import episode_data, save

pytestmark = pytest.mark.django_db


def test_a_former_speaker_whom_the_live_quote_names_is_not_deleted():
    former, new = make_guest(name="Ada"), make_guest()
    quote = make_quote(speaker=former, claim="As published")
    edit(quote, speaker=new.pk)
    retire(former.item, actor=None, reason="Left.")

    with pytest.raises(ValidationError, match="As published"):
        remove(Item.objects.get(pk=former.pk), actor=None)

    assert Quote.objects.filter(pk=quote.pk).exists()


def test_a_guest_whom_the_live_page_lists_is_not_deleted_under_it():
    guest = make_guest(live=False)
    episode = make_episode(guests=[{"guest": guest.pk, "role": "guest", "credit": ""}])
    edit(episode, guests=[])

    with pytest.raises(ValidationError, match="Publish that without it first"):
        remove(Item.objects.get(pk=guest.pk), actor=None)

    assert EpisodeGuest.objects.filter(episode=episode).count() == 1


def test_publishing_asks_again_where_somebody_elses_change_came_in(publisher_client):
    topic = make_topic(name="Grid", description="Old.")
    base = topic.item.head_id
    edit(topic, description="Ask the lawyer first")

    answer = save(publisher_client, topic, button="_publish", base=base, name="Grid storage", description="Old.")

    topic.refresh_from_db()
    assert "Not published" in answer.content.decode()
    assert topic.name == "Grid"
    save(publisher_client, topic, button="_publish")
    topic.refresh_from_db()
    assert (topic.name, topic.description) == ("Grid storage", "Ask the lawyer first")


def test_publishing_with_all_above_works_two_levels_down():
    quote = make_quote(
        live=False, episode=make_episode(live=False, show=make_show(live=False)), speaker=make_guest(live=False)
    )

    with pytest.raises(PublishRefused) as refused:
        publish(quote.item, actor=None)

    assert set(refused.value.needs) == {quote.episode_id, quote.episode.show_id, quote.item.head.content["speaker"]}


def test_what_was_retired_is_named_as_such_and_not_brought_back_in_passing():
    speaker = make_guest(name="Ada")
    retire(speaker.item, actor=None, reason="Asked by court.")
    quote = make_quote(live=False, speaker=speaker)

    with pytest.raises(PublishRefused, match="was retired: Asked by court.") as refused:
        publish(quote.item, actor=None)

    assert refused.value.needs == []


def test_a_draft_that_was_given_up_is_no_edit():
    topic = make_topic(name="Grid")
    edit(topic, name="Other")
    item = edit(topic, name="Grid")
    save_revision(item, item.head.content | {"description": "From outside."}, actor=None, kind="import")

    assert edited_since_live([item.pk]) == set()
    edit(topic, name="Other")
    assert edited_since_live([item.pk]) == {item.pk}


@pytest.mark.parametrize("moment", ["0001-01-01T00:00", "9999-12-31T23:59:59", "1899-12-31T10:00", "2201-01-01T10:00"])
def test_a_year_far_away_is_refused_in_the_form(editor_client, moment):
    SiteSettings.objects.create(pk=1, time_zone="Europe/Berlin")
    episode = make_episode(live=False)

    answer = editor_client.post(episode.item.admin_path, episode_data(episode, aired_at=moment) | {"_save": ""})

    assert answer.status_code == 422


def test_an_hour_that_the_clocks_skip_is_explained(editor_client):
    SiteSettings.objects.create(pk=1, time_zone="Europe/Berlin")
    episode = make_episode(live=False)

    answer = editor_client.post(
        episode.item.admin_path, episode_data(episode, aired_at="2026-03-29T02:30") | {"_save": ""}
    )

    assert "The clocks change then" in answer.content.decode()


@pytest.mark.parametrize("locale", ["en", "de", "en-gb", "zh-hans"])
def test_days_in_forms_are_written_as_browsers_read_them(editor_client, locale):
    SiteSettings.objects.create(pk=1, locale=locale)
    episode = make_episode(summary_on="2026-05-14")

    assert 'value="2026-05-14"' in editor_client.get(episode.item.admin_path).content.decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "\n".join("xy"[number % 2] for number in range(3_000)),
            "\n".join("xxy"[number % 3] for number in range(3_000)),
        ),
        ("a a\n" * 8_000, "a b\n" * 8_000),
        ("word " * 4_000, "word other " * 2_000),
    ],
)
def test_hostile_texts_are_compared_in_bounded_time(before, after):
    started = time.process_time()

    parts = compare(before, after)

    assert time.process_time() - started < 10
    assert "".join(part.text for part in parts if part.kind != "added") == before
    assert "".join(part.text for part in parts if part.kind != "removed") == after


def test_one_word_in_a_long_text_is_one_word_in_the_difference():
    before = " ".join(f"word{number % 90}" for number in range(1_700))

    parts = compare(before, before.replace("word50", "changed", 1))

    assert [(part.kind, part.text.strip()) for part in parts if part.kind != "same"] == [
        ("removed", "word50"),
        ("added", "changed"),
    ]


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5_000, "²", "-1", ""])
def test_numbers_that_are_no_keys_are_nobody(editor_client, number):
    topic = make_topic()

    assert editor_client.get(f"/admin/episodes/topic/{number}/change/").status_code in {302, 404}
    assert editor_client.get("/admin/lookup/quote/", {"speaker": number}).status_code == 200
    assert editor_client.get("/admin/episodes/episode/add/", {"show": number}).status_code == 200
    assert editor_client.get(reverse("admin:episodes_topic_compare", args=[topic.pk]), {"a": number}).status_code in {
        200,
        404,
    }
    assert save(editor_client, topic, base=number).status_code in {302, 409}


@pytest.mark.parametrize(
    "query",
    [{"q": "word " * 1_200}, {"q": "x" * 50_000}, {"slug__regex": "["}, {"item__owner__password__startswith": "a"}],
)
def test_lists_stand_hostile_queries(editor_client, query):
    assert editor_client.get("/admin/episodes/episode/", query).status_code in {200, 302, 400}


def picture(kind: str, **saved) -> bytes:
    out = io.BytesIO()
    Pillow.new("RGB", (40, 40), "#9a3412").save(out, kind, **saved)
    return out.getvalue()


def test_the_picture_of_a_phone_with_more_behind_it_is_a_jpeg():
    data = picture("MPO", save_all=True, append_images=[Pillow.new("RGB", (40, 40))])

    assert read_image(io.BytesIO(data)).extension == "jpg"


def test_broken_exif_is_refused_or_dropped_and_never_a_crash():
    exif = b"Exif\x00\x00MM\x00*" + struct.pack(">IHHHII", 8, 1, 0x0112, 3, 0xFFFFFFF0, 0xFFFFFFF0)

    with contextlib.suppress(ValidationError):  # anything else would be a crash of the page
        read_image(io.BytesIO(picture("JPEG", exif=exif)))


def test_no_comment_and_no_profile_survive():
    jpeg = read_image(io.BytesIO(picture("JPEG", comment=b"CANARY")))
    png = read_image(io.BytesIO(picture("PNG", icc_profile=b"CANARY" * 40)))

    assert b"CANARY" not in jpeg.data
    assert "icc_profile" not in Pillow.open(io.BytesIO(png.data)).info


def test_control_characters_do_not_get_into_lists_titles_or_reasons(editor_client):
    topic = make_topic(name="Grid")

    save(editor_client, topic, aliases="BESS\x01\nstorage\u202e", name="Grid\x02 storage")
    content = Item.objects.get(pk=topic.pk).head.content
    empty = save(editor_client, topic, name="\x01\x02")

    assert (content["aliases"], content["name"]) == (["BESS", "storage"], "Grid storage")
    assert empty.status_code == 422
    with pytest.raises(ValidationError, match="1,000 characters"):
        retire(topic.item, actor=None, reason="x" * 1_001)


def test_a_lost_picture_is_missing_and_no_crash(editor_client):
    from episodes.models import Image

    image = Image.objects.create(file="images/lost.png", width=1, height=1, content_hash="x")

    assert editor_client.get(f"/admin/image/{image.pk}/").status_code == 404


def test_the_settings_of_the_site_are_not_saved_over_somebodys(publisher_client):
    publisher_client.get("/admin/publishing/sitesettings/")
    url = "/admin/publishing/sitesettings/1/change/"
    data = {
        "name": "Ours", "time_zone": "UTC", "locale": "en", "feed_items": 50, "correction_hours": 1, "seen_version": 0,
        "footer_links-TOTAL_FORMS": 0, "footer_links-INITIAL_FORMS": 0,
    }  # fmt: skip

    assert publisher_client.post(url, data).status_code == 302
    stale = publisher_client.post(url, data | {"name": "Theirs", "tagline": "Typed"})

    assert "saved the settings since" in stale.content.decode()
    assert "Typed" in stale.content.decode()
    assert SiteSettings.objects.get().name == "Ours"


def test_staff_without_rights_make_no_settings(client):
    client.force_login(make_user("oscar", None))

    assert client.get("/admin/publishing/sitesettings/").status_code == 403
    assert not SiteSettings.objects.exists()


def test_a_form_with_full_lists_is_taken(editor_client):
    episode = make_episode(
        chapters=[{"start_ms": number, "title": "x", "url": "", "image": ""} for number in range(300)]
    )
    data = episode_data(episode) | {"chapters-TOTAL_FORMS": 303, "chapters-INITIAL_FORMS": 0}
    for number in range(300):
        data |= {
            f"chapters-{number}-{key}": value
            for key, value in {
                "start_ms": f"{number // 60}:{number % 60:02}",
                "title": "x",
                "url": "",
                "image": "",
                "ORDER": number,
                "DELETE": "",
            }.items()
        }
    data |= {f"filler-{number}": "" for number in range(1_500)}

    assert editor_client.post(episode.item.admin_path, data | {"_save": ""}).status_code == 302


def test_media_rows_do_not_cost_a_query_each(editor_client, django_assert_max_num_queries):
    episode = make_episode(
        media=[{"media": make_audio(f"https://m.example.org/{number}.mp3").pk} for number in range(40)]
    )

    with django_assert_max_num_queries(30):
        page = editor_client.get(episode.item.admin_path).content.decode()
    assert "https://m.example.org/39.mp3" in page


def test_files_are_revalidated_and_ranges_honour_their_condition(client):
    name = default_storage.save("episodes/conditions.mp3", ContentFile(b"0123456789"))
    media = make_audio(address="", file=name)
    make_episode(media=[{"media": media.pk}])

    whole = client.get(media.url)
    tag = whole["ETag"]
    assert client.get(media.url, headers={"if-none-match": f'W/{tag}, "x"'}).status_code == 304
    assert client.get(media.url, headers={"range": "bytes=0-3", "if-range": tag}).status_code == 206
    assert client.get(media.url, headers={"range": "bytes=0-3", "if-range": '"other"'}).status_code == 200


def test_public_pages_take_no_posts(client):
    from django.test import Client

    assert Client(enforce_csrf_checks=True).post("/").status_code == 405


def test_pictures_of_heic_are_no_video():
    from episodes.media import sniff

    assert sniff(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00") is None
    assert sniff(b"\x00\x00\x00\x18ftypisom\x00\x00\x00\x00").kind == "video"


def test_no_address_of_the_hidden_is_told_by_view_on_site(client):
    from django.contrib.contenttypes.models import ContentType

    client.force_login(make_user("oscar", None))
    guest = make_guest()
    kind = ContentType.objects.get_for_model(Guest)

    answer = client.get(f"/admin/r/{kind.pk}/{guest.pk}/")

    assert answer.status_code == 404
    assert guest.slug not in answer.content.decode()
