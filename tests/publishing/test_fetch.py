import contextlib
import gzip
import socket
import ssl
import time
import tracemalloc
import zlib
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import override_settings

from publishing import fetch as fetch_module
from publishing.fetch import FetchError, fetch, is_public
from tests.server import Server, redirect, reply

MB = 1024 * 1024

REFUSED_URLS = [
    *(
        f"http://{host}/"
        for host in (
            *("127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "017700000001"),
            *("0177.0.0.1", "0x7f.0.0.1", "0x7f.1", "127.000.000.001", "0.0.0.0", "0", "00"),  # noqa: S104
            *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254"),
            *("100.64.0.1", "192.0.0.192", "192.88.99.1", "198.18.0.1", "198.51.100.7"),
            *("192.0.2.1", "203.0.113.9", "224.0.0.1", "255.255.255.255", "240.0.0.1"),
            *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]"),
            *("[0:0:0:0:0:ffff:7f00:1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]"),
            *("[2002:7f00:1::]", "[2001:0:1::1]", "[fec0::1]", "[fc00::1]", "[fd00:ec2::254]"),
            *("[fe80::1]", "[fe80::1%25eth0]", "[ff02::1]", "[127.0.0.1]", "[v1.x]", "[::1"),
            *("１２７.０.０.１", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.0.0.1."),
            *("user@example.org", "user:secret@example.org", "example.org@127.0.0.1"),
            *("example.org\\@127.0.0.1", "example.org%00.local", "example.org%2f@x", "-a.org"),
            *("a..org", ".", "exa mple.org", "example.org\t", "a" * 64 + ".org", "xn--" + "é" * 70),
            *("example.org:22", "example.org:25", "example.org:6379", "example.org:0"),
            *("example.org:99999", "example.org:", "example.org:80:80", "example.org:+80"),
        )
    ),
    *("file:///etc/passwd", "ftp://example.org/", "gopher://example.org/", "dict://example.org/"),
    *("data:text/plain,x", "jar:http://example.org!/", "javascript:alert(1)", "//example.org/"),
    *("http:example.org", "http:/example.org", "http:///example.org", "http://", "", "example.org"),
    *(" http://example.org/", "http://example.org/\r\nHost: x", "http://example.org/\x00"),
    *("http\n://example.org/", "http://example.org/" + "a" * 5000),
]

PRIVATE_ADDRESSES = [
    *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254"),  # noqa: S104
    *("172.16.0.1", "192.0.0.1", "192.0.0.192", "192.0.2.1", "192.31.196.1", "192.52.193.1"),
    *("192.88.99.1", "192.168.0.1", "192.175.48.1", "198.18.0.1", "198.19.255.255"),
    *("198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8"),
    *("64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:10::1"),
    *("2001:20::1", "2001:db8::1", "2002:7f00:1::", "3ffe::1", "3fff::1", "5f00::1", "fc00::1"),
    *("fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "2620:4f:8000::1"),
    *("2606:4700::1111%eth0", "not an address", "127.1", ""),
]
PUBLIC_ADDRESSES = [
    *("1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.255.255", "172.32.0.1"),
    *("192.0.1.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888"),
]


def never_resolve(host, port):
    raise AssertionError(f"{host} must be refused before it is looked up")


@pytest.mark.parametrize("url", REFUSED_URLS)
def test_refuses_an_address_before_looking_it_up(url):
    with pytest.raises(FetchError):
        fetch(url, resolver=never_resolve)


def test_the_table_of_spellings_keeps_its_size():
    assert len(set(REFUSED_URLS)) >= 57
    assert len(set(PRIVATE_ADDRESSES)) >= 41


@pytest.mark.parametrize("address", PRIVATE_ADDRESSES)
def test_knows_that_an_address_is_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC_ADDRESSES)
def test_knows_that_an_address_is_public(address):
    assert is_public(address)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "localhost.", "internal.example"])
@pytest.mark.parametrize("answers", [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["8.8.8.8"] * 49 + ["::1"]])
def test_refuses_a_name_when_one_of_its_addresses_is_private(host, answers):
    with pytest.raises(FetchError, match="not a public site"):
        fetch(f"http://{host}/", resolver=lambda host, port: answers)


def test_says_when_there_is_no_such_name():
    def resolve_nothing(host, port):
        raise socket.gaierror("lookup failed on 10.0.0.53")

    with pytest.raises(FetchError) as caught:
        fetch("http://nowhere.example/", resolver=resolve_nothing)

    assert str(caught.value) == "There is no site called “nowhere.example”."


