import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, OperationalError, connection
from django.test.utils import CaptureQueriesContext

from episodes.importing.reader import read_feed
from episodes.importing.service import Options, import_feed
from episodes.models import Episode, FeedEntry, Guest, MediaFile, Show
from publishing.acts import publish, retire
from publishing.models import Item, Job, Revision
from tests.episodes.feeds import ADDRESS, feed_xml, item_xml
from tests.factories import edit, make_episode, make_guest
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db


def run(*items: str, channel: str = "", address: str = ADDRESS, **options):
    feed = read_feed(feed_xml(*items, channel=channel).encode(), feed_url=address)
    return import_feed(feed, address, Options(**options))


def heads(kind: str = "episode") -> list[dict]:
    return [item.head.content for item in Item.objects.of_kind(kind).order_by("pk")]


def test_a_feed_makes_drafts_and_nothing_public():
    report = run(item_xml("One"), item_xml("Two"))

    assert report.made == ["One", "Two"]
    assert not Show.objects.live().exists()
    assert not Episode.objects.live().exists()
    assert [row["title"] for row in heads()] == ["One", "Two"]


def test_the_first_paragraph_is_the_summary_and_its_origin_is_said():
    run(
        item_xml(
            "One",
            description="&lt;p&gt;First &amp;amp; short.&lt;/p&gt;&lt;p&gt;More &lt;a href='/x'&gt;here&lt;/a&gt;.&lt;/p&gt;",
        )
    )

    head = heads()[0]
    assert (head["summary"], head["summary_origin"]) == ("First & short.", "feed")
    assert "[here](https://feeds.example.org/x)" in head["notes"]


def test_an_edited_summary_counts_as_written_here(editor):
    from episodes.forms import EpisodeContentForm

    before = {"summary": "From the feed.", "summary_origin": "feed"}

    def settled(content):
        return EpisodeContentForm.settle(content, before, item=make_episode().item, actor=editor)["summary_origin"]

    assert settled({"summary": "Ours.", "summary_origin": "feed"}) == "editor"
    assert settled(dict(before)) == "feed"


def test_importing_twice_changes_nothing():
    items = [item_xml("One", person="Ada Okafor"), item_xml("Two", image="https://example.org/two.jpg")]
    run(*items)
    before = dump_tables()

    report = run(*items)

    assert (report.made, report.updated, report.unchanged) == ([], [], 2)
    assert dump_tables() == before


def test_what_the_feed_changed_is_updated_and_what_we_edited_stays():
    run(item_xml("One", description="Old text."))
    edit(Episode.objects.get(), title="Our title")

    report = run(item_xml("One, corrected", description="New text."))

    head = heads()[0]
    assert (head["title"], head["summary"]) == ("Our title", "New text.")
    assert report.left_alone == ["One, corrected: Title"]
    assert report.updated == ["One, corrected"]


def test_an_item_that_left_the_feed_stays():
    run(item_xml("One"), item_xml("Two"))

    run(item_xml("Two"), item_xml("Three"))

    assert [row["title"] for row in heads()] == ["One", "Two", "Three"]


def test_a_changed_guid_is_recognised_by_the_enclosure():
    run(item_xml("One", guid="old", enclosure="https://m.example.org/1.mp3?token=a"))

    run(item_xml("One", guid="new", enclosure="https://m.example.org/1.mp3?token=b"))

    assert Item.objects.of_kind("episode").count() == 1
    assert Episode.objects.get().guid == "old"


def test_an_enclosure_told_apart_only_by_its_query_is_no_identity():
    run(item_xml("One", guid="1", enclosure="https://m.example.org/play?id=1"))

    run(
        item_xml("One", guid="1", enclosure="https://m.example.org/play?id=1"),
        item_xml("Two", guid="2", enclosure="https://m.example.org/play?id=2"),
    )

    assert Item.objects.of_kind("episode").count() == 2


