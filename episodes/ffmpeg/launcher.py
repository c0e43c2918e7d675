"""Set limits on this process, then become the program: run as a script, never imported.

``launcher.py PARENT CPU_SECONDS MEMORY_BYTES FILE_BYTES PROGRAM ARGUMENT…``; 0 bytes of memory is no limit.
A function that runs between fork and exec is unsafe where the parent has threads; this is not.
"""

import contextlib
import os
import resource
import signal
import sys

OPEN_FILES = 64
NICE = 10
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main() -> None:
    parent, cpu_seconds, memory_bytes, file_bytes = map(int, sys.argv[1:5])
    die_with(parent)
    os.nice(NICE)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_CPU, cpu_seconds)
    limit(resource.RLIMIT_FSIZE, file_bytes)
    limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    if memory_bytes and sys.platform == "linux":  # elsewhere address space says little
        limit(resource.RLIMIT_AS, memory_bytes)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and what it becomes would too
        signal.signal(number, signal.SIG_DFL)
    os.execv(sys.argv[5], sys.argv[5:])  # noqa: S606 - no shell is the point


def die_with(parent: int) -> None:
    """Let the system end this process when the one that started it dies, where it can (Linux)."""
    if sys.platform == "linux":
        with contextlib.suppress(ImportError, OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit("Whoever started this has died.")


def limit(what: int, most: int) -> None:
    """Set a limit, or keep the lower one that holds already."""
    hard = resource.getrlimit(what)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (value, value))


if __name__ == "__main__":
    main()
