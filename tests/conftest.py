import pytest

from tests.factories import make_user


@pytest.fixture
def editor(db):
    return make_user("ines", "Editor")


@pytest.fixture
def publisher(db):
    return make_user("petra", "Publisher")


@pytest.fixture
def editor_client(client, editor):
    client.force_login(editor)
    return client


@pytest.fixture
def publisher_client(client, publisher):
    client.force_login(publisher)
    return client