def test_the_same_title_alone_never_matches():
    run(item_xml("Same", guid="1", enclosure="https://m.example.org/1.mp3"))

    run(item_xml("Same", guid="2", enclosure="https://m.example.org/2.mp3"))

    slugs = list(Item.objects.of_kind("episode").values_list("working_slug", flat=True))
    assert len(set(slugs)) == 2


def test_people_become_guest_drafts_with_roles():
    run(item_xml("One", person='Ada Okafor" role="Host" href="https://ada.example.org'))

    guest = heads("guest")[0]
    assert (guest["name"], guest["website_links"]) == (
        "Ada Okafor",
        [{"label": "Web", "url": "https://ada.example.org"}],
    )
    assert heads()[0]["guests"][0]["role"] == "host"


def test_a_second_feed_that_names_a_guest_we_hold_makes_no_second_guest():
    run(item_xml("One", person="Ada Okafor"))

    report = run(item_xml("Two", guid="x", person="ada okafor"), address="https://other.example.org/feed")

    assert Guest.objects.count() == 1
    assert any("by the same name" in line for line in report.people)


def test_a_guest_is_matched_by_link_before_name_and_by_alias():
    ada = make_guest(
        name="Ada O.", aliases=["Ada Okafor"], website_links=[{"label": "Web", "url": "https://ada.example.org"}]
    )

    run(item_xml("One", person='A. Okafor" href="https://ada.example.org'), item_xml("Two", person="Ada Okafor"))

    assert Guest.objects.count() == 1
    assert [row["guests"][0]["guest"] for row in heads()] == [ada.pk, ada.pk]


def test_a_guest_renamed_here_is_still_the_same_at_the_next_import():
    run(item_xml("One", person="Ada Okafour"))
    edit(Guest.objects.get(), name="Ada Okafor")

    run(item_xml("One", person="Ada Okafour"), item_xml("Two", person="Ada Okafour"))

    assert Guest.objects.count() == 1


def test_two_guests_of_one_name_are_never_guessed_between():
    make_guest(name="Ada Okafor")
    make_guest(name="Ada Okafor")

    report = run(item_xml("One", person="Ada Okafor"))

    assert Guest.objects.count() == 2
    assert heads()[0]["guests"] == []
    assert any("More than one guest" in line for line in report.people)


@pytest.mark.parametrize(
    "href",
    [
        "https://intranet/ada",
        "https://ada.example.org/a b",
        "https://ada_okafor.example.org/",
        f"https://ada.example.org/{'x' * 2000}",
        f"https://ada.example.org/{'x' * 60_000}",
        "https://[ada/",
    ],
    ids=["host", "space", "underscore", "long", "longer-than-a-pattern", "brackets"],
)
def test_a_person_s_link_that_cannot_be_kept_is_left_out_and_told(href):
    good = 'Ada Okafor" href="https://ada.example.org/'

    report = run(item_xml("One", person=f'Ada Okafor" href="{href}'), item_xml("Two", person=good))

    assert [guest["website_links"] for guest in heads("guest")] == [
        [{"label": "Web", "url": "https://ada.example.org/"}]
    ]
    assert len([line for line in report.warnings if "Ada Okafor: the link “https://" in line]) == 1


def test_many_people_with_links_are_looked_up_in_bounded_statements():
    people = "".join(
        f'<podcast:person href="https://people.example.org/{number}">Person {number}</podcast:person>'
        for number in range(1200)
    )

    report = run(item_xml("One", extra=people))

    assert report.made == ["One"]
    assert Guest.objects.count() == 1200
    assert len(heads()[0]["guests"]) == 300
    assert "“One” names more than 300 people; the first are kept." in report.warnings


def test_publish_shows_the_show_the_people_and_the_episodes():
    report = run(item_xml("One", person="Ada Okafor"), item_xml("No date", date=""), publish=True)

    assert [str(row) for row in Episode.objects.live()] == ["One"]
    assert Show.objects.live().count() == Guest.objects.live().count() == 1
    assert report.kept_draft == ["No date: missing: Aired"]


