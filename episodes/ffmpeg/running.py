"""Run one program under limits, in a group of its own, and follow how far it is.

Never a shell. stdin is closed; stderr goes to a file, since a pipe that nobody reads stops the
program at 64 kB; stdout is read here: progress, or an answer of bounded length. Whatever ends
the run, ours or the program's, the whole group is dead when ``run`` returns.
"""

import fcntl
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from .failures import FfmpegFailed, Reason

MOST_MESSAGES = 1024 * 1024  # bytes of stderr, then it starts anew
KEPT_MESSAGES = 8 * 1024  # bytes at their end that are read
MEMORY_BYTES = 2 * 1024**3  # of address space; 4K takes 1.5 GiB of it with ffmpeg 9
TICK_SECONDS = 0.25
NO_ANSWER = 64 * 1024  # bytes of stdout where only progress is expected
_LAUNCHER = Path(__file__).with_name("launcher.py")

Progress = Callable[[int], object]  # percent, 0 to 99


@dataclass(frozen=True)
class Limits:
    """What a run may use: seconds of time, of standing still and of CPU, bytes of memory and of each file."""

    wall_seconds: float = 60
    stall_seconds: float = 20
    cpu_seconds: int = 60
    file_bytes: int = 16 * 1024**2
    memory_bytes: int = MEMORY_BYTES


@dataclass(frozen=True)
class Ran:
    """A program that ended: its code, answer and last messages, CPU seconds, and how far the output came."""

    code: int
    answer: bytes
    messages: str
    cpu_seconds: float
    reached_us: int | None  # microseconds of output time, where it told any


def run(
    command: Sequence[str],
    *,
    folder: Path,
    limits: Limits,
    progress: Progress | None = None,
    length_ms: int = 0,
    most_answer: int = NO_ANSWER,
    check: bool = True,
) -> Ran:
    """Run a program in a folder to its end and return what came of it.

    ``progress`` is called with percent of ``length_ms``, at most once for each; what it raises
    ends the run. Raises FfmpegFailed on a limit, a kill, and with ``check`` on any code but 0.
    """
    with tempfile.TemporaryFile(dir=folder, mode="w+b") as messages:
        running = _Running(command, folder, limits, messages)
        follow = _Follow(progress, length_ms, most_answer)
        try:
            running.wait(follow)
        finally:
            running.end()
        ran = Ran(running.code, bytes(follow.answer), running.last_messages(), running.cpu_seconds, follow.reached_us)
    if check and ran.code != 0:
        raise FfmpegFailed.of(ran.code, ran.messages)
    return ran


