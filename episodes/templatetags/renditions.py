from django import template

from episodes import renditions
from episodes.models import Image

register = template.Library()

register.simple_tag(renditions.srcset, name="srcset")


@register.simple_tag
def rendition(image: Image, side: int) -> str:
    """Return the address of a picture as a square of about this side, as JPEG."""
    return renditions.nearest(image, side).url
