"""`make demo`: the whole site on this machine, with content, log-ins and its worker.

Keeps everything in ``var/demo``: a second start takes seconds and keeps what was edited.
"""

import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import django
from django.core.management import call_command

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = BASE_DIR / "var" / "demo"
HOST = "127.0.0.1"
PATIENCE = 60  # seconds for the server to answer


def main() -> int:
    port = read_port(os.environ.get("PORT", "8000"))
    if not is_free(port):
        print(f"Port {port} is taken. Stop what runs there, or choose another: make demo PORT={port + 1}", file=sys.stderr)
        return 1
    prepare_environment(port)
    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("load_demo")
    return serve(port, log_ins())


def read_port(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) < 65_536:
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


def prepare_environment(port: int) -> None:
    """Set what settings read, unless the caller did; the secret is made once and kept."""
    DATA_DIR.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("DATA_DIR", str(DATA_DIR))
    os.environ.setdefault("SECRET_KEY", kept("secret.json", lambda: secrets.token_urlsafe(50)))
    os.environ.setdefault("SITE_URL", f"http://{HOST}:{port}")
    os.environ.setdefault("LOG_LEVEL", "WARNING")


def kept(name: str, make):
    """Return a value from a private file, made at the first start."""
    path = DATA_DIR / name
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(json.dumps(make()))
    return json.loads(path.read_text())


def log_ins() -> dict[str, str]:
    """Return ``{user name: password}``, with the accounts made if they are missing."""
    from django.contrib.auth.models import Group, User  # noqa: PLC0415 - needs django.setup()

    passwords = kept("log-ins.json", lambda: {name: secrets.token_urlsafe(12) for name in ("publisher", "editor")})
    for name, password in passwords.items():
        user, is_new = User.objects.get_or_create(username=name, defaults={"is_staff": True})
        if is_new:
            user.set_password(password)
            user.save()
            user.groups.add(Group.objects.get(name=name.title()))
    return passwords


def serve(port: int, passwords: dict[str, str]) -> int:
    """Run server and worker until Ctrl-C, or until one of them ends by itself."""
    commands = [
        [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", HOST, "--port", str(port), "--log-level", "warning", "config.wsgi:application"],
        [sys.executable, "manage.py", "worker"],
    ]
    signal.signal(signal.SIGTERM, lambda *_args: sys.exit(0))
    processes = [subprocess.Popen(command, cwd=BASE_DIR, stdout=subprocess.DEVNULL, start_new_session=True) for command in commands]  # noqa: S603 - our own commands
    try:
        if not answers(port, processes):
            print("The server did not start; what it said stands above.", file=sys.stderr)
            return 1
        print(welcome(port, passwords), flush=True)
        while all(process.poll() is None for process in processes):
            time.sleep(0.5)
        print("The server or the worker ended by itself; what it said stands above.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    finally:
        stop(processes)


def answers(port: int, processes: list[subprocess.Popen]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and all(process.poll() is None for process in processes):
        with socket.socket() as probe:
            if probe.connect_ex((HOST, port)) == 0:
                return True
        time.sleep(0.1)
    return False


def stop(processes: list[subprocess.Popen]) -> None:
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()


def welcome(port: int, passwords: dict[str, str]) -> str:
    lines = ["", f"  The site       http://{HOST}:{port}/", f"  The newsroom   http://{HOST}:{port}/admin/", ""]
    lines += [f"  {name:<14} password {password}" for name, password in passwords.items()]
    return "\n".join([*lines, "", "  Stop with Ctrl-C; a second start keeps what you edited.", ""])


if __name__ == "__main__":
    sys.exit(main())
