from pathlib import Path

from django.core.cache import cache
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _, ngettext

from publishing.archive.importing import import_site
from publishing.archive.manifest import Manifest
from publishing.archive.refusals import ArchiveRefused


class Command(BaseCommand):
    help = "Fill an empty site from an archive that export_site wrote."

    def add_arguments(self, parser):
        parser.add_argument("source", metavar="FOLDER_OR_FILE.zip")
        parser.add_argument("--dry-run", action="store_true", help="Look at the whole archive, and do nothing.")

    def handle(self, *, source: str, dry_run: bool, verbosity: int, **options):
        tell = self.stdout.write if verbosity > 1 else lambda line: None
        try:
            manifest = import_site(Path(source), tell, dry_run=dry_run)
        except ArchiveRefused as refused:
            message = _("%(source)s: %(why)s\nNothing was imported.")
            raise CommandError(message % {"source": source, "why": refused}) from refused
        except DatabaseError as refused:
            message = _("The database refuses: %(why)s\nIs it migrated? Nothing was imported.")
            raise CommandError(message % {"why": refused}) from refused
        except OSError as failed:
            message = _("%(path)s: %(why)s.\nNothing was imported.")
            why = {"path": failed.filename or source, "why": failed.strerror or failed}
            raise CommandError(message % why) from failed
        if not dry_run:
            cache.clear()  # of what was kept while the site was empty
        if verbosity:
            self._tell(source, manifest, dry_run=dry_run)

    def _tell(self, source: str, manifest: Manifest, *, dry_run: bool) -> None:
        numbers = {"source": source, "holds": manifest.in_words()}
        if dry_run:
            self.stdout.write(_("%(source)s: %(holds)s. All of it can be read. Nothing was imported.") % numbers)
            return
        self.stdout.write(_("%(source)s: %(holds)s. All of it is here now.") % numbers)
        left_out = len(manifest.files_left_out)
        if left_out:
            message = ngettext(
                "%(count)s file was left out of the archive. Put it into the folder of media yourself.",
                "%(count)s files were left out of the archive. Put them into the folder of media yourself.",
                left_out,
            )
            self.stdout.write(message % {"count": f"{left_out:,}"})
        people = manifest.tables["auth.User"].rows
        if people:
            message = ngettext(
                "%(count)s account has no password that anybody knows: manage.py changepassword gives one.",
                "%(count)s accounts have no password that anybody knows: manage.py changepassword gives one.",
                people,
            )
            self.stdout.write(message % {"count": f"{people:,}"})
        self.stdout.write(_("Next: manage.py createsuperuser, then start the server and the worker."))
