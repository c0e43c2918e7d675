"""What is not public shows nowhere, and every public page is the same for everybody."""

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver, reverse

from episodes.models import Transcript
from episodes.transcripts.current import make_current
from episodes.transcripts.service import correct, name_speakers
from publishing.acts import publish, publish_many, retire
from publishing.content import ContentForm
from publishing.kinds import all_kinds, get_kind
from publishing.models import ContentVersion, Item, Publishable
from publishing.revisions import NewItem, create_items, save_revision
from tests.factories import REASON, as_heard, make_corrections, make_guest, make_item, make_quote, make_transcript
from tests.public import GENERAL, OF_ONE_THING, PAGED, Site, addresses, make_clips, make_file, make_image, make_site

pytestmark = pytest.mark.django_db

CANARY = "canary"
LINK = "https://canary.example.org/"
SOCIAL = {"protocol": "activitypub", "uri": LINK, "account_id": "canary", "account_url": LINK}


@pytest.fixture(autouse=True)
def own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    settings.PUBLIC_EXPORTS = True


def canary_content(kind: str, parents: dict[str, int]) -> dict:
    """Return content with the canary in every field of the kind; none may be forgotten."""
    word = f"{CANARY} {kind}"
    content = {
        "show": lambda: {
            "title": word, "tagline": word, "description": word, "artwork": make_image("images/canary.jpg").pk, "artwork_alt": word,
            "website": LINK, "language": "kw", "author": word, "owner_email": "canary@example.org", "owner_email_public": True,
            "categories": ["True Crime"], "explicit": True, "youtube": LINK, "clips_allowed": True, "longest_clip_ms": 1, "licence": word,
            "rights_contact": "canary@example.org", "feed_identity": "own", "people": [{"guest": parents["guest"], "role": "host"}],
            "order": "serial", "medium": "video", "locked": True, "machine_licence": word, "machine_licence_url": LINK, "funding": [{"url": LINK, "label": word}],
            "locations": [{"name": word, "rel": "subject", "geo": "", "osm": "", "country": ""}], "social": [SOCIAL], "txts": [{"text": word, "purpose": word}],
            "seasons": [{"number": 1, "name": word}],
        },
        "guest": lambda: {
            "name": word, "sort_name": word, "bio": word, "portrait": make_image("images/canary.jpg").pk, "portrait_alt": word,
            "website_links": [{"label": word, "url": LINK}], "aliases": [word], "mishearings": [{"heard": word, "name": word}], "quotes": [],
        },
        "topic": lambda: {
            "name": word, "description": word, "parent": parents.get("topic"), "aliases": [word],
            "mishearings": [{"heard": word, "name": word}],
        },
        "episode": lambda: {
            "title": word, "summary": word, "summary_by": word, "summary_edited_by": word, "summary_on": "2026-01-01", "summary_origin": "machine", "summary_transcript": 1, "notes": word,
            "aired_at": "2030-01-01T00:00:00Z", "duration_ms": 1, "season": 1, "number": 1, "number_label": word, "locations": [{"name": word, "rel": "subject", "geo": "", "osm": "", "country": ""}], "social": [SOCIAL], "episode_kind": "bonus", "explicit": True,
            "artwork": make_image("images/canary.jpg").pk, "artwork_alt": word, "website": LINK,
            "guests": [{"guest": parents["guest"], "role": "guest", "credit": word}], "topics": [{"topic": parents["topic"]}],
            "media": [{"media": make_file("episodes/canary.mp3").pk}], "chapters": [{"start_ms": 0, "title": word, "url": LINK, "image": ""}],
        },
        "quote": lambda: {
            "claim": word, "claim_by": word, "claim_edited_by": word, "claim_origin": "machine", "claim_transcript": 1, "heard": {"by": word, "at": "2026-01-01T00:00:00Z"}, "speaker_named": {"by": word, "at": "2026-01-01T00:00:00Z", "of": parents["guest"]}, "text": word, "speaker": parents["guest"], "start_ms": 1, "end_ms": 2, "context": word,
            "topics": [{"topic": parents["topic"]}], "related": [],
            "assessments": [{"verdict": "opinion", "summary": word, "assessed_by": word, "checked_on": "2026-01-01", "title": word, "url": LINK, "publisher": word}],
        },
    }[kind]()  # fmt: skip
    content["slug"] = f"canary-{kind}-{Item.objects.count()}"
    assert set(content) == set(get_kind(kind).form.base_fields), "a new field needs its canary"
    return content


