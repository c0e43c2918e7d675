from hashlib import sha256

from django.core.files.base import ContentFile
from django.utils import timezone

from publishing.images import ReadImage
from publishing.permissions import Actor
from publishing.stored_files import store

from .models import Image

MIDDLE = {"focal_x": 50, "focal_y": 50}


def store_image(read: ReadImage, *, by: Actor, source_url: str = "") -> Image:
    """Keep a picture; the same bytes are kept once. Raises ValidationError where a quota has no room for it."""
    digest = sha256(read.data).hexdigest()
    held = Image.objects.filter(content_hash=digest).order_by("pk").first()
    if held:
        return with_focus(held, **MIDDLE)
    name = store(ContentFile(read.data), "images", read.extension, by=by)
    return Image.objects.create(
        file=name, width=read.width, height=read.height, content_hash=digest, source_url=source_url[:2000]
    )


def with_focus(image: Image, focal_x: int, focal_y: int) -> Image:
    """Return the row for the same file with another place to look at, as young as if it were new."""
    copied = ("width", "height", "source_url", "content_hash")
    row, _made = Image.objects.update_or_create(
        file=image.file.name,
        focal_x=focal_x,
        focal_y=focal_y,
        defaults={"created_at": timezone.now()},
        create_defaults={name: getattr(image, name) for name in copied},
    )
    return row
