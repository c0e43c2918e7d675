import argparse
import sys
from datetime import date
from pathlib import Path

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from episodes.models import Episode
from episodes.transcripts.jobs import line_of
from episodes.transcripts.parsed import UnreadableTranscript
from episodes.transcripts.readers.door import FORMATS
from episodes.transcripts.resting import resting_on
from episodes.transcripts.service import About, Added, add_transcript
from episodes.transcripts.told import sentence
from episodes.transcripts.which_episode import NoEpisode, find_episode

MOST_LINES = 40  # messages on the screen; --verbosity 2 shows all


class Command(BaseCommand):
    help = "Bring in the transcript of an episode. Safe to run again: the same words are nothing new."

    def add_arguments(self, parser):
        parser.add_argument(
            "episode", metavar="EPISODE", help="Its number, short id, public path, or show-slug/episode-slug."
        )
        parser.add_argument("file", metavar="FILE", help="A file, or - for what comes in.")
        parser.add_argument("--language", default="", metavar="CODE", help="Such as de; else as the file says.")
        parser.add_argument("--format", default="", metavar="NAME", help=f"One of {', '.join(FORMATS)}.")
        parser.add_argument("--engine", default="", metavar="TEXT", help="The program or the people who made it.")
        parser.add_argument("--made-on", type=_day, metavar="YYYY-MM-DD")
        parser.add_argument(
            "--automated",
            action=argparse.BooleanOptionalAction,
            default=None,
            help="Made by a machine, or not; else as the file says.",
        )
        parser.add_argument("--not-automated", action="store_false", dest="automated", help=argparse.SUPPRESS)
        parser.add_argument("--as-draft", action="store_true", help="Let it wait until somebody makes it hold.")

    def handle(self, *, episode: str, file: str, as_draft: bool, **options):
        data = self._read(file)
        about = About(
            language=options["language"],
            format=options["format"],
            filename="" if file == "-" else Path(file).name,
            engine=options["engine"],
            made_on=options["made_on"],
            is_automated=options["automated"],
        )
        try:
            found = find_episode(episode)
            added = add_transcript(found, data, about, actor=None, make_it_current=not as_draft)
        except NoEpisode as unknown:
            raise CommandError(str(unknown)) from unknown
        except UnreadableTranscript as unreadable:
            raise CommandError(f"{file}: {unreadable}") from unreadable
        except ValidationError as refused:
            raise CommandError(f"{file}: {' '.join(refused.messages)}") from refused
        self._tell(found, added, everything=options["verbosity"] > 1)

    def _read(self, file: str) -> bytes:
        if file == "-":
            return sys.stdin.buffer.read()
        try:
            return Path(file).read_bytes()
        except OSError as unread:
            raise CommandError(f"{file} cannot be opened: {unread.strerror}.") from unread

    def _tell(self, episode: Episode, added: Added, *, everything: bool) -> None:
        kept = added.transcript
        speakers = ", ".join(row["label"] for row in kept.speakers) or "none named"
        said = "" if added.is_new else " Nothing new: the same words are here already."
        self.stdout.write(f"“{episode.item}”, transcript {kept.number} ({kept.format}, {kept.language}).{said}")
        self.stdout.write(f"  {kept.word_count} words in {kept.cue_count} parts; speakers: {speakers}")
        if kept.unsure:
            self.stdout.write(f"  not sure who is who: {', '.join(kept.unsure)}")
        shown = added.messages if everything else added.messages[:MOST_LINES]
        for message in shown:
            self.stdout.write(f"  {line_of(message)}")
        if len(shown) < len(added.messages):
            self.stdout.write(f"  … and {len(added.messages) - len(shown)} more; --verbosity 2 shows them")
        if not added.is_current:
            self.stdout.write("  It waits: make it hold on the episode's page of transcripts.")
            return
        rests = resting_on(kept)
        self.stdout.write(f"  It holds. {sentence(rests) or 'No quote rests on it.'}")
        for one in rests:
            if not one.holds:
                self.stdout.write(f"    “{one.title}”: {one.finding}")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"“{text}” is not a day such as 2026-05-14.") from None
