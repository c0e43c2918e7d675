"""Pictures in the sizes that pages show them in: squares, made when first asked for.

Their names say everything that is in them: the picture, the place to look at, the side in pixels.
"""

import io
import re
from dataclasses import dataclass

from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.urls import reverse
from PIL import Image as Pillow

from publishing.cropping import crop_square
from publishing.made_files import RENDITIONS, keep_made, open_made

from .models import Image

SIDES = (96, 192, 400, 800)  # pixels
LARGEST_ARTWORK = 3000  # pixels, Apple's limit
FORMATS = {"webp": ("WEBP", {"quality": 80, "method": 4}), "jpg": ("JPEG", {"quality": 84, "progressive": True})}
GROUND = "#fff"  # under clear parts, in a JPEG

_NAME = re.compile(
    rf"{RENDITIONS}/(?P<original>.+)/(?P<x>\d{{1,3}})-(?P<y>\d{{1,3}})-(?P<side>\d{{2,4}})\.(?P<kind>webp|jpg)"
)


@dataclass(frozen=True)
class Rendition:
    """One size of one picture."""

    image: Image
    side: int
    kind: str

    @property
    def original(self) -> str:
        return str(self.image.file.name)

    @property
    def name(self) -> str:
        return f"{RENDITIONS}/{self.original}/{self.image.focal_x}-{self.image.focal_y}-{self.side}.{self.kind}"

    @property
    def url(self) -> str:
        return reverse("episodes:media", args=[self.name])


def sides_of(image: Image) -> list[int]:
    """Return the sides that a picture has, none larger than the picture but the smallest."""
    return [side for side in SIDES if side <= min(image.width, image.height)] or [SIDES[0]]


def artwork_side(image: Image) -> int:
    """Return the side of the picture that goes into feeds."""
    return min(image.width, image.height, LARGEST_ARTWORK)


def feed_artwork(image: Image) -> str:
    """Return the path of the picture as podcast directories take it: a square JPEG, as large as it is or they allow."""
    is_as_wanted = image.width == image.height == artwork_side(image) and str(image.file.name).endswith(".jpg")
    return image.get_absolute_url() if is_as_wanted else Rendition(image, artwork_side(image), "jpg").url


def srcset(image: Image, kind: str, largest: int = SIDES[-1]) -> str:
    sides = [side for side in sides_of(image) if side <= largest]
    return ", ".join(f"{Rendition(image, side, kind).url} {side}w" for side in sides)


def nearest(image: Image, side: int, kind: str = "jpg") -> Rendition:
    """Return the smallest rendition of at least this side, else the largest there is."""
    sides = sides_of(image)
    return Rendition(image, next((each for each in sides if each >= side), sides[-1]), kind)


def find_rendition(name: str) -> Rendition | None:
    """Return the rendition of this name, as pages of now would ask for it. One query at most."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    focus = {"focal_x": int(match["x"]), "focal_y": int(match["y"])}
    image = Image.objects.filter(file=match["original"], **focus).first()
    if image is None:
        return None
    rendition = Rendition(image, int(match["side"]), match["kind"])
    sides = {*sides_of(image), artwork_side(image)} if rendition.kind == "jpg" else sides_of(image)
    return rendition if rendition.side in sides and rendition.name == name else None


def open_rendition(rendition: Rendition) -> File:
    """Return the picture, made if it was not before. Raises FileNotFoundError where the original cannot be read."""
    held = open_made(rendition.name)
    if held:
        return held
    data = _make(rendition)
    keep_made(rendition.name, data)
    return ContentFile(data, name=rendition.name)


def _make(rendition: Rendition) -> bytes:
    image, (format, options) = rendition.image, FORMATS[rendition.kind]
    try:
        with default_storage.open(rendition.original) as file:
            square = crop_square(file, rendition.side, image.focal_x, image.focal_y)
    except (OSError, SyntaxError, ValueError) as unread:
        raise FileNotFoundError(rendition.name) from unread
    if rendition.kind == "jpg" and square.mode == "RGBA":
        ground = Pillow.new("RGB", square.size, GROUND)
        ground.paste(square, mask=square.getchannel("A"))
        square = ground
    out = io.BytesIO()
    square.save(out, format, **options)
    return out.getvalue()
