"""The one way out to the network: fetch an address that came from outside.

Only public addresses are reached. A name is resolved once for each hop, every answer
is checked, and the connection goes to the address that was checked. Redirects are
followed by hand, so that each hop passes the same checks.
"""

import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from pathlib import Path
from urllib.parse import quote, urlencode, urljoin

from django.conf import settings
from django.utils.translation import gettext as _
from urllib3 import HTTPResponse
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError

MAX_BYTES = 20 * 1024 * 1024  # as received, and again once inflated
MAX_REDIRECTS = 5
MAX_URL_CHARS = 4096
MAX_HEADER_BYTES = 64 * 1024
MAX_ADDRESSES_TRIED = 3
CONNECT_SECONDS = 5
READ_SECONDS = 10
DEADLINE_SECONDS = 30
DOWNLOAD_SECONDS = 60 * 60  # of one attempt; the next goes on where it ended
ACCEPT_ANYTHING = "*/*"
USER_AGENT = "Pullquote (podcast editor)"
_INFLATE_BYTES = 1024 * 1024

Resolver = Callable[[str, int], list[str]]
Address = IPv4Address | IPv6Address

# Python's ``is_global`` is true for several of these, and varies between patch releases.
_DENIED_V4 = [
    ip_network(network)
    for network in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16"),
        *("172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24"),
        *("192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24"),
        *("198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"),
    )
]
_UNICAST_V6 = ip_network("2000::/3")  # all else is local, mapped, translated or reserved
_DENIED_V6 = [
    ip_network(network)
    for network in (
        *("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48"),
        *("3ffe::/16", "3fff::/20"),
    )
]

_URL = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>\[[0-9a-f:.]+\]|[^\s/?#\\@:\[\]%]+)(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<target>[/?][^#]*)?(?:#.*)?",
    re.IGNORECASE | re.ASCII,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?:\.(?!-)[a-z0-9_-]{1,63})*\.?")
_NUMERIC_LABEL = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)")
_DEFAULT_PORTS = {"http": 80, "https": 443}
_REDIRECTS = {301, 302, 303, 307, 308}
_PERMANENT = {301, 308}
_TARGET_SAFE = "%/:=&?~+!$,;'@()*[]|"
_CHUNK_BYTES = 64 * 1024


class FetchError(Exception):
    """What kept an address from being fetched, as one sentence for the editor.

    ``status`` is the HTTP status where the site answered with one, and
    ``retry_after`` its Retry-After header as sent.
    """

    def __init__(self, message: str, *, status: int | None = None, retry_after: str | None = None):
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


@dataclass(frozen=True)
class Fetched:
    """An answer. ``permanent_url`` is the address to ask next time.

    It is the one asked for, moved on by the 301 and 308 redirects that came first.
    """

    url: str
    status: int
    content_type: str | None
    etag: str | None
    last_modified: str | None
    body: bytes
    not_modified: bool
    permanent_url: str


