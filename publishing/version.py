"""What whoever keeps copies of public pages must be told: that something changed, and that something was taken back."""

from collections.abc import Callable
from datetime import datetime

from django.db.models import F

from .feeds import hub
from .models import ContentVersion

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
    """Tell whoever keeps copies that readers would see something else now."""
    if not ContentVersion.objects.filter(pk=1).update(number=F("number") + 1, changed_at=now):
        ContentVersion.objects.create(pk=1, number=1, changed_at=now)
    hub.note_change()