def make_canary(kind: str, parents: dict[str, int], *, live: bool) -> Publishable:
    form: type[ContentForm] = get_kind(kind).form
    fixed = {name: parents[name] for name in form.model.parents if name not in form.base_fields}
    columns = {"guid": f"canary-{Item.objects.count()}"} if kind == "episode" else {}
    item = make_item(kind, canary_content(kind, parents), live=live, parents=fixed, columns=columns)
    row = form.model.objects.get(pk=item.pk)
    if kind == "episode":
        make_transcript(row, [(0, CANARY, f"The {CANARY} speaks.")])
    if live:
        make_corrections(row, note=CANARY, said=CANARY, says=CANARY, found_by=CANARY)
    return row


def gather(rows: list[Publishable]) -> Site:
    site = Site()
    for row in rows:
        getattr(site, f"{row.kind}s").append(row)
    return site


def parents_of(site: Site) -> dict[str, int]:
    """Return the live parents of a site, and its live guest and topic."""
    return {
        "show": site.shows[0].pk,
        "episode": site.episodes[0].pk,
        "speaker": site.guests[0].pk,
        "guest": site.guests[0].pk,
        "topic": site.topics[0].pk,
    }


def drafts(site: Site) -> list[Publishable]:
    """Never published; what is live links to them as far as it can."""
    rows = [make_canary(kind.name, parents_of(site), live=False) for kind in all_kinds()]
    by_kind = {row.kind: row for row in rows}
    changes = {
        "topic": (site.topics[0], {"parent": by_kind["topic"].pk}),
        "episode": (
            site.episodes[0],
            {
                "guests": [{"guest": by_kind["guest"].pk, "role": "host", "credit": CANARY}],
                "topics": [{"topic": by_kind["topic"].pk}],
            },
        ),
        "guest": (site.guests[0], {"quotes": [{"quote": by_kind["quote"].pk}]}),
        "quote": (
            site.quotes[0],
            {"topics": [{"topic": by_kind["topic"].pk}], "related": [{"related": by_kind["quote"].pk}]},
        ),
    }
    for row, change in changes.values():
        publish(save_content(row, change), actor=None, reason=REASON)
    return rows


def retired(site: Site) -> list[Publishable]:
    """Live once, then withdrawn, children before their parents."""
    rows = [make_canary(kind.name, parents_of(site), live=True) for kind in all_kinds()]
    for row in reversed(rows):
        retire(Item.objects.get(pk=row.pk), actor=None, reason="Withdrawn.")
    return rows


def children_of_hidden_parents(site: Site) -> list[Publishable]:
    """Live themselves, under a show or a speaker that was withdrawn."""
    show, speaker = (make_canary(kind, parents_of(site), live=True) for kind in ("show", "guest"))
    episode = make_canary("episode", parents_of(site) | {"show": show.pk}, live=True)
    below = make_canary("quote", parents_of(site) | {"episode": episode.pk}, live=True)
    by_speaker = make_canary("quote", parents_of(site) | {"guest": speaker.pk}, live=True)
    for parent in (show, speaker):
        retire(Item.objects.get(pk=parent.pk), actor=None, reason="Withdrawn.")
    return [episode, below, by_speaker]


def drafts_over_live(site: Site) -> list[Publishable]:
    """Edited since, in every field; their addresses are those that the drafts would have."""
    rows = [site.shows[0], site.guests[0], site.topics[0], site.episodes[0], site.quotes[0]]
    for row in rows:
        save_content(
            row,
            canary_content(row.kind, parents_of(site) | {"topic": None if row.kind == "topic" else site.topics[0].pk}),
        )
    planned = [type(row).objects.get(pk=row.pk) for row in rows]
    for row in planned:
        row.slug = None
    return planned


