"""Settings for tests: the real ones, with quick passwords and files in a temporary folder."""

import os
import tempfile

os.environ.setdefault("SECRET_KEY", "tests-only")
os.environ.setdefault("DATA_DIR", tempfile.mkdtemp(prefix="pullquote-tests-"))
os.environ.setdefault("DATABASE_URL", f"sqlite:///{os.environ['DATA_DIR']}/tests.sqlite3")

from config.settings import *  # noqa: F403

SITE_URL = "https://example.org"
HTTPS = False
ALLOWED_HOSTS = ["testserver", "example.org", "localhost", "127.0.0.1"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
LOGGING = {"version": 1, "disable_existing_loggers": False}

if "redis" in CACHES["default"]["BACKEND"].lower():  # noqa: F405
    # Each worker of the tests clears a Redis database of its own.
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
    CACHES["default"]["LOCATION"] = f"{CACHES['default']['LOCATION'].rsplit('/', 1)[0]}/{5 + int(worker)}"  # noqa: F405
# Each worker of the tests has a database of its own, so the numbers of their jobs are the same.
WORK_DIR = DATA_DIR / f"work-{os.environ.get('PYTEST_XDIST_WORKER', '')}"  # noqa: F405
(DATA_DIR / "static").mkdir(exist_ok=True)  # noqa: F405
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):  # noqa: F405
    # A file and not memory, so that several connections and processes meet as they do for real.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}  # noqa: F405
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"  # noqa: F405
