"""What must be proved of a quote before readers see it, and what a publisher may answer for instead."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from publishing.content import Objections
from publishing.models import Revision, SiteSettings
from publishing.permissions import Actor

from .check import CheckResult, describe
from .checking import check_revisions, waived_among
from .marks import heard_of, not_heard_message, words_key
from .models import QuoteCheck, QuoteWaiver


def objections(revisions: Mapping[int, Revision]) -> Objections:
    """Return what stands against publishing quotes, by id, after checking each against its transcript.

    An unsure speaker and, if the site asks for it, words that nobody heard are firm;
    a failed or missing check takes a publisher's written reason, which holds as long as
    the words, the speaker and the times do.
    """
    found = Objections()
    checks = check_revisions(revisions)
    waived = waived_among({pk: revision.content for pk, revision in revisions.items()})
    must_hear = SiteSettings.current().hearing_required
    for pk, revision in revisions.items():
        check = checks.get(pk)
        firm = _unsure(check)
        if must_hear and heard_of(revision.content) is None:
            firm.append(not_heard_message())
        if firm:
            found.firm[pk] = firm
        if pk not in waived and (failing := _failing(check)):
            found.waivable[pk] = [failing]
    return found


def waive(revisions: Mapping[int, Revision], *, reason: str, actor: Actor) -> None:
    """Keep a publisher's reason for each quote's words. Two queries."""
    QuoteWaiver.objects.bulk_create(
        [
            QuoteWaiver(quote_id=pk, words_key=words_key(revision.content), reason=reason, by=actor)
            for pk, revision in revisions.items()
        ],
        update_conflicts=True,
        unique_fields=["quote", "words_key"],
        update_fields=["reason", "by"],
    )


def _unsure(check: QuoteCheck | None) -> list[str]:
    message = _("Nobody has said for sure who “%(label)s” is, whose words these are. Say so on the transcript's page.")
    return [message % {"label": label} for label in (check.unsure if check else ())]


def _failing(check: QuoteCheck | None) -> str:
    if check is None:
        return _(
            "The episode has no transcript, so the words cannot be checked. Bring one in; or publish with a written reason, and the page promises nothing."
        )
    result = CheckResult.from_json(check.result)
    if check.passes or check.unsure:
        return ""
    message = _("%(finding)s. Mend the words; or publish with a written reason, and the page promises nothing.")
    return message % {"finding": describe(result)}