def test_returns_the_body_and_what_is_needed_to_ask_again(server):
    server.answers["/feed?a=1&b=%20"] = reply(
        b"<rss/>", Content_Type="text/xml", ETag='"v1"', Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT"
    )

    fetched = fetch(f"{server.url}/feed?a=1&b=%20#part", accept="application/rss+xml")

    assert fetched.body == b"<rss/>"
    assert fetched.url == f"{server.url}/feed?a=1&b=%20"
    assert (fetched.status, fetched.content_type, fetched.etag) == (200, "text/xml", '"v1"')
    assert fetched.last_modified == "Mon, 01 Jan 2024 00:00:00 GMT"
    assert not fetched.not_modified
    assert "Accept: application/rss+xml\r\n" in server.requests[0]


def test_sends_conditions_and_understands_not_modified(server):
    server.answers["/"] = b"HTTP/1.1 304 Not Modified\r\n\r\n"

    fetched = fetch(f"{server.url}/", etag='"v1"', last_modified="yesterday")

    assert fetched.not_modified
    assert fetched.body == b""
    assert 'If-None-Match: "v1"\r\nIf-Modified-Since: yesterday\r\n' in server.requests[0]


def test_sends_no_condition_that_would_break_the_headers(server):
    server.answers["/"] = reply(b"x")

    fetch(f"{server.url}/", etag="a\r\nX-Injected: 1", last_modified="é")

    assert "Injected" not in server.requests[0]


def test_uses_no_proxy_no_netrc_and_no_cookies(server, monkeypatch, tmp_path):
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login editor password secret\n")
    for name, value in {"HTTP_PROXY": "http://127.0.0.1:1", "HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
        monkeypatch.setenv(name.lower(), value)
    server.answers["/"] = reply(status="302 Found", Location="/b", Set_Cookie="a=b")
    server.answers["/b"] = reply(b"ok")

    fetched = fetch(f"{server.url}/")

    sent = "".join(server.requests)
    assert fetched.body == b"ok"
    assert "Cookie" not in sent
    assert "Authorization" not in sent


def test_resolves_once_per_hop_and_connects_to_the_address_that_was_checked(server, monkeypatch):
    lookups = []
    name = f"feeds.example:{server.port}"

    def rebinding(host, port):
        lookups.append(host)
        return ["127.0.0.1"] if len(lookups) <= 2 else ["127.0.0.2"]

    server.answers["/"] = redirect("/b")
    server.answers["/b"] = reply(b"ok")
    with override_settings(FETCH_ALLOW_HOSTS=[name]):
        fetched = fetch(f"http://{name}/", resolver=rebinding)

    assert fetched.body == b"ok"
    assert lookups == ["feeds.example", "feeds.example"]
    assert f"Host: {name}\r\n" in server.requests[0]


@pytest.mark.parametrize("host", ["127.0.0.2", "sub.127.0.0.1.nip.example", "localhost"])
def test_the_setting_opens_one_host_and_port_only(server, host):
    with pytest.raises(FetchError):
        fetch(f"http://{host}:{server.port}/", resolver=lambda host, port: ["127.0.0.1"])

    assert not server.requests


def test_no_private_host_is_open_without_the_setting(server):
    with override_settings(FETCH_ALLOW_HOSTS=[]), pytest.raises(FetchError):
        fetch(f"{server.url}/")

    assert not server.requests


@pytest.mark.parametrize(
    "location",
    [
        *("http://169.254.169.254/latest/meta-data/", "//127.0.0.1/", "http://[::1]/"),
        *("file:///etc/passwd", "gopher://127.0.0.1/", "javascript:alert(1)", "http://a@b/"),
        *("http://127.0.0.1:22/", "http://2130706433/", "http://[", "/", "http://x\\@127.0.0.1/"),
    ],
)
def test_refuses_a_redirect_that_leads_astray(server, location):
    server.answers["/"] = redirect(location)

    with pytest.raises(FetchError):
        fetch(f"{server.url}/", resolver=never_resolve)

    assert len(server.requests) == 1


def test_refuses_a_redirect_to_nowhere(server):
    server.answers["/"] = reply(status="302 Found")

    with pytest.raises(FetchError, match="without saying where"):
        fetch(f"{server.url}/")


@pytest.mark.parametrize(("hops", "allowed"), [(4, True), (5, True), (6, False)])
def test_follows_five_redirects_and_no_more(server, hops, allowed):
    for hop in range(hops):
        server.answers[f"/{hop}"] = redirect(f"{hop + 1}")
    server.answers[f"/{hops}"] = reply(b"end")

    expected = contextlib.nullcontext() if allowed else pytest.raises(FetchError, match="too many")
    with expected:
        assert fetch(f"{server.url}/0").body == b"end"


def test_notices_a_circle(server):
    server.answers["/a"] = redirect("/b")
    server.answers["/b"] = redirect("/a")

    with pytest.raises(FetchError, match="circle"):
        fetch(f"{server.url}/a")


@pytest.mark.parametrize(
    ("statuses", "permanent"),
    [
        (["301 Moved"], "/1"),
        (["308 Permanent Redirect", "301 Moved"], "/2"),
        (["302 Found"], "/0"),
        (["301 Moved", "302 Found", "301 Moved"], "/1"),
        (["307 Temporary Redirect", "301 Moved"], "/0"),
    ],
)
def test_tells_where_the_address_moved_for_good(server, statuses, permanent):
    for hop, status in enumerate(statuses):
        server.answers[f"/{hop}"] = redirect(f"/{hop + 1}", status)
    server.answers[f"/{len(statuses)}"] = reply(b"x")

    fetched = fetch(f"{server.url}/0")

    assert fetched.permanent_url == f"{server.url}{permanent}"
    assert fetched.url == f"{server.url}/{len(statuses)}"


def test_ignores_refresh_header_and_meta_element(server):
    page = b'<meta http-equiv="refresh" content="0;url=/b">'
    server.answers["/"] = reply(page, Refresh="0; url=/b")

    assert fetch(f"{server.url}/").body == page


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        ("401 Unauthorized", "The site asks for a password at this address (401)."),
        ("403 Forbidden", "The site does not let us read this address (403)."),
        ("404 Not Found", "There is nothing at this address (404)."),
        ("410 Gone", "What was at this address is gone for good (410)."),
        ("418 Teapot", "The site answers with a status that cannot be used (418)."),
        ("206 Partial Content", "The site answers with a status that cannot be used (206)."),
        ("500 Oops", "The site has trouble of its own (500)."),
        ("503 Busy", "The site has trouble of its own (503)."),
    ],
)
def test_names_the_status_in_plain_words(server, status, sentence):
    server.answers["/"] = reply(b"secret trace", status=status, Retry_After="120")

    with pytest.raises(FetchError) as caught:
        fetch(f"{server.url}/")

    assert str(caught.value) == sentence
    assert caught.value.status == int(status[:3])
    assert caught.value.retry_after == "120"


