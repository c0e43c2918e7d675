from django import template

from episodes.timecodes import format_timecode

register = template.Library()


@register.filter
def timecode(ms: int | None) -> str:
    """Return milliseconds as ``1:41:50``; nothing for None."""
    return "" if ms is None else format_timecode(ms)
