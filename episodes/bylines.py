"""Who wrote and edited a text, and where it comes from: only what is known, as parts to join with a dot."""

from dataclasses import dataclass
from datetime import date

from django.utils.html import format_html
from django.utils.translation import gettext as _

from publishing.templatetags.pullquote import site_date

from .models import Episode, Origin


@dataclass(frozen=True)
class Wording:
    """How one kind of text is spoken of; whole sentences, since languages order them differently."""

    by: str
    by_on: str
    edited_by: str
    edited_by_on: str
    of: str
    from_feed: str
    machine_drafted: str


def byline(
    wording: Wording, *, by: str = "", edited_by: str = "", origin: str = Origin.EDITOR, on: date | None = None
) -> list[str]:
    """Return what readers are told, none of it twice: ``Summary by N., Jun 3, 2026``, ``edited by M.``"""
    told = {"by": by or edited_by, "day": site_date(on)}
    parts: list[str]
    if by or (edited_by and origin == Origin.EDITOR):
        undated, dated = (wording.by, wording.by_on) if by else (wording.edited_by, wording.edited_by_on)
        parts = [format_html(dated if on else undated, **told)]
    else:
        parts = _without_author(wording, origin, on)
    if by and origin != Origin.EDITOR:
        parts.append(str(Origin(origin).label))
    if edited_by and (by or origin != Origin.EDITOR):
        parts.append(format_html(_("edited by {by}"), by=edited_by))
    return parts


def _without_author(wording: Wording, origin: str, on: date | None) -> list[str]:
    day = site_date(on)
    if origin == Origin.EDITOR:
        return [format_html(wording.of, day=day)] if day else []
    said = wording.from_feed if origin == Origin.FEED else wording.machine_drafted
    return [said, day] if day else [said]


def summary_byline(episode: Episode) -> list[str]:
    wording = Wording(
        by=_("Summary by {by}"),
        by_on=_("Summary by {by}, {day}"),
        edited_by=_("Summary edited by {by}"),
        edited_by_on=_("Summary edited by {by}, {day}"),
        of=_("Summary of {day}"),
        from_feed=_("Summary from the feed"),
        machine_drafted=_("Summary machine-drafted"),
    )
    return byline(
        wording,
        by=episode.summary_by,
        edited_by=episode.summary_edited_by,
        origin=episode.summary_origin,
        on=episode.summary_on,
    )
