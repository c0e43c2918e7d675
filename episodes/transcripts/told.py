"""What a new transcript came to for whatever rests on it, in a sentence."""

from django.utils.translation import gettext as _, ngettext

from ..models import Transcript
from .resting import Resting, resting_on

MOST_NAMED = 3  # things that a sentence names


def told_of(transcript: Transcript, words: range | None = None) -> str:
    """Return how many quotes hold and which do not; nothing where none rests on the transcript or on those words."""
    return sentence(resting_on(transcript, words))


def sentence(rests: list[Resting]) -> str:
    if not rests:
        return ""
    failed = [one for one in rests if not one.holds]
    checked = ngettext("%(n)s quote was checked", "%(n)s quotes were checked", len(rests)) % {"n": len(rests)}
    if not failed:
        return _("%(checked)s; all hold.") % {"checked": checked}
    named = ", ".join(f"“{one.title}”" for one in failed[:MOST_NAMED])
    more = _(" and %(n)s more") % {"n": len(failed) - MOST_NAMED} if len(failed) > MOST_NAMED else ""
    does = ngettext("does not hold", "do not hold", len(failed))
    return _("%(checked)s; %(n)s %(does)s: %(named)s%(more)s.") % {
        "checked": checked,
        "n": len(failed),
        "does": does,
        "named": named,
        "more": more,
    }
