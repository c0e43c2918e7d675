from pathlib import Path

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _, ngettext

from publishing.archive.exporting import Exported, ExportOptions, export_site
from publishing.archive.refusals import ArchiveRefused


class Command(BaseCommand):
    help = "Write the whole publication into a folder or zip file that import_site reads: docs/archive-format.md."

    def add_arguments(self, parser):
        parser.add_argument("target", metavar="FOLDER_OR_FILE.zip", help="What is not there yet.")
        parser.add_argument("--with-emails", action="store_true", help="Put people's e-mail addresses in, too.")
        parser.add_argument("--without-files", action="store_true", help="Leave pictures, sound and video out.")
        parser.add_argument("--skip-missing-files", action="store_true", help="Go on where a file is gone.")

    def handle(self, *, target: str, verbosity: int, **options):
        asked = ExportOptions(
            with_emails=options["with_emails"],
            with_files=not options["without_files"],
            skip_missing=options["skip_missing_files"],
        )
        tell = self.stdout.write if verbosity > 1 else lambda line: None
        try:
            exported = export_site(Path(target), asked, tell)
        except ArchiveRefused as refused:
            raise CommandError(_("%(why)s\nNothing was exported.") % {"why": refused}) from refused
        except DatabaseError as refused:
            message = _("The database refuses: %(why)s\nIs it migrated? Nothing was exported.")
            raise CommandError(message % {"why": refused}) from refused
        except OSError as failed:
            message = _("%(path)s: %(why)s.\nNothing was exported.")
            why = {"path": failed.filename or target, "why": failed.strerror or failed}
            raise CommandError(message % why) from failed
        if verbosity:
            self._tell(target, exported)

    def _tell(self, target: str, exported: Exported) -> None:
        self.stdout.write(
            _("Wrote %(target)s: %(holds)s (%(size)s).")
            % {
                "target": target,
                "holds": exported.manifest.in_words(),
                "size": filesizeformat(exported.file_bytes),
            }
        )
        left_out = len(exported.manifest.files_left_out)
        if left_out:
            message = ngettext(
                "%(count)s file that a row names is left out. Carry it over yourself.",
                "%(count)s files that rows name are left out. Carry them over yourself.",
                left_out,
            )
            self.stdout.write(message % {"count": f"{left_out:,}"})
        if exported.waiting:
            message = ngettext(
                "%(count)s job waits or runs; it is not in it. Let the worker finish, then export again to have its work.",
                "%(count)s jobs wait or run; they are not in it. Let the worker finish, then export again to have their work.",
                exported.waiting,
            )
            self.stdout.write(message % {"count": f"{exported.waiting:,}"})
