from hashlib import sha256

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from publishing.images import ReadImage

from .models import Image
from .models.media import random_name


def store_image(read: ReadImage, *, source_url: str = "") -> Image:
    """Keep a picture; the same bytes are kept once."""
    digest = sha256(read.data).hexdigest()
    held = Image.objects.filter(content_hash=digest).first()
    if held:
        return held
    name = default_storage.save(random_name("images", read.extension), ContentFile(read.data))
    return Image.objects.create(
        file=name, width=read.width, height=read.height, content_hash=digest, source_url=source_url[:2000]
    )