def raw_deflate(data):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("GZIP", lambda data: gzip.compress(data[:5]) + gzip.compress(data[5:])),
        ("deflate", zlib.compress),
        ("deflate", raw_deflate),
        ("identity", bytes),
    ],
)
@pytest.mark.parametrize("size", [0, 11, 3 * MB])
def test_inflates_the_body(server, encoding, pack, size):
    body = (b"<rss>\xc3\xa9</rss>" * (size // 13 + 1))[:size]
    server.answers["/"] = reply(pack(body), Content_Encoding=encoding)

    assert fetch(f"{server.url}/").body == body


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress"])
def test_refuses_packing_that_was_not_offered(server, encoding):
    server.answers["/"] = reply(b"x", Content_Encoding=encoding)

    with pytest.raises(FetchError, match="packed"):
        fetch(f"{server.url}/")

    assert "Accept-Encoding: gzip, deflate\r\n" in server.requests[0]


@pytest.mark.parametrize(
    "body",
    [b"not gzip", gzip.compress(b"x" * 1000)[:-4], gzip.compress(b"x") + b"junk"],
    ids=["no gzip", "cut off", "junk behind"],
)
def test_refuses_a_packed_body_that_is_damaged(server, body):
    server.answers["/"] = reply(body, Content_Encoding="gzip")

    with pytest.raises(FetchError, match="cut off"):
        fetch(f"{server.url}/")


def test_stops_a_gzip_bomb_at_the_cap(server):
    packer = zlib.compressobj(9, wbits=31)
    zeros = bytes(MB)
    bomb = b"".join(packer.compress(zeros) for _ in range(300)) + packer.flush()
    server.answers["/"] = reply(bomb, Content_Encoding="gzip")
    tracemalloc.start()

    with pytest.raises(FetchError, match="larger than 20 MB"):
        fetch(f"{server.url}/")

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * MB


@pytest.mark.parametrize(("size", "allowed"), [(999, True), (1000, True), (1001, False)])
def test_keeps_to_the_size_asked_for(server, size, allowed):
    server.answers["/"] = reply(b"x" * size)

    expected = contextlib.nullcontext() if allowed else pytest.raises(FetchError, match="larger")
    with expected:
        assert len(fetch(f"{server.url}/", max_bytes=1000).body) == size


def test_stops_a_body_without_end(server):
    def pour(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"10000\r\n" + bytes(0x10000) + b"\r\n")

    server.answers["/"] = pour

    with pytest.raises(FetchError, match="larger than 2 MB"):
        fetch(f"{server.url}/", max_bytes=2 * MB)


def drip(head):
    def write(connection):
        connection.sendall(head)
        while True:
            connection.sendall(b"1")
            time.sleep(0.02)

    return write


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\nX-Slow: ",
    ],
)
def test_ends_a_drip_at_the_deadline(server, head):
    server.answers["/"] = drip(head)
    started = time.monotonic()

    with pytest.raises(FetchError, match="too long"):
        fetch(f"{server.url}/", deadline_s=0.4)

    assert time.monotonic() - started < 20  # the server would drip for minutes