def save_content(row: Publishable, change: dict) -> Item:
    item = Item.objects.get(pk=row.pk)
    form = get_kind(item.kind).form
    full = form.check_content(item.head.content | change)
    save_revision(item, as_heard(full, change) if item.kind == "quote" else full, actor=None)
    return item


def body_of(response) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


def whole(response) -> str:
    return f"{response.headers}{body_of(response).decode(errors='replace')}".lower()


def test_every_public_name_is_in_the_table():
    own = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    names = {name for name in own if not name.startswith("account_")}
    for namespace in ("episodes", "quotes", "publishing"):
        inner = get_resolver().namespace_dict[namespace][1]
        names |= {f"{namespace}:{name}" for name in inner.reverse_dict if isinstance(name, str)}

    assert names == set(GENERAL | OF_ONE_THING)


def test_the_canary_sings_where_it_is_live(client):
    site = make_site()
    live = gather([make_canary(kind.name, parents_of(site), live=True) for kind in all_kinds()])

    other = ("short", "quotes", "card")  # redirects, lists of what this thing is not on, pictures
    table = {name: rows for name, rows in OF_ONE_THING.items() if not any(word in name for word in other)}
    assert [path for path in addresses(live, table) if CANARY not in whole(client.get(path))] == []


@pytest.mark.parametrize("hide", [drafts, retired, children_of_hidden_parents, drafts_over_live])
def test_what_is_hidden_shows_on_no_public_address(client, hide):
    site = make_site()
    hidden = gather(hide(site))

    for path in addresses(site):
        response = client.get(path)
        assert response.status_code in {200, 302}, path
        assert CANARY not in whole(response), path
    for path in addresses(hidden, {name: rows for name, rows in OF_ONE_THING.items() if "short" not in name}):
        response = client.get(path)
        assert response.status_code in {404, 410}, path
        assert CANARY not in whole(response), path


def transcript_that_does_not_hold(site: Site) -> None:
    make_transcript(site.episodes[0], [(0, CANARY, f"The {CANARY} speaks.")], current=False)


def transcript_of_another_language(site: Site) -> None:
    make_transcript(site.episodes[0], [(0, CANARY, f"Der {CANARY} spricht.")], language="de", current=False)


def transcript_that_no_longer_holds(site: Site) -> None:
    before = Transcript.objects.original().get(episode=site.episodes[0])
    make_transcript(site.episodes[0], [(0, CANARY, f"The {CANARY} speaks.")])
    make_current(before, actor=None)


def correction_that_does_not_hold(site: Site) -> None:
    other = make_transcript(site.episodes[0], [(0, "Ada Okafor", "It speaks again.")], current=False)
    correct(other, words={0: CANARY}, cues={0: CANARY}, note=CANARY, actor=None)


def name_of_a_guest_who_is_not_live(site: Site) -> None:
    secret = make_guest(name=CANARY, live=False)
    transcript = Transcript.objects.original().get(episode=site.episodes[0])
    name_speakers(transcript, {"Tomas Lund": (secret.pk, "sure")}, actor=None)


def guest_whom_nobody_is_sure_of(site: Site) -> None:
    proposed = make_guest(name=CANARY, live=False)
    transcript = Transcript.objects.original().get(episode=site.episodes[0])
    name_speakers(transcript, {"Tomas Lund": (proposed.pk, "unsure")}, actor=None)


def file_and_notes_of_the_transcript_that_holds(site: Site) -> None:
    known = {"filename": f"{CANARY}.vtt", "note": CANARY}
    make_transcript(site.episodes[0], [(0, "Ada Okafor", "It speaks.")], **known)
    Transcript.objects.update(messages=[[CANARY, 1]])


@pytest.mark.parametrize(
    "hide",
    [
        transcript_that_does_not_hold,
        transcript_of_another_language,
        transcript_that_no_longer_holds,
        correction_that_does_not_hold,
        name_of_a_guest_who_is_not_live,
        guest_whom_nobody_is_sure_of,
        file_and_notes_of_the_transcript_that_holds,
    ],
)
def test_what_is_hidden_of_transcripts_shows_on_no_public_address(client, hide):
    site = make_site()
    hide(site)
    make_clips(site.quotes[0])  # other words of the transcript are another clip
    own = site.episodes[0].get_absolute_url()
    originals = [
        reverse("episodes:media", args=[name]) for name in Transcript.objects.values_list("original", flat=True)
    ]

    for path in [*addresses(site), f"/how/?quote={site.quotes[0].slug}"]:
        response = client.get(path)
        assert response.status_code in {200, 302}, path
        assert CANARY not in whole(response), path
    for path in [*originals, f"{own}transcript/?language=de", f"{own}transcript.vtt?language=de"]:
        response = client.get(path)
        assert response.status_code == 404, path
        assert CANARY not in whole(response), path


