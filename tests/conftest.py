import os

import pytest
from django.conf import settings
from django.core.cache import cache

from tests.factories import make_user
from tests.server import Server


@pytest.fixture(autouse=True)
def _empty_cache(request):
    """Keep what a test cached from the next: the cache's table is rolled back with a test, but not
    flushed after one that commits, since no model stands for it; and Redis knows neither."""
    if "redis" in settings.CACHES["default"]["BACKEND"].lower():
        cache.clear()
        yield
        return
    marker = request.node.get_closest_marker("django_db")
    commits = bool(marker and marker.kwargs.get("transaction"))
    if not commits and not {"transactional_db", "live_server"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("transactional_db")  # so that ours ends before the database is shut
    cache.clear()
    yield
    cache.clear()


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


@pytest.fixture
def server(settings):
    """A server on loopback that may be fetched from."""
    server = Server()
    settings.FETCH_ALLOW_HOSTS = [server.host]
    yield server
    server.close()


class SkipCounter:
    """Fail the run where tests were skipped that must run: ``FORBID_SKIPS=1``, as in CI."""

    def __init__(self):
        self.skipped: list[str] = []

    def pytest_runtest_logreport(self, report):
        if report.skipped and not hasattr(report, "wasxfail"):
            self.skipped.append(report.nodeid)

    def pytest_collectreport(self, report):
        if report.skipped:
            self.skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session):
        if self.skipped and session.exitstatus == 0:
            session.exitstatus = 1

    def pytest_terminal_summary(self, terminalreporter):
        for name in self.skipped:
            terminalreporter.write_line(f"SKIPPED BUT MUST RUN: {name}", red=True)


def pytest_configure(config):
    if os.environ.get("FORBID_SKIPS"):
        config.pluginmanager.register(SkipCounter(), "skip-counter")
