"""`make demo`: the whole site on this machine, with content, log-ins and its worker.

Keeps everything in ``var/demo``, or in DATA_DIR: a second start takes seconds and keeps
what was edited.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import django
from django.core.management import call_command

BASE_DIR = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
PATIENCE = 60  # seconds for the server to answer
STOPPING = 10  # seconds for a process to end by itself
Process = subprocess.Popen[bytes]


def main() -> int:
    port = read_port(os.environ.get("PORT", "8000"))
    if not is_free(port):
        print(f"Port {port} is taken. Stop what runs there, or choose another: {advice(port)}", file=sys.stderr)
        return 1
    listen_for_signals()
    try:
        data_dir = prepare_environment(port)
        passwords = prepare_content(data_dir)
        return serve(port, passwords)
    except KeyboardInterrupt:
        return 0


def read_port(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:6]) < 65_536):
        sys.exit(f"PORT is a number from 1 to 65535, not “{text}”.")
    return int(text)


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def advice(port: int) -> str:
    return f"make demo PORT={port + 1 if port < 65_535 else 8000}"


def listen_for_signals() -> None:
    """Let Ctrl-C, a kill and a closed terminal all end in ``stop()``.

    SIGINT is set too: a shell that starts this with ``&`` has it ignored.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_args: sys.exit(0))


def prepare_environment(port: int) -> Path:
    """Set what settings read, unless the caller did; returns where everything is kept.

    What a server needs in ``.env`` is set too, since it would keep this machine from
    answering itself; real variables win, so DATABASE_URL may name a PostgreSQL.
    """
    data_dir = Path(os.environ.setdefault("DATA_DIR", str(BASE_DIR / "var" / "demo")))
    data_dir.mkdir(parents=True, exist_ok=True)
    defaults = {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": kept(data_dir / "secret.json", lambda: secrets.token_urlsafe(50)),
        "SITE_URL": f"http://{HOST}:{port}",
        "ALLOWED_HOSTS": f"{HOST},localhost",
        "DATABASE_URL": f"sqlite:///{data_dir.resolve() / 'pullquote.sqlite3'}",
        "SECURE_SSL_REDIRECT": "False",
        "LOG_LEVEL": "ERROR",  # a demo need not tell of each page that is not there
    }
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
    return data_dir


def prepare_content(data_dir: Path) -> dict[str, str]:
    """Bring the database and the static files up to date; returns ``{user name: password}``."""
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_demo")
    return log_ins(data_dir)


def kept(path: Path, make: Callable[[], Any]) -> Any:
    """Return a value from a private file, made at the first start."""
    if not path.exists() or not path.stat().st_size:
        path.touch(mode=0o600)
        path.write_text(json.dumps(make()))
    return json.loads(path.read_text())


def log_ins(data_dir: Path) -> dict[str, str]:
    """Return ``{user name: password}``, with the accounts made if they are missing."""
    from django.contrib.auth.models import Group, User  # needs django.setup()

    made = {name: secrets.token_urlsafe(12) for name in ("publisher", "editor")}
    passwords = kept(data_dir / "log-ins.json", lambda: made)
    for name, password in passwords.items():
        user, is_new = User.objects.get_or_create(username=name, defaults={"is_staff": True})
        if is_new:
            user.set_password(password)
            user.save()
            user.groups.add(Group.objects.get(name=name.title()))
    return passwords


def serve(port: int, passwords: dict[str, str]) -> int:
    """Run server and worker until a signal, or until one of them ends by itself."""
    processes: list[Process] = []
    started_by = os.getppid()
    try:
        for command in commands(port):
            # A session of its own: Ctrl-C reaches this process alone, which stops both.
            processes.append(subprocess.Popen(command, cwd=BASE_DIR, stdout=subprocess.DEVNULL, start_new_session=True))  # noqa: S603 - our own commands
        if not answers(port, processes):
            print("The server did not start; what it said stands above.", file=sys.stderr)
            return 1
        print(welcome(port, passwords), flush=True)
        while all(process.poll() is None for process in processes):
            if "MAKELEVEL" in os.environ and os.getppid() != started_by:
                return 0  # make, or the shell it started, was killed and could not tell
            time.sleep(0.5)
        print("The server or the worker ended by itself; what it said stands above.", file=sys.stderr)
        return 1
    finally:
        stop(processes)


def commands(port: int) -> list[list[str]]:
    server = ["granian", "--interface", "wsgi", "--host", HOST, "--port", str(port), "--log-level", "warning"]
    return [
        [sys.executable, "-m", *server, "config.wsgi:application"],
        [sys.executable, "manage.py", "worker"],
    ]


def answers(port: int, processes: list[Process]) -> bool:
    """Tell whether the server answers in time with a page; no, where a process ends before."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and all(process.poll() is None for process in processes):
        connection = HTTPConnection(HOST, port, timeout=PATIENCE)
        try:
            connection.request("HEAD", "/")
            return connection.getresponse().status < 500
        except (OSError, HTTPException):
            time.sleep(0.1)
        finally:
            connection.close()
    return False


def stop(processes: list[Process]) -> None:
    """End the processes, whatever further signals come meanwhile."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + STOPPING
    for process in processes:
        try:
            process.wait(timeout=max(deadline - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def welcome(port: int, passwords: dict[str, str]) -> str:
    lines = ["", f"  The site       http://{HOST}:{port}/", f"  The newsroom   http://{HOST}:{port}/admin/", ""]
    lines += [f"  {name:<14} password {password}" for name, password in passwords.items()]
    return "\n".join([*lines, "", "  Stop with Ctrl-C; a second start keeps what you edited.", ""])


if __name__ == "__main__":
    sys.exit(main())
