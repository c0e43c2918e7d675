import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from episodes.models import Episode, Guest, MediaFile, Show, Topic
from publishing.models import Event, Item
from quotes.models import Quote
from tests.factories import edit, make_episode, make_guest, make_quote, make_show, make_topic
from tests.tables import dump_tables

pytestmark = pytest.mark.django_db

QUOTES = "episode,slug,speaker,claim,context,text,start,end,topics,related,heard_by,heard_on\n"
HEARD = "Ines,2026-05-20"


@pytest.fixture
def load(tmp_path, capsys):
    def run(table: str, text: str | bytes, **options) -> str:
        path = tmp_path / "table.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        call_command("import_table", table, str(path), **options)
        return capsys.readouterr().out

    return run


def head(title: str) -> dict:
    return Item.objects.get(working_title=title).head.content


def test_a_whole_backlog_comes_in_and_is_published(load):
    load(
        "shows",
        "slug,title,description,website,youtube\nsignal,Signal Path,*Short*,https://s.example.org,\n",
        publish=True,
    )
    load("guests", "slug,name,bio,aliases\nada,Ada Okafor,Engineer,A. Okafor; Ada O.\ntom,Tom Lund,,\n", publish=True)
    load("topics", "slug,name,description,aliases\ngrid,Grid storage,,BESS\n", publish=True)
    load(
        "episodes",
        "show,slug,title,aired_at,duration,summary,youtube_id,guests,topics\n"
        'signal,peak,The peak,2026-05-14 10:00,1:41:22,"She explains, at length.",dQw4w9WgXcQ,ada|guest|Grid engineer;tom|host,grid\n',
        publish=True,
    )
    load(
        "quotes",
        QUOTES
        + "signal/peak,first,ada,Claim one,Who speaks.,Words.,1:41:50.0,6127.6,grid,second,Ines,2026-05-20\n"
        + "signal/peak,second,Ada Okafor,Claim two,Who speaks.,More words.,12:05,12:20,,,Ines,2026-05-20\n",
        publish=True,
        reason="Backlog of 2026",
    )

    episode = Episode.objects.live().get()
    assert [(link.guest.slug, link.role, link.credit) for link in episode.episode_guests.all()] == [
        ("ada", "guest", "Grid engineer"),
        ("tom", "host", ""),
    ]
    assert (episode.duration_ms, episode.summary_origin, MediaFile.objects.get().address) == (
        6_082_000,
        "editor",
        "dQw4w9WgXcQ",
    )
    assert Guest.objects.get(slug="ada").aliases == ["A. Okafor", "Ada O."]
    first = Quote.objects.live().get(slug="first")
    assert (first.start_ms, first.end_ms) == (6_110_000, 6_127_600)
    assert [link.related.slug for link in first.related_quotes.all()] == ["second"]
    assert Event.objects.filter(what="quote.publish", data__reason="Backlog of 2026").count() == 2


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ("shows", "title\nSignal Path\n"),
        ("guests", "name,aliases\nAda,A;B\n"),
        ("topics", "slug,name\ngrid,Grid\n"),
        ("episodes", "show,title,aired_at,summary,youtube_id\nsignal,One,2026-05-14,Words.,dQw4w9WgXcQ\n"),
        ("quotes", QUOTES + f"signal/peak,a,ada,A,C.,T.,10,20,,b,{HEARD}\nsignal/peak,b,ada,B,C.,T.,30,40,,,{HEARD}\n"),
    ],
)
@pytest.mark.parametrize("publish", [False, True])
def test_running_twice_changes_nothing(load, table, text, publish):
    make_episode(show=make_show(slug="signal"), slug="peak")
    make_guest(name="Ada Okafor", slug="ada")
    load(table, text, publish=publish, reason="Backlog")
    before = dump_tables()

    out = load(table, text, publish=publish, reason="Backlog")

    assert dump_tables() == before
    assert "unchanged" in out
    assert "made" not in out


def test_drafts_unless_asked(load):
    load("topics", "name\nGrid\n")

    assert not Topic.objects.live().exists()


def test_what_an_editor_changed_stays(load):
    load("topics", "slug,name,description\ngrid,Grid,Old.\n")
    edit(Topic.objects.get(), name="Grid storage")

    out = load("topics", "slug,name,description\ngrid,The grid,New.\n")

    content = head("Grid storage")
    assert (content["name"], content["description"]) == ("Grid storage", "New.")
    assert "Grid storage: Name" in out