def test_publish_leaves_what_was_edited_or_retired_here():
    items = [item_xml("One"), item_xml("Two"), item_xml("Three")]
    run(*items, publish=True)
    one, two, _three = Episode.objects.order_by("pk")
    edit(one, title="Our title")
    retire(two.item, actor=None, reason="Rights.")

    report = run(*[item_xml(title, description="Changed.") for title in ("One", "Two", "Three")], publish=True)

    one.refresh_from_db()
    assert one.title == "One"
    assert not Episode.objects.live().filter(pk=two.pk).exists()
    assert Episode.objects.get(title="Three").summary == "Changed."
    assert sorted(report.kept_draft) == ["Our title: edited here since, so it waits for an editor", "Two: retired here"]


def test_publish_later_publishes_the_drafts_of_before():
    run(item_xml("One"))

    run(item_xml("One"), publish=True)

    assert Episode.objects.live().count() == 1


def test_one_refused_address_does_not_stop_the_rest():
    run(item_xml("One"), publish=True)
    show = Show.objects.get()
    retired = Episode.objects.get()
    run(item_xml("One"), item_xml("Two"), item_xml("Three"))
    two = Item.objects.get(working_title="Two")
    Revision.objects.filter(pk=two.head_id).update(content=two.head.content | {"slug": retired.slug})

    report = run(item_xml("One"), item_xml("Two"), item_xml("Three"), publish=True)

    assert Episode.objects.live().filter(title="Three", show=show).exists()
    assert any("belongs to “One”" in line for line in report.kept_draft)


def test_a_dry_run_tells_and_writes_nothing():
    before = dump_tables()

    report = run(item_xml("One", person="Ada Okafor"), publish=True, dry_run=True)

    assert (report.made, report.published[-1]) == (["One"], "One")
    assert report.counts().startswith("Would come to: 1 made")
    assert dump_tables() == before


def test_a_limit_takes_the_first_items():
    assert run(item_xml("One"), item_xml("Two"), limit=1).made == ["One"]


def test_pictures_are_left_to_the_worker():
    run(item_xml("One", image="https://example.org/one.jpg"), publish=True)

    job = Job.objects.get(kind="fetch-artwork")
    assert job.payload == {"item": Episode.objects.get().pk, "address": "https://example.org/one.jpg", "publish": True}


def test_a_show_of_ours_takes_only_what_nobody_has_written():
    from tests.factories import make_show

    show = make_show(title="Our title", tagline="Ours")

    run(item_xml("One"), show=show, channel="<link>https://show.example.org/</link>")

    content = Item.objects.get(pk=show.pk).head.content
    assert (content["title"], content["website"]) == ("Our title", "https://show.example.org/")


def test_the_same_enclosure_is_one_media_row():
    run(item_xml("One", enclosure="https://m.example.org/1.mp3"))
    run(item_xml("One", enclosure="https://m.example.org/1.mp3"))

    media = MediaFile.objects.get()
    assert (media.address, media.mime, media.bytes) == ("https://m.example.org/1.mp3", "audio/mpeg", 1234)


LONG = "ü" * 1_900


@pytest.mark.parametrize(
    "item",
    [
        item_xml("Long", guid="𐐷" * 900),
        item_xml("Long", enclosure=f"https://media.example.org/{LONG}.mp3"),
    ],
    ids=["guid", "enclosure"],
)
def test_an_identity_that_no_index_takes_leaves_its_item_out(item):
    report = run(item, item_xml("Two"), publish=True)

    assert report.made == ["Two"]
    assert report.skipped == ["Long: its guid or its enclosure's address is longer than any that works"]


@pytest.mark.parametrize(
    ("channel", "name", "left"),
    [
        (f"<language>{'x' * 50}</language>", "language", "en"),
        (f"<itunes:category text='{'x' * 101}'/>", "categories", []),
        (f"<itunes:owner><itunes:email>a@{'b.' * 130}org</itunes:email></itunes:owner>", "owner_email", ""),
        ("<itunes:owner><itunes:email>not one</itunes:email></itunes:owner>", "owner_email", ""),
        (f"<link>https://example.org/{'x' * 2000}</link>", "website", ""),
        ("<link>https://intranet/</link>", "website", ""),
    ],
)
def test_a_field_of_the_show_that_cannot_be_kept_is_left_out_and_told(channel, name, left):
    report = run(item_xml("One"), channel=channel, publish=True)

    assert heads("show")[0][name] == left
    assert any(line.startswith("the show: ") and "left out" in line for line in report.warnings)
    assert report.published[:1] == ["The Long Signal"]


