from django import template

from episodes.transcripts.readers.names import FORMAT_NAMES

register = template.Library()


@register.filter
def format_name(format: str) -> str:
    """Return a transcript's format as people call it."""
    return FORMAT_NAMES.get(format, format)
