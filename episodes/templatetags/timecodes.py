from django import template

from episodes import moments
from episodes.timecodes import format_timecode

register = template.Library()

register.simple_tag(moments.moment_link, name="moment")


@register.filter
def timecode(ms: int | None) -> str:
    """Return milliseconds as ``1:41:50``; nothing for None."""
    return "" if ms is None else format_timecode(ms)
