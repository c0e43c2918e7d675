"""Clips of quotes: a span of an episode's own file as a video, a sound, or an audiogram.

``render_clip`` makes one in a folder of the job's own and looks at it before it counts;
``content_key`` names it by what it is made of. Nothing here knows a model or a page.
"""

from .keys import content_key
from .render import Rendered, render_clip, render_poster
from .request import CardText, ClipRefused, ClipRequest, Kind, Word, check_request
from .watermark import Watermark, make_watermark

__all__ = [
    "CardText",
    "ClipRefused",
    "ClipRequest",
    "Kind",
    "Rendered",
    "Watermark",
    "Word",
    "check_request",
    "content_key",
    "make_watermark",
    "render_clip",
    "render_poster",
]
