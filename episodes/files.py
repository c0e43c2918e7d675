"""Which files readers may fetch: those of visible things, and the site's logo."""

from django.db.models import Exists, OuterRef

from publishing.models import SiteSettings

from .media import MIME_OF
from .models import Episode, EpisodeMedia, Guest, Image, Show

IMAGE_MIME_OF = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp"}


def is_public(name: str) -> bool:
    """Tell whether something visible shows or plays the file. Three queries at most."""
    return _is_played(name) or _is_shown(name) or _is_logo(name)


def content_type_of(name: str) -> str:
    """Return the type by extension, which is ours and told by the bytes at upload."""
    extension = name.rpartition(".")[2].lower()
    return (IMAGE_MIME_OF | MIME_OF).get(extension, "application/octet-stream")


def _is_played(name: str) -> bool:
    return EpisodeMedia.objects.filter(media__file=name, episode__visible=True).exists()


def _is_shown(name: str) -> bool:
    this = OuterRef("pk")
    artwork = Exists(Show.objects.live().filter(artwork=this)) | Exists(Episode.objects.live().filter(artwork=this))
    portrait = Exists(Guest.objects.live().filter(portrait=this))
    return Image.objects.filter(artwork | portrait, file=name).exists()


def _is_logo(name: str) -> bool:
    return SiteSettings.objects.filter(logo=name).exclude(logo="").exists()
