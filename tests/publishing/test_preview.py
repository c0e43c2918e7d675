"""The preview beside the form, and who may frame what."""

import pytest

from tests.factories import make_episode, make_guest, make_quote, make_show, make_topic

pytestmark = pytest.mark.django_db

MAKERS = [make_show, make_guest, make_topic, make_episode, make_quote]


def policy_of(answer) -> dict[str, str]:
    parts = [part.strip().partition(" ") for part in answer["Content-Security-Policy"].split(";")]
    return {name: value for name, _space, value in parts}


def page_of(row, page: str) -> str:
    return row.item.admin_path.replace("/change/", f"/{page}/")


@pytest.mark.parametrize("make", MAKERS)
def test_every_form_has_the_saved_draft_beside_it(editor_client, make):
    row = make(live=False)

    page = editor_client.get(row.item.admin_path).content.decode()

    frame = page.partition("<iframe")[2].partition(">")[0]
    assert f'src="{page_of(row, "preview")}"' in frame
    assert f'title="Preview of “{row.item}”"' in frame
    assert 'loading="lazy"' in frame
    assert "; save to refresh." in page


@pytest.mark.parametrize("make", MAKERS)
def test_a_preview_may_stand_in_a_page_of_ours(editor_client, make):
    answer = editor_client.get(page_of(make(), "preview"))

    assert answer.status_code == 200
    assert policy_of(answer)["frame-ancestors"] == "'self'"
    assert answer["X-Frame-Options"] == "SAMEORIGIN"
    assert "frame-src" not in policy_of(answer)


@pytest.mark.parametrize("page", ["change", "history", "compare", "retire"])
def test_no_other_page_of_the_newsroom_may_be_framed(publisher_client, page):
    answer = publisher_client.get(page_of(make_topic(), page))

    assert answer.status_code == 200
    assert policy_of(answer)["frame-ancestors"] == "'none'"
    assert answer["X-Frame-Options"] == "DENY"


def test_only_a_form_may_frame_and_only_what_is_ours(editor_client):
    row = make_topic()

    form, history = (editor_client.get(page_of(row, page)) for page in ("change", "history"))

    assert policy_of(form)["frame-src"] == "'self'"
    assert "frame-src" not in policy_of(history)


def test_public_pages_refuse_frames_and_have_none(client):
    quote = make_quote()

    for path in ("/", quote.get_absolute_url(), quote.episode.get_absolute_url(), "/nowhere/"):
        answer = client.get(path)
        assert policy_of(answer)["frame-ancestors"] == "'none'"
        assert "frame-src" not in policy_of(answer)
        assert answer["X-Frame-Options"] == "DENY"


def test_a_preview_that_is_not_for_this_person_refuses_frames(client):
    answer = client.get(page_of(make_topic(live=False), "preview"))

    assert answer.status_code == 302
    assert policy_of(answer)["frame-ancestors"] == "'none'"
