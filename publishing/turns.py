"""One import at a time: whoever matches and makes people, slugs and rows waits for whoever does so already."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, connection, transaction
from django.utils.translation import gettext as _

_IMPORTS = 0x50554C4C  # the number of our advisory lock; "PULL"


class Disturbed(Exception):
    """Why an import stopped half-way through a transaction, as a sentence; it can be tried again."""


@contextmanager
def import_turn() -> Iterator[None]:
    """Open a transaction that no other import's runs beside; a second one waits, then sees what the first made.

    PostgreSQL needs a lock for that, which ends with the transaction and which the same
    connection may take again inside. SQLite's transactions wait for each other anyway.
    Raises Disturbed where an editor changed or deleted the same things at that moment.
    """
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_IMPORTS])
            yield
    except (IntegrityError, OperationalError) as clash:
        message = _("The import stopped, because somebody changed the same things at that moment. Import again.")
        raise Disturbed(message) from clash
    except ValidationError as refused:
        if getattr(refused, "code", "") != "gone":  # what a link leads to was deleted since it was looked up
            raise
        raise Disturbed(" ".join(refused.messages)) from refused