def environment(folder: Path) -> dict[str, str]:
    """Return the little that a program is told of where it runs."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "FONTCONFIG_FILE") if name in os.environ}
    # Each arena of glibc takes 64 MB of address space, and a machine with many cores would fill the limit.
    return {"PATH": os.defpath, "HOME": str(folder), "TMPDIR": str(folder), "LANG": "C.UTF-8"} | {
        "MALLOC_ARENA_MAX": "4",
        **kept,
    }


@dataclass
class _Follow:
    """What comes out of a running program: its progress, or its answer."""

    progress: Progress | None
    length_ms: int
    most_answer: int
    answer: bytearray = field(default_factory=bytearray)
    reached_us: int | None = None
    moved_at: float = field(default_factory=time.monotonic)
    _told: int = -1
    _rest: bytes = b""

    def take(self, chunk: bytes) -> None:
        """Read what the program wrote. Raises FfmpegFailed where it says more than it may."""
        if self.length_ms or self.progress:
            *lines, self._rest = (self._rest[-200:] + chunk).split(b"\n")
            for line in lines:
                self._read(line)
            return
        self.moved_at = time.monotonic()
        self.answer += chunk
        if len(self.answer) > self.most_answer:
            raise FfmpegFailed(Reason.REFUSED, f"more than {self.most_answer} bytes of answer")

    def _read(self, line: bytes) -> None:
        name, _, value = line.partition(b"=")
        if name.strip() != b"out_time_us" or not value.strip().isdigit():  # it may be N/A, or below 0
            return
        reached = int(value)
        if self.reached_us is None or reached > self.reached_us:
            self.reached_us, self.moved_at = reached, time.monotonic()
        percent = min(99, reached // (10 * self.length_ms)) if self.length_ms else 0
        if self.progress and percent > self._told:
            self._told = percent
            self.progress(percent)


class _Running:
    """One program and its group, from start to burial."""

    def __init__(self, command: Sequence[str], folder: Path, limits: Limits, messages: IO[bytes]) -> None:
        self.limits, self.messages = limits, messages
        fcntl.fcntl(messages, fcntl.F_SETFL, os.O_APPEND)  # so that a cut file is written from its start
        self.started_at = time.monotonic()
        self.code, self.cpu_seconds, self.has_ended = 0, 0.0, False
        asked = (os.getpid(), limits.cpu_seconds, limits.memory_bytes, limits.file_bytes)
        self.process = subprocess.Popen(  # noqa: S603 - a list, and no shell
            [sys.executable, "-I", "-S", str(_LAUNCHER), *map(str, asked), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=messages,
            cwd=folder,
            env=environment(folder),
            start_new_session=True,
            bufsize=0,
        )

    def wait(self, follow: _Follow) -> None:
        """Read until the program has ended. Raises FfmpegFailed on a limit."""
        stdout = self.process.stdout
        assert stdout is not None  # noqa: S101 - it is a pipe
        with selectors.DefaultSelector() as ready:
            ready.register(stdout, selectors.EVENT_READ)
            while ready.get_map():
                for _key, _events in ready.select(TICK_SECONDS):
                    chunk = os.read(stdout.fileno(), 64 * 1024)
                    follow.take(chunk) if chunk else ready.unregister(stdout)
                self._check(follow)
                if self._reap():  # a child that it left behind may hold the pipe open
                    break
            for chunk in self._left(ready):
                follow.take(chunk)
        while not self._reap():
            self._check(follow)
            time.sleep(TICK_SECONDS / 10)

    def _left(self, ready: selectors.BaseSelector):
        """Yield what is still in the pipe of a program that has ended."""
        while ready.get_map() and ready.select(0):
            chunk = os.read(self.process.stdout.fileno(), 64 * 1024)  # type: ignore[union-attr]
            if not chunk:
                return
            yield chunk

    def _check(self, follow: _Follow) -> None:
        now = time.monotonic()
        if now - self.started_at > self.limits.wall_seconds:
            raise FfmpegFailed(Reason.TIMEOUT, f"{self.limits.wall_seconds} s; {self.last_messages()}")
        if now - follow.moved_at > self.limits.stall_seconds:
            raise FfmpegFailed(Reason.STALLED, f"{self.limits.stall_seconds} s; {self.last_messages()}")
        if os.fstat(self.messages.fileno()).st_size > MOST_MESSAGES:
            os.ftruncate(self.messages.fileno(), 0)

    def _reap(self) -> bool:
        """Return whether the program has ended; takes its code and CPU time then."""
        if self.has_ended:
            return True
        pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if pid:
            self._buried(status, usage.ru_utime + usage.ru_stime)
        return self.has_ended

    def _buried(self, status: int, cpu_seconds: float) -> None:
        self.code = self.process.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_seconds, self.has_ended = cpu_seconds, True

    def end(self) -> None:
        """Kill the group, and whoever the program left behind in it."""
        with suppress(ProcessLookupError, PermissionError):  # macOS answers the second for a dead group
            os.killpg(self.process.pid, signal.SIGKILL)
        if not self.has_ended:
            _pid, status, usage = os.wait4(self.process.pid, 0)
            self._buried(status, usage.ru_utime + usage.ru_stime)
        if self.process.stdout:
            self.process.stdout.close()

    def last_messages(self) -> str:
        size = os.fstat(self.messages.fileno()).st_size
        return os.pread(self.messages.fileno(), KEPT_MESSAGES, max(0, size - KEPT_MESSAGES)).decode(errors="replace")
