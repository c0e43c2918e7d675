"""Request bodies that no browser sends: each is answered 4xx or taken, never 500, in little memory."""

import base64
from pathlib import Path

import pytest
from django.urls import reverse

from episodes.media import MOST_BYTES
from episodes.models import Image
from publishing.models import Item
from publishing.request_size import OF_ANYBODY, OF_STAFF
from tests.factories import make_episode, make_topic, make_user

from .making import BOUNDARY, CONTENT_TYPE, MEGABYTE, body_of, form_parts, part, picture
from .memory import needs_proc, run_alone
from .test_names import episode_form

pytestmark = pytest.mark.django_db

FILE = part("artwork_file", picture(), b"a.jpg")


@pytest.fixture(autouse=True)
def folders(settings, tmp_path) -> Path:
    """Return the folder in which uploads wait while they arrive."""
    settings.MEDIA_ROOT = tmp_path / "media"
    waiting = tmp_path / "waiting"
    waiting.mkdir()
    settings.FILE_UPLOAD_TEMP_DIR = str(waiting)
    return waiting


@pytest.fixture
def post(editor_client, settings):
    """Send a raw body to the page of an episode, as a server would meet it: what is raised is a page."""
    editor_client.raise_request_exception = False
    path = reverse("admin:episodes_episode_change", args=[make_episode(live=False).pk])

    def send(body: bytes, content_type: str = CONTENT_TYPE, to: str = path, **headers):
        return editor_client.generic("POST", to, body, content_type=content_type, **headers)

    return send


