"""What whoever keeps copies of public pages must be told: that something changed, and that something was taken back."""

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db.models import F

from .feeds import hub
from .models import ContentVersion

A_SECOND = timedelta(seconds=1)

Listener = Callable[[], object]
_keepers: list[Listener] = []


def when_taken_back(listener: Listener) -> Listener:
    """Call a function in the transaction of every act after which no copy of what was public may be served (a decorator)."""
    _keepers.append(listener)
    return listener


def tell_taken_back() -> None:
    """Tell those who keep copies that something is no longer shown, or was corrected."""
    for listener in _keepers:
        listener()


def bump_version(now: datetime) -> None:
    """Tell whoever keeps copies that readers would see something else now.

    The moment is a whole second later than that of the act before, whichever began first:
    readers compare no finer, and would take the second act for the first.
    """
    last = ContentVersion.objects.select_for_update().filter(pk=1).first()
    if last is None:
        ContentVersion.objects.create(pk=1, number=1, changed_at=now)
    else:
        later = max(now, last.changed_at + A_SECOND) if last.changed_at else now
        ContentVersion.objects.filter(pk=1).update(number=F("number") + 1, changed_at=later)
    hub.note_change()
