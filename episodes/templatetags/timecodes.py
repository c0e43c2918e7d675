from django import template

from episodes.player import Player
from episodes.timecodes import format_timecode

register = template.Library()


@register.filter
def timecode(ms: int | None) -> str:
    """Return milliseconds as ``1:41:50``; nothing for None."""
    return "" if ms is None else format_timecode(ms)


@register.simple_tag
def moment_url(player: Player, ms: int | None) -> str:
    """Return where a moment plays, on the episode's own page; nothing for None or where nothing plays."""
    return "" if ms is None else player.moment_url(ms)