@dataclass(frozen=True)
class _Target:
    """An address taken apart: what to connect to, and what to ask for there."""

    url: str
    scheme: str
    host: str
    port: int
    path: str

    @property
    def host_and_port(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def host_header(self) -> str:
        is_default = self.port == _DEFAULT_PORTS[self.scheme]
        return self.host if is_default else self.host_and_port

    @property
    def is_allowed_by_setting(self) -> bool:
        return self.host_and_port in getattr(settings, "FETCH_ALLOW_HOSTS", [])


class _Deadline:
    """The moment by which everything must be done."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def seconds_left(self) -> float:
        return self._end - time.monotonic()

    def check(self) -> None:
        if self.seconds_left <= 0:
            raise FetchError(_("The site takes too long to answer."))

    @contextmanager
    def ending(self, sock: socket.socket) -> Iterator[None]:
        """Shut the socket down at the deadline: each read alone may be in time."""
        timer = threading.Timer(max(self.seconds_left, 0), _shut_down, [sock])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host name; raises OSError when there are none."""
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def fetch(
    url: str,
    *,
    etag: str | None = None,
    last_modified: str | None = None,
    max_bytes: int = MAX_BYTES,
    deadline_s: float = DEADLINE_SECONDS,
    accept: str = ACCEPT_ANYTHING,
    resolver: Resolver | None = None,
) -> Fetched:
    """Fetch a public http(s) address and return what it answers, inflated.

    ``etag`` and ``last_modified`` are from an earlier answer; when nothing changed
    since, the result says ``not_modified`` and its body is empty. ``max_bytes``
    counts the body as received and as inflated.

    Raises FetchError for an address that is not public, a redirect that leads
    astray, a body too large or cut off, and any status but 200, 203 and 304.
    """
    deadline = _Deadline(deadline_s)
    headers = _request_headers(accept, etag, last_modified)
    with _followed(url, headers, deadline, resolver or resolve) as (response, target, permanent_url):
        return _read_answer(response, target, permanent_url, max_bytes, deadline)


def post_form(url: str, fields: Sequence[tuple[str, str]], *, resolver: Resolver | None = None) -> int:
    """Post a form to a public http(s) address and return the status, which is 2xx.

    Raises FetchError for an address that is not public and for any other status;
    redirects are not followed.
    """
    deadline = _Deadline(DEADLINE_SECONDS)
    headers = _request_headers(ACCEPT_ANYTHING, None, None) | {"Content-Type": "application/x-www-form-urlencoded"}
    with _answer(_parse(url), headers, deadline, resolver or resolve, urlencode(fields).encode()) as response:
        if not 200 <= response.status < 300:
            raise FetchError(_status_sentence(response.status), status=response.status)
        return response.status


def download(
    url: str,
    path: Path,
    *,
    max_bytes: int,
    progress: Callable[[int, int], None],
    deadline_s: float = DOWNLOAD_SECONDS,
    resolver: Resolver | None = None,
) -> None:
    """Write what a public http(s) address answers to a file, going on where an earlier attempt ended.

    ``progress`` is called with the bytes that are there and those that there will be, or
    0. What is there stays for the next attempt, with its ETag beside it. Raises
    FetchError as ``fetch`` does.
    """
    deadline = _Deadline(deadline_s)
    tag_path = path.with_name(f"{path.name}.etag")
    headers = _request_headers("*/*", None, None) | {"Accept-Encoding": "identity"}
    held = path.stat().st_size if path.exists() and tag_path.exists() else 0
    if held:
        headers |= {"Range": f"bytes={held}-", "If-Range": tag_path.read_text()}
    with _followed(url, headers, deadline, resolver or resolve) as (response, _target, _permanent_url):
        goes_on = response.status == 206 and response.headers.get("Content-Range", "").startswith(f"bytes {held}-")
        if not goes_on and response.status not in {200, 203}:
            path.unlink(missing_ok=True)
            raise FetchError(_status_sentence(response.status), status=response.status)
        etag = response.headers.get("ETag", "")
        if etag.startswith('"') and etag.isascii():  # a weak one says nothing about bytes
            tag_path.write_text(etag)
        else:
            tag_path.unlink(missing_ok=True)
        _write_body(response, path, held if goes_on else 0, max_bytes, deadline, progress)
    tag_path.unlink(missing_ok=True)


def _write_body(
    response: HTTPResponse,
    path: Path,
    held: int,
    max_bytes: int,
    deadline: _Deadline,
    progress: Callable[[int, int], None],
) -> None:
    length = response.headers.get("Content-Length", "")
    whole = held + int(length) if length.isascii() and length.isdecimal() and len(length) < 16 else 0
    _check_size(whole, max_bytes)
    with path.open("ab" if held else "wb") as file:
        while chunk := response.read1(_CHUNK_BYTES, decode_content=False):
            deadline.check()
            held += len(chunk)
            _check_size(held, max_bytes)
            file.write(chunk)
            progress(held, whole)
    if whole and held < whole:
        raise FetchError(_("The answer of the site was cut off or cannot be read."))


@contextmanager
def _followed(
    url: str, headers: dict[str, str], deadline: _Deadline, resolver: Resolver
) -> Iterator[tuple[HTTPResponse, _Target, str]]:
    """Follow redirects and give the last answer, whence it came, and the address to ask next time."""
    target = _parse(url)
    permanent_url = url
    only_permanent = True
    visited = {target.url}
    while True:
        with _answer(target, headers, deadline, resolver) as response:
            if response.status not in _REDIRECTS:
                yield response, target, permanent_url
                return
            only_permanent = only_permanent and response.status in _PERMANENT
            target = _next_target(target, response, visited)
        visited.add(target.url)
        if only_permanent:
            permanent_url = target.url


def is_public(address: str) -> bool:
    """Tell whether an IP address belongs to the public internet."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    return _is_public(parsed)


def _is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _DENIED_V4)
    has_zone = address.scope_id is not None
    is_denied = any(address in network for network in _DENIED_V6)
    return address in _UNICAST_V6 and not is_denied and not has_zone


def _request_headers(accept: str, etag: str | None, last_modified: str | None) -> dict[str, str]:
    headers = {
        "User-Agent": USER_AGENT,
        "Accept": accept,
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
    for name, value in conditions.items():
        if value and value.isascii() and value.isprintable():
            headers[name] = value
    return headers


def _parse(url: str) -> _Target:
    """Take an address apart; raises FetchError where it is none that we reach."""
    match = None if len(url) > MAX_URL_CHARS or _CONTROL.search(url) else _URL.fullmatch(url)
    if match is None:
        raise FetchError(_("“%(url)s” is not a web address that can be fetched.") % {"url": url[:200]})
    scheme = match["scheme"].lower()
    port = int(match["port"] or _DEFAULT_PORTS[scheme])
    host = _checked_host(match["host"])
    path = quote(match["target"] or "/", safe=_TARGET_SAFE, errors="replace")
    path = path if path.startswith("/") else f"/{path}"
    target = _Target("", scheme, host, port, path)
    if port not in _DEFAULT_PORTS.values() and not target.is_allowed_by_setting:
        raise FetchError(_("Only the web ports 80 and 443 are fetched, not %(port)s.") % {"port": port})
    return _Target(f"{scheme}://{target.host_header}{path}", scheme, host, port, path)


def _checked_host(written: str) -> str:
    """Return a host name in ASCII, or an IP address in its one plain spelling."""
    host = _ascii_host(written)
    bare = host.strip("[]")
    if _NUMERIC_LABEL.fullmatch(bare.rstrip(".").rpartition(".")[2]) or host.startswith("["):
        host = _plain_address(bare) if host.startswith("[") == (":" in bare) else ""
    elif len(host) > 253 or not _HOST_NAME.fullmatch(host):
        host = ""
    if not host:
        raise FetchError(_("“%(host)s” is not a host name that can be fetched.") % {"host": written[:200]})
    return host


def _ascii_host(written: str) -> str:
    if written.isascii():
        return written.lower()
    try:
        return written.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""


def _plain_address(text: str) -> str:
    """Return the address as we write it, empty for octal, short and other spellings."""
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    return f"[{address}]" if address.version == 6 else str(address)


def _next_target(target: _Target, response: HTTPResponse, visited: set[str]) -> _Target:
    location = response.headers.get("Location")
    if not location:
        raise FetchError(_("The site redirects without saying where to."))
    following = _parse(_absolute(target.url, location))
    if target.scheme == "https" and following.scheme == "http":
        raise FetchError(_("The site redirects from a secure to an insecure address."))
    if following.url in visited:
        raise FetchError(_("The site redirects in a circle."))
    if len(visited) > MAX_REDIRECTS:
        raise FetchError(_("The site redirects too many times."))
    return following


def _absolute(base: str, location: str) -> str:
    with suppress(UnicodeError):  # http.client reads headers as Latin-1
        location = location.encode("latin-1").decode("utf-8")
    try:
        return urljoin(base, location)
    except ValueError:
        return location


@contextmanager
def _answer(
    target: _Target, headers: dict[str, str], deadline: _Deadline, resolver: Resolver, form: bytes | None = None
) -> Iterator[HTTPResponse]:
    """Connect, ask, or post a form, and give the answer with its body unread."""
    connection = _connect(target, deadline, resolver)
    sock = connection.sock
    try:
        with deadline.ending(sock), _plain_errors(deadline):
            connection.timeout = READ_SECONDS
            connection.request(
                "GET" if form is None else "POST",
                target.path,
                body=form,
                headers={"Host": target.host_header, **headers},
                preload_content=False,
                decode_content=False,
            )
            response = connection.getresponse()
            _check_headers(response)
            deadline.check()
            yield response
    finally:
        connection.close()
        sock.close()


@contextmanager
def _plain_errors(deadline: _Deadline) -> Iterator[None]:
    """Turn what http.client, urllib3 and sockets raise into one sentence."""
    try:
        yield
    except TimeoutError:
        raise FetchError(_("The site takes too long to answer.")) from None
    except (HTTPException, HTTPError, OSError, ValueError, zlib.error):
        deadline.check()
        raise FetchError(_("The answer of the site was cut off or cannot be read.")) from None


def _connect(target: _Target, deadline: _Deadline, resolver: Resolver) -> HTTPConnection:
    for address in _addresses(target, resolver)[:MAX_ADDRESSES_TRIED]:
        deadline.check()
        timeout = min(CONNECT_SECONDS, max(deadline.seconds_left, 0.001))
        connection = _connection(target, address, timeout)
        try:
            connection.connect()
        except ssl.SSLCertVerificationError:
            raise FetchError(_("The certificate of the site does not prove who it is.")) from None
        except (HTTPError, OSError):
            connection.close()
        else:
            return connection
    deadline.check()
    raise FetchError(_("The site “%(host)s” does not answer.") % {"host": target.host})


def _connection(target: _Target, address: str, timeout: float) -> HTTPConnection:
    if target.scheme == "http":
        return HTTPConnection(address, target.port, timeout=timeout)
    return HTTPSConnection(
        address,
        target.port,
        timeout=timeout,
        server_hostname=target.host.strip("[]"),
        ssl_context=tls_context(),
    )


def tls_context() -> ssl.SSLContext:
    """Return the rules for certificates: the system's authorities, names checked."""
    context = ssl.create_default_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


def _addresses(target: _Target, resolver: Resolver) -> list[str]:
    """Resolve the host once; raises FetchError unless every answer is public."""
    bare = target.host.strip("[]")
    is_literal = target.host.startswith("[") or bare.rpartition(".")[2].isdecimal()
    try:
        addresses = [bare] if is_literal else resolver(bare, target.port)
    except (OSError, UnicodeError):
        addresses = []
    if not addresses:
        raise FetchError(_("There is no site called “%(host)s”.") % {"host": target.host})
    if not target.is_allowed_by_setting and not all(map(is_public, addresses)):
        raise FetchError(_("“%(host)s” is not a public site.") % {"host": target.host})
    return addresses


def _check_headers(response: HTTPResponse) -> None:
    size = sum(len(name) + len(value) for name, value in response.headers.items())
    if size > MAX_HEADER_BYTES:
        raise FetchError(_("The answer of the site starts with too many headers."))


def _read_answer(
    response: HTTPResponse,
    target: _Target,
    permanent_url: str,
    max_bytes: int,
    deadline: _Deadline,
) -> Fetched:
    not_modified = response.status == 304
    if not not_modified and response.status not in {200, 203}:
        retry_after = response.headers.get("Retry-After")
        sentence = _status_sentence(response.status)
        raise FetchError(sentence, status=response.status, retry_after=retry_after)
    return Fetched(
        url=target.url,
        status=response.status,
        content_type=response.headers.get("Content-Type"),
        etag=response.headers.get("ETag"),
        last_modified=response.headers.get("Last-Modified"),
        body=b"" if not_modified else _read_body(response, max_bytes, deadline),
        not_modified=not_modified,
        permanent_url=permanent_url,
    )


def _status_sentence(status: int) -> str:
    sentences = {
        401: _("The site asks for a password at this address (401)."),
        403: _("The site does not let us read this address (403)."),
        404: _("There is nothing at this address (404)."),
        410: _("What was at this address is gone for good (410)."),
        429: _("The site asks us to come back later (429)."),
    }
    if status >= 500:
        return _("The site has trouble of its own (%(status)s).") % {"status": status}
    unknown = _("The site answers with a status that cannot be used (%(status)s).")
    return sentences.get(status, unknown % {"status": status})


def _read_body(response: HTTPResponse, max_bytes: int, deadline: _Deadline) -> bytes:
    inflate = _inflater(response.headers.get("Content-Encoding", ""))
    body = bytearray()
    received = 0
    while chunk := response.read1(_CHUNK_BYTES, decode_content=False):
        deadline.check()
        received += len(chunk)
        for piece in inflate.feed(chunk, max_bytes):
            body += piece
            _check_size(len(body), max_bytes)
        _check_size(received, max_bytes)
    deadline.check()
    inflate.check_finished()
    return bytes(body)


def _check_size(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        limit = f"{max_bytes / 1024 / 1024:.3g}"
        raise FetchError(_("The file is larger than %(limit)s MB.") % {"limit": limit})


class _Identity:
    """A body that comes as it is."""

    def feed(self, data: bytes, max_bytes: int) -> Iterator[bytes]:
        yield data

    def check_finished(self) -> None:
        pass


class _Inflate:
    """A body packed as gzip or deflate, let out in pieces of a bounded size."""

    def __init__(self) -> None:
        self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._started = False

    def feed(self, data: bytes, max_bytes: int) -> Iterator[bytes]:
        limit = min(max_bytes + 1, _INFLATE_BYTES)
        has_more = bool(data)
        while has_more:
            if self._unpack.eof:  # a gzip file may have several parts
                self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 32)
            piece = self._decompress(data, limit)
            yield piece
            data = self._unpack.unconsumed_tail or self._unpack.unused_data
            has_more = bool(data) or (len(piece) == limit and not self._unpack.eof)

    def check_finished(self) -> None:
        if self._started and not self._unpack.eof:
            raise FetchError(_("The answer of the site was cut off or cannot be read."))

    def _decompress(self, data: bytes, limit: int) -> bytes:
        is_first, self._started = not self._started, True
        try:
            return self._unpack.decompress(data, limit)
        except zlib.error:
            if not is_first:
                raise
        self._unpack = zlib.decompressobj(-zlib.MAX_WBITS)  # deflate without a header
        return self._unpack.decompress(data, limit)


def _inflater(encoding: str) -> _Identity | _Inflate:
    name = encoding.strip().lower()
    if name in {"", "identity"}:
        return _Identity()
    if name in {"gzip", "x-gzip", "deflate"}:
        return _Inflate()
    raise FetchError(_("The site sends a packed file of a kind that we do not read."))


def _shut_down(sock: socket.socket) -> None:
    with suppress(OSError):  # the plain one: SSLSocket's own would end decryption
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
