"""A real HTTP server on loopback, for what is fetched."""

import contextlib
import re
import socket
import threading


def reply(body=b"", status="200 OK", **headers):
    lines = [f"HTTP/1.1 {status}", *(f"{k.replace('_', '-')}: {v}" for k, v in headers.items())]
    if "Content_Length" not in headers:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def redirect(location, status="302 Found"):
    return reply(status=status, Location=location)


def _body_length(request: bytes) -> int:
    found = re.search(rb"^content-length: *(\d+)", request, re.IGNORECASE | re.MULTILINE)
    return int(found[1]) if found else 0


class Server:
    """A real server on loopback; ``answers`` maps a path to bytes or to a writer."""

    def __init__(self, tls=None):
        self.answers = {}
        self.requests = []
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.url = f"http://{self.host}"
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._listener.close()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _address = self._listener.accept()
                threading.Thread(target=self._answer, args=[connection], daemon=True).start()

    def _answer(self, connection):
        with contextlib.suppress(OSError), connection:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
            request = b""
            while b"\r\n\r\n" not in request:
                request += connection.recv(65536)
            while len(request.partition(b"\r\n\r\n")[2]) < _body_length(request):
                request += connection.recv(65536)
            self.requests.append(request.decode())
            answer = self.answers.get(request.split()[1].decode(), reply(status="404 Not Found"))
            answer(connection) if callable(answer) else connection.sendall(answer)