@pytest.mark.parametrize("hide", [drafts, retired, children_of_hidden_parents])
def test_short_links_and_files_of_what_is_hidden_are_404(client, hide):
    site = make_site()
    hidden = gather(hide(site))
    hidden.files = [
        link.media.file.name for row in hidden.episodes for link in row.episode_media.select_related("media")
    ]
    hidden.files += [image.file.name for row in [*hidden.shows, *hidden.episodes] if (image := row.artwork)]
    hidden.files += [row.portrait.file.name for row in hidden.guests if row.portrait]

    table = {name: OF_ONE_THING[name] for name in ("episodes:short", "quotes:short", "episodes:media")}
    assert {path: client.get(path).status_code for path in addresses(hidden, table)} == dict.fromkeys(
        addresses(hidden, table), 404
    )


def test_files_of_drafts_are_404(client):
    site = make_site()
    sound, picture = make_file("episodes/canary.mp3"), make_image("images/canary.jpg")
    save_content(site.episodes[0], {"media": [{"media": sound.pk}], "artwork": picture.pk})
    save_content(site.guests[0], {"portrait": picture.pk})

    assert [
        client.get(file.url if hasattr(file, "url") else file.get_absolute_url()).status_code
        for file in (sound, picture)
    ] == [404, 404]


@pytest.mark.parametrize("hide", [drafts, retired, children_of_hidden_parents])
def test_counts_are_of_what_readers_see(client, hide):
    site = make_site()
    hide(site)

    guest = client.get(reverse("episodes:guest-list")).context["page"][0]
    topic = client.get(reverse("episodes:topic-list")).context["page"][0]
    show = client.get(reverse("episodes:show-list")).context["page"][0]

    topic_counts = (0, 0) if hide is drafts else (1, 1)  # the drafts took its place on the episode
    assert (guest.episode_count, guest.quote_count, show.episode_count) == (0 if hide is drafts else 1, 1, 1)
    assert (topic.episode_count, topic.quote_count) == topic_counts
    assert client.get(site.quotes[0].get_absolute_url()).context["quote_count"] == 1


def test_a_draft_and_nothing_answer_alike(client):
    site = make_site()
    hidden = gather(drafts(site))

    draft = client.get(reverse("quotes:detail", args=[hidden.quotes[0].item.working_slug]))
    nothing = client.get(reverse("quotes:detail", args=["never-was"]))

    assert (draft.status_code, draft.content, dict(draft.headers)) == (
        nothing.status_code,
        nothing.content,
        dict(nothing.headers),
    )


def test_everybody_gets_the_same_bytes_and_no_cookie(client):
    site = make_site()
    superuser = Client()
    superuser.force_login(User.objects.create_superuser("root"))
    # So many acts within a second count as later ones, and no page says that it is from the future.
    ContentVersion.objects.update(changed_at=site.quotes[0].item.first_published_at)

    for path in [*addresses(site), "/nowhere/"]:
        anonymous, known = client.get(path), superuser.get(path)
        assert whole(anonymous) == whole(known), path
        assert not known.cookies, path
        assert "cookie" not in known.headers.get("Vary", "").lower(), path


def test_public_addresses_answer_head_and_refuse_post(client):
    site = make_site()

    for path in addresses(site):
        assert client.head(path).status_code == client.get(path).status_code, path
        assert body_of(client.head(path)) == b"", path
        # A clip is asked for by POST, with what only the quote's page can send.
        assert client.post(path).status_code == (403 if path.endswith("/clip/") else 405), path


def test_no_page_names_the_host_it_was_asked_under(client):
    site = make_site()

    for path in addresses(site):
        assert "testserver" not in whole(client.get(path)), path
    assert settings.SITE_URL in whole(client.get(site.quotes[0].get_absolute_url()))


