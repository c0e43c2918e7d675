from django.utils.html import format_html
from django.utils.safestring import SafeString

from .player import Player
from .timecodes import format_timecode


def moment_link(player: Player, ms: int | None) -> SafeString:
    """Return a time on the episode's page: it plays from there if anything does; an empty place for None."""
    url = "" if ms is None else player.moment_url(ms)
    if ms is None or not url:
        return format_html('<span class="num meta">{}</span>', "" if ms is None else format_timecode(ms))
    own, elsewhere = (
        '<a class="num meta" href="{}">{}</a>',
        '<a class="num meta" href="{}" rel="nofollow noopener">{}</a>',
    )
    return format_html(own if player.src else elsewhere, url, format_timecode(ms))