def test_an_edit_survives_a_second_table(load):
    load("topics", "slug,name,description\ngrid,Grid,Old.\n")
    edit(Topic.objects.get(), name="Ours")
    load("topics", "slug,name,description\ngrid,Grid,New.\n")

    load("topics", "slug,name,description\ngrid,Grid,Newer.\n")

    assert (head("Ours")["description"], Item.objects.count()) == ("Newer.", 1)


def test_what_was_made_by_hand_is_only_filled_up(load):
    make_topic(slug="grid", name="By hand")

    out = load("topics", "slug,name,description\ngrid,From the table,Filled.\n")

    content = head("By hand")
    assert (content["name"], content["description"]) == ("By hand", "Filled.")
    assert "By hand: Name" in out


def test_a_show_named_by_its_title_is_the_same_show(load):
    make_show(slug="signal", title="Signal Path")
    load("episodes", "show,slug,title\nsignal,one,One\n")

    load("episodes", "show,slug,title\nSignal Path,one,One again\n")

    assert list(Item.objects.of_kind("episode").values_list("working_title", flat=True)) == ["One again"]


def test_an_empty_cell_says_nothing(load):
    load("topics", "slug,name,description\ngrid,Grid,Text.\n")

    load("topics", "slug,name,description\ngrid,Grid,\n")

    assert head("Grid")["description"] == "Text."


def test_every_fault_is_named_with_its_line_and_nothing_is_written(load):
    make_episode(show=make_show(slug="signal"), slug="peak")
    make_guest(name="Ada Okafor", slug="ada")
    make_guest(name="Two", slug="two-a")
    make_guest(name="Two", slug="two-b")
    before = dump_tables()
    bad = [
        "signal/none,a,ada,A,C.,T.,1,2,,",
        "signal/peak,b,nobody,B,C.,T.,1,2,,",
        "signal/peak,c,ada,C,C.,T.,soon,2,,",
        "signal/peak,d,ada,,C.,T.,1,2,,",
        f"signal/peak,e,ada,{'x' * 201},C.,T.,1,2,,",
        "signal/peak,f,ada,F,C.,T.,1,2,,nowhere",
        "signal/peak,g,ada,G,C.,T.,1,2,,",
        "signal/peak,g,ada,G again,C.,T.,1,2,,",
        "signal/peak,h,Two,H,C.,T.,1,2,,",
        "signal/peak,not a slug!,ada,I,C.,T.,1,2,,",
        "signal/peak,k,ada,K,C.,T.,1,2,,,,,,,",
    ]

    with pytest.raises(CommandError) as refused:
        load("quotes", QUOTES + "\n".join(bad) + "\n")

    said = str(refused.value)
    for fault in (
        "Line 2: episode: no episode is called “signal/none”",
        "Line 3: speaker: no guest is called “nobody”",
        "Line 4: start: “soon” is no time",
        "Line 5: the cell claim is empty",
        "Line 6: Claim: Ensure this value has at most 200 characters",
        "Line 7: no quote is called “nowhere”",
        "Line 9: “g” stands on line 8 already",
        "Line 10: speaker: more than one guest is called “Two”",
        "Line 11: Address:",
        "Line 12 has 15 cells; the header has 12",
    ):
        assert fault in said
    assert dump_tables() == before


def test_keep_good_imports_the_right_lines_and_still_fails(load):
    with pytest.raises(CommandError, match="1 lines"):
        load("topics", f"name\nGrid\n{'x' * 81}\nPeak\n", keep_good=True)

    assert set(Item.objects.values_list("working_title", flat=True)) == {"Grid", "Peak"}


def test_what_cannot_be_published_is_a_fault_of_its_line(load):
    make_show(slug="signal")

    with pytest.raises(CommandError, match="Line 3: .*Summary"):
        load(
            "episodes",
            "show,title,aired_at,summary\nsignal,One,2026-05-14,Text.\nsignal,Two,2026-05-14,\n",
            publish=True,
        )

    assert not Item.objects.of_kind("episode").exists()


