"""What ``manage.py check`` says of ffmpeg; the site works without it and offers no clips."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

from .ffmpeg import find_programs, missing_parts

GET_ONE = "Install ffmpeg (Debian: apt-get install ffmpeg), or the package of requirements/ffmpeg.txt, or set FFMPEG."


@register("ffmpeg")
def check_ffmpeg(**_kwargs: Any) -> list[CheckMessage]:
    """Warn where there is no ffmpeg (W001), or where it cannot do what clips need (W002)."""
    programs = find_programs()
    if programs is None:
        named = f"FFMPEG names “{settings.FFMPEG}”, which does not run" if settings.FFMPEG else "There is no ffmpeg"
        return [Warning(f"{named}: no clip can be made or downloaded.", hint=GET_ONE, id="episodes.W001")]
    lacking = missing_parts(programs)
    if lacking:
        message = f"{programs.ffmpeg} {programs.version} lacks {', '.join(lacking)}: some clips cannot be made."
        return [Warning(message, hint="Use a full build, such as Debian's.", id="episodes.W002")]
    return []
