"""Who wrote a headline, and who assessed a claim."""

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from episodes.bylines import Wording, byline
from publishing.templatetags.pullquote import site_date

from .models import Quote


def headline_byline(quote: Quote) -> list[str]:
    wording = Wording(
        by=_("Headline by {by}"),
        by_on=_("Headline by {by}, {day}"),
        edited_by=_("Headline edited by {by}"),
        edited_by_on=_("Headline edited by {by}, {day}"),
        of=_("Headline of {day}"),
        from_feed=_("Headline from the feed"),
        machine_drafted=_("Headline machine-drafted"),
    )
    return byline(wording, by=quote.claim_by, edited_by=quote.claim_edited_by, origin=quote.claim_origin)


def sources_of(quote: Quote) -> list[dict]:
    """Return the assessments, each with its verdict in words and with who checked it and when as ``byline``."""
    return [source | {"byline": assessed(source)} for source in quote.sources]


def assessed(source: dict) -> SafeString | str:
    """Return who checked an assessment and when, as far as it says."""
    by, day = source.get("assessed_by") or "", site_date(source.get("checked_on"))
    if by and day:
        return format_html(_("assessed by {by}, {day}"), by=by, day=day)
    if by:
        return format_html(_("assessed by {by}"), by=by)
    return format_html(_("checked {day}"), day=day) if day else ""