def test_a_related_quote_of_another_speaker_is_a_fault_when_published(load):
    quote = make_quote(slug="other", claim="By another")
    make_guest(name="Ada", slug="ada")
    path = f"{quote.episode.show.slug}/{quote.episode.slug}"

    with pytest.raises(CommandError, match="“By another” is by another speaker"):
        load("quotes", QUOTES + f"{path},a,ada,A,C.,T.,1,2,,other,{HEARD}\n", publish=True, reason="Backlog")


def two_episodes():
    show = make_show(slug="signal")
    return [make_episode(show=show, slug=slug, title=f"The {slug}") for slug in ("peak", "valley")]


def claims() -> dict[str, str]:
    return dict(Item.objects.of_kind("quote").order_by("pk").values_list("working_slug", "working_title"))


def test_a_slug_of_another_episode_s_quote_is_a_fault(load):
    two_episodes()
    load("quotes", "episode,slug,claim\nsignal/peak,first,Ours\n")

    with pytest.raises(CommandError, match="Line 2: “first” belongs to another episode, “The peak”. Give another slug"):
        load("quotes", "episode,slug,claim\nsignal/valley,first,Theirs\n")

    assert claims() == {"first": "Ours"}


def test_a_slug_made_of_the_claim_gives_way_to_another_episode_s(load):
    peak, valley = two_episodes()
    load("quotes", "episode,claim\nsignal/peak,Same claim\n", publish=False)
    table = "episode,claim,context\nsignal/valley,Same claim,Theirs.\nsignal/peak,Same claim,Ours.\n"

    for _time in range(2):
        load("quotes", table)

    by_episode = {quote.episode_id: quote.item.head.content for quote in Quote.objects.all()}
    assert len(claims()) == len(by_episode) == 2
    assert by_episode[peak.pk]["slug"] == "same-claim"
    assert by_episode[valley.pk]["slug"].startswith("same-claim-")
    assert (by_episode[peak.pk]["context"], by_episode[valley.pk]["context"]) == ("Ours.", "Theirs.")


def test_a_slug_given_further_down_is_not_taken_by_one_made(load):
    two_episodes()

    load("quotes", "episode,slug,claim\nsignal/peak,,Same claim\nsignal/valley,same-claim,Given\n")

    assert claims()["same-claim"] == "Given"


def test_one_slug_for_two_episodes_of_one_table_is_a_fault(load):
    two_episodes()

    with pytest.raises(CommandError, match="Line 3: “first” stands on line 2 already"):
        load("quotes", "episode,slug,claim\nsignal/peak,first,A\nsignal/valley,first,B\n")


def test_two_lines_that_mean_one_item_are_a_fault(load):
    load("topics", "slug,name\ngrid,Grid\n")
    edit(Topic.objects.get(), slug="peak")

    with pytest.raises(CommandError, match="Line 3: “peak” stands on line 2 already"):
        load("topics", "slug,name\ngrid,Grid\npeak,Peak\n")


def test_two_items_of_one_slug_are_never_guessed_between(load):
    make_topic(name="One", slug="grid", live=False)
    make_topic(name="Two", slug="grid", live=False)

    with pytest.raises(CommandError, match="Line 2: more than one topic is called “grid”"):
        load("topics", "slug,name\ngrid,Grid\n")


def test_a_title_without_letters_is_known_by_the_title_alone(load):
    load("topics", "name,description\nGrid,\n🚀,Rocket.\n")
    load("topics", "name,description\nPeak,\n🎉,Party.\n")
    make_topic(name="✨", live=False)

    load("topics", "name,description\n🚀,Rockets.\n✨,Sparks.\n")

    topics = {item.working_title: item.head.content["description"] for item in Item.objects.of_kind("topic")}
    assert topics == {"Grid": "", "🚀": "Rockets.", "Peak": "", "🎉": "Party.", "✨": "Sparks."}


