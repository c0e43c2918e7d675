"""The one line that tells an editor where an item stands; derived, never stored."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from .models import Publishable


@dataclass(frozen=True)
class Badge:
    """A word for people and a name for the style sheet."""

    name: str
    label: str


def badge_of(row: Publishable) -> Badge:
    """Return the state of a row whose ``item`` is loaded."""
    item = row.item
    if item.is_live and not row.visible:
        return Badge("hidden", _("hidden: what it hangs on is not live"))
    if item.is_live and item.has_draft:
        return Badge("differs", _("live, with a newer draft"))
    if item.is_live:
        return Badge("live", _("live"))
    if item.retired_at is not None:
        return Badge("retired", _("retired"))
    return Badge(item.draft_state, item.get_draft_state_display())