HEAD = b'Content-Disposition: form-data; name="a"'
ODD = {
    "no name": body_of([b"Content-Disposition: form-data\r\n\r\nx"]),
    "a file without a name": body_of([b'Content-Disposition: form-data; filename="a.jpg"\r\n\r\nx']),
    "an empty name": body_of([part("", b"x", b"a.jpg")]),
    "no disposition": body_of([b"Content-Type: image/jpeg\r\n\r\nx"]),
    "another disposition": body_of([b'Content-Disposition: attachment; name="a"\r\n\r\nx']),
    "no head": body_of([b"\r\nx"]),
    "nothing": b"",
    "no end": body_of([FILE])[:-20],
    "half a part": body_of([FILE])[:200],
    "only the end": f"--{BOUNDARY}--\r\n".encode(),
    "another boundary": body_of([FILE]).replace(BOUNDARY.encode(), b"another"),
    "a long head": body_of([HEAD + b"\r\nX-Long: " + b"a" * 100_000 + b"\r\n\r\nx"]),
    "many heads": body_of([HEAD + b"\r\nX-A: b" * 5000 + b"\r\n\r\nx"]),
    "many parameters": body_of([b"Content-Disposition: form-data" + b'; a="b"' * 5000 + b"\r\n\r\nx"]),
    "half a base64": body_of([part("a", b"YWJ", b"a.jpg", more="Content-Transfer-Encoding: base64\r\n")]),
    "no base64": body_of([part("a", b"!?" * 999, more="Content-Transfer-Encoding: base64\r\n")]),
    "a base64 of blanks": body_of([part("a", b" \r\n" * 99_999, more="Content-Transfer-Encoding: base64\r\n")]),
    "an odd encoding": body_of([part("a", b"x", more="Content-Transfer-Encoding: x-none\r\n")]),
    "an odd length": body_of([part("a", b"x", b"a", more="Content-Length: -9\r\n")]),
    "an odd type": body_of([part("a", b"x", b"a", more="Content-Type: ;;;charset=\r\n")]),
    "an odd charset": body_of([part("a", b"\xff", more="Content-Type: text/plain; charset=no-such\r\n")]),
    "a continued name": body_of([b"Content-Disposition: form-data; name*0=a; name*1*=%ff%'\r\n\r\nx"]),
    "a name of another charset": body_of([b"Content-Disposition: form-data; name*=no-such''%ff\r\n\r\nx"]),
    "NULs": body_of([part("a\0b", b"\0" * 999, b"\0")]),
    "10,000 parts": body_of([part(f"name-{number}", b"x") for number in range(10_000)]),
    "10,001 parts": body_of([part(f"name-{number}", b"x") for number in range(10_001)]),
    "10,000 files": body_of([part(f"name-{number}", b"x", b"a.jpg") for number in range(10_000)]),
    "10,000 empty parts": body_of([b""] * 10_000),
    "10,000 parts without a name": body_of([b"Content-Disposition: form-data\r\n\r\nx"] * 10_000),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_body_is_answered_and_stores_nothing(post, folders, name):
    answer = post(ODD[name])

    assert 400 <= answer.status_code < 500
    assert "Traceback" not in answer.content.decode()
    assert not Image.objects.exists()
    assert list(folders.iterdir()) == []


TYPES = ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=" + "a" * 500]
TYPES += ["multipart/form-data; boundary=é", "multipart/mixed; boundary=a", "text/plain; charset=no-such", ";;;", ""]


@pytest.mark.parametrize("content_type", [*TYPES, "application/x-www-form-urlencoded; charset=no-such"])
def test_an_odd_type_is_answered(post, content_type):
    assert 400 <= post(body_of([FILE]), content_type).status_code < 500


def test_too_many_fields_are_named_in_words(post):
    for name in ("10,001 parts", "10,000 files"):
        answer = post(ODD[name])

        assert answer.status_code == 400
        assert "more fields or files than any form of ours" in answer.content.decode()


def test_a_picture_in_base64_is_taken_as_it_is_meant(post, editor_client):
    episode = make_episode(live=False)
    packed = base64.encodebytes(picture())
    file = part("artwork_file", packed, b"a.jpg", more="Content-Transfer-Encoding: base64\r\n")
    path = reverse("admin:episodes_episode_change", args=[episode.pk])

    answer = post(body_of([*form_parts(episode_form(episode)), file]), to=path)

    assert answer.status_code == 302
    assert Item.objects.get(pk=episode.pk).head.content["artwork"] == Image.objects.get().pk


# Memory

PARSE = """
import io, os, tempfile
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest

settings.FILE_UPLOAD_TEMP_DIR = tempfile.mkdtemp(dir=sys.argv[1])
BOUNDARY, MEGABYTE = "b", 1024 * 1024


class Body(io.RawIOBase):
    \"\"\"A long body that is never held: a head, one block over and over, an end.\"\"\"

    def __init__(self, head, block, times, end):
        self.left = iter([head, *([block] * times), end])
        self.length, self.buffer = len(head) + len(block) * times + len(end), b""

    def read(self, size=-1):
        while len(self.buffer) < size and (block := next(self.left, None)) is not None:
            self.buffer += block
        data, self.buffer = self.buffer[:size], self.buffer[size:]
        return data


def parsed(disposition, block, times, encoding="base64"):
    head = f"--{BOUNDARY}\\r\\nContent-Disposition: form-data; {disposition}\\r\\n"
    head += f"Content-Transfer-Encoding: {encoding}\\r\\n\\r\\n"
    body = Body(head.encode(), block, times, f"\\r\\n--{BOUNDARY}--\\r\\n".encode())
    environ = {"REQUEST_METHOD": "POST", "CONTENT_TYPE": f"multipart/form-data; boundary={BOUNDARY}",
               "CONTENT_LENGTH": str(body.length), "wsgi.input": body, "PATH_INFO": "/"}
    request = WSGIRequest(environ)
    try:
        sizes = [file.size for file in request.FILES.values()]
        request.close()
        return sizes
    except Exception as refused:
        return type(refused).__name__


parsed('name="a"; filename="a"', b"YWJj", 1000)
before = peak()
told = {
    "file": parsed('name="a"; filename="a"', b"YWJj" * (MEGABYTE // 4), 200),
    "file of blanks": parsed('name="a"; filename="a"', b" " * 1023 + b"Y", 20 * 1024),
    "plain file": parsed('name="a"; filename="a"', b"a" * MEGABYTE, 200, "binary"),
    "field": parsed('name="a"', b"YWJj" * (MEGABYTE // 4), 200),
    "field of blanks": parsed('name="a"', b" " * MEGABYTE, 200),
}
left = len(os.listdir(settings.FILE_UPLOAD_TEMP_DIR))
print(json.dumps([told, peak() - before, left]))
"""


@needs_proc
def test_two_hundred_megabytes_of_base64_take_little_memory(tmp_path):
    told, growth, left = run_alone(PARSE, tmp_path)

    assert told["file"] == [150 * MEGABYTE]
    assert told["plain file"] == [200 * MEGABYTE]
    assert told["field"] == "RequestDataTooBig"
    assert growth < 100 * MEGABYTE
    assert left == 0


# By its header


@pytest.fixture
def unread(monkeypatch):
    """Fail where a body is read at all."""

    def read(*_args):
        raise AssertionError("The body was read.")

    monkeypatch.setattr("django.http.request.HttpRequest._load_post_and_files", read)


def claim(client, path: str, length: int):
    """Say that so many bytes follow, and send a few."""
    return client.generic("POST", path, b"a=b", content_type=CONTENT_TYPE, CONTENT_LENGTH=str(length))


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("path", ["/accounts/login/", "/admin/", "/admin/episodes/show/add/"])
def test_what_nobody_sends_is_not_even_read(client, path):
    answer = claim(client, path, OF_ANYBODY + 1)

    assert answer.status_code == 413
    assert "One request may carry 1 MB." in answer.content.decode()


@pytest.mark.usefixtures("unread")
def test_an_editor_may_send_a_long_film_and_no_more(editor_client):
    path = reverse("admin:episodes_topic_change", args=[make_topic().pk])

    assert claim(editor_client, path, OF_STAFF + 1).status_code == 413
    assert claim(editor_client, "/accounts/login/", OF_ANYBODY + 1).status_code == 413
    with pytest.raises(AssertionError, match="was read"):
        claim(editor_client, path, OF_STAFF)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize("fields", [{"is_active": False}, {"is_staff": False}])
def test_who_has_left_may_send_as_little_as_anybody(client, fields):
    user = make_user("otto")
    client.force_login(user)
    type(user).objects.filter(pk=user.pk).update(**fields)

    assert claim(client, "/admin/", OF_ANYBODY + 1).status_code == 413


@pytest.mark.parametrize("length", ["", "-1", "many", "1e9", "0x10"])
def test_a_length_that_is_none_is_no_body(editor_client, length):
    answer = editor_client.generic("POST", "/admin/", b"a=b", content_type=CONTENT_TYPE, CONTENT_LENGTH=length)

    assert answer.status_code < 500


def test_a_file_of_the_largest_size_and_a_form_around_it_fit():
    assert MOST_BYTES + 10 * MEGABYTE < OF_STAFF
