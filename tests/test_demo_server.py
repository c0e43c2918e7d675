"""`make demo`, started as people start it: in a process of its own, on a free port."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

BASE_DIR = Path(__file__).resolve().parent.parent
PATIENCE = 60  # seconds; the machine may be busy
OURS = {"DATABASE_URL", "CACHE_URL", "SECRET_KEY", "DJANGO_SETTINGS_MODULE", "MAKELEVEL", "SITE_URL", "ALLOWED_HOSTS"}


def start_demo(data_dir: Path, port: int | str) -> subprocess.Popen:
    """Start the demo with none of the variables that tests set for themselves."""
    environment = {name: value for name, value in os.environ.items() if name not in OURS}
    return subprocess.Popen(
        [sys.executable, "-m", "config.demo"],
        cwd=BASE_DIR,
        env=environment | {"DATA_DIR": str(data_dir), "PORT": str(port)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def read_welcome(demo: subprocess.Popen) -> str:
    """Return what the demo says until it tells how to stop it, or all of it where it ends before."""
    said = ""
    for line in demo.stdout:
        said += line
        if "Ctrl-C" in line:
            break
    return said


def get(port: int, path: str) -> tuple[int, str]:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def descendants(pid: int) -> set[int]:
    children = {int(text) for path in Path(f"/proc/{pid}/task").glob("*/children") for text in path.read_text().split()}
    return children.union(*(descendants(child) for child in children))


def still_alive(pids: set[int]) -> set[int]:
    """Return which processes are left after a while; it ends as soon as there are none."""
    deadline = time.monotonic() + PATIENCE
    while pids and time.monotonic() < deadline:
        pids = {pid for pid in pids if Path(f"/proc/{pid}").exists()}
        time.sleep(0.05)
    return pids


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="looks for processes in /proc")
def test_serves_and_stops_with_both_processes(tmp_path):
    port = free_port()
    demo = start_demo(tmp_path, port)
    try:
        said = read_welcome(demo)
        status, page = get(port, "/")
        css_status, css = get(port, re.search(r'href="(/static/[^"]+\.css)"', page)[1])
        pids = descendants(demo.pid)
        started = {word for pid in pids for word in Path(f"/proc/{pid}/cmdline").read_text().split("\0")}
    finally:
        demo.send_signal(signal.SIGINT)
        code = demo.wait(timeout=PATIENCE)

    assert f"http://127.0.0.1:{port}/admin/" in said
    assert re.search(r"publisher +password \S{12,}", said)
    assert (status, "The Long Signal" in page) == (200, True)
    assert (css_status, "{" in css) == (200, True)
    assert {"granian", "worker"} <= started
    assert still_alive(pids) == set()
    assert (code, demo.stderr.read()) == (0, "")


def test_says_that_a_port_is_taken(tmp_path):
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        demo = start_demo(tmp_path, port)
        said, complaint = demo.communicate(timeout=PATIENCE)

    assert (demo.returncode, said) == (1, "")
    assert complaint.startswith(f"Port {port} is taken.")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("port", ["", "abc", "0", "65536", "-1", "80.5", "²"])
def test_refuses_what_is_no_port(tmp_path, port):
    demo = start_demo(tmp_path, port)

    said, complaint = demo.communicate(timeout=PATIENCE)

    assert (demo.returncode, said) == (1, "")
    assert complaint == f"PORT is a number from 1 to 65535, not “{port}”.\n"
