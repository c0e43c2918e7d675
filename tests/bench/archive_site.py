"""How long an archive of many episodes takes, and how much memory: from one database into another and out again.

    .venv/bin/python tests/bench/archive_site.py sqlite:////tmp/one.sqlite3 postgres://postgres@127.0.0.1/two \\
        --episodes 10000 --transcripts 2000

Both databases must be empty. Prints the seconds and the peak memory of each command and
ends with 1 unless the two archives are the same bytes.
"""

import argparse
import filecmp
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORDS = 12_000  # of a transcript, some 80 minutes
FILL = """
import random
from episodes.models import Episode, Transcript, TranscriptBody
from episodes.transcripts.body import Body, pack
from episodes.transcripts.parsed import Cue, Word
rng = random.Random(1)
many = ["".join(rng.choices("abcdefghijklmnoprstuvw", k=rng.randint(2, 9))) for _number in range(8000)]
for number, pk in enumerate(Episode.objects.order_by("pk").values_list("pk", flat=True)[:COUNT], start=1):
    said = rng.choices(many, k=WORDS)
    cues = tuple(Cue(n * 400, n * 400 + 3900, "Ada", " ".join(said[n : n + 10])) for n in range(0, WORDS, 10))
    words = tuple(Word(text, n * 400, n * 400 + 380, "Ada", 0.97, False, n // 10) for n, text in enumerate(said))
    body = TranscriptBody.objects.create(data=pack(Body(cues, words, tuple((f"t{cue.start_ms}",) for cue in cues))))
    facts = dict(number=1, language="en", format="vtt", word_count=WORDS, cue_count=len(cues), words_hash="")
    Transcript.objects.create(episode_id=pk, body=body, **facts)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("one", metavar="DATABASE_URL")
    parser.add_argument("other", metavar="DATABASE_URL")
    parser.add_argument("--episodes", default="10000")
    parser.add_argument("--transcripts", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="Where archives are kept; else they are deleted.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="pullquote-bench-") as scratch:
        folder = asked.folder or Path(scratch)
        manage(asked.one, scratch, "migrate", "-v0")
        manage(asked.one, scratch, "make_dataset", "--episodes", asked.episodes)
        if asked.transcripts:
            manage(asked.one, scratch, "shell", "-v0", "-c", f"COUNT, WORDS = {asked.transcripts}, {WORDS}{FILL}")
        manage(asked.other, scratch, "migrate", "-v0")
        first, second = folder / "one.zip", folder / "other.zip"
        manage(asked.one, scratch, "export_site", str(first))
        manage(asked.other, scratch, "import_site", str(first))
        manage(asked.other, scratch, "export_site", str(second))
        is_same = filecmp.cmp(first, second, shallow=False)
        print(f"{first.stat().st_size / 1e6:.1f} MB; the archives are {'the same' if is_same else 'NOT THE SAME'}.")
        return 0 if is_same else 1


def manage(database: str, data_dir: str, *arguments: str) -> None:
    """Run a command on a database; print its seconds and the most memory it held."""
    settings = {"SECRET_KEY": "bench", "LOG_LEVEL": "ERROR", "DATA_DIR": data_dir, "DATABASE_URL": database}
    command = [sys.executable, "manage.py", *arguments]
    start = time.monotonic()
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | settings)  # noqa: S603 - our own commands
    _pid, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{arguments[0]} failed.")
    kind, seconds = database.partition(":")[0], time.monotonic() - start
    print(f"{arguments[0]:<12} {kind:<9} {seconds:7.1f} s {used.ru_maxrss / 1024:7.0f} MB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
