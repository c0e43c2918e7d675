import pytest

from publishing.models import SiteSettings

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("address", ["/x%00/", "/media/a%00", "/?q=%00", "/q/%00"])
def test_an_address_with_a_nul_is_refused_before_any_look_up(client, address):
    assert client.get(address).status_code == 400


@pytest.mark.parametrize("method", ["TRACE", "PUT", "DELETE", "PATCH", "MADEUP"])
def test_methods_nobody_needs_are_405(client, method):
    assert client.generic(method, "/").status_code == 405


def test_pages_speak_the_sites_language_and_time_zone(client):
    SiteSettings.objects.create(pk=1, name="Das lange Signal", locale="de", time_zone="Europe/Berlin")

    page = client.get("/").content.decode()

    assert '<html lang="de"' in page
    assert "Das lange Signal" in page