def test_a_line_that_names_a_refused_line_is_refused_too(load):
    two_episodes()

    with pytest.raises(CommandError, match="2 lines"):
        load(
            "quotes",
            QUOTES + "signal/peak,a,,A,,,,,,b\nsignal/peak,b,,B,,,,,,nowhere\nsignal/peak,c,,C,,,,,,\n",
            keep_good=True,
        )

    assert claims() == {"c": "C"}


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("duration\n9999999", "duration: “9999999” is longer than 24 days"),
        ("duration\n999999:00:00", "is no time"),
        ("guests\nada;ada", "Guests and hosts: somebody or something is listed twice"),
        ("guests\nada|guest;Ada Okafor|guest|Engineer", "listed twice"),
        (f"guests\n{';'.join(f'ada|guest|{number}' for number in range(301))}", "at most 300 rows"),
        ("aired_at\n1066-10-14", "Aired: The year 1066 is too far away"),
        ("aired_at\n9999-12-31", "too far away"),
        ("aired_at\n0001-01-01 00:00+14:00", "is no date"),
    ],
)
def test_what_the_form_would_refuse_is_a_fault(load, cells, said):
    make_show(slug="signal")
    make_guest(name="Ada Okafor", slug="ada")
    column, cell = cells.split("\n")

    with pytest.raises(CommandError) as refused:
        load("episodes", f"show,title,{column}\nsignal,One,{cell}\n")

    assert "Line 2: " in str(refused.value)
    assert said in str(refused.value)
    assert not Item.objects.of_kind("episode").exists()


def test_a_guest_in_two_roles_is_listed_twice_rightly(load):
    make_show(slug="signal")
    make_guest(name="Ada Okafor", slug="ada")

    load("episodes", "show,title,guests\nsignal,One,ada|host;ada|producer\n")

    assert [row["role"] for row in head("One")["guests"]] == ["host", "producer"]


def test_a_quote_that_ends_before_it_starts_is_a_fault(load):
    two_episodes()

    with pytest.raises(CommandError, match="Line 2: end: the quote must end after it starts"):
        load("quotes", "episode,claim,start,end\nsignal/peak,A,20,10\n")


def test_control_characters_are_cleaned_away_and_overrides_out_of_names(load):
    load("guests", "name,bio,aliases\nAda\x01 \u202eOkafor,Bio \u202eback\x07.,A.\x01 O.;\u202eO.A.;A. O.;\x02\n")

    content = head("Ada Okafor")
    assert content["aliases"] == ["A. O.", "O.A."]
    assert content["bio"] == "Bio \u202eback."


def test_a_title_of_which_nothing_is_left_is_a_fault(load):
    with pytest.raises(CommandError, match="Line 2: nothing of its title"):
        load("topics", "name\n\u202e\n")


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (IntegrityError("duplicate key"), "somebody changed the same things"),
        (ValidationError("Something that this links to was deleted meanwhile.", code="gone"), "deleted meanwhile"),
    ],
)
def test_a_clash_with_somebody_else_ends_in_a_sentence(load, monkeypatch, failure, said):
    from publishing.tables import importing

    def clash(*args, **kwargs):
        raise failure

    monkeypatch.setattr(importing, "create_items", clash)

    with pytest.raises(CommandError, match=said):
        load("topics", "name\nGrid\n")


def test_a_dry_run_tells_and_writes_nothing(load):
    before = dump_tables()

    assert "Would come to: 1 made" in load("topics", "name\nGrid\n", dry_run=True)

    assert dump_tables() == before


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        ("name\nGrün\n".encode("latin-1"), "Line 2 is not UTF-8"),
        (b"slug;name\ngrid;Grid\n", "semicolons"),
        (b"name,colour\nGrid,red\n", "colour"),
        (b"slug\ngrid\n", "lacks: name"),
        (b"name,name\nGrid,Grid\n", "twice"),
        (b'name\n"Grid\n', "Line 2 cannot be read"),
        (b"name\nG\x00rid\n", "NUL"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 50, "not UTF-8"),
    ],
)
def test_a_file_that_is_no_table_is_refused(load, data, said):
    with pytest.raises(CommandError, match=said):
        load("topics", data)
    assert not Item.objects.exists()


def test_a_byte_order_mark_and_windows_line_ends_are_fine(load):
    load("topics", b'\xef\xbb\xbfname,description\r\nGrid,"Two\r\nlines"\r\n')

    assert head("Grid")["description"] == "Two\nlines"


def test_queries_do_not_grow_with_the_lines(load, django_assert_max_num_queries):
    make_show(slug="signal")
    lines = "".join(f"signal,Episode {number},2026-05-14,Text.\n" for number in range(90))

    with django_assert_max_num_queries(150):
        load("episodes", "show,title,aired_at,summary\n" + lines, publish=True)
    assert Show.objects.get().episodes.live().count() == 90