def test_no_value_that_fits_is_wider_than_its_column():
    """An e-mail field takes 320 characters, the column 254."""
    from episodes.forms import ShowContentForm
    from episodes.importing.values import fitting

    told: list[str] = []
    long = f"{'a' * 60}@{'b' * 60}.{'c' * 60}.{'d' * 60}.{'e' * 30}.example.org"

    assert fitting(ShowContentForm, {"owner_email": long}, "x", told.append) == {"owner_email": ""}
    assert len(told) == 1


def test_a_type_that_is_no_media_type_is_told_and_read_off_the_name():
    odd = f"audio/{'x' * 200}"
    report = run(item_xml("One").replace("audio/mpeg", odd).replace(".mp3", ".m4a"), publish=True)

    assert MediaFile.objects.get().mime == "audio/x-m4a"
    assert any("media type" in line for line in report.warnings)


def test_two_chapters_at_one_moment_are_one():
    chapters = (
        '<psc:chapters xmlns:psc="http://podlove.org/simple-chapters">'
        '<psc:chapter start="0" title="First"/><psc:chapter start="0" title="Again"/>'
        '<psc:chapter start="60" title="Next"/></psc:chapters>'
    )

    run(item_xml("One", extra=chapters))

    assert [row["title"] for row in heads()[0]["chapters"]] == ["First", "Next"]


def test_a_picture_s_address_that_cannot_be_kept_is_told():
    report = run(item_xml("One", image=f"https://example.org/{'x' * 2000}.jpg"))

    assert any("address of its picture" in line for line in report.warnings)
    assert not Job.objects.exists()


@pytest.mark.parametrize(
    "date", ["Thu, 14 May 1026 10:00:00 +0000", "9999-12-31T23:59:59-12:00", "2201-01-01T00:00:00Z"]
)
def test_a_year_too_far_away_is_no_date(date):
    report = run(item_xml("One", date=date))

    assert heads()[0]["aired_at"] is None
    assert any("no date that can be read" in line for line in report.warnings)


def test_what_has_no_field_is_kept_beside():
    run(
        item_xml(
            "One",
            extra='<podcast:transcript url="/t.vtt" type="text/vtt"/><podcast:chapters url="https://e.org/c.json" type="application/json+chapters"/>',
        )
    )

    extras = FeedEntry.objects.get().extras
    assert extras["transcripts"][0]["url"] == "https://feeds.example.org/t.vtt"
    assert extras["chapters_url"] == "https://e.org/c.json"


def test_a_youtube_link_is_kept_as_a_video():
    run(item_xml("One", link="https://www.youtube.com/watch?v=dQw4w9WgXcQ"))

    assert MediaFile.objects.get(kind="youtube").address == "dQw4w9WgXcQ"


def _queries(size: int) -> int:
    items = [item_xml(f"{size}-{number}", person=f"Person {number % 5}") for number in range(size)]
    with CaptureQueriesContext(connection) as queries:
        run(*items, address=f"https://feeds.example.org/{size}", publish=True)
    return len(queries)


def test_queries_grow_by_the_chunk_and_not_by_the_episode(settings):
    settings.IMPORT_CHUNK_SIZE = 25

    few, many = _queries(5), _queries(25)

    assert many <= few + 15  # SQLite splits long statements