def test_ends_a_silent_answer_at_the_deadline(server):
    server.answers["/"] = lambda connection: time.sleep(3)

    with pytest.raises(FetchError, match="too long"):
        fetch(f"{server.url}/", deadline_s=0.3)


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"short", Content_Length=100),
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
        b"HTTP/1.1 200 OK\r\nX-Big: " + b"a" * MB + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Many: 1\r\n" * 10_000 + b"\r\n",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"<rss></rss>",
        b"",
        b"HTTP/1.1 abc\r\n\r\n",
    ],
)
def test_refuses_an_answer_that_is_cut_off_or_no_http(server, answer):
    server.answers["/"] = answer

    with pytest.raises(FetchError, match="cut off or cannot be read"):
        fetch(f"{server.url}/")


def test_refuses_headers_of_more_than_64_kilobytes(server):
    head = "".join(f"X-{n}: {'a' * 1000}\r\n" for n in range(80))
    server.answers["/"] = b"HTTP/1.1 200 OK\r\n" + head.encode() + b"\r\n"

    with pytest.raises(FetchError, match="too many headers"):
        fetch(f"{server.url}/")


def test_says_when_nothing_answers():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{unused.getsockname()[1]}"

        with override_settings(FETCH_ALLOW_HOSTS=[host]), pytest.raises(FetchError) as caught:
            fetch(f"http://{host}/")

    assert str(caught.value) == "The site “127.0.0.1” does not answer."


def make_certificate(tmp_path, name):
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


@pytest.fixture
def tls_server(tmp_path, monkeypatch):
    """A server with a certificate for feeds.example, which the client trusts."""
    path = make_certificate(tmp_path, "feeds.example")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    server = Server(tls=context)
    server.names = []
    context.sni_callback = lambda sock, name, context: server.names.append(name)
    trusting = ssl.create_default_context(cafile=path)
    monkeypatch.setattr(fetch_module, "tls_context", lambda: trusting)
    hosts = [f"{host}:{server.port}" for host in ("feeds.example", "other.example", "127.0.0.1")]
    with override_settings(FETCH_ALLOW_HOSTS=hosts):
        yield server
    server.close()


def to_loopback(host, port):
    return ["127.0.0.1"]


def test_names_the_host_in_tls_though_it_connects_by_address(tls_server):
    tls_server.answers["/"] = reply(b"secure")

    fetched = fetch(f"https://feeds.example:{tls_server.port}/", resolver=to_loopback)

    assert fetched.body == b"secure"
    assert tls_server.names == ["feeds.example"]


@pytest.mark.parametrize("host", ["other.example", "127.0.0.1"])
def test_refuses_a_certificate_of_another_host(tls_server, host):
    with pytest.raises(FetchError, match="certificate"):
        fetch(f"https://{host}:{tls_server.port}/", resolver=to_loopback)

    assert not tls_server.requests


def test_refuses_a_certificate_that_nobody_vouches_for(tls_server, monkeypatch):
    monkeypatch.setattr(fetch_module, "tls_context", ssl.create_default_context)

    with pytest.raises(FetchError, match="certificate"):
        fetch(f"https://feeds.example:{tls_server.port}/", resolver=to_loopback)


def test_refuses_to_leave_the_secure_connection(tls_server):
    tls_server.answers["/"] = redirect("http://feeds.example/")

    with pytest.raises(FetchError, match="insecure"):
        fetch(f"https://feeds.example:{tls_server.port}/", resolver=to_loopback)
