"""The site's settings, and what they look like before anybody saves."""

import io

import pytest
from PIL import Image

from publishing.models import SiteSettings

pytestmark = pytest.mark.django_db

CARD = "/admin/publishing/sitesettings/card.png"
PAGE = "/admin/publishing/sitesettings/1/change/"


def test_the_page_shows_a_card_with_the_saved_settings(publisher_client):
    publisher_client.get("/admin/publishing/sitesettings/")

    page = publisher_client.get(PAGE).content.decode()
    response = publisher_client.get(CARD)

    assert f'src="{CARD}"' in page
    assert 'data-live-preview="name"' in page
    assert "js/live-preview.js" in page
    assert Image.open(io.BytesIO(response.content)).size == (1200, 630)
    assert "no-store" in response["Cache-Control"]


def test_the_card_takes_the_name_that_is_typed_and_saves_nothing(publisher_client):
    SiteSettings.objects.update_or_create(pk=1, defaults={"name": "The Long Signal"})

    saved, typed, emptied = (
        publisher_client.get(f"{CARD}{query}").content for query in ("", "?name=Pull", "?name=%20")
    )

    assert saved == emptied != typed
    assert SiteSettings.current().name == "The Long Signal"
    assert publisher_client.get(f"{CARD}?name={'x' * 5000}").status_code == 200


def test_it_is_for_those_who_may_change_the_settings(client, editor_client):
    assert editor_client.get(CARD).status_code == 403
    client.logout()
    assert client.get(CARD).status_code == 302