def grow(site: Site, count: int) -> None:
    """Add so many shows, episodes, guests, topics and quotes, all linked to the first ones."""
    show, episode, guest, topic = site.shows[0], site.episodes[0], site.guests[0], site.topics[0]
    guests = add(
        "guest", [{"name": f"Guest {n}", "portrait": guest.portrait_id, "portrait_alt": "x"} for n in range(count)]
    )
    topics = add("topic", [{"name": f"Topic {n}", "parent": topic.pk} for n in range(count)])
    everybody = [{"guest": item.pk, "role": "guest", "credit": ""} for item in [guest, *guests]]
    everything = [{"topic": item.pk} for item in [topic, *topics]]
    sound = [{"media": link.media_id} for link in episode.episode_media.all()]
    same = {
        "summary": "S.",
        "aired_at": "2025-01-01T00:00:00Z",
        "guests": everybody[:1],
        "topics": everything[:1],
        "media": sound,
    }
    guids = [{"guid": f"many-{n}"} for n in range(count)]
    add("episode", [same | {"title": f"Episode {n}"} for n in range(count)], parents={"show": show.pk}, columns=guids)
    add("show", [{"title": f"Show {n}"} for n in range(count)])
    publish(save_content(episode, {"guests": everybody, "topics": everything}), actor=None, reason=REASON)
    source = {
        "verdict": "opinion",
        "summary": "S.",
        "checked_on": None,
        "title": "T",
        "url": "https://example.org/",
        "publisher": "",
    }
    said = {
        "text": "Words.",
        "context": "C.",
        "speaker": guest.pk,
        "topics": everything[:2],
        "assessments": [source] * 3,
    }
    spans = [{"claim": f"Claim {n}", "start_ms": 1000 * n, "end_ms": 1000 * n + 500} for n in range(count)]
    add("quote", [said | span for span in spans], parents={"episode": episode.pk})
    for row in (show, episode, guest, topic, site.quotes[0]):
        make_corrections(row, count)


def add(
    kind: str, contents: list[dict], *, parents: dict | None = None, columns: list[dict] | None = None
) -> list[Item]:
    new = [
        NewItem(kind, full_content(kind, content), parents or {}, columns[number] if columns else {})
        for number, content in enumerate(contents)
    ]
    return publish_many(create_items(new, actor=None), actor=None, reason=REASON)


def full_content(kind: str, content: dict) -> dict:
    form = get_kind(kind).form
    full = form.check_content(form.blank() | content)
    return as_heard(full, content) if kind == "quote" else full


def test_no_public_page_takes_more_queries_for_more_rows(client):
    site = make_site()
    make_quote(episode=site.episodes[0], speaker=site.guests[0])

    few = count_queries(client, site)
    grow(site, 50)
    many = count_queries(client, site)

    assert many == few
    assert max(many.values()) <= 17


def count_queries(client, site: Site) -> dict[str, int]:
    counts = {}
    for path in addresses(site):
        client.get(path)  # what a transcript says is kept from here on
        with CaptureQueriesContext(connection) as queries:
            client.get(path)
        counts[path] = len(queries)
    return counts


@pytest.mark.parametrize("name", PAGED)
def test_lists_have_pages_and_no_others(client, name):
    site = make_site()
    grow(site, 30)
    path = next(path for path, found in addresses(site).items() if found == name)

    answers = {
        query: client.get(path + query).status_code
        for query in (
            "",
            "?page=1",
            "?page=2",
            "?page=9",
            "?page=abc",
            "?page=0",
            "?page=-1",
            "?page=02",
            "?page=",
            "?page=٢",
        )
    }

    assert answers == {"": 200, "?page=1": 200, "?page=2": 200} | dict.fromkeys(list(answers)[3:], 404)
    assert (
        f'<link rel="canonical" href="{settings.SITE_URL}{path}">'
        in client.get(f"{path}?page=1&utm_x=1").content.decode()
    )
    assert (
        f'<link rel="canonical" href="{settings.SITE_URL}{path}?page=2">'
        in client.get(f"{path}?page=2").content.decode()
    )