def test_a_show_deleted_meanwhile_ends_the_import_in_a_sentence(tmp_path, monkeypatch, settings):
    from episodes.importing import service
    from episodes.models import FeedSource

    settings.IMPORT_CHUNK_SIZE = 1
    read = service.people_of

    def delete_and_read(item, feed):
        if item.title == "Two":
            FeedSource.objects.all().delete()
        return read(item, feed)

    monkeypatch.setattr(service, "people_of", delete_and_read)

    with pytest.raises(CommandError, match="was deleted while"):
        call_command("import_feed", write(tmp_path, feed_xml(item_xml("One"), item_xml("Two"))))


@pytest.mark.parametrize("failure", [IntegrityError("duplicate key"), OperationalError("deadlock detected")])
def test_a_clash_with_somebody_else_ends_the_command_in_a_sentence(tmp_path, monkeypatch, failure):
    from episodes.importing import service

    def clash(*args):
        raise failure

    monkeypatch.setattr(service, "media_for", clash)

    with pytest.raises(CommandError, match="somebody changed the same things"):
        call_command("import_feed", write(tmp_path, feed_xml(item_xml("One"))))


# The command


def write(tmp_path, text: str | bytes):
    path = tmp_path / "feed.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def test_the_command_reports(tmp_path, capsys):
    call_command("import_feed", write(tmp_path, feed_xml(item_xml("One"))), feed_url=ADDRESS)

    out = capsys.readouterr().out
    assert "“The Long Signal”: 1 made." in out


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"just words", "XML"),
        (b"<!doctype html><html><body>Sign in</body></html>", "web page"),
        (b"<?xml version='1.0'?><opml></opml>", "feed"),
        (b"<?xml version='1.0'?><!DOCTYPE rss [<!ENTITY a 'b'>]><rss version='2.0'><channel/></rss>", "DOCTYPE"),
        (feed_xml(item_xml("One")).encode()[:-60], "cut off"),
        (b"<rss version='2.0'><channel><title>" + b"x" * (21 * 1024 * 1024), "20 MB"),
        (b"\x00\xff\xfe\x01" * 50, ""),
    ],
)
def test_a_file_that_is_no_feed_is_refused_in_a_sentence_and_writes_nothing(tmp_path, data, said):
    before = dump_tables()

    with pytest.raises(CommandError) as refused:
        call_command("import_feed", write(tmp_path, data))

    assert said.lower() in str(refused.value).lower()
    assert dump_tables() == before


def test_a_file_that_is_not_there_is_named():
    with pytest.raises(CommandError, match="nowhere.xml"):
        call_command("import_feed", "nowhere.xml")


def test_a_locked_feed_asks_first(tmp_path):
    path = write(tmp_path, feed_xml(item_xml("One"), channel="<podcast:locked>yes</podcast:locked>"))

    with pytest.raises(CommandError, match="--owner-agrees"):
        call_command("import_feed", path)
    assert not Item.objects.exists()

    call_command("import_feed", path, owner_agrees=True)
    assert Item.objects.of_kind("episode").count() == 1


def test_a_private_address_is_refused():
    with pytest.raises(CommandError):
        call_command("import_feed", "http://127.0.0.1:9/feed.xml")


def test_publishing_a_fetched_picture_keeps_other_drafts(monkeypatch):
    """The artwork job publishes only where nothing else is pending."""
    import io

    from PIL import Image as Pillow

    from episodes.importing import jobs
    from publishing.fetch import Fetched
    from publishing.jobs import work_through

    out = io.BytesIO()
    Pillow.new("RGB", (1400, 1400), "#9a3412").save(out, "PNG")
    fetched = Fetched("u", 200, "image/png", None, None, out.getvalue(), False, "u")
    monkeypatch.setattr(jobs, "fetch", lambda *args, **kwargs: fetched)
    run(
        item_xml("One", image="https://example.org/1.png"),
        item_xml("Two", image="https://example.org/2.png"),
        publish=True,
    )
    edit(Episode.objects.get(title="Two"), title="Two, edited")

    work_through()

    one, two = Episode.objects.order_by("pk")
    assert one.artwork is not None
    assert (two.artwork, two.title) == (None, "Two")
    assert two.item.head.content["artwork"] == one.artwork_id
    publish(Item.objects.get(pk=two.pk), actor=None)
