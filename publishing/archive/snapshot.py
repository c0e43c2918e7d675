"""One look at the whole database, whatever is written meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Read the database as it stands at the first query, and keep nobody from writing.

    Within a transaction of the caller's it is that transaction's view.
    """
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "sqlite":
        with _read_transaction():
            yield
    else:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield


@contextmanager
def _read_transaction() -> Iterator[None]:
    """Begin as atomic() cannot: ours takes the write lock at once, and all editors would wait."""
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
