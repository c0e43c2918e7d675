"""Programs that hang, stand still, are killed, write too much: small scripts in the place of ffmpeg."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from episodes.ffmpeg import FfmpegFailed, Limits, Reason, run
from episodes.ffmpeg.failures import reason_of
from episodes.ffmpeg.running import KEPT_MESSAGES, MOST_MESSAGES

QUICK = Limits(wall_seconds=20, stall_seconds=20, cpu_seconds=20)
WORKER = """
import os, sys
from pathlib import Path
import django
django.setup()
from episodes.ffmpeg import Limits, run
run(["/bin/sh", "-c", "echo $$ > pid; exec sleep 60"], folder=Path(sys.argv[1]), limits=Limits())
"""


def script(folder, text):
    path = folder / "program"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return [str(path)]


def alive(folder, name="pid"):
    """Return whether the process that wrote its number still works."""
    pid = int((folder / name).read_text())
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(true, seconds=10):
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.05)
    return true()


def test_the_answer_and_the_messages_come_back(tmp_path):
    ran = run(script(tmp_path, "echo out; echo err >&2"), folder=tmp_path, limits=QUICK)

    assert (ran.code, ran.answer, ran.messages) == (0, b"out\n", "err\n")


def test_it_runs_alone_in_the_folder_with_little_to_know(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "hidden")
    told = "pwd; env; ps -o ni=,pgid=,pid= -p $$; ulimit -c; ulimit -n; ulimit -v; cat"

    lines = run(script(tmp_path, told), folder=tmp_path, limits=QUICK).answer.decode().splitlines()

    assert lines[0] == str(tmp_path)
    assert not any("hidden" in line for line in lines)
    nice, group, pid = lines[-4].split()
    assert (int(nice), group) == (10 + os.nice(0), pid)
    assert lines[-3:] == ["0", "64", str(2 * 1024**2)]


def test_progress_is_told_as_percent_that_only_rises(tmp_path):
    text = "for us in N/A -9 0 1000000 500000 1000000 9000000; do echo out_time_us=$us; done; echo progress=end"
    told = []

    ran = run(script(tmp_path, text), folder=tmp_path, limits=QUICK, progress=told.append, length_ms=4000)

    assert told == [0, 25, 99]
    assert ran.reached_us == 9_000_000


def test_what_the_callback_raises_ends_the_run(tmp_path):
    class TakenOver(Exception):
        pass

    def tell(percent):
        raise TakenOver

    text = "echo $$ > pid; echo out_time_us=1; exec sleep 60"

    with pytest.raises(TakenOver):
        run(script(tmp_path, text), folder=tmp_path, limits=QUICK, progress=tell, length_ms=1000)

    assert not alive(tmp_path)


@pytest.mark.parametrize(
    ("text", "limits", "reason"),
    [
        ("exec sleep 60", replace(QUICK, wall_seconds=0.5), Reason.TIMEOUT),
        ("exec >&-; exec sleep 60", replace(QUICK, wall_seconds=0.5), Reason.TIMEOUT),
        ("while :; do echo out_time_us=7; sleep 0.1; done", replace(QUICK, stall_seconds=0.8), Reason.STALLED),
        ("while :; do :; done", replace(QUICK, cpu_seconds=1), Reason.KILLED),
        ("kill -9 $$", QUICK, Reason.KILLED),
        ("exec head -c 9000000 /dev/zero > full", replace(QUICK, file_bytes=100_000), Reason.NO_SPACE),
        ("echo 'x.mp4: No space left on device' >&2; exit 1", QUICK, Reason.NO_SPACE),
        ("echo 'x.mp4: Invalid data found when processing input' >&2; exit 1", QUICK, Reason.REFUSED),
        ("echo 'Cannot allocate memory' >&2; exit 1", QUICK, Reason.KILLED),
        ("exit 3", QUICK, Reason.FAILED),
    ],
)
def test_it_fails_with_a_reason_and_is_gone(tmp_path, text, limits, reason):
    with pytest.raises(FfmpegFailed) as failed:
        run(script(tmp_path, f"echo $$ > pid; {text}"), folder=tmp_path, limits=limits, progress=print, length_ms=1000)

    assert failed.value.reason is reason
    assert not alive(tmp_path)
    assert str(failed.value).endswith(".")
    assert str(tmp_path) not in str(failed.value)


def test_a_program_may_not_fork_out_of_its_limits(tmp_path):
    with pytest.raises(FfmpegFailed):
        run(
            script(tmp_path, "sleep 60 & echo $! > pid; exec sleep 60"),
            folder=tmp_path,
            limits=replace(QUICK, wall_seconds=1),
        )

    assert wait_until(lambda: not alive(tmp_path))


def test_a_child_left_behind_is_killed_and_not_waited_for(tmp_path):
    begun = time.monotonic()

    run(script(tmp_path, "sleep 60 & echo $! > pid"), folder=tmp_path, limits=QUICK)

    assert wait_until(lambda: not alive(tmp_path))
    assert time.monotonic() - begun < 15


def test_a_flood_of_messages_neither_blocks_nor_fills_the_disk(tmp_path):
    text = f"head -c {3 * MOST_MESSAGES} /dev/zero >&2; sleep 0.6; echo last words >&2"

    ran = run(script(tmp_path, text), folder=tmp_path, limits=QUICK)

    assert ran.messages.endswith("last words\n")
    assert len(ran.messages) <= KEPT_MESSAGES


def test_an_endless_answer_is_refused(tmp_path):
    with pytest.raises(FfmpegFailed) as failed:
        run(script(tmp_path, "exec cat /dev/zero"), folder=tmp_path, limits=QUICK)

    assert failed.value.reason is Reason.REFUSED


def test_memory_is_limited(tmp_path):
    hungry = [sys.executable, "-c", "x = bytearray(300_000_000); print(len(x))"]
    limits = replace(QUICK, memory_bytes=250_000_000)

    with pytest.raises(FfmpegFailed):
        run(hungry, folder=tmp_path, limits=limits)


def test_it_dies_with_the_worker(tmp_path):
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    worker = subprocess.Popen([sys.executable, "-c", WORKER, str(tmp_path)], env=environment)  # noqa: S603
    assert wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip(), seconds=30)

    worker.send_signal(signal.SIGKILL)
    worker.wait()

    assert wait_until(lambda: not alive(tmp_path), seconds=2)


def test_a_full_device_is_told_from_what_ffmpeg_says(programs, tmp_path):
    sound = ["-f", "lavfi", "-i", "sine=duration=9", "-f", "wav", "/dev/full"]

    with pytest.raises(FfmpegFailed) as failed:
        run([programs.ffmpeg, "-v", "error", "-y", *sound], folder=tmp_path, limits=QUICK)

    assert failed.value.reason is Reason.NO_SPACE
    assert failed.value.may_work_later


@pytest.mark.parametrize(("code", "reason"), [(-signal.SIGXFSZ, Reason.NO_SPACE), (-signal.SIGXCPU, Reason.TIMEOUT)])
def test_a_signal_tells_which_limit_it_was(code, reason):
    assert reason_of(code, "") is reason
