"""Run a piece of code in a process of its own and tell by how much its memory grew at the most."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

STATUS = Path("/proc/self/status")
needs_proc = pytest.mark.skipif(not STATUS.exists(), reason="Only Linux tells how much memory a process took.")
START = """
import json, sys
import django
django.setup()

def peak():
    told = open("/proc/self/status").read()
    return int(told.partition("VmHWM:")[2].split()[0]) * 1024
"""


def run_alone(code: str, *arguments: object) -> dict:
    """Run code that prints JSON, last; it may call ``peak()`` for the bytes that it took at the most so far."""
    command = [sys.executable, "-c", START + code, *map(str, arguments)]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])
